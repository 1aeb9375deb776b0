package aider

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"io"
	"path/filepath"
	"strconv"
	"strings"

	"dormouse/service/capture/chain"
	"dormouse/service/capture/transcript"
	"dormouse/store/memory"
)

// What the lines of the person and of the client begin with.
const (
	asks  = "#### "
	tells = "> "
)

// speaker is whose line it is.
type speaker int

const (
	nobody speaker = iota
	person
	client
	model
)

// parser makes the nodes of one run.
type parser struct {
	b       *chain.Session
	s       *chain.Stream
	at      chain.At
	session string
	known   func(id string) (memory.Node, bool)
	padded  bool    // the client ends its lines with two spaces
	who     speaker // of the block that is being read
	block   []string
	size    int            // of the block with what its lines cost, in bytes
	left    int            // of the block, because it is too long, in bytes
	number  int            // of its first line
	blocks  int            // that were made
	said    string         // newest text of the model
	waiting *chain.Message // said, and its tokens may come
	key     []string       // of waiting
	edited  map[string]int // file -> how often it was edited
	room    []byte         // of storedOf
}

func newParser(path string, r run, o transcript.Options, room []byte) *parser {
	p := &parser{room: room, b: chain.New(Agent, o), session: r.session, known: o.Known, edited: map[string]int{}}
	if o.Stored != nil && !o.Stored() {
		p.known = nil
	}
	p.s = p.b.Main()
	p.s.Cwd = filepath.Dir(path)
	p.b.Facts.Cwd = p.s.Cwd
	p.at = chain.At{File: path}
	if !r.started.IsZero() {
		p.at.Time = r.started.Unix()
		p.b.Seen(p.at.Time)
	}
	return p
}

// line takes one line.
func (p *parser) line(text string, number int) {
	if strings.HasPrefix(text, begins) && header.MatchString(text) {
		return
	}
	who := p.whose(text)
	p.padded = p.padded || who == client && strings.HasSuffix(text, "  ")
	if who == nobody { // a blank line parts nothing but blocks of the same speaker, of the person's
		if p.who == model {
			if p.size += lineCost; p.size <= maxBlock {
				p.block = append(p.block, "")
			}
		} else if p.who == person {
			p.close()
		}
		return
	}
	if who != p.who {
		p.close()
		p.who, p.number = who, number
	}
	switch who {
	case person:
		text = strings.TrimRight(strings.TrimPrefix(text, asks), " ")
	case client:
		text = strings.TrimRight(strings.TrimPrefix(text, tells), " ")
	}
	if p.size += len(text) + lineCost; p.size > maxBlock {
		p.left += len(text) + 1
		return
	}
	p.block = append(p.block, text)
}

// maxBlock is how long the words of one speaker may be, in bytes, and lineCost what a line costs besides them. What is beyond is counted.
const maxBlock, lineCost = 16 << 20, 32

// whose tells whose line it is.
func (p *parser) whose(text string) speaker {
	marked := strings.HasSuffix(text, "  ")
	switch {
	case strings.TrimSpace(text) == "":
		return nobody
	case strings.HasPrefix(text, asks) && (marked || !p.padded && p.who != model):
		return person
	case (strings.HasPrefix(text, tells) || text == ">") && (marked || !p.padded || p.who == client):
		return client
	default:
		return model
	}
}

// end takes the last block, which nothing closed. What the client tells may go on line by line, and waits while the run may go on.
func (p *parser) end(how transcript.Settle) {
	if how == transcript.Quiet && p.who == client {
		return
	}
	p.close()
	p.say()
}

// close makes the nodes of the block that was read.
func (p *parser) close() {
	lines, who := p.block, p.who
	p.block, p.who = p.block[:0], nobody // parts copies them
	left := p.left
	p.size, p.left = 0, 0
	if len(lines) == 0 {
		return
	}
	p.blocks++
	at := p.at
	if left > 0 {
		p.b.Skip(at, transcript.TooLong, left)
	}
	at.Line, at.Source = p.number, "L"+strconv.Itoa(p.number)
	block := strconv.Itoa(p.blocks)
	for _, part := range p.parts(lines, block) {
		switch who {
		case person:
			p.say()
			p.said = ""
			p.s.Prompt(at, part.text, nil, part.key...)
		case model:
			p.say()
			if len(p.said) > maxBlock {
				p.said = ""
			}
			p.said += part.text
			p.waiting, p.key = &chain.Message{Text: part.text}, part.key
			p.at.Line, p.at.Source = at.Line, at.Source
		case client:
			p.told(at, part.text, part.key)
		}
	}
}

// part is a part of a block: all of it, unless its beginning is stored as one that ended there.
type part struct {
	text string
	key  []string
}

func (p *parser) parts(lines []string, block string) []part {
	if p.known == nil {
		return p.whole(lines, block)
	}
	var out []part
	for len(lines) > 0 {
		stored, end := p.storedOf(lines, block)
		if stored == 0 {
			break
		}
		out = append(out, part{strings.TrimSpace(strings.Join(lines[:stored], "\n")), []string{p.session, block, end}})
		lines = lines[stored:]
	}
	return out
}

// whole is a block of which nothing is stored, as its one part.
func (p *parser) whole(lines []string, block string) []part {
	for len(lines) > 0 && strings.TrimSpace(lines[len(lines)-1]) == "" {
		lines = lines[:len(lines)-1]
	}
	if len(lines) == 0 {
		return nil
	}
	p.room = p.room[:0]
	for _, l := range lines {
		p.room = append(append(p.room, l...), '\n')
	}
	sum := sha256.Sum256(p.room)
	return []part{{string(bytes.TrimSpace(p.room)), []string{p.session, block, hex.EncodeToString(sum[:8])}}}
}

// storedOf is how many of the lines are the longest beginning that is stored, and its sum; all of them where none is. Blank lines at
// the end do not count.
func (p *parser) storedOf(lines []string, block string) (stored int, end string) {
	last := len(lines)
	for last > 0 && strings.TrimSpace(lines[last-1]) == "" {
		last--
	}
	if last == 0 {
		return 0, ""
	}
	sum := sha256.New()
	var whole []byte
	for i, l := range lines[:last] {
		_, _ = io.WriteString(sum, l)  // never fails
		_, _ = sum.Write([]byte{'\n'}) // never fails
		if i+1 < last && strings.TrimSpace(l) == "" {
			continue
		}
		whole = sum.Sum(whole[:0])
		if name := hex.EncodeToString(whole[:8]); p.stored(block, name) {
			stored, end = i+1, name
		}
	}
	if stored == 0 {
		stored, end = last, hex.EncodeToString(whole[:8])
	}
	return stored, end
}

// stored reports whether a part of a block is stored, as what the model said or as what the client told.
func (p *parser) stored(block, end string) bool {
	for _, what := range []string{"say", "notice"} {
		if _, ok := p.known(memory.NodeID(Agent, p.session, block, end, what)); ok {
			return true
		}
	}
	return false
}

// say makes the node of the newest message.
func (p *parser) say() {
	if m := p.waiting; m != nil {
		p.waiting = nil
		p.s.Say(p.at, *m, p.key...)
		p.s.Close()
	}
}
