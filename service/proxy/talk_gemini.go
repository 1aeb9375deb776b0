package proxy

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"hash"
	"net/http"
	"slices"
	"strings"

	"dormouse/service/pager"
)

// geminiTalk reads a request of Gemini's generateContent, as https://ai.google.dev/api/generate-content describes it.
func geminiTalk(doc []byte, root span) (*talk, error) {
	if k := root.field("cachedContent").kind; k != 0 && k != 'n' {
		return nil, doubtManaged
	}
	list := root.field("contents")
	switch {
	case list.kind != '[' || len(list.kids) == 0:
		return nil, doubtShape
	case len(list.kids) > maxMessages:
		return nil, doubtMany
	}
	r := geminiReader{doc: doc, talk: &talk{doc: doc, root: root, list: list}, seen: map[string]int{}}
	for i, m := range list.kids {
		r.entry = i
		if err := r.content(m); err != nil {
			return nil, err
		}
	}
	r.close()
	return r.talk, nil
}

// geminiReader reads contents. What one side says in a row is one message: clients keep each piece of a stream as a content of its own.
type geminiReader struct {
	doc    []byte
	talk   *talk
	sum    hash.Hash
	entry  int
	signed bool // the message holds a thought or the signature of one
	open   []geminiOpen
	seen   map[string]int // calls with their results, how often each came
}

// geminiOpen is a call that waits for its result. Few models give calls an id: a result is known by the name and the order.
type geminiOpen struct {
	id, name    string
	args        []byte
	said, block int
}

func (r *geminiReader) content(m span) error {
	role := m.field("role").text(r.doc)
	parts := m.field("parts")
	for _, k := range m.keys {
		if k != "role" && k != "parts" {
			return doubtShape
		}
	}
	if m.kind != '{' || parts.kind != '[' || !slices.Contains([]string{"", "user", "function", "model"}, role) {
		return doubtShape
	}
	s := r.side(role != "model")
	answers := len(r.open)
	for _, p := range parts.kids {
		if err := r.part(s, p); err != nil {
			return err
		}
	}
	if s.User && answers > 0 && len(r.open) > 0 {
		return doubtResult
	}
	return nil
}

// side begins a message where the other side spoke before.
func (r *geminiReader) side(user bool) *said {
	if k := len(r.talk.said); k == 0 || r.talk.said[k-1].User != user {
		r.close()
		r.talk.said = append(r.talk.said, said{Message: pager.Message{User: user}, from: r.entry})
		r.sum, r.signed = sha256.New(), false
		part(r.sum, "user", fmt.Append(nil, user))
	}
	s := &r.talk.said[len(r.talk.said)-1]
	s.to = r.entry + 1
	return s
}

// close ends a message. Calls beside a signature stay as they are: it may be of them.
func (r *geminiReader) close() {
	k := len(r.talk.said)
	if k == 0 {
		return
	}
	s := &r.talk.said[k-1]
	copy(s.digest[:], r.sum.Sum(nil))
	for i := range s.Blocks {
		s.Blocks[i].Fixed = s.Blocks[i].Fixed || r.signed && !s.User
	}
}

func (r *geminiReader) add(s *said, b pager.Block, at place, texts ...span) {
	s.Blocks, s.texts = append(s.Blocks, b), append(s.texts, texts)
	r.talk.places = append(r.talk.places, at)
}

// beside are fields that may stand beside what a part holds.
var beside = []string{"thought", "thoughtSignature", "videoMetadata", "mediaResolution", "partMetadata"}

// heldIn is what a part holds: the one field that says what it is; "" where there is none, and false where there are more.
func heldIn(p span) (kind string, ok bool) {
	for _, k := range p.keys {
		if slices.Contains(beside, k) {
			continue
		}
		if kind != "" {
			return "", false
		}
		kind = k
	}
	return kind, p.kind == '{'
}

