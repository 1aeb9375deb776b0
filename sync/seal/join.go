package seal

import (
	"crypto/rand"
	"encoding/json"
	"errors"
	"fmt"
	"strings"

	"filippo.io/age"
	"golang.org/x/crypto/chacha20poly1305"
	"golang.org/x/crypto/scrypt"
)

// alphabet leaves out what is misread: I, L, O, U.
const alphabet = "0123456789ABCDEFGHJKMNPQRSTVWXYZ"

// codeLetters at five bits each: 50 bits, behind a slow derivation, for a code that holds for minutes.
const codeLetters = 10

// NewCode draws a code, as it is shown: XXXXX-XXXXX.
func NewCode() string {
	var b [codeLetters]byte
	_, _ = rand.Read(b[:])
	for i := range b {
		b[i] = alphabet[b[i]%32]
	}
	return string(b[:5]) + "-" + string(b[5:])
}

// plainCode is a code as it was typed, without what people add or mistake.
func plainCode(typed string) (string, error) {
	s := strings.NewReplacer("-", "", " ", "", "O", "0", "I", "1", "L", "1").Replace(strings.ToUpper(strings.TrimSpace(typed)))
	if len(s) != codeLetters || strings.Trim(s, alphabet) != "" {
		return "", fmt.Errorf("%q is no code: it has %d letters and digits, such as 7K3QX-90MTB", typed, codeLetters)
	}
	return s, nil
}

// CodeKey closes a request and its answer.
type CodeKey struct{ salt, key []byte }

// NewCodeKey draws the key for a request from the code that the other machine shows.
func NewCodeKey(code string) (CodeKey, error) {
	salt := make([]byte, saltSize)
	_, _ = rand.Read(salt)
	return codeKey(code, salt)
}

func codeKey(code string, salt []byte) (CodeKey, error) {
	plain, err := plainCode(code)
	if err != nil {
		return CodeKey{}, err
	}
	key, err := scrypt.Key([]byte("dormouse join "+plain), salt, 1<<15, 8, 1, keyBytes)
	return CodeKey{salt, key}, err
}

// Request asks to be let in.
type Request struct{ Device }

var errCode = errors.New("it was closed with another code")

const maxJoin = maxRing + 1024

// Close writes a request: the salt, and what only the code opens.
func (k CodeKey) Close(r Request) ([]byte, error) {
	raw, err := json.Marshal(r)
	if err != nil {
		return nil, err
	}
	return k.close("request", raw)
}

// OpenRequest reads a request with the code that this machine has shown.
func OpenRequest(raw []byte, code string) (Request, CodeKey, error) {
	var r Request
	if len(raw) < saltSize || len(raw) > maxJoin {
		return r, CodeKey{}, errCode
	}
	k, err := codeKey(code, raw[:saltSize])
	if err != nil {
		return r, k, err
	}
	body, err := k.open("request", raw)
	if err != nil {
		return r, k, err
	}
	if err := json.Unmarshal(body, &r); err != nil {
		return r, k, fmt.Errorf("a request to join is damaged: %w", err)
	}
	_, err = age.ParseX25519Recipient(r.Recipient)
	return r, k, err
}

// Answer writes the ring for the machine that asked.
func (k CodeKey) Answer(r Ring, to Device) ([]byte, error) {
	body, err := r.encode()
	if err != nil {
		return nil, err
	}
	inner, err := encryptTo([]string{to.Recipient}, body)
	if err != nil {
		return nil, err
	}
	return k.close("answer", inner)
}

// OpenAnswer reads the ring that answers a request.
func (k CodeKey) OpenAnswer(raw []byte, id *age.X25519Identity) (Ring, error) {
	inner, err := k.open("answer", raw)
	if err != nil {
		return Ring{}, err
	}
	return OpenRing(inner, id, Ring{}) // the code vouches for it
}

func (k CodeKey) close(what string, body []byte) ([]byte, error) {
	aead, err := chacha20poly1305.NewX(k.key)
	if err != nil {
		return nil, err
	}
	nonce := make([]byte, aead.NonceSize())
	_, _ = rand.Read(nonce)
	return aead.Seal(append(append([]byte{}, k.salt...), nonce...), nonce, body, []byte(what)), nil
}

func (k CodeKey) open(what string, raw []byte) ([]byte, error) {
	aead, err := chacha20poly1305.NewX(k.key)
	if err != nil {
		return nil, err
	}
	head := saltSize + aead.NonceSize()
	if len(raw) < head || len(raw) > maxJoin {
		return nil, errCode
	}
	body, err := aead.Open(nil, raw[saltSize:head], raw[head:], []byte(what))
	if err != nil {
		return nil, errCode
	}
	return body, nil
}
