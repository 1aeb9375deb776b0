package main

import (
	"dormouse/assets"
	"dormouse/service/embed"
	"dormouse/store/index"
)

// defaultVectors are those that the product gives documents where no other embedder is configured.
func defaultVectors() (index.Vectors, error) {
	t, err := embed.NewTable(assets.Embedding())
	if err != nil {
		return index.Vectors{}, err
	}
	m := t.Model()
	return index.Vectors{Model: m.Name, Dims: m.Dims, Embed: m.Embed, Known: m.Known}, nil
}
