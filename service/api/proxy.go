package api

// The paths of the proxy between agents and their providers.
const (
	PathProxy       = "/v1/proxy"        // ?client=: how it is; with a client also where it reaches each provider
	PathProxySwitch = "/v1/proxy/switch" // POST ?to=on, off or shut
	PathProxyRecord = "/v1/proxy/record" // POST ?file=&limit=: what passes is recorded into a new file; without a file that ends
)

// How the proxy is switched.
const (
	ProxyOn   = "on"   // what passes is read
	ProxyOff  = "off"  // bytes pass, and nothing else happens
	ProxyShut = "shut" // nothing listens
)

// Proxy is how the proxy is, and what passed since the service began.
type Proxy struct {
	State   string `json:"state"`             // on, off or shut
	URL     string `json:"url,omitempty"`     // where it listens; empty while it does not
	Failure string `json:"failure,omitempty"` // why it does not, though it is to

	Since     int64 `json:"since"`
	Requests  int64 `json:"requests"`  // that were passed on
	Read      int64 `json:"read"`      // of them, calls of models that were read on the way
	Refused   int64 `json:"refused"`   // without a token, of a web page, of another machine
	TooLong   int64 `json:"too_long"`  // longer than what is passed on
	Unreached int64 `json:"unreached"` // whose provider could not be reached
	Errors    int64 `json:"errors"`    // that the provider answered with an error
	Broken    int64 `json:"broken"`    // streams that broke in their middle
	Calls     int64 `json:"calls"`     // whose usage is known
	Untold    int64 `json:"untold"`    // of which the provider told no usage
	Unmetered int64 `json:"unmetered"` // whose usage could not be written down
	// Pages says that old results of tools are shortened. Paged counts the requests in which some were, SavedBytes what that took off,
	// SentAnew those that their provider refused so and got as they came, Untouched those that passed whole because of a doubt, by what it was.
	Pages      bool             `json:"pages"`
	Paged      int64            `json:"paged"`
	SavedBytes int64            `json:"saved_bytes"`
	SentAnew   int64            `json:"sent_anew"`
	Untouched  map[string]int64 `json:"untouched,omitempty"`
	// Tools says that models are offered tools of the memory's. Offered counts the requests in which they were, Unoffered those in which they
	// were not though that is switched on, by what hindered it.
	Tools     bool             `json:"tools"`
	Offered   int64            `json:"offered"`
	Unoffered map[string]int64 `json:"unoffered,omitempty"`
	Asked     ProxyAsked       `json:"asked"`
	// InputTokens are all of the input, CacheReadTokens what of it came from the provider's cache.
	InputTokens     int64 `json:"input_tokens"`
	CacheReadTokens int64 `json:"cache_read_tokens"`
	OutputTokens    int64 `json:"output_tokens"`
	// Talks are the conversations whose requests may be shortened, as they stand, the newest first.
	Talks []ProxyTalk `json:"talks,omitempty"`

	// Recording is the recording that goes on, or the last one since the service began.
	Recording *ProxyRecording `json:"recording,omitempty"`

	// Bases are where the client that was asked for reaches the providers. They hold its token.
	Bases []ProxyBase `json:"bases,omitempty"`
}

// ProxyAsked is what models asked the memory with its tools.
type ProxyAsked struct {
	Queries   int64 `json:"queries"`
	Restores  int64 `json:"restores"`
	Releases  int64 `json:"releases"`
	Misses    int64 `json:"misses"`    // of them, what could not be answered
	Rounds    int64 `json:"rounds"`    // requests that the proxy made with the results
	Forgotten int64 `json:"forgotten"` // answers that asked, and in which that is not put back because there are too many
}

// ProxyTalk is a conversation that goes through the proxy.
type ProxyTalk struct {
	Client   string `json:"client"`
	Upstream string `json:"upstream"`
	Model    string `json:"model"`
	At       int64  `json:"at"` // of its newest request
	// Whole says that its provider did not take what was shortened: it passes as it is.
	Whole bool `json:"whole,omitempty"`
	// Bytes are what its next request carries, Full what it would carry without being shortened, Budget what the model's window holds, and
	// Zone how near that is: normal, caution, warning, critical or emergency.
	Bytes  int    `json:"bytes"`
	Full   int    `json:"full"`
	Budget int    `json:"budget"`
	Zone   string `json:"zone"`
	// Levels count its parts by fidelity, from whole to all but gone.
	Levels []int `json:"levels"`
	// Refetched counts results that the model asked for again while they were short.
	Refetched int `json:"refetched"`
	// SavedTokens is about how much less input was paid for, in tokens at full price with the prompt cache counted in; negative where it cost
	// more. SavedMicros is that in millionths of a US dollar, 0 where the model's price is not known.
	SavedTokens int64 `json:"saved_tokens"`
	SavedMicros int64 `json:"saved_micros"`
}

// ProxyBase is the address of a provider through the proxy.
type ProxyBase struct {
	Upstream string `json:"upstream"`
	URL      string `json:"url"`
}

// ProxyRecording is what passed through the proxy, in a file that dormouse replay reads, secrets taken out.
type ProxyRecording struct {
	File     string `json:"file"`
	On       bool   `json:"on"`
	Ended    string `json:"ended,omitempty"` // why it is over
	Since    int64  `json:"since"`
	Requests int    `json:"requests"` // that added something
	Messages int    `json:"messages"`
	Bytes    int64  `json:"bytes"`
	Limit    int64  `json:"limit"`    // bytes at which it ends by itself
	Redacted int    `json:"redacted"` // secrets that were taken out
	Unread   int    `json:"unread"`   // requests that are of a form that Dormouse cannot read
	Missed   int    `json:"missed"`   // requests that came faster than they could be written
}
