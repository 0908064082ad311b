// Package notify reports a run: to a URL that monitors it, and to a command of the user's.
//
// It knows how to report, and must never know what a run does. A ping's URL is a secret, since anyone who has it can
// ping too: no error and no text of this package contains it.
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

// A Ping reports the beginning and the end of a run to a URL, in the form of healthchecks.io: URL/start, then URL for
// exit code 0 and URL/CODE for another (https://healthchecks.io/docs/http_api/). Each is a POST with a few lines of
// text.
type Ping struct {
	url     *url.URL
	name    string
	client  *http.Client
	pauses  retry.Pauses
	version string
}

const (
	pingTry   = 10 * time.Second // time limit of each try
	pingTries = 3
	maxAnswer = 1 << 10 // bytes of an answer that are read
)

// NewPing makes the ping of a URL. Errors use name, which may be shown, in place of the URL.
func NewPing(u *url.URL, name, version string) *Ping {
	return &Ping{u, name, &http.Client{Timeout: pingTry, CheckRedirect: sameHost},
		retry.Pauses{First: time.Second, Most: 5 * time.Second, Tries: pingTries}, version}
}

// sameHost follows no redirect to another host, nor from https to http: the report is for the monitor alone.
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

// Start reports that a run begins. Once more is done it makes no further try.
func (p *Ping) Start(more context.Context, body string) error { return p.send(more, "start", body) }

// End reports how a run ended. If hurry is above 0, it makes one try with that time limit.
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

// send sends the request until there is an answer.
func (p *Ping) send(more context.Context, way, body string) error {
	var last error
	err := retry.Do(more, p.pauses, func() error {
		last = p.ask(context.Background(), way, body)
		return last
	}, passing, func(error, time.Time) {})
	if last != nil && err != nil {
		err = last // also if there was no time for another try
	}
	return p.told(err)
}

// told makes an error that names the ping.
func (p *Ping) told(err error) error {
	if err == nil {
		return nil
	}
	text := err.Error()
	secrets := []string{p.url.RequestURI(), strings.Trim(p.url.EscapedPath(), "/"), strings.Trim(p.url.Path, "/"),
		p.url.RawQuery}
	if p.url.User != nil {
		secrets = append(secrets, p.url.User.String())
	}
	for _, values := range p.url.Query() {
		secrets = append(secrets, values...)
	}
	for _, secret := range secrets { // a server's answer may repeat the secrets
		if len(secret) > 1 {
			text = strings.ReplaceAll(text, secret, "...")
		}
	}
	return fmt.Errorf("the ping to %s did not come through: %s", p.name, text)
}

// A refusal is an answer for which another try is of no use.
type refusal struct{ error }

func passing(err error) bool { return !errors.As(err, &refusal{}) }

// ask sends the request once.
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
	case answer.StatusCode == http.StatusTooManyRequests || answer.StatusCode == http.StatusRequestTimeout ||
		answer.StatusCode >= 500:
		return fmt.Errorf("the answer was %s", answer.Status)
	case answer.StatusCode < 200 || answer.StatusCode > 299:
		return refusal{fmt.Errorf("the answer was %s; is the URL as your monitor shows it?", answer.Status)}
	case strings.HasPrefix(string(text), "OK (not found)"): // healthchecks.io answers this with status 200
		return refusal{errors.New("the monitor does not know this URL; is it as your monitor shows it?")}
	}
	return nil
}

// withoutURL removes the URL from an error of the client; it may be the URL of a redirect.
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
