package main

import (
	"fmt"
	"io"
	"math"
	"os"
	"path/filepath"
	"slices"

	"dormouse/service/embed"
)

// depths are where recall is taken.
var depths = [2]int{5, 10}

// dense is the weight of the cosine beside BM25's in the sum of the two.
var dense = []float64{0.3, 0.35, 0.4}

// shelf is documents among which the answers of some questions are looked for.
type shelf struct {
	ids       []string
	docs      []string
	questions []question
}

type question struct {
	text string
	gold []string
}

// score is recall at the two depths, summed over questions.
type score [2]float64

// judge prints what the table finds in the benchmark data below dir, beside BM25 and together with it.
func judge(w io.Writer, dir string, t *embed.Table) error {
	fmt.Fprintln(w, "| set | documents, questions | BM25 | table | sum .3 | sum .35 | sum .4 |\n|---|---|---|---|---|---|---|")
	for _, set := range []struct {
		name, at string
		load     func(string) ([]shelf, error)
	}{
		{"LoCoMo turns", "locomo/turns.jsonl", loadTurns},
		{"commit to session", "sessions/queries.jsonl", loadSessions},
		{"XQuAD-en", "multiling/xquad.en.queries.jsonl", loadPassages},
		{"MADial-en", "multiling/madial.en.queries.jsonl", loadPassages},
	} {
		file := filepath.Join(dir, filepath.FromSlash(set.at))
		if _, err := os.Stat(file); err != nil {
			fmt.Fprintf(w, "| %s | not there | | | | | |\n", set.name)
			continue
		}
		shelves, err := set.load(file)
		if err != nil {
			return err
		}
		fmt.Fprintf(w, "| %s |%s\n", set.name, judgeSet(shelves, t))
	}
	return nil
}

func judgeSet(shelves []shelf, t *embed.Table) string {
	scores := make([]score, 2+len(dense))
	docs, n := 0, 0
	for _, s := range shelves {
		docs += len(s.docs)
		n += len(s.questions)
		words, vectors := newWords(s.docs), newVectors(t, s.docs)
		for _, q := range s.questions {
			lex, cos := words.scores(q.text), vectors.scores(q.text)
			scores[0].add(s, q, lex)
			scores[1].add(s, q, cos)
			zl, zc := standard(lex), standard(cos)
			for i, weight := range dense {
				sum := make([]float64, len(zl))
				for j := range sum {
					sum[j] = (1-weight)*zl[j] + weight*zc[j]
				}
				scores[2+i].add(s, q, sum)
			}
		}
	}
	out := fmt.Sprintf(" %d, %d |", docs, n)
	for _, s := range scores {
		out += fmt.Sprintf(" %.3f/%.3f |", s[0]/float64(n), s[1]/float64(n))
	}
	return out
}

// add adds what a ranking of the shelf finds of a question's answers. Documents with nothing in common are not found.
func (s *score) add(in shelf, q question, scores []float64) {
	order := make([]int, len(scores))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int {
		switch {
		case scores[a] > scores[b]:
			return -1
		case scores[a] < scores[b]:
			return 1
		}
		return 0
	})
	for d, depth := range depths {
		found := 0
		for _, i := range order[:min(depth, len(order))] {
			if scores[i] != 0 && slices.Contains(q.gold, in.ids[i]) {
				found++
			}
		}
		s[d] += float64(found) / float64(len(q.gold))
	}
}

// standard is scores with the mean 0 and the deviation 1.
func standard(scores []float64) []float64 {
	mean, square := 0.0, 0.0
	for _, s := range scores {
		mean += s / float64(len(scores))
	}
	for _, s := range scores {
		square += (s - mean) * (s - mean) / float64(len(scores))
	}
	out := make([]float64, len(scores))
	if square == 0 {
		return out
	}
	for i, s := range scores {
		out[i] = (s - mean) / math.Sqrt(square)
	}
	return out
}
