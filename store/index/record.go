package index

import (
	"encoding/binary"
	"encoding/json"
	"fmt"

	"github.com/cespare/xxhash/v2"
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

// encode writes a document and its digest, by which putting the same again is known.
func encode(d *Doc) (raw []byte, digest uint64, err error) {
	if raw, err = json.Marshal(d); err != nil {
		return nil, 0, fmt.Errorf("encode document %s: %w", d.ID, err)
	}
	return raw, xxhash.Sum64(raw), nil
}

func (c *codec) pack(raw []byte) []byte { return c.enc.EncodeAll(raw, nil) }

func (c *codec) unpack(record []byte) (d Doc, err error) {
	raw, err := c.dec.DecodeAll(record, nil)
	if err == nil {
		err = json.Unmarshal(raw, &d)
	}
	if err != nil {
		return Doc{}, fmt.Errorf("%w: document: %w", errCorrupt, err)
	}
	return d, nil
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
