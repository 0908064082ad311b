package extract

import (
	"context"
	"time"
)

// MethodBusy is the value of StoreLook.Method for a store that is written to all the time in rollback-journal mode.
const MethodBusy = "busy"

// StoreLook is what is known of a store without reading its rows.
type StoreLook struct {
	Path         string    `json:"path"` // absolute, symlinks resolved
	Bytes        int64     `json:"bytes"`
	WALBytes     int64     `json:"wal_bytes"`
	JournalBytes int64     `json:"journal_bytes"`
	ChangedAt    time.Time `json:"changed_at"`   // the database or its -wal, whichever was later
	JournalMode  string    `json:"journal_mode"` // wal or delete; "" if the file could not be looked at
	// how it would be read: one of the Method constants; "" if it cannot be read
	Method     string `json:"method"`
	Reason     string `json:"reason"`      // why that method is used, for people; "" for in_place
	HotJournal bool   `json:"hot_journal"` // a transaction is under way, or a crash left it
	StaleWAL   bool   `json:"stale_wal"`   // much older than the database
	Remote     *bool  `json:"remote"`      // on a network file system or another system's disk; nil: not known
	Clone      *bool  `json:"clone"`       // into the temporary folder; nil: not known
	// a *StoreError, why it cannot be read; nil if there is no sign of that
	Err error `json:"-"`
}

// Total is the size of the files that hold rows.
func (l *StoreLook) Total() int64 { return l.Bytes + l.WALBytes }

// Inspect looks at a store's files and says how they would be read, by the rules of openStore. It changes nothing;
// scratch is where it tries a clone, which it removes. This process must not have the store open: the look would drop
// its locks.
func Inspect(ctx context.Context, path, scratch string) StoreLook {
	return inspect(ctx, path, storeOptions{TempDir: scratch}.withDefaults())
}

// IsRemote reports whether a file or folder lies on a network file system, or on a mounted disk of another system: the
// system may not report changes there. An error means that the answer is unknown.
func IsRemote(path string) (bool, error) { return isRemoteFS(path) }

func inspect(ctx context.Context, path string, o storeOptions) (s StoreLook) {
	path, err := canonical(path)
	s.Path = path
	if err != nil {
		s.Err = newStoreError(path, err)
		return s
	}
	if remote, err := o.remote(path); err == nil {
		s.Remote = &remote
	}
	l, err := lookAt(path)
	if err == nil { // it is a file, and this user may read it
		s.describe(l)
		if clone, err := canClone(path, o.TempDir); err == nil {
			s.Clone = &clone
		}
		err = l.checkHeader(path)
	}
	if err == nil {
		err = s.predictMethod(ctx, path, l, o)
	}
	s.Err = newStoreError(path, err)
	return s
}

func (s *StoreLook) describe(l look) {
	s.Bytes, s.WALBytes, s.JournalBytes = l.db.size(), l.wal.size(), l.journal.size()
	s.JournalMode, s.HotJournal, s.StaleWAL = l.journalMode(), l.hotJournal(), l.staleWAL()
	s.ChangedAt = l.db.info.ModTime()
	if l.wal.info != nil && l.wal.info.ModTime().After(s.ChangedAt) {
		s.ChangedAt = l.wal.info.ModTime()
	}
}

// predictMethod predicts the method that openOnce would choose.
func (s *StoreLook) predictMethod(ctx context.Context, path string, l look, o storeOptions) error {
	why := l.distrust(s.Remote == nil || *s.Remote)
	switch {
	case why != "":
		s.Method, s.Reason = MethodCopy, why
	case l.walInUse() && !readable(path+shmEnd):
		s.Method, s.Reason = MethodCopy, "its -shm may not be read"
	case l.walInUse():
		s.Method, s.Reason = MethodWAL, "in use, or left so by a crash"
	case l.hotJournal():
		return s.predictJournal(ctx, path, l, o)
	default:
		s.Method = MethodInPlace
		return l.checkWhole(path)
	}
	return nil
}

// predictJournal tells apart a commit that ends within a moment, a store that is always written to, and a journal that
// a crash left.
func (s *StoreLook) predictJournal(ctx context.Context, path string, l look, o storeOptions) error {
	last, err := awaitCommit(ctx, path, l, o.pause)
	if err != nil {
		return err
	}
	s.describe(last)
	switch {
	case !last.hotJournal():
		s.Method = MethodInPlace
		return tornOr(last.checkWhole(path), path, last)
	case l.same(last):
		s.Method, s.Reason = MethodCopy, "a crash left its journal, which is rolled back in the copy"
	case s.Clone != nil && *s.Clone:
		s.Method, s.Reason = MethodClone, "a transaction is always under way"
	default:
		s.Method, s.Reason = MethodBusy, "a transaction is always under way"
	}
	return nil
}

func readable(path string) bool {
	f, err := OpenShared(path)
	return err == nil && f.Close() == nil
}
