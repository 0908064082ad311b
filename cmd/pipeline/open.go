package main

import (
	"errors"
	"fmt"
	"log"
	"net"
	"net/http"
	"os"
	"os/exec"
	"runtime"
	"strconv"
	"sync"
	"time"

	"github.com/urfave/cli/v2"

	"pipeline/cmd/pipeline/internal/pages"
	"pipeline/cmd/pipeline/internal/serve"
	"pipeline/cmd/pipeline/internal/term"
	"pipeline/load/reader"
)

// openPort is the port of the pages, unless it is taken: their addresses stay the same.
const openPort = 8788

func openCommand() *cli.Command {
	return &cli.Command{
		Name:      "open",
		Usage:     "read the chats and the report in a browser",
		ArgsUsage: "[CHAT]",
		Description: `Serves pages to this machine alone, and opens a browser: the chats by time, project and words, a page for each chat, and the report, whose bars
lead to chats. It changes nothing but the search index, needs no network, and ends with Ctrl-C.

Pages show what you and the model wrote, with any secrets in it. So their addresses begin with a token, which only you can read (WAREHOUSE.token): whoever has such
an address can read the pages on this machine while they are served. Addresses stay the same, so a note can point to a chat.

CHAT is the id of a conversation, or the beginning of one.

Examples:
   pipeline open
   pipeline open f8cc01d9
   pipeline open --no-browser  # only print the address

Exit codes: 0 ended, 1 failed, 2 usage, 3 there is no warehouse.`,
		Flags: []cli.Flag{warehouseFlag(), timezoneFlag(),
			&cli.IntFlag{Name: "port", Value: openPort, Usage: "serve the pages at this `PORT` of 127.0.0.1; 0: " +
				"a free one",
				DefaultText: strconv.Itoa(openPort) + ", or a free one if that is taken"},
			&cli.BoolFlag{Name: "no-browser", Usage: "print the address, and open no browser"}},
		Action: openAction,
	}
}

func openAction(c *cli.Context) (err error) {
	path, err := existingWarehouse(c)
	if err != nil {
		return err
	}
	at, err := openedChat(c, path)
	if err != nil {
		return err
	}
	listener, err := listenHere(c)
	if err != nil {
		return err
	}
	token, address := pages.Token(path), listener.Addr().String()
	web := &http.Server{
		Handler: serve.Guard(address, pages.Guard(token, pages.Handler(pages.Options{Warehouse: path, Version: version,
			Show: showCommandLine(path)}))),
		ErrorLog:          log.New(term.HarmlessText(c.App.ErrWriter, true), "warning: ", 0),
		ReadHeaderTimeout: 5 * time.Second, IdleTimeout: time.Minute, MaxHeaderBytes: 16 << 10,
		WriteTimeout: pages.Timeout + 30*time.Second,
	}
	answers := counted(web)
	failed := make(chan error, 1)
	go func() { failed <- web.Serve(listener) }()
	url := "http://" + address + "/" + token + "/" + at
	fmt.Fprintln(c.App.Writer, url)
	fmt.Fprintln(c.App.ErrWriter, "Ctrl-C ends it.")
	if !c.Bool("no-browser") {
		remove, err := browse(url)
		defer remove()
		if err != nil {
			fmt.Fprintf(c.App.ErrWriter, "no browser was opened (%v): open the address above\n", err)
		}
	}
	select {
	case <-c.Context.Done():
		return closeWeb(web, answers)
	case err := <-failed:
		return err
	}
}

// openedChat is the path of the page that the command line names.
func openedChat(c *cli.Context, warehouse string) (path string, err error) {
	switch {
	case c.NArg() > 1:
		return "", usage("one chat at a time: what is %q?", c.Args().Get(1))
	case c.NArg() == 0:
		return "", nil
	}
	r, err := reader.Open(c.Context, warehouse)
	if err != nil {
		return "", err
	}
	defer func() { err = errors.Join(err, r.Close()) }()
	found, err := resolve(c.Context, r, c.Args().First(), "")
	return pages.ChatPath(found.key.ConversationID), err
}

// listenHere opens the port. If it is taken and was not asked for, it opens a free one.
func listenHere(c *cli.Context) (net.Listener, error) {
	port := c.Int("port")
	if port < 0 || port > 65535 {
		return nil, usage("--port %d: ports are 0 to 65535", port)
	}
	at := func(port int) (net.Listener, error) {
		return (&net.ListenConfig{}).Listen(c.Context, "tcp", net.JoinHostPort("127.0.0.1", strconv.Itoa(port)))
	}
	l, err := at(port)
	if isTaken(err) && !c.IsSet("port") {
		fmt.Fprintf(c.App.ErrWriter, "port %d is taken, perhaps by another 'pipeline open': this is a free one\n", port)
		l, err = at(0)
	}
	if err != nil {
		return nil, fmt.Errorf("serve the pages: %w; --port 0 takes a free port", err)
	}
	return l, nil
}

// browse opens an address in the user's browser. Other users can read the command line of a browser, so it is given a
// page that leads to the address, which only the user can read; remove removes that. The page is in the home, and no
// hidden file, as browsers in a Snap read no others.
func browse(address string) (remove func(), err error) {
	remove = func() {}
	programs := [][]string{{"xdg-open"}, {"wslview"}}
	switch runtime.GOOS {
	case "darwin":
		programs = [][]string{{"open"}}
	case "windows":
		programs = [][]string{{"rundll32", "url.dll,FileProtocolHandler"}}
	default:
		if os.Getenv("DISPLAY") == "" && os.Getenv("WAYLAND_DISPLAY") == "" && os.Getenv("WSL_DISTRO_NAME") == "" {
			return remove, errors.New("there is no display")
		}
	}
	home, err := os.UserHomeDir()
	if err != nil {
		return remove, err
	}
	for _, p := range programs {
		program, err := exec.LookPath(p[0])
		if err != nil {
			continue
		}
		page, err := os.CreateTemp(home, "pipeline-open-*.html") // of the mode 0600
		if err != nil {
			return remove, err
		}
		remove = sync.OnceFunc(func() { _ = os.Remove(page.Name()) })
		_, err = fmt.Fprintf(page, "<!doctype html><meta http-equiv=refresh content=\"0;url=%s\">\n", address)
		if err = errors.Join(err, page.Close()); err != nil {
			return remove, err
		}
		browser := exec.Command(program, append(p[1:], page.Name())...)
		browser.SysProcAttr = apart()
		if err := browser.Start(); err != nil {
			return remove, err
		}
		go func() { _ = browser.Wait() }() // what it says is its own matter
		time.AfterFunc(pageRead, remove)
		return remove, nil
	}
	return remove, errors.New("none was found")
}

// pageRead is how long a browser has to read the page that leads to the address.
const pageRead = 20 * time.Second
