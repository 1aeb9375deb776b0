package api

import "net/url"

// PathSessionFile gives the bytes of a text or an image that lies beside a node: GET ?id=&node=&sha256=. It is the one answer that is
// no JSON; an error still is.
const PathSessionFile = "/v1/session/file"

// HeaderSHA256 is the header in which a file's answer names its SHA-256 in hex.
const HeaderSHA256 = "Dormouse-File-Sha256"

// FileQuery asks for a file of a session. SHA256 is the beginning of its hash that no other file of the session has. Node, where it is
// known, spares looking through the others.
type FileQuery struct{ ID, Node, SHA256 string }

// Values are the query as parameters.
func (q FileQuery) Values() url.Values {
	v := url.Values{"id": {q.ID}, "sha256": {q.SHA256}}
	if q.Node != "" {
		v.Set("node", q.Node)
	}
	return v
}
