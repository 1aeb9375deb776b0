package embed

import (
	"maps"
	"net/url"
	"slices"

	"github.com/philippgille/chromem-go"
)

// The providers.
const (
	Ollama     = "ollama"
	OpenAI     = "openai"
	Compatible = "openai-compatible" // every endpoint that speaks OpenAI's /embeddings
	Azure      = "azure"             // OpenAI's models at Azure; the address is the deployment's
	Cohere     = "cohere"
	Jina       = "jina"
	LocalAI    = "localai"
	Mistral    = "mistral"
	Mixedbread = "mixedbread"
	Vertex     = "vertex" // Google Cloud; the key is an access token
)

// provider is how chromem-go asks one of them.
type provider struct {
	make     func(s Settings, key string) chromem.EmbeddingFunc
	homeless bool   // it has no address of its own
	marks    bool   // each text says whether it asks or is searched
	fixed    bool   // it has one model, so that none need be named
	model    string // that one
	keyless  bool   // it can do without a key
	env      string // the variable that its key is in by custom
}

var providers = map[string]provider{
	Ollama:     {make: ollama, keyless: true},
	OpenAI:     {make: compatible("https://api.openai.com/v1"), env: "OPENAI_API_KEY"},
	Compatible: {make: compatible(""), homeless: true, keyless: true},
	Azure: {homeless: true, env: "AZURE_OPENAI_API_KEY", make: func(s Settings, key string) chromem.EmbeddingFunc {
		return chromem.NewEmbeddingFuncAzureOpenAI(key, s.BaseURL, "", s.Model)
	}},
	Cohere: {marks: true, env: "COHERE_API_KEY", make: func(s Settings, key string) chromem.EmbeddingFunc {
		return chromem.NewEmbeddingFuncCohere(key, chromem.EmbeddingModelCohere(s.Model))
	}},
	Jina:       {make: compatible("https://api.jina.ai/v1"), env: "JINA_API_KEY"},
	LocalAI:    {make: compatible("http://localhost:8080/v1"), keyless: true},
	Mistral:    {make: compatible("https://api.mistral.ai/v1"), fixed: true, model: "mistral-embed", env: "MISTRAL_API_KEY"},
	Mixedbread: {make: compatible("https://api.mixedbread.ai"), env: "MXBAI_API_KEY"},
	Vertex: {env: "GOOGLE_ACCESS_TOKEN", make: func(s Settings, key string) chromem.EmbeddingFunc {
		return chromem.NewEmbeddingFuncVertex(key, s.Project, chromem.EmbeddingModelVertex(s.Model), chromem.WithVertexAPIEndpoint(s.BaseURL))
	}},
}

// Providers are the names of all of them, sorted.
func Providers() []string { return slices.Sorted(maps.Keys(providers)) }

// KeyEnv is the environment variable that a provider's key is in by custom; empty where there is none. An openai-compatible endpoint
// has none: OpenAI's key is nobody else's business.
func KeyEnv(name string) string { return providers[name].env }

// Keyless reports whether a provider can do without a key.
func Keyless(name string) bool { return providers[name].keyless }

// ollama takes an address with and without /api.
func ollama(s Settings, _ string) chromem.EmbeddingFunc {
	base := s.BaseURL
	if u, err := url.Parse(base); err == nil && base != "" && (u.Path == "" || u.Path == "/") {
		base = u.JoinPath("api").String()
	}
	return chromem.NewEmbeddingFuncOllama(s.Model, base)
}

// compatible asks as OpenAI's interface wants it, at the address of the settings or at own.
func compatible(own string) func(Settings, string) chromem.EmbeddingFunc {
	return func(s Settings, key string) chromem.EmbeddingFunc {
		base := s.BaseURL
		if base == "" {
			base = own
		}
		given := true // it is brought to the length 1 and checked here, whatever the endpoint says of it
		return chromem.NewEmbeddingFuncOpenAICompat(base, key, s.Model, &given)
	}
}