func (r *geminiReader) part(s *said, p span) error {
	kind, ok := heldIn(p)
	if !ok {
		return doubtBlock
	}
	for i, k := range p.keys {
		if k != "thoughtSignature" { // some clients add one where there is none, as long as a task lasts
			part(r.sum, k, p.kids[i].raw(r.doc))
		}
	}
	thought := p.field("thought").kind == 't'
	r.signed = r.signed || thought || p.field("thoughtSignature").kind != 0
	v := p.field(kind)
	switch {
	case kind == "functionCall" && !s.User && v.kind == '{':
		return r.call(s, v)
	case kind == "functionResponse" && s.User && v.kind == '{':
		return r.result(s, v)
	case kind == "text" && v.kind == '"' && !thought:
		r.add(s, pager.Block{Kind: pager.Text}, place{}, v)
	case slices.Contains([]string{"", "text", "inlineData", "fileData", "executableCode", "codeExecutionResult"}, kind):
		r.add(s, pager.Block{Kind: pager.Other}, place{}, p)
	default:
		return doubtBlock
	}
	return nil
}

func (r *geminiReader) call(s *said, v span) error {
	name, args := v.field("name").text(r.doc), v.field("args")
	for _, k := range v.keys {
		if k != "id" && k != "name" && k != "args" {
			return doubtBlock
		}
	}
	if name == "" || args.kind != 0 && args.kind != '{' {
		return doubtResult
	}
	b := pager.Block{Kind: pager.Call, Tool: name, Input: json.RawMessage("{}"), Fixed: args.kind == 0}
	at := place{}
	if args.kind == '{' {
		b.Input, at = json.RawMessage(args.raw(r.doc)), place{args.at, args.end, asJSON}
	}
	r.open = append(r.open, geminiOpen{id: v.field("id").text(r.doc), name: name, args: b.Input, said: len(r.talk.said) - 1, block: len(s.Blocks)})
	r.add(s, b, at)
	return nil
}

// result takes the result of an open call: the one with its id, else the first of its name.
func (r *geminiReader) result(s *said, v span) error {
	id, name, response := v.field("id").text(r.doc), v.field("name").text(r.doc), v.field("response")
	i := slices.IndexFunc(r.open, func(o geminiOpen) bool { return id != "" && o.id == id && o.name == name })
	if i < 0 {
		i = slices.IndexFunc(r.open, func(o geminiOpen) bool { return o.name == name && (id == "" || o.id == "") })
	}
	if i < 0 || response.kind != '{' {
		return doubtResult
	}
	o := r.open[i]
	r.open = slices.Delete(r.open, i, i+1)
	b := pager.Block{Kind: pager.Result, ID: r.id(o, response)}
	r.talk.said[o.said].Blocks[o.block].ID = b.ID
	text, at := outputOf(r.doc, response)
	b.Failed = failedField(response) || failed(text.text(r.doc))
	for _, k := range v.keys {
		b.Fixed = b.Fixed || k != "id" && k != "name" && k != "response" // such as pictures
	}
	r.add(s, b, at, text)
	return nil
}

// id is a name for a call that is the same in each request of its conversation, whatever was taken back or put in before it: the sum of the
// call and its result, and how many of just this kind came before. A handle that is made of it never means another content.
func (r *geminiReader) id(o geminiOpen, response span) string {
	sum := sha256.New()
	part(sum, o.name, o.args)
	part(sum, "response", response.raw(r.doc))
	id := hex.EncodeToString(sum.Sum(nil)[:12])
	n := r.seen[id]
	r.seen[id]++
	if n > 0 {
		return fmt.Sprintf("%s-%d", id, n)
	}
	return id
}

// maxBesideOutput is how much may stand in a result beside its longest text for that to be what the result says.
const maxBesideOutput = 200

// outputOf is the text of a result: the one that makes up nearly all of it, else the whole object.
func outputOf(doc []byte, response span) (text span, at place) {
	long := span{}
	for _, k := range response.kids {
		if k.kind == '"' && k.end-k.at > long.end-long.at {
			long = k
		}
	}
	if long.kind == '"' && (response.end-response.at)-(long.end-long.at) <= maxBesideOutput {
		return long, place{long.at, long.end, asText}
	}
	return response, place{response.at, response.end, asOutput}
}

// failedField reports whether a result says in its field for that that it failed.
func failedField(response span) bool {
	k := response.field("error").kind
	return k != 0 && k != 'n' && k != 'f'
}

