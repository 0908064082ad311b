package serve

import (
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"

	"github.com/fsnotify/fsnotify"
)

// A Notifier is told of changes by the operating system. This file alone knows how.
type Notifier struct {
	watcher *fsnotify.Watcher
	remote  func(path string) (bool, error)
	c       chan struct{}
	told    []string // what Follow has returned as an error
}

// NewNotifier begins to listen; remote tells folders that the system hears nothing of.
func NewNotifier(remote func(path string) (bool, error)) (*Notifier, error) {
	w, err := fsnotify.NewWatcher()
	if err != nil {
		return nil, fmt.Errorf("listen for changes of files: %w", err)
	}
	n := &Notifier{watcher: w, remote: remote, c: make(chan struct{}, 1)}
	go n.listen()
	return n, nil
}

// C has something when a file changed that may belong to a store.
func (n *Notifier) C() <-chan struct{} { return n.c }

// Close ends it.
func (n *Notifier) Close() error { return n.watcher.Close() }

// listen passes on that something changed, not what: who looks sees that better. An error, an overflow of the queue for one, is a reason to look, too.
func (n *Notifier) listen() {
	for {
		select {
		case e, ok := <-n.watcher.Events:
			if !ok {
				return
			}
			// Attributes change where nothing is written, and the -shm where a run of our own reads.
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
		default: // one is waiting
		}
	}
}

// Follow says which folders are of interest from now on. What cannot be followed is told once.
func (n *Notifier) Follow(folders []string) error {
	now := n.watcher.WatchList()
	for _, folder := range now {
		if !slices.Contains(folders, folder) {
			_ = n.watcher.Remove(folder) // it may be gone
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
	if len(errs) > 1 { // as where a limit is reached
		return fmt.Errorf("%w; and so for %d more folders", errs[0], len(errs)-1)
	}
	return errors.Join(errs...)
}

func (n *Notifier) add(folder string) error {
	const poll = "it is looked at once a minute instead"
	if remote, err := n.remote(folder); err == nil && remote {
		return fmt.Errorf("%s lies on a network drive or another system's disk, where changes are not told of: %s", folder, poll)
	}
	err := n.watcher.Add(folder)
	switch {
	case err == nil, errors.Is(err, os.ErrNotExist):
		return nil
	case errors.Is(err, fsnotify.ErrClosed):
		return err
	}
	return fmt.Errorf("listen for changes in %s: %w; %s (on Linux, the limits are fs.inotify.max_user_watches and max_user_instances)", folder, err, poll)
}
