package serve

import (
	"cmp"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/fsnotify/fsnotify"
)

// This file finds out that stores have changed, by the sizes and times of their files. It never opens a store. In WAL
// mode a commit changes the -wal and not the database. The -shm is ignored, since our own runs change it too.

// Times of a watch.
const (
	quietFor = 10 * time.Second // the editor writes in bursts: a change counts after this time without changes
	goesOn   = time.Minute      // or after this time in any case
	// how often files are looked at without notifications: network drives send none, and queues overflow
	pollEvery = time.Minute
	pokePause = time.Second // shortest time between two looks, however many notifications come
)

// A Watch finds out that stores have changed. Use it from one goroutine.
type Watch struct {
	notices Notices
	looked  time.Time
	poked   bool
	seen    map[string]fileTimes
	bursts  map[string]changeBurst // by pipeline
	started bool
}

// Notices notify of changed files. *Notifier is one.
type Notices interface {
	// Follow sets the folders to listen to. An error names folders without notifications; they are looked at once a
	// minute all the same.
	Follow(folders []string) error
	// C receives a value when a file in one of the folders changed that may belong to a store.
	C() <-chan struct{}
	// Close stops the notices.
	Close() error
}

// NewWatch makes a watch. If notices is nil, the watch looks at the files once a minute.
func NewWatch(notices Notices) *Watch {
	return &Watch{notices: notices, seen: map[string]fileTimes{}, bursts: map[string]changeBurst{}}
}

// fileTimes are the values that a change modifies.
type fileTimes struct{ db, wal fileTime }

type fileTime struct {
	size, modified int64 // nanoseconds; all zero: there is no file
}

func timesOf(store string) fileTimes { return fileTimes{timeOf(store), timeOf(store + "-wal")} }

func timeOf(path string) fileTime {
	info, err := os.Stat(path)
	if err != nil { // the file is missing, or cannot be seen now
		return fileTime{}
	}
	return fileTime{info.Size(), info.ModTime().UnixNano()}
}

func (f fileTimes) latest() time.Time { return time.Unix(0, max(f.db.modified, f.wal.modified)) }

// C receives a value when it is time to look. After a Poke it receives none until the next look: an editor that writes
// all the time must not cause looks all the time.
func (w *Watch) C() <-chan struct{} {
	if w.notices == nil || w.poked {
		return nil
	}
	return w.notices.C()
}

// Poke says that C has sent a value.
func (w *Watch) Poke() { w.poked = true }

// Close stops the notices.
func (w *Watch) Close() error {
	if w.notices == nil {
		return nil
	}
	return w.notices.Close()
}

// Look returns the pipelines whose stores have changed, and whose changes have stopped. Changes after a pipeline's last
// start, before this watch looked for the first time, count too. An error concerns notices only.
func (w *Watch) Look(now time.Time, pipelines []Pipeline, lastStart func(Pipeline) time.Time) (changed []string,
	err error) {
	since := now.Sub(w.looked)
	if since < 0 || since >= pollEvery || w.poked && since >= pokePause { // below 0: the clock was set back
		err = w.stat(now, pipelines, lastStart)
	}
	for _, p := range pipelines {
		if b, ok := w.bursts[p.Name]; ok && b.over(now) {
			delete(w.bursts, p.Name)
			changed = append(changed, p.Name)
		}
	}
	return changed, err
}

// stat looks at all files.
func (w *Watch) stat(now time.Time, pipelines []Pipeline, lastStart func(Pipeline) time.Time) error {
	w.looked, w.poked = now, false
	before := w.seen
	w.seen = map[string]fileTimes{}
	for _, p := range pipelines {
		if !p.Watched {
			continue
		}
		for _, store := range p.Stores {
			files, ok := w.seen[store]
			if !ok {
				files = timesOf(store)
				w.seen[store] = files
			}
			old, known := before[store]
			switch {
			case known && files != old, !known && w.started, !known && files.latest().After(lastStart(p)):
				w.bursts[p.Name] = w.bursts[p.Name].more(now)
			}
		}
	}
	w.started = true
	if w.notices == nil {
		return nil
	}
	return w.notices.Follow(foldersOf(pipelines))
}

// foldersOf lists the folders in which files of stores, and new stores, appear.
func foldersOf(pipelines []Pipeline) []string {
	var out []string
	for _, p := range pipelines {
		if !p.Watched {
			continue
		}
		out = append(out, p.Folders...)
		for _, store := range p.Stores {
			out = append(out, filepath.Dir(store))
		}
	}
	slices.Sort(out)
	return slices.Compact(out)
}

// Wake is the next time at which Look may return something new, unless something happens before; zero if only C, or the
// next poll, will tell.
func (w *Watch) Wake() time.Time {
	var out time.Time
	for _, b := range w.bursts {
		if end := b.end(); out.IsZero() || end.Before(out) {
			out = end
		}
	}
	if w.poked {
		out = w.looked.Add(pokePause)
	}
	return out
}

// A changeBurst is a series of changes of files: the times of the first and of the last one.
type changeBurst struct{ first, last time.Time }

func (b changeBurst) more(now time.Time) changeBurst {
	first := cmp.Or(b.first, now)
	if now.Before(first) { // the clock was set back
		first = now
	}
	return changeBurst{first, now}
}

func (b changeBurst) end() time.Time {
	quiet, most := b.last.Add(quietFor), b.first.Add(goesOn)
	if most.Before(quiet) {
		return most
	}
	return quiet
}

func (b changeBurst) over(now time.Time) bool { return !now.Before(b.end()) || now.Before(b.first) }

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
