package main

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/http"
	"net/netip"
	"strconv"
	"sync"
	"syscall"
	"time"

	"github.com/urfave/cli/v2"

	"pipeline/cmd/pipeline/internal/pages"
	"pipeline/cmd/pipeline/internal/serve"
	"pipeline/cmd/pipeline/internal/term"
)

const listenDefault = "127.0.0.1:8787"

// listenAddress parses --listen: HOST:PORT, or "" for none. A port alone means this machine.
func listenAddress(c *cli.Context) (string, error) {
	given := c.String("listen")
	if given == "none" {
		return "", nil
	}
	if _, err := strconv.Atoi(given); err == nil {
		given = "127.0.0.1:" + given
	}
	_, port, err := net.SplitHostPort(given)
	if n, bad := strconv.ParseUint(port, 10, 16); err != nil || bad != nil || n > 65535 {
		return "", usage("--listen %q is no address; write %s, [::1]:8787, or none", c.String("listen"), listenDefault)
	}
	return given, nil
}

// listen opens the address.
func listen(ctx context.Context, address string) (net.Listener, error) {
	l, err := (&net.ListenConfig{}).Listen(ctx, "tcp", address)
	switch {
	case isTaken(err):
		return nil, fmt.Errorf("%s is taken by another program, perhaps by another 'pipeline serve': --listen "+
			"127.0.0.1:0 takes a free port, --listen none shows no pages", address)
	case err != nil:
		return nil, fmt.Errorf("listen on %s: %w; --listen names another address, --listen none shows no pages",
			address, err)
	}
	return l, nil
}

// isTaken reports whether another program has the address.
func isTaken(err error) bool {
	const onWindows = syscall.Errno(10048) // WSAEADDRINUSE
	return errors.Is(err, syscall.EADDRINUSE) || errors.Is(err, onWindows)
}

func isLoopback(a net.Addr) bool {
	at, err := netip.ParseAddrPort(a.String())
	return err == nil && at.Addr().Unmap().IsLoopback()
}

// chatsOf returns the pages of a warehouse's chats: nil where other machines reach the address. A terminal is told
// where they are; the log of a service must not have the token.
func chatsOf(c *cli.Context, a net.Addr, set *pipelineSet) func(warehouse string) http.Handler {
	if !isLoopback(a) {
		return nil
	}
	if !c.Bool("json") && term.IsTerminal(c.App.ErrWriter) {
		for _, p := range set.served {
			fmt.Fprintf(c.App.ErrWriter, "chats: http://%s%s%s/\n", a, serve.ChatsPath(p.Name),
				pages.Token(p.Warehouse))
		}
	}
	handlers := sync.Map{} // one for each warehouse: see pages.Handler
	return func(warehouse string) http.Handler {
		h, known := handlers.Load(warehouse)
		if !known {
			h, _ = handlers.LoadOrStore(warehouse, pages.Guard(pages.Token(warehouse), pages.Handler(pages.Options{
				Warehouse: warehouse, Version: version, Show: showCommandLine(warehouse)})))
		}
		return h.(http.Handler)
	}
}

// counted counts the requests that are being answered.
func counted(web *http.Server) *sync.WaitGroup {
	var answers sync.WaitGroup
	answer := web.Handler
	web.Handler = http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		answers.Add(1)
		defer answers.Done()
		answer.ServeHTTP(w, r)
	})
	return &answers
}

// closeWeb lets open requests finish. It breaks off those that take long; their handlers clean up.
func closeWeb(web *http.Server, answers *sync.WaitGroup) error {
	ctx, cancel := context.WithTimeout(context.Background(), time.Second)
	defer cancel()
	if web.Shutdown(ctx) == nil {
		return nil
	}
	err := web.Close()
	done := make(chan struct{})
	go func() { answers.Wait(); close(done) }()
	select {
	case <-done:
	case <-time.After(3 * time.Second):
	}
	return err
}
