package gitrepo

import (
	"encoding/binary"
	"hash/adler32"
)

// storedMax is the most bytes that one block of a deflate stream can hold as they are.
const storedMax = 65_535

// appendStored adds data as a zlib stream (RFC 1950) of stored blocks (RFC 1951, 3.2.4): nothing is compressed, so it costs next to
// nothing to write and to read. Trees are kept so: half of them is the names of objects, which do not get shorter.
func appendStored(b, data []byte) []byte {
	b = append(b, 0x78, 0x01)
	sum := adler32.Checksum(data)
	for last := false; !last; {
		n := min(len(data), storedMax)
		last = n == len(data)
		head := byte(0)
		if last {
			head = 1
		}
		b = append(b, head)
		b = binary.LittleEndian.AppendUint16(b, uint16(n))
		b = binary.LittleEndian.AppendUint16(b, ^uint16(n))
		b = append(b, data[:n]...)
		data = data[n:]
	}
	return binary.BigEndian.AppendUint32(b, sum)
}
