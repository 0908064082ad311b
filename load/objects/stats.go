package objects

import (
	"context"
	"io"
	"net/http"
	"sync/atomic"
)

// Stats is what a store has done. Of a server it counts every request that was sent, tries that failed too, as that is
// what is billed.
type Stats struct {
	Puts     int64 `json:"puts"`
	Gets     int64 `json:"gets"`
	Heads    int64 `json:"heads"`
	Lists    int64 `json:"lists"`
	Deletes  int64 `json:"deletes"`
	Sent     int64 `json:"sent"`     // bytes of content; of a listing too
	Received int64 `json:"received"` // the same
}

// Requests is their number.
func (s Stats) Requests() int64 { return s.Puts + s.Gets + s.Heads + s.Lists + s.Deletes }

// counter counts for Stats.
type counter struct {
	puts, gets, heads, lists, deletes, sent, received atomic.Int64
}

func (c *counter) Stats() Stats {
	return Stats{c.puts.Load(), c.gets.Load(), c.heads.Load(), c.lists.Load(), c.deletes.Load(), c.sent.Load(),
		c.received.Load()}
}

// triesKey is the key of a context's value that counts the requests of one call.
type triesKey struct{}

// withTries returns a context that counts the requests that are made with it.
func withTries(ctx context.Context) (context.Context, *atomic.Int64) {
	n := &atomic.Int64{}
	return context.WithValue(ctx, triesKey{}, n), n
}

// pages are the requests of one listing, which are made one after the other.
type pages struct {
	asked map[string]int // how often, by the token that says what the page is behind
	empty atomic.Int64   // requests since the last key came
	stop  context.CancelCauseFunc
	place string
}

// mostEmpty is how many pages without a key may follow each other: a server may have so many objects that are deleted.
const mostEmpty = 200

// pagesKey is the key of a context's value with the pages of a listing.
type pagesKey struct{}

// ask ends a listing that comes back to the same page, as often as the library does not try it, or that has one page
// after the other and no key.
func (p *pages) ask(token string) error {
	why := "names the same page"
	if p.asked[token]++; p.asked[token] <= tries {
		if p.empty.Add(1) <= mostEmpty {
			return nil
		}
		why = "lists nothing"
	}
	err := &Error{Kind: ErrServer, Doing: listing.doing, Place: p.place,
		Why: "the server says each time that there is more, and " + why,
		Do:  "what is in the store cannot be found out: look at the server, and at what is before it, such as a proxy"}
	p.stop(err)
	return err
}

// counted counts what goes through a transport.
type counted struct {
	*counter
	inner http.RoundTripper
}

func (c counted) RoundTrip(req *http.Request) (*http.Response, error) {
	switch {
	case req.Method == http.MethodPut:
		c.puts.Add(1)
	case req.Method == http.MethodHead:
		c.heads.Add(1)
	case req.Method == http.MethodDelete:
		c.deletes.Add(1)
	case req.URL.Query().Has("list-type"):
		if pages, ok := req.Context().Value(pagesKey{}).(*pages); ok {
			if err := pages.ask(req.URL.Query().Get("continuation-token")); err != nil {
				return nil, err
			}
		}
		c.lists.Add(1)
	default:
		c.gets.Add(1)
	}
	if tries, ok := req.Context().Value(triesKey{}).(*atomic.Int64); ok {
		tries.Add(1)
	}
	if req.Body != nil && req.Body != http.NoBody {
		req = req.WithContext(req.Context()) // a transport must not change the request of its caller
		req.Body = countedBody{req.Body, &c.sent}
	}
	resp, err := c.inner.RoundTrip(req)
	if err != nil {
		return nil, err
	}
	resp.Body = countedBody{resp.Body, &c.received}
	return resp, nil
}

type countedBody struct {
	io.ReadCloser
	n *atomic.Int64
}

func (b countedBody) Read(p []byte) (int, error) {
	n, err := b.ReadCloser.Read(p)
	b.n.Add(int64(n))
	return n, err
}
