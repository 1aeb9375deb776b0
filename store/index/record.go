package index

import (
	"encoding/binary"
	"fmt"

	"github.com/dgraph-io/badger/v4"
	"github.com/klauspost/compress/zstd"
)

// codec packs the documents that are kept for display.
type codec struct {
	enc *zstd.Encoder
	dec *zstd.Decoder
}

func newCodec() (*codec, error) {
	enc, err := zstd.NewWriter(nil, zstd.WithEncoderConcurrency(1), zstd.WithEncoderLevel(zstd.SpeedFastest),
		zstd.WithWindowSize(64<<10), zstd.WithEncoderCRC(false), zstd.WithLowerEncoderMem(true))
	if err != nil {
		return nil, err
	}
	dec, err := zstd.NewReader(nil, zstd.WithDecoderConcurrency(2), zstd.WithDecoderLowmem(true),
		zstd.WithDecoderMaxMemory(64<<20))
	return &codec{enc, dec}, err
}

func (c *codec) pack(raw []byte) []byte { return c.enc.EncodeAll(raw, nil) }

func (c *codec) unpack(record []byte) (Doc, error) {
	raw, err := c.dec.DecodeAll(record, nil)
	if err != nil {
		return Doc{}, fmt.Errorf("%w: document: %w", errCorrupt, err)
	}
	return decode(raw)
}

// record reads the document of a number.
func (ix *Index) record(txn *badger.Txn, num uint32) (Doc, error) {
	raw, err := value(txn, numKey(keyRecord, num))
	if err != nil {
		return Doc{}, fmt.Errorf("document %d: %w", num, err)
	}
	return ix.codec.unpack(raw)
}

// An id's value is the number of its document and the digest of what was put, by which putting the same again is known.
func idValue(num uint32, digest uint64) []byte {
	return binary.LittleEndian.AppendUint64(binary.BigEndian.AppendUint32(nil, num), digest)
}

func parseID(v []byte) (num uint32, digest uint64, err error) {
	if len(v) != 12 {
		return 0, 0, errCorrupt
	}
	return binary.BigEndian.Uint32(v), binary.LittleEndian.Uint64(v[4:]), nil
}

func (c *codec) close() error {
	c.dec.Close()
	return c.enc.Close()
}
