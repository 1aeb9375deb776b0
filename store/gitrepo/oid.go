package gitrepo

import (
	"crypto/sha1"
	"encoding/hex"
	"errors"
	"fmt"
	"strconv"
)

// ErrNotFound says that an object, path or ref is not in the repository.
var ErrNotFound = errors.New("not found in the repository")

// OID is the SHA-1 name of an object. The zero OID names none.
type OID [sha1.Size]byte

// String is the name in 40 hex digits.
func (o OID) String() string { return hex.EncodeToString(o[:]) }

// IsZero reports whether o names no object.
func (o OID) IsZero() bool { return o == OID{} }

// ParseOID reads 40 hex digits.
func ParseOID(s string) (OID, error) {
	var o OID
	if len(s) != 2*len(o) {
		return o, fmt.Errorf("object name %q has not 40 hex digits", s)
	}
	if _, err := hex.Decode(o[:], []byte(s)); err != nil {
		return OID{}, fmt.Errorf("object name %q: %w", s, err)
	}
	return o, nil
}

// Kind is the type of an object, by its number in a pack.
type Kind byte

// The kinds of object.
const (
	Commit Kind = 1
	Tree   Kind = 2
	Blob   Kind = 3
	Tag    Kind = 4
)

// The two forms in which a pack stores an object as a change to another one.
const (
	offsetDelta Kind = 6
	refDelta    Kind = 7
)

// String is the kind's name in an object's header.
func (k Kind) String() string {
	switch k {
	case Commit:
		return "commit"
	case Tree:
		return "tree"
	case Blob:
		return "blob"
	case Tag:
		return "tag"
	}
	return "kind " + strconv.Itoa(int(k))
}

func parseKind(s string) (Kind, error) {
	for _, k := range []Kind{Commit, Tree, Blob, Tag} {
		if k.String() == s {
			return k, nil
		}
	}
	return 0, fmt.Errorf("unknown kind of object %q", s)
}

// looseHeader is what stands before an object's content when it is hashed or stored alone.
func looseHeader(k Kind, size int) []byte {
	b := append(make([]byte, 0, 24), k.String()...)
	b = append(b, ' ')
	return append(strconv.AppendInt(b, int64(size), 10), 0)
}

// Sum is the name of the object with this content.
func Sum(k Kind, content []byte) OID {
	h := sha1.New()
	h.Write(looseHeader(k, len(content)))
	h.Write(content)
	var o OID
	h.Sum(o[:0])
	return o
}
