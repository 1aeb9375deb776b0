package proxy

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io"
	"log"
	"log/slog"
	"net/http"
	"net/http/httputil"
	"net/url"
	"sync"
	"time"

	"dormouse/service/pager"
)

// The upstreams that are known by name, and where they are. Settings move them and add others.
const (
	Anthropic = "anthropic"
	OpenAI    = "openai"
	Gemini    = "gemini"
)

// Upstreams are the known upstreams' own addresses.
func Upstreams() map[string]string {
	return map[string]string{Anthropic: "https://api.anthropic.com", OpenAI: "https://api.openai.com", Gemini: "https://generativelanguage.googleapis.com"}
}

// Bounds of what passes.
const (
	maxRequest = 1 << 30  // bytes of a request, which files that are uploaded may have
	maxRead    = 32 << 20 // bytes of a request or an answer that are read; what is longer passes unread
	maxEvent   = 4 << 20  // bytes of one event of a stream that are held until it is whole
)

// Options are what a proxy is made of.
type Options struct {
	// Secret is what the clients' tokens are made of.
	Secret []byte
	// Upstreams are the addresses of the providers by name.
	Upstreams map[string]string
	// On reports whether what passes is read; nil is always. While it is not, bytes pass and nothing else happens.
	On func() bool
	// Meter is told of each call of a model that ended; nil is not. It is called on the goroutine of the request, after the answer.
	Meter func(Call)
	// Page reports whether old results of tools are shortened on the way, where that pays; nil is never. See service/pager.
	Page func() bool
	// Tools reports whether models are offered the memory's tools, in conversations that begin from then on; nil is never. Memory is asked
	// by them; without it they reach what their conversation shows in short alone.
	Tools  func() bool
	Memory Memory
	// Pager are the settings of shortening. Default: pager.Default.
	Pager pager.Options
	// Window is the window of a model in bytes, by its name; long says that a request asks for a long one. nil is Pager's for all models.
	Window func(model string, long bool) int
	// Keep takes what of a conversation is to outlive the proxy, by a name that is a plain file name, or nil where there is nothing any
	// more; Kept is what earlier proxies gave. Without Keep nothing is kept.
	Keep func(name string, k *KeptTalk)
	Kept []KeptTalk
	// Record gives who is shown each request to a model as its client made it, nil while nobody is; nil is never. Who is shown one may not
	// block.
	Record func() func(Seen)
	Now    func() time.Time // default: time.Now
	Log    *slog.Logger     // default: none
	// Transport reaches the upstreams. Default: one that goes by the environment's HTTPS_PROXY.
	Transport http.RoundTripper
	// MaxRequest bounds a request in bytes. Default: 1 GB.
	MaxRequest int64
}

// Proxy passes requests on. It is safe for use by several goroutines.
type Proxy struct {
	o         Options
	upstreams map[string]*url.URL
	reverse   *httputil.ReverseProxy
	paging    *paging

	mu    sync.Mutex
	stats Stats
}

// New returns a proxy. An error says which upstream has no address that can be used.
func New(o Options) (*Proxy, error) {
	if o.Now == nil {
		o.Now = time.Now
	}
	if o.Log == nil {
		o.Log = slog.New(slog.DiscardHandler)
	}
	if o.On == nil {
		o.On = func() bool { return true }
	}
	if o.Meter == nil {
		o.Meter = func(Call) {}
	}
	if o.Transport == nil {
		o.Transport = transport()
	}
	if o.Page == nil {
		o.Page = func() bool { return false }
	}
	if o.Tools == nil {
		o.Tools = func() bool { return false }
	}
	if o.Pager == (pager.Options{}) {
		o.Pager = pager.Default()
	}
	if err := o.Pager.Validate(); err != nil {
		return nil, err
	}
	if o.MaxRequest == 0 {
		o.MaxRequest = maxRequest
	}
	p := &Proxy{o: o, paging: newPaging(o), upstreams: map[string]*url.URL{}, stats: Stats{Since: o.Now()}}
	for name, at := range o.Upstreams {
		u, err := url.Parse(at)
		if err != nil || u.Host == "" || u.Scheme != "http" && u.Scheme != "https" {
			return nil, fmt.Errorf("proxy: the upstream %q has no address that can be used: %q", name, at)
		}
		p.upstreams[name] = u
	}
	// a request that the provider refuses is sent anew as it was
	p.reverse = &httputil.ReverseProxy{Rewrite: rewrite, Transport: original{p, o.Transport}, FlushInterval: -1, ModifyResponse: p.answered,
		ErrorHandler: p.failed, ErrorLog: log.New(io.Discard, "", 0), BufferPool: &buffers{}}
	return p, nil
}

// transport passes bodies as they are: with compression of its own it would take one off an answer.
func transport() http.RoundTripper {
	t := http.DefaultTransport.(*http.Transport).Clone() //nolint:forcetypeassert // the standard library's
	t.DisableCompression = true
	t.MaxIdleConnsPerHost = 16
	return t
}

// Token is the token of a client, by its name. Each client has one of its own, so that what passes is known to be its.
func (p *Proxy) Token(client string) string {
	m := hmac.New(sha256.New, p.o.Secret)
	m.Write([]byte("client " + client))
	return hex.EncodeToString(m.Sum(nil)[:16])
}

// Path is where a client reaches an upstream, from the root of the proxy's address on.
func (p *Proxy) Path(client, upstream string) string {
	return "/" + client + "/" + p.Token(client) + "/" + upstream
}

// Names are the upstreams that can be reached.
func (p *Proxy) Names() (out []string) {
	for name := range p.upstreams {
		out = append(out, name)
	}
	return out
}

// buffers lends the memory through which bodies are copied.
type buffers struct{ pool sync.Pool }

func (b *buffers) Get() []byte {
	if v, ok := b.pool.Get().(*[]byte); ok {
		return *v
	}
	return make([]byte, 32<<10)
}

func (b *buffers) Put(buf []byte) { b.pool.Put(&buf) }
