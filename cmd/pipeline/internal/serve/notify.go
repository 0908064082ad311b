package serve

import (
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"

	"github.com/fsnotify/fsnotify"
)

// A Notifier gets notifications of changed files from the operating system. Only this file knows how.
type Notifier struct {
	watcher *fsnotify.Watcher
	remote  func(path string) (bool, error)
	c       chan struct{}
	told    []string // errors that Follow has returned
}

// NewNotifier starts listening. remote reports whether the system gets no notifications for a folder.
func NewNotifier(remote func(path string) (bool, error)) (*Notifier, error) {
	w, err := fsnotify.NewWatcher()
	if err != nil {
		return nil, fmt.Errorf("listen for changes of files: %w", err)
	}
	n := &Notifier{watcher: w, remote: remote, c: make(chan struct{}, 1)}
	go n.listen()
	return n, nil
}

// C receives a value when a file changed that may belong to a store.
func (n *Notifier) C() <-chan struct{} { return n.c }

// Close stops listening.
func (n *Notifier) Close() error { return n.watcher.Close() }

// listen passes on that something changed, but not what: a look at the files shows that better. An error, such as an
// overflow of the queue, is a reason to look, too.
func (n *Notifier) listen() {
	for {
		select {
		case e, ok := <-n.watcher.Events:
			if !ok {
				return
			}
			// Attributes change without a write, and the -shm changes when our own run reads.
			if e.Op == fsnotify.Chmod || strings.HasSuffix(e.Name, "-shm") {
				continue
			}
		case _, ok := <-n.watcher.Errors:
			if !ok {
				return
			}
		}
		select {
		case n.c <- struct{}{}:
		default: // a value is waiting already
		}
	}
}

// Follow sets the folders to listen to. It returns the error of a folder once.
func (n *Notifier) Follow(folders []string) error {
	now := n.watcher.WatchList()
	for _, folder := range now {
		if !slices.Contains(folders, folder) {
			_ = n.watcher.Remove(folder) // the folder may be gone
		}
	}
	var errs []error
	var told []string
	for _, folder := range folders {
		if slices.Contains(now, folder) {
			continue
		}
		if err := n.add(folder); err != nil {
			if told = append(told, folder); !slices.Contains(n.told, folder) {
				errs = append(errs, err)
			}
		}
	}
	n.told = told
	if len(errs) > 1 { // many folders fail if a limit is reached
		return fmt.Errorf("%w; and the same for %d more folders", errs[0], len(errs)-1)
	}
	return errors.Join(errs...)
}

func (n *Notifier) add(folder string) error {
	const poll = "it is looked at once a minute instead"
	if remote, err := n.remote(folder); err == nil && remote {
		return fmt.Errorf("%s lies on a network drive or another system's disk, where changes are not reported: %s",
			folder, poll)
	}
	err := n.watcher.Add(folder)
	switch {
	case err == nil, errors.Is(err, os.ErrNotExist):
		return nil
	case errors.Is(err, fsnotify.ErrClosed):
		return err
	}
	return fmt.Errorf("listen for changes in %s: %w; %s (on Linux, the limits are fs.inotify.max_user_watches and "+
		"max_user_instances)", folder, err, poll)
}
