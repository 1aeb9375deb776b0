package capture

import (
	"fmt"
	"io"
	"os"
	"strings"

	"dormouse/service/capture/share"
	"github.com/klauspost/compress/zstd"
)

// packedSuffix ends the names of transcripts that their agent compressed because they grow no more. Where the file is there
// without it too, that one counts.
const packedSuffix = ".zst"

// maxWindow bounds the memory of unpacking, in bytes.
const maxWindow = 128 << 20

// content is what a transcript holds, unpacked.
type content struct {
	io.Reader
	file *os.File
	dec  *zstd.Decoder
}

func openContent(path string) (*content, error) {
	f, err := share.Open(path)
	if err != nil {
		return nil, err
	}
	if !strings.HasSuffix(path, packedSuffix) {
		return &content{Reader: f, file: f}, nil
	}
	dec, err := zstd.NewReader(f, zstd.WithDecoderConcurrency(1), zstd.WithDecoderMaxWindow(maxWindow))
	if err != nil {
		_ = f.Close()
		return nil, fmt.Errorf("unpack %s: %w", path, err)
	}
	return &content{Reader: dec, file: f, dec: dec}, nil
}

// skip goes to a place, in unpacked bytes.
func (c *content) skip(n int64) error {
	if c.dec == nil {
		_, err := c.file.Seek(n, io.SeekStart)
		return err
	}
	_, err := io.CopyN(io.Discard, c.dec, n)
	return err
}

func (c *content) close() {
	if c.dec != nil {
		c.dec.Close()
	}
	_ = c.file.Close()
}
