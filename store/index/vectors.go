package index

import (
	"context"
	"errors"
	"fmt"
	"math"
)

// Vectors says which vectors the documents get beside their terms. The zero Vectors gives them none.
type Vectors struct {
	// Model names the embedder. Another name means other vectors: those of two models are never compared.
	Model string
	// Dims is how many numbers a vector has.
	Dims int
	// Embed gives one vector of unit length a text, in their order; a vector of zeros for a text that it knows nothing of.
	Embed func(ctx context.Context, texts []string) ([][]float32, error)
	// Query is Embed for texts that ask, for models that want those marked. nil is Embed.
	Query func(ctx context.Context, texts []string) ([][]float32, error)
	// Known is the share of a text's words that the model knows, 0 to 1; nil for a model that is taken to know all.
	Known func(text string) float64
	// Later is for an embedder that may take long, such as one behind a network: Put does not call it, and MakeVectors does.
	Later bool
}

// maxDims is the most numbers of a vector that is taken.
const maxDims = 4096

// check refuses what no vectors can be made with.
func (v *Vectors) check() error {
	switch {
	case v.Model == "" && v.Embed == nil:
		return nil
	case v.Model == "" || v.Embed == nil:
		return errors.New("vectors need the name of a model and its embedder")
	case v.Dims < 1 || v.Dims > maxDims:
		return fmt.Errorf("the model %s says that its vectors have %d numbers; 1 to %d are possible", v.Model, v.Dims, maxDims)
	}
	return nil
}

// maxEmbedded is how much of a document's text is embedded, in bytes.
const maxEmbedded = 8 << 10

// embedded is the text of a document that its vector stands for.
func embedded(d *Doc) string {
	text := d.Body
	if d.Title != "" {
		text = d.Title + "\n" + text
	}
	text = clip(text, maxEmbedded)
	if d.Path != "" {
		text += "\n" + clip(d.Path, maxEmbedded/8)
	}
	return text
}

// embed makes the vectors of some texts, ready to be stored.
func (g *generation) embed(ctx context.Context, texts []string) ([]coded, error) {
	list, err := g.vectors.Embed(ctx, texts)
	if err != nil {
		return nil, fmt.Errorf("embed %d texts with %s: %w", len(texts), g.entry.Model, err)
	}
	if len(list) != len(texts) {
		return nil, fmt.Errorf("embed with %s: %d vectors came for %d texts", g.entry.Model, len(list), len(texts))
	}
	out := make([]coded, len(list))
	for i, v := range list {
		if err := checkVector(v, g.entry.Dims); err != nil {
			return nil, fmt.Errorf("embed with %s: %w", g.entry.Model, err)
		}
		out[i] = g.code(v)
	}
	return out, nil
}

// checkVector refuses a vector of another length than the model's, and numbers that are none.
func checkVector(v []float32, dims int) error {
	if len(v) != dims {
		return fmt.Errorf("a vector has %d numbers, and those of the index have %d", len(v), dims)
	}
	for _, x := range v {
		if f := float64(x); math.IsNaN(f) || math.IsInf(f, 0) {
			return errors.New("a vector holds what is no number")
		}
	}
	return nil
}
