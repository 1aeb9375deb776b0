package index

import (
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/dgraph-io/badger/v4"
	"github.com/dgraph-io/badger/v4/fb"
	"github.com/dgraph-io/badger/v4/pb"
	"github.com/dgraph-io/badger/v4/table"
	"github.com/dgraph-io/badger/v4/y"
	"google.golang.org/protobuf/proto"

	"dormouse/store/home"
)

// cleanFile is written when the index is closed in order and taken away when it is opened. It holds the size of every file,
// so that a cut or missing one is noticed without reading it.
const cleanFile = "CLEAN"

// verify finds damage before Badger opens the files, because Badger reads damaged tables in goroutines of its own, where a
// panic ends the process. After a close in order it compares sizes alone; after a crash it reads every table.
func verify(dir string) (err error) {
	defer func() {
		if r := recover(); r != nil {
			err = fmt.Errorf("%w: %v", errCorrupt, r)
		}
	}()
	clean, err := sizesMatch(dir)
	if err != nil {
		return err
	}
	f, err := os.Open(filepath.Join(dir, badger.ManifestFilename))
	if err != nil {
		return fmt.Errorf("%w: %w", errCorrupt, err)
	}
	defer f.Close() //nolint:errcheck // opened for reading
	man, _, err := badger.ReplayManifestFile(f, 0, badger.DefaultOptions(dir))
	if err != nil {
		return fmt.Errorf("%w: %w", errCorrupt, err)
	}
	if clean {
		return nil
	}
	for id := range man.Tables {
		if err := verifyTable(table.NewFilename(id, dir)); err != nil {
			return err
		}
	}
	return nil
}

// sizesMatch compares the files with the sizes that the last close noted. clean is false where there is no note.
func sizesMatch(dir string) (clean bool, err error) {
	raw, err := os.ReadFile(filepath.Join(dir, cleanFile))
	if errors.Is(err, fs.ErrNotExist) {
		return false, nil
	}
	if err != nil {
		return false, err
	}
	var want map[string]int64
	if json.Unmarshal(raw, &want) != nil {
		return false, nil
	}
	have, err := sizes(dir)
	if err != nil {
		return false, err
	}
	for name, size := range want {
		if n, ok := have[name]; !ok || n != size {
			return false, fmt.Errorf("%w: %s has %d bytes, and %d were written", errCorrupt, name, n, size)
		}
	}
	return true, nil
}

// sizes lists the files of the database.
func sizes(dir string) (map[string]int64, error) {
	list, err := os.ReadDir(dir)
	if err != nil {
		return nil, err
	}
	out := map[string]int64{}
	for _, e := range list {
		if e.IsDir() || e.Name() == cleanFile || strings.HasPrefix(e.Name(), ".") || e.Name() == "LOCK" {
			continue
		}
		info, err := e.Info()
		if err != nil {
			return nil, err
		}
		out[e.Name()] = info.Size()
	}
	return out, nil
}

// verifyTable checks one of Badger's tables: the checksum of its index, then those of the blocks that the index names. A
// table ends in its index, the index's length, its checksum and the checksum's length; so does each block with the
// numbers of its entries.
func verifyTable(path string) error {
	raw, err := os.ReadFile(path)
	if err != nil {
		return fmt.Errorf("%w: %w", errCorrupt, err)
	}
	rest, sum, err := checksum(raw)
	if err != nil {
		return fmt.Errorf("%s: %w", path, err)
	}
	size := binary.BigEndian.Uint32(rest[len(rest)-4:])
	index := rest[len(rest)-4-int(size) : len(rest)-4]
	if err := y.VerifyChecksum(index, sum); err != nil {
		return fmt.Errorf("%w: %s: index: %w", errCorrupt, path, err)
	}
	t := fb.GetRootAsTableIndex(index, 0)
	for i := range t.OffsetsLength() {
		var o fb.BlockOffset
		if !t.Offsets(&o, i) {
			return fmt.Errorf("%w: %s: block %d", errCorrupt, path, i)
		}
		block, sum, err := checksum(raw[o.Offset() : o.Offset()+o.Len()])
		if err == nil {
			err = y.VerifyChecksum(block, sum)
		}
		if err != nil {
			return fmt.Errorf("%w: %s: block %d: %w", errCorrupt, path, i, err)
		}
	}
	return nil
}

// checksum splits the checksum off the end of raw.
func checksum(raw []byte) (rest []byte, sum *pb.Checksum, err error) {
	if len(raw) < 8 {
		return nil, nil, errCorrupt
	}
	end := len(raw) - 4
	size := int(binary.BigEndian.Uint32(raw[end:]))
	if size > end-4 {
		return nil, nil, errCorrupt
	}
	sum = &pb.Checksum{}
	if err := proto.Unmarshal(raw[end-size:end], sum); err != nil {
		return nil, nil, fmt.Errorf("%w: %w", errCorrupt, err)
	}
	return raw[:end-size], sum, nil
}

// noteSizes writes the note of a close in order.
func noteSizes(dir string) error {
	have, err := sizes(dir)
	if err != nil {
		return err
	}
	raw, err := json.Marshal(have)
	if err != nil {
		return err
	}
	return os.WriteFile(filepath.Join(dir, cleanFile), raw, home.FileMode)
}
