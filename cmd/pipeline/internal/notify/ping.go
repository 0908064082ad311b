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
	"os"
	"os/exec"
	"runtime"
	"slices"
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

// A Command is a shell command line that is run after a run.
type Command struct {
	Line   string
	Output io.Writer     // for the command's output
	Limit  time.Duration // time limit; 0: one minute
}

const (
	CommandLimit = time.Minute // time limit of a command
	maxFact      = 4 << 10     // largest size of a variable: systems limit them
)

// Run runs the line, without input. The facts are environment variables, besides those of this program. Variables in
// leave are not passed on.
func (c Command) Run(facts map[string]string, leave ...string) error {
	limit := c.Limit
	if limit == 0 {
		limit = CommandLimit
	}
	ctx, stop := context.WithTimeout(context.Background(), limit)
	defer stop()
	cmd := shell(ctx, c.Line)
	cmd.Stdout, cmd.Stderr, cmd.WaitDelay = c.Output, c.Output, time.Second
	for _, v := range os.Environ() {
		name, _, _ := strings.Cut(v, "=")
		if _, fact := facts[name]; !fact && !slices.Contains(leave, name) {
			cmd.Env = append(cmd.Env, v)
		}
	}
	for name, value := range facts {
		value = strings.ReplaceAll(value, "\x00", " ")
		cmd.Env = append(cmd.Env, name+"="+strings.ToValidUTF8(value[:min(len(value), maxFact)], ""))
	}
	err := cmd.Run()
	var exit *exec.ExitError
	switch {
	case ctx.Err() != nil:
		return fmt.Errorf("the command at the end did not finish in %v and was stopped", limit)
	case errors.As(err, &exit):
		return fmt.Errorf("the command at the end failed: %s", exit.ProcessState)
	case err != nil:
		return fmt.Errorf("the command at the end could not be run: %w", err)
	}
	return nil
}

// shell runs the line with the system's shell.
func shell(ctx context.Context, line string) *exec.Cmd {
	if runtime.GOOS == "windows" {
		cmd := exec.CommandContext(ctx, "cmd")
		shellLine(cmd, line)
		return cmd
	}
	cmd := exec.CommandContext(ctx, "sh", "-c", line)
	ownGroup(cmd)
	return cmd
}
