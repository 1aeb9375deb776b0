package main

import (
	"bytes"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"
)

// Limits on what is read of a source file and of a function, in bytes.
const (
	maxGoFile = 512 << 10
	maxBody   = 1200
)

var generated = regexp.MustCompile(`(?m)^// Code generated .* DO NOT EDIT\.$`)

// goPairs are those of all Go files below dir, in the order of their paths: comments and what they are of, and the first
// sentence of a comment and its rest.
func goPairs(dir, kind string) ([]pair, error) {
	var out []pair
	err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case d.IsDir():
			if name := d.Name(); path != dir && (name == "testdata" || strings.HasPrefix(name, ".") || strings.HasPrefix(name, "_") || foreign(path)) {
				return filepath.SkipDir
			}
			return nil
		case !strings.HasSuffix(path, ".go"):
			return nil
		}
		src, err := os.ReadFile(path)
		if err != nil || len(src) > maxGoFile || generated.Match(src[:min(len(src), 4096)]) {
			return err
		}
		out = append(out, filePairs(src, kind)...)
		return nil
	})
	return out, err
}

func filePairs(src []byte, kind string) []pair {
	fset := token.NewFileSet()
	f, err := parser.ParseFile(fset, "", src, parser.ParseComments|parser.SkipObjectResolution)
	if err != nil {
		return nil // not all that lies in a module is for this version of Go
	}
	var out []pair
	text := func(n ast.Node) string {
		from, to := fset.Position(n.Pos()).Offset, fset.Position(n.End()).Offset
		return string(src[from:min(to, from+maxBody)])
	}
	if f.Doc != nil {
		out = append(out, paragraphs(f.Doc.Text(), kind)...)
	}
	for _, d := range f.Decls {
		switch d := d.(type) {
		case *ast.FuncDecl:
			out = append(out, docPairs(d.Doc, d.Name.Name, f.Name.Name+" "+text(d), kind)...)
		case *ast.GenDecl:
			for _, s := range d.Specs {
				if t, ok := s.(*ast.TypeSpec); ok {
					doc := t.Doc
					if doc == nil {
						doc = d.Doc
					}
					out = append(out, docPairs(doc, t.Name.Name, f.Name.Name+" "+text(t), kind)...)
				}
			}
		}
	}
	return out
}

// docPairs are those of a comment and what it is of. The name, with which a comment begins, is left out of it: to find it
// again would teach nothing.
func docPairs(doc *ast.CommentGroup, name, code, kind string) []pair {
	if doc == nil {
		return nil
	}
	text := strings.TrimSpace(doc.Text())
	if rest, ok := strings.CutPrefix(text, name+" "); ok {
		text = rest
	}
	if !enough(text, 4) {
		return nil
	}
	out := []pair{{text, code, kind + " code"}}
	return append(out, paragraphs(text, kind)...)
}

var sentence = regexp.MustCompile(`(?s)^(.{20,}?[.:])\s+(\S.*)$`)

// paragraphs are the pairs of neighbouring paragraphs of a text, and of the first sentence and the rest of the first.
func paragraphs(text, kind string) []pair {
	var out []pair
	parts := strings.Split(text, "\n\n")
	if m := sentence.FindStringSubmatch(parts[0]); m != nil && enough(m[2], 5) {
		out = append(out, pair{m[1], m[2], kind + " text"})
	}
	for i := 1; i < len(parts); i++ {
		if enough(parts[i-1], 6) && enough(parts[i], 6) {
			out = append(out, pair{parts[i-1], parts[i], kind + " text"})
		}
	}
	return out
}

// markdownPairs are those of the Markdown files below dir: headings and their sections, and neighbouring paragraphs.
func markdownPairs(dir, kind string) ([]pair, error) {
	var out []pair
	err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case d.IsDir():
			if path != dir && foreign(path) {
				return filepath.SkipDir
			}
			return nil
		case !strings.EqualFold(filepath.Ext(path), ".md") || licenceFile.MatchString(d.Name()):
			return nil
		}
		src, err := os.ReadFile(path)
		if err != nil || len(src) > maxGoFile {
			return err
		}
		out = append(out, sections(string(bytes.ReplaceAll(src, []byte("\r\n"), []byte("\n"))), kind)...)
		return nil
	})
	return out, err
}

var (
	heading = regexp.MustCompile(`(?m)^#{1,6} +(.+)$`)
	address = regexp.MustCompile(`https?://\S+|\]\([^)]*\)|<[^>]*>`)
)

// sections cuts a Markdown text at its headings.
func sections(text, kind string) []pair {
	text = address.ReplaceAllString(text, " ")
	var out []pair
	found := heading.FindAllStringSubmatchIndex(text, -1)
	for i, at := range found {
		end := len(text)
		if i+1 < len(found) {
			end = found[i+1][0]
		}
		title, body := text[at[2]:at[3]], strings.TrimSpace(text[at[1]:end])
		if !enough(body, 8) {
			continue
		}
		out = append(out, pair{title, body[:min(len(body), 2*maxBody)], kind + " section"})
		out = append(out, paragraphs(body, kind)...)
	}
	return out
}
