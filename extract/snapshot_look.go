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

// headBytes is the size of SQLite's file header (sqlite.org/fileformat2.html, 1.3). The headers of a -wal (32 bytes,
// with its salts) and of a journal (28 bytes) are within it.
const headBytes = 100

// A look is what is known of a store's files at one moment without reading all of them. If the looks before and after a
// read are equal, nobody committed in between. (In WAL mode commits go to the -wal, whose growth a look sees; the
// header's change counter alone would not be enough.)
type look struct {
	db, wal, journal fileLook
	hasShm           bool
}

// fileLook is one file of a look.
type fileLook struct {
	info os.FileInfo // nil: there is no such file
	head []byte      // its first bytes, at most headBytes
}

// lookAt looks at a store's files. It opens and closes them, which drops every POSIX lock that this process holds on
// them: never call it while the store is open with locks. It asks the open file and not its folder, because a folder's
// information may be outdated (NTFS, NFS).
func lookAt(path string) (l look, err error) {
	// The database first: then a second look sees a commit that begins after this line.
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
	if !info.Mode().IsRegular() { // opening a named pipe would wait forever
		return fileLook{}, &StoreError{Path: path, Kind: KindNotDatabase,
			Err: fmt.Errorf("it is a %s", typeName(info.Mode()))}
	}
	file, err := OpenShared(path)
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

// same reports that nobody wrote between two looks. It ignores the -shm, which readers change too.
func (l look) same(m look) bool {
	return l.db.same(m.db) && l.wal.same(m.wal) && l.journal.same(m.journal)
}

// walInUse reports a -wal that has content, or that a running program may write to at any time. A -wal of 0 bytes
// without a -shm is neither: a program that has the store open in WAL mode keeps a -shm. An empty -wal whose
// permissions differ from the database's is not in use: SQLite gives it the database's permissions when it opens it,
// which a reader must not cause.
func (l look) walInUse() bool {
	return l.wal.size() > 0 || l.wal.info != nil && l.hasShm && l.wal.info.Mode() == l.db.info.Mode()
}

// staleWAL reports a -wal that is much older than its database, as when only the database was restored from a backup. A
// checkpoint too writes the database after the -wal, but at once.
func (l look) staleWAL() bool {
	return l.wal.size() > 0 && l.db.info.ModTime().Sub(l.wal.info.ModTime()) > time.Minute
}

// foreignWAL reports a -wal beside a database whose header names a rollback journal. SQLite changes the header before
// it writes the first page to a -wal, and removes the -wal before it changes the header back. So such a -wal belongs to
// another database, though SQLite itself would use it.
func (l look) foreignWAL() bool { return l.wal.size() > 0 && l.journalMode() == "delete" }

// distrust says why a store can only be read by a copy, for people; "" if nothing is known against it.
func (l look) distrust(remote bool) string {
	switch {
	case remote:
		return "locks and shared memory cannot be trusted on its file system"
	case !l.walInUse():
	case !l.hasShm:
		return "a -wal without its -shm, as in a backup or after a crash"
	case l.staleWAL():
		return "its -wal is much older than the database, which was perhaps put back from a backup"
	case l.foreignWAL():
		return "its -wal is another database's"
	}
	return ""
}

// hotJournal reports a rollback journal that a writer needs, or that a crash left. Like SQLite, it ignores a journal
// that begins with a zero byte (journal_mode=persist) or is empty (truncate).
func (l look) hotJournal() bool { return len(l.journal.head) > 0 && l.journal.head[0] != 0 }

// bytes is the size of the files that hold rows.
func (l look) bytes() int64 { return l.db.size() + l.wal.size() }

// journalMode is the mode in the header: "wal", or "delete" for a rollback journal of any kind.
func (l look) journalMode() string {
	if len(l.db.head) > 19 && l.db.head[18] == 2 && l.db.head[19] == 2 {
		return "wal"
	}
	return "delete"
}

// SQLiteMagic begins every SQLite file.
const SQLiteMagic = "SQLite format 3\x00"

// checkHeader reports a file that cannot be a store. An empty file is an error, too: SQLite would read it as a database
// without tables.
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

// checkWhole reports a database file that was cut off. Call it only if there is no -wal and no journal: during a
// checkpoint or a commit the file may be shorter than its header says. SQLite itself notices only missing whole pages.
func (l look) checkWhole(path string) error {
	page := pageSize(l.db.head)
	if page < 512 || page&(page-1) != 0 {
		return &StoreError{Path: path, Kind: KindNotDatabase,
			Err: fmt.Errorf("its header names a page size of %d", page)}
	}
	if rest := l.db.size() % page; rest != 0 {
		return &StoreError{Path: path, Kind: KindDamaged,
			Err: fmt.Errorf("its %d bytes are no whole pages of %d: it was cut off", l.db.size(), page)}
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

// fileURI is the URI with which SQLite opens path. It percent-encodes every byte that could have a meaning in a URI, so
// a path may hold spaces, ?, #, %, quotes and invalid UTF-8. A Windows drive letter gets the leading slash that SQLite
// needs (sqlite.org/uri.html).
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