// asArray are words in a name of who asks: an answer is asked for as one array of the pieces of a stream, in which nothing can be hidden
// before all of it came.
const asArray = "as an array"

// from tells clients and models apart. Gemini's requests name their model in the path.
func (at *route) from(r *http.Request) string {
	out := at.client + "\x00" + at.upstream
	switch at.form {
	case messages:
		if strings.Contains(strings.Join(r.Header.Values("Anthropic-Beta"), ","), longBeta) {
			out += "\x00" + asLong
		}
	case generate:
		_, model, _ := strings.Cut(at.rest, "/models/")
		model, method, _ := strings.Cut(model, ":")
		out += "\x00" + model
		if method == "streamGenerateContent" && r.URL.Query().Get("alt") != "sse" {
			out += "\x00" + asArray
		}
	}
	return out
}

// named takes what a request's path and header say of it.
func (t *talk) named(from string) {
	said := strings.Split(from, "\x00")
	if len(said) < 3 {
		return
	}
	switch t.form {
	case messages:
		t.long = said[2] == asLong
	case generate:
		t.model, t.array = said[2], len(said) > 3
	}
}

// geminiUnfit says why a request of Gemini's cannot be offered the tools; "" where it can.
func (t *talk) geminiUnfit() unfit {
	list := t.root.field("tools")
	declared := 0
	for _, x := range list.kids {
		for i, k := range x.keys {
			if k != "functionDeclarations" {
				return unfitServer
			}
			for _, f := range x.kids[i].kids {
				if declared++; isOurs(f.field("name").text(t.doc)) {
					return unfitName
				}
			}
		}
	}
	config := t.root.field("toolConfig").field("functionCallingConfig")
	n := t.root.field("generationConfig").field("candidateCount")
	switch {
	case declared == 0:
		return unfitNone
	case n.kind == '0' && string(n.raw(t.doc)) != "1":
		return unfitMany
	case t.array || config.field("streamFunctionCallArguments").kind == 't':
		return unfitManaged
	}
	return ""
}

// geminiChooses says whether a request leaves it to the model which function is called.
func (t *talk) geminiChooses() bool {
	config := t.root.field("toolConfig").field("functionCallingConfig")
	if len(config.field("allowedFunctionNames").kids) > 0 {
		return false
	}
	return slices.Contains([]string{"", "MODE_UNSPECIFIED", "AUTO", "VALIDATED"}, config.field("mode").text(t.doc))
}

// geminiOffered is where the tools go: behind the last function that is declared, since some models take one list of them alone.
func (t *talk) geminiOffered() edit {
	var list span
	for _, x := range t.root.field("tools").kids {
		if f := x.field("functionDeclarations"); len(f.kids) > 0 {
			list = f
		}
	}
	return edit{list.end - 1, list.end - 1, append([]byte{','}, toolBytes[generate]...)}
}

// canonical is a JSON object with its fields in order, so that it is known again however a client wrote it.
func canonical(raw []byte) string {
	m := object(raw)
	if m == nil {
		return string(raw)
	}
	b, err := json.Marshal(m)
	if err != nil {
		return string(raw)
	}
	return string(b)
}

// geminiSchema is a schema with the names of types as Gemini has them.
func geminiSchema(schema string) string {
	for _, t := range []string{"object", "string"} {
		schema = strings.ReplaceAll(schema, fmt.Sprintf(`"type":%q`, t), fmt.Sprintf(`"type":%q`, strings.ToUpper(t)))
	}
	return schema
}

// withField is an object with a field more.
func withField(raw []byte, name, value string) []byte {
	return fmt.Appendf(nil, `%s,%s:%s}`, bytes.TrimSuffix(raw, []byte("}")), quote(name), quote(value))
}

// fieldsWith is an object with other values in some of its fields, and without those whose value is nil.
func fieldsWith(doc []byte, v span, values map[string][]byte) []byte {
	var fields [][]byte
	for i, k := range v.keys {
		raw := v.kids[i].raw(doc)
		if x, there := values[k]; there {
			raw = x
		}
		if raw != nil {
			fields = append(fields, fmt.Appendf(nil, "%s:%s", quote(k), raw))
		}
	}
	return fmt.Appendf(nil, "{%s}", bytes.Join(fields, []byte(",")))
}
