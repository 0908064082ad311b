package extract

import (
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"
)

// The endings of the files that SQLite keeps beside a store.
const (
	walEnd     = "-wal"
	shmEnd     = "-shm"
	journalEnd = "-journal"
)

// headBytes is the size of SQLite's file header (sqlite.org/fileformat2.html, 1.3). The headers of a -wal (32 bytes, with its salts)
// and of a journal (28 bytes) are within it.
const headBytes = 100

// A look is what is known of a store's files at one moment without reading them: equal looks before and after a read, and nobody
// committed in between. (In WAL mode commits go to the -wal, which a look sees grow; the header's change counter alone would not do.)
type look struct {
	db, wal, journal fileLook
	hasShm           bool
}

// fileLook is one file of a look.
type fileLook struct {
	info os.FileInfo // nil: there is no such file
	head []byte      // its first bytes, at most headBytes
}

// lookAt looks at a store's files. It opens and closes them, which drops every POSIX lock that this process holds on them: it must never
// be called while the store is open with locks. The information is taken from the open file, because a directory may lag behind (NTFS, NFS).
func lookAt(path string) (l look, err error) {
	// The database first: a commit that begins after it was looked at changes what the second look sees.
	if l.db, err = lookAtFile(path); err != nil {
		return look{}, err
	}
	if l.db.info == nil {
		return look{}, &fs.PathError{Op: "open", Path: path, Err: fs.ErrNotExist}
	}
	if l.wal, err = lookAtFile(path + walEnd); err != nil {
		return look{}, err
	}
	if l.journal, err = lookAtFile(path + journalEnd); err != nil {
		return look{}, err
	}
	l.hasShm, err = exists(path + shmEnd)
	return l, err
}

func lookAtFile(path string) (f fileLook, err error) {
	info, err := os.Stat(path)
	if errors.Is(err, fs.ErrNotExist) {
		return fileLook{}, nil
	}
	if err != nil {
		return fileLook{}, err
	}
	if !info.Mode().IsRegular() { // opening a named pipe would wait for ever
		return fileLook{}, &StoreError{Path: path, Kind: KindNotDatabase, Err: fmt.Errorf("it is a %s", typeName(info.Mode()))}
	}
	file, err := os.Open(path)
	if errors.Is(err, fs.ErrNotExist) {
		return fileLook{}, nil
	}
	if err != nil {
		return fileLook{}, err
	}
	defer func() { err = errors.Join(err, file.Close()) }()
	if f.info, err = file.Stat(); err != nil {
		return fileLook{}, err
	}
	f.head = make([]byte, headBytes)
	n, err := file.ReadAt(f.head, 0)
	if err != nil && !errors.Is(err, io.EOF) {
		return fileLook{}, err
	}
	f.head = f.head[:n]
	return f, nil
}

func typeName(m fs.FileMode) string {
	if m.IsDir() {
		return "folder"
	}
	return "special file (" + m.Type().String() + ")"
}

func exists(path string) (bool, error) {
	_, err := os.Stat(path)
	if errors.Is(err, fs.ErrNotExist) {
		return false, nil
	}
	return err == nil, err
}

func (f fileLook) size() int64 {
	if f.info == nil {
		return 0
	}
	return f.info.Size()
}

func (f fileLook) same(g fileLook) bool {
	if f.info == nil || g.info == nil {
		return f.info == nil && g.info == nil
	}
	return os.SameFile(f.info, g.info) && f.info.Size() == g.info.Size() && f.info.ModTime().Equal(g.info.ModTime()) &&
		string(f.head) == string(g.head)
}

// same reports that nobody wrote between two looks. The -shm is no part of it: readers change it too.
func (l look) same(m look) bool {
	return l.db.same(m.db) && l.wal.same(m.wal) && l.journal.same(m.journal)
}

// walInUse reports a -wal that holds something, or that a running program may write to at any time. One of 0 bytes without a -shm is
// neither: a program that has the store open in WAL mode keeps a -shm. An empty one with other rights than its database's was made by no program that
// has it open: SQLite gives it those rights on opening it, which a reader must not do to it.
func (l look) walInUse() bool {
	return l.wal.size() > 0 || l.wal.info != nil && l.hasShm && l.wal.info.Mode() == l.db.info.Mode()
}

