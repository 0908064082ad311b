package s3test

import (
	"io"
	"net/http"
	"net/http/httptest"
	"strconv"
	"sync"
	"testing"
	"time"
)

// A Cut is when a connection is cut.
type Cut int

const (
	Whole   Cut = iota
	Before      // the server never sees the request
	Between     // the server has done it, and its answer is lost
	Within      // half of the answer's content arrives
)

// A Fault is what happens to a request. The zero value lets it pass.
type Fault struct {
	Status        int // the answer, in the server's place
	Code, Message string
	Cut           Cut
	Delay         time.Duration // before all else
}

// Proxy stands before a server, and counts what comes by.
type Proxy struct {
	URL string

	mu    sync.Mutex
	count map[string]int
	rule  func(method, path string, n int) Fault
}

// NewProxy starts a proxy before an endpoint. It ends with the test.
func NewProxy(t testing.TB, endpoint string) *Proxy {
	t.Helper()
	p := &Proxy{count: map[string]int{}}
	transport := &http.Transport{DisableCompression: true}
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		p.serve(w, r, transport, host(endpoint))
	}))
	t.Cleanup(func() { server.Close(); transport.CloseIdleConnections() })
	p.URL = server.URL
	return p
}

// On sets the rule for what comes, and counts from 1 again. n is the number of the request among those of its method.
func (p *Proxy) On(rule func(method, path string, n int) Fault) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.rule = rule
	clear(p.count)
}

// OnNth makes the n-th request of a method fail; 0 is each.
func (p *Proxy) OnNth(method string, n int, f Fault) {
	p.On(func(m, _ string, at int) Fault {
		if m == method && (n == 0 || n == at) {
			return f
		}
		return Fault{}
	})
}

// Count is how many requests of a method have come since the last rule.
func (p *Proxy) Count(method string) int {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.count[method]
}

func (p *Proxy) fault(r *http.Request) Fault {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.count[r.Method]++
	if p.rule == nil {
		return Fault{}
	}
	return p.rule(r.Method, r.URL.Path, p.count[r.Method])
}

func (p *Proxy) serve(w http.ResponseWriter, r *http.Request, transport http.RoundTripper, to string) {
	f := p.fault(r)
	time.Sleep(f.Delay)
	if f.Cut == Before {
		panic(http.ErrAbortHandler) // cuts the connection
	}
	if f.Status != 0 {
		_, _ = io.Copy(io.Discard, r.Body) // as far as it comes
		w.Header().Set("Content-Type", "application/xml")
		w.WriteHeader(f.Status)
		_, _ = io.WriteString(w, `<?xml version="1.0" encoding="UTF-8"?><Error><Code>`+f.Code+`</Code><Message>`+
			f.Message+`</Message></Error>`)
		return
	}
	out := r.Clone(r.Context())
	out.URL.Scheme, out.URL.Host, out.RequestURI = "http", to, "" // the header Host is signed: it stays
	if r.ContentLength == 0 {
		out.Body = nil
	}
	resp, err := transport.RoundTrip(out)
	if err != nil {
		panic(http.ErrAbortHandler)
	}
	defer func() { _ = resp.Body.Close() }() // it was read
	body, err := io.ReadAll(resp.Body)
	if err != nil || f.Cut == Between {
		panic(http.ErrAbortHandler)
	}
	for name, values := range resp.Header {
		w.Header()[name] = values
	}
	if r.Method != http.MethodHead {
		w.Header().Set("Content-Length", strconv.Itoa(len(body)))
	}
	w.WriteHeader(resp.StatusCode)
	if f.Cut == Within {
		_, _ = w.Write(body[:len(body)/2])
		_ = http.NewResponseController(w).Flush()
		panic(http.ErrAbortHandler)
	}
	_, _ = w.Write(body) // a client may have gone
}
