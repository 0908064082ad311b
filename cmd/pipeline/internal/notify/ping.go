// Package notify tells of a run: to a URL that watches over it, and to a command of the user's.
//
// It knows how something is told, and must never know what a run does. A ping's URL is a secret, since who has it can ping too: no error and no
// text of this package has it.
package notify

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strings"
	"time"

	"pipeline/cmd/pipeline/internal/retry"
)

// A Ping is a URL that is told when a run begins and how it ended, as healthchecks.io takes it: URL/start, then URL for exit code 0 and URL/CODE for
// another (https://healthchecks.io/docs/http_api/). Each is a POST with a few lines of text.
type Ping struct {
	url     *url.URL
	name    string
	client  *http.Client
	pauses  retry.Pauses
	version string
}

const (
	pingTry   = 10 * time.Second // for each try
	pingTries = 3
	maxAnswer = 1 << 10 // bytes that are looked at
)

// NewPing is the ping of a URL, which errors call by a name that may be shown.
func NewPing(u *url.URL, name, version string) *Ping {
	return &Ping{u, name, &http.Client{Timeout: pingTry, CheckRedirect: sameHost}, retry.Pauses{First: time.Second, Most: 5 * time.Second, Tries: pingTries}, version}
}

// sameHost follows no redirect to another host, nor from https to http: what a monitor is told is for it alone.
func sameHost(next *http.Request, before []*http.Request) error {
	first := before[0].URL
	switch {
	case next.URL.Host != first.Host:
		return errors.New("it redirects to another host")
	case next.URL.Scheme != first.Scheme && next.URL.Scheme != "https":
		return errors.New("it redirects from https to http")
	case len(before) > 3:
		return errors.New("it redirects again and again")
	}
	return nil
}

// Start says that a run begins. Once more is done there is no other try.
func (p *Ping) Start(more context.Context, body string) error { return p.send(more, "start", body) }

// End says how a run ended. Where hurry is above 0, there is one try, which takes no longer.
func (p *Ping) End(code int, body string, hurry time.Duration) error {
	way := ""
	if code != 0 {
		way = fmt.Sprint(code)
	}
	if hurry > 0 {
		ctx, stop := context.WithTimeout(context.Background(), hurry)
		defer stop()
		return p.told(p.ask(ctx, way, body))
	}
	return p.send(context.Background(), way, body)
}

// send asks until there is an answer.
func (p *Ping) send(more context.Context, way, body string) error {
	var last error
	err := retry.Do(more, p.pauses, func() error {
		last = p.ask(context.Background(), way, body)
		return last
	}, passing, func(error, time.Time) {})
	if last != nil && err != nil {
		err = last // also where another try was given up
	}
	return p.told(err)
}

// told is an error that says which ping it was.
func (p *Ping) told(err error) error {
	if err == nil {
		return nil
	}
	text := err.Error()
	secrets := []string{p.url.RequestURI(), strings.Trim(p.url.EscapedPath(), "/"), strings.Trim(p.url.Path, "/"), p.url.RawQuery}
	if p.url.User != nil {
		secrets = append(secrets, p.url.User.String())
	}
	for _, values := range p.url.Query() {
		secrets = append(secrets, values...)
	}
	for _, secret := range secrets { // what a server sends back may repeat them
		if len(secret) > 1 {
			text = strings.ReplaceAll(text, secret, "...")
		}
	}
	return fmt.Errorf("the ping to %s did not come through: %s", p.name, text)
}

// A refusal is an answer that would be no other the next time.
type refusal struct{ error }

func passing(err error) bool { return !errors.As(err, &refusal{}) }

// ask asks once.
func (p *Ping) ask(ctx context.Context, way, body string) (err error) {
	at := p.url
	if way != "" {
		at = at.JoinPath(way)
	}
	request, err := http.NewRequestWithContext(ctx, http.MethodPost, at.String(), strings.NewReader(body))
	if err != nil {
		return refusal{errors.New("the URL cannot be asked")}
	}
	request.Header.Set("Content-Type", "text/plain; charset=utf-8")
	request.Header.Set("User-Agent", "pipeline/"+p.version)
	answer, err := p.client.Do(request)
	if err != nil {
		return withoutURL(err)
	}
	defer func() { err = errors.Join(err, answer.Body.Close()) }()
	text, err := io.ReadAll(io.LimitReader(answer.Body, maxAnswer))
	if err != nil {
		return withoutURL(err)
	}
	switch {
	case answer.StatusCode == http.StatusTooManyRequests || answer.StatusCode == http.StatusRequestTimeout || answer.StatusCode >= 500:
		return fmt.Errorf("the answer was %s", answer.Status)
	case answer.StatusCode < 200 || answer.StatusCode > 299:
		return refusal{fmt.Errorf("the answer was %s; is the URL as your monitor shows it?", answer.Status)}
	case strings.HasPrefix(string(text), "OK (not found)"): // healthchecks.io says so with 200
		return refusal{errors.New("the monitor does not know this URL; is it as your monitor shows it?")}
	}
	return nil
}

// withoutURL is an error of the client without the URL that it names, which may be that of a redirect.
func withoutURL(err error) error {
	var at *url.Error
	if !errors.As(err, &at) {
		return err
	}
	if at.Timeout() {
		return errors.New("there was no answer in time")
	}
	return at.Err
}