// staleWAL reports a -wal much older than its database, as when the database alone was put back from a backup. A checkpoint writes the
// database after the -wal too, but at once.
func (l look) staleWAL() bool {
	return l.wal.size() > 0 && l.db.info.ModTime().Sub(l.wal.info.ModTime()) > time.Minute
}

// foreignWAL reports a -wal beside a database whose header names a rollback journal. SQLite changes the header before it writes the first page to a
// -wal, and takes the -wal away before it changes it back: such a -wal is another database's, though SQLite itself would believe it.
func (l look) foreignWAL() bool { return l.wal.size() > 0 && l.journalMode() == "delete" }

// hotJournal reports a rollback journal that a writer needs, or that a dead one left. Like SQLite, it takes one that begins with
// a zero byte (journal_mode=persist) or is empty (truncate) for none.
func (l look) hotJournal() bool { return len(l.journal.head) > 0 && l.journal.head[0] != 0 }

// bytes is the size of what holds rows.
func (l look) bytes() int64 { return l.db.size() + l.wal.size() }

// journalMode is the mode that the header names: "wal", or "delete" for a rollback journal of any kind.
func (l look) journalMode() string {
	if len(l.db.head) > 19 && l.db.head[18] == 2 && l.db.head[19] == 2 {
		return "wal"
	}
	return "delete"
}

// SQLiteMagic is what every SQLite file begins with.
const SQLiteMagic = "SQLite format 3\x00"

// checkHeader reports a file that cannot be a store. An empty file is one of the faults: SQLite would read it as a database without tables.
func (l look) checkHeader(path string) error {
	switch {
	case l.db.size() == 0:
		return &StoreError{Path: path, Kind: KindEmpty}
	case !strings.HasPrefix(string(l.db.head), SQLiteMagic):
		return &StoreError{Path: path, Kind: KindNotDatabase, Err: errors.New("it does not begin with SQLite's header")}
	case len(l.db.head) < headBytes:
		return &StoreError{Path: path, Kind: KindDamaged, Err: errors.New("it ends within its header")}
	}
	return nil
}

// checkWhole reports a database file that was cut off. It holds only where no -wal and no journal belong to it: while a checkpoint or
// a commit is under way, the file may be shorter than its header says. SQLite itself sees only the loss of whole pages.
func (l look) checkWhole(path string) error {
	page := pageSize(l.db.head)
	if page < 512 || page&(page-1) != 0 {
		return &StoreError{Path: path, Kind: KindNotDatabase, Err: fmt.Errorf("its header names a page size of %d", page)}
	}
	if rest := l.db.size() % page; rest != 0 {
		return &StoreError{Path: path, Kind: KindDamaged, Err: fmt.Errorf("its %d bytes are no whole pages of %d: it was cut off", l.db.size(), page)}
	}
	return nil
}

// pageSize is the page size that a header names.
func pageSize(head []byte) int64 {
	if size := int64(binary.BigEndian.Uint16(head[16:18])); size != 1 {
		return size
	}
	return 65536
}

// fileURI is the URI under which SQLite opens path: every byte that could mean something in a URI is percent-encoded, so a path may
// hold spaces, ?, #, %, quotes and bytes that are no UTF-8. A drive letter gets the slash that SQLite asks for (sqlite.org/uri.html).
func fileURI(path string, windows bool) string {
	if windows {
		path = strings.ReplaceAll(path, `\`, "/")
		if filepath.IsAbs(path) || len(path) > 1 && path[1] == ':' {
			path = "/" + strings.TrimPrefix(path, "/")
		}
	}
	var b strings.Builder
	b.WriteString("file:")
	if strings.HasPrefix(path, "/") {
		b.WriteString("//")
	}
	for _, c := range []byte(path) {
		switch {
		case 'a' <= c && c <= 'z', 'A' <= c && c <= 'Z', '0' <= c && c <= '9', strings.IndexByte("/-._~:", c) >= 0:
			b.WriteByte(c)
		default:
			fmt.Fprintf(&b, "%%%02X", c)
		}
	}
	return b.String()
}
