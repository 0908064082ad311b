package objects

import (
	"context"
	"crypto/rand"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"io"
	"io/fs"
	"iter"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"sync/atomic"
	"syscall"
	"time"

	"pipeline/load/tool/atomicfile"
)

// folder is a store in a folder, for example of a file server.
type folder struct {
	*counter
	root string
}

func openFolder(target string) (Store, error) {
	root, err := folderOf(target)
	if err != nil {
		return nil, err
	}
	info, err := os.Stat(root)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil, &Error{Kind: ErrNoStore, Doing: "open", Place: root,
			Do: "make the folder, or mount the share that it is on"}
	case err == nil && !info.IsDir():
		return nil, &Error{Kind: ErrTarget, Doing: "open", Place: root, Why: "it is no folder"}
	case err != nil:
		return nil, &Error{Kind: ErrUnreachable, Doing: "open", Place: root, Why: plain(err), cause: err}
	}
	return &folder{&counter{}, root}, nil
}

func (f *folder) String() string { return f.root }

func (f *folder) path(key string) string { return filepath.Join(f.root, filepath.FromSlash(key)) }

// isUnfinished reports whether a name is that of a file that is being written.
func isUnfinished(name string) bool { return strings.HasPrefix(name, atomicfile.Scratch) }

func (f *folder) List(ctx context.Context, prefix, startAfter string) iter.Seq2[Object, error] {
	return func(yield func(Object, error) bool) {
		f.lists.Add(1)
		if err := f.walk(ctx, "", prefix, startAfter, func(o Object) bool { return yield(o, nil) }); err != nil &&
			!errors.Is(err, fs.SkipAll) {
			yield(Object{}, f.explain(listing, prefix, err))
		}
	}
}

// walk visits the objects below a folder, "" or a key that ends in a slash. It does not look into folders that cannot
// have what is asked for.
func (f *folder) walk(ctx context.Context, under, prefix, startAfter string, visit func(Object) bool) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	entries, err := os.ReadDir(f.path(under))
	if err != nil && !errors.Is(err, fs.ErrNotExist) { // a folder may be removed meanwhile
		return err
	}
	// In the order of keys the slash behind a folder's name counts: a.b is before a/x.
	key := func(e fs.DirEntry) string {
		if e.IsDir() {
			return under + e.Name() + "/"
		}
		return under + e.Name()
	}
	slices.SortFunc(entries, func(a, b fs.DirEntry) int { return strings.Compare(key(a), key(b)) })
	for _, e := range entries {
		name := key(e)
		switch {
		case isUnfinished(e.Name()):
		case e.IsDir():
			above := strings.HasPrefix(name, prefix) || strings.HasPrefix(prefix, name)
			done := name <= startAfter && !strings.HasPrefix(startAfter, name)
			if above && !done {
				err = f.walk(ctx, name, prefix, startAfter, visit)
			}
		case strings.HasPrefix(name, prefix) && name > startAfter && e.Type().IsRegular():
			info, err := e.Info()
			if errors.Is(err, fs.ErrNotExist) {
				continue
			} else if err != nil {
				return err
			}
			if !visit(Object{Key: name, Size: info.Size()}) {
				return fs.SkipAll
			}
		}
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			return err
		}
	}
	return nil
}

// open opens an object, and counts that.
func (f *folder) open(key string, count *atomic.Int64) (*os.File, int64, error) {
	if err := checkKey(key); err != nil {
		return nil, 0, err
	}
	count.Add(1)
	// A pipe would wait for its other end when it is opened.
	if info, err := os.Stat(f.path(key)); err == nil && !info.Mode().IsRegular() {
		return nil, 0, fs.ErrNotExist
	}
	file, err := os.Open(f.path(key))
	if err != nil {
		return nil, 0, err
	}
	info, err := file.Stat()
	if err != nil {
		return nil, 0, errors.Join(err, file.Close())
	}
	return file, info.Size(), nil
}

func (f *folder) Get(_ context.Context, key string) ([]byte, error) {
	file, size, err := f.open(key, &f.gets)
	if err != nil {
		return nil, f.explain(reading, key, err)
	}
	data, err := readBody(file, size)
	f.received.Add(int64(len(data)))
	if err != nil {
		return nil, f.explain(reading, key, err)
	}
	return data, nil
}

func (f *folder) Head(_ context.Context, key string) (Object, error) {
	file, _, err := f.open(key, &f.heads)
	if err != nil {
		return Object{}, f.explain(looking, key, err)
	}
	defer func() { _ = file.Close() }() // nothing was written
	h := sha256.New()
	size, err := io.Copy(h, file)
	if err != nil {
		return Object{}, f.explain(looking, key, err)
	}
	return Object{Key: key, Size: size, SHA256: hex.EncodeToString(h.Sum(nil))}, nil
}

func (f *folder) PutNew(ctx context.Context, key, path, sum string) error {
	if err := errors.Join(checkKey(key), checkSum(sum)); err != nil {
		return err
	}
	f.puts.Add(1)
	if err := ctx.Err(); err != nil {
		return f.explain(writing, key, err)
	}
	content, size, err := openContent(path)
	if err != nil {
		return err
	}
	defer func() { _ = content.Close() }() // nothing was written to it
	if size > MaxObject {
		return f.explain(writing, key, ErrTooLarge)
	}
	if _, err := os.Lstat(f.path(key)); err == nil { // nothing need be copied to find out
		return f.explain(writing, key, fs.ErrExist)
	}
	for attempt := 1; ; attempt++ {
		err = f.put(ctx, f.path(key), content, sum)
		if !errors.Is(err, fs.ErrNotExist) || attempt == tries {
			// Delete of its neighbour has removed the folder meanwhile
			return f.explain(writing, key, err)
		}
	}
}

// makeFolder makes a folder of the store, and those above it. It has its name only when it has its permissions: others
// may write into it at once, and a writer that is killed must not lock them out.
func (f *folder) makeFolder(at string) error {
	if _, err := os.Stat(at); !errors.Is(err, fs.ErrNotExist) || at == f.root {
		return err
	}
	if err := f.makeFolder(filepath.Dir(at)); err != nil {
		return err
	}
	unfinished := filepath.Join(filepath.Dir(at), atomicfile.Scratch+rand.Text())
	if err := os.Mkdir(unfinished, 0o777); err != nil {
		return err
	}
	err := share(unfinished)
	if err == nil {
		err = atomicfile.Move(unfinished, at)
	}
	if err != nil {
		_ = os.Remove(unfinished)                                     // what is told is why it is there
		if info, there := os.Stat(at); there == nil && info.IsDir() { // another writer has made it meanwhile
			return nil
		}
	}
	return err
}

// put writes a file beside its place, and gives it its name if no other has it. Its permissions are those that the user
// gives to any file, as the others of a share read it.
func (f *folder) put(ctx context.Context, to string, content *os.File, sum string) (err error) {
	if err := f.makeFolder(filepath.Dir(to)); err != nil {
		return err
	}
	unfinished, err := os.OpenFile(filepath.Join(filepath.Dir(to), atomicfile.Scratch+rand.Text()),
		os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o666)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, atomicfile.Remove(unfinished.Name())) }()
	h := sha256.New()
	n, err := io.Copy(io.MultiWriter(unfinished, h), io.NewSectionReader(content, 0, MaxObject))
	f.sent.Add(n)
	if err == nil {
		err = share(unfinished.Name())
	}
	if err == nil {
		err = unfinished.Sync()
	}
	if err = errors.Join(err, unfinished.Close()); err != nil {
		return err
	}
	if hex.EncodeToString(h.Sum(nil)) != sum {
		return ErrDamaged
	}
	if err := ctx.Err(); err != nil {
		return err
	}
	if err := take(unfinished.Name(), to); err != nil {
		return err
	}
	for at := filepath.Dir(to); ; at = filepath.Dir(at) { // folders on the way may be new
		if err := atomicfile.Sync(at); err != nil || at == f.root || at == filepath.Dir(at) {
			return err
		}
	}
}

// take gives a file a second name, if nothing has it.
func take(from, to string) error {
	err := os.Link(from, to)
	if err == nil || errors.Is(err, fs.ErrExist) && !sameFile(from, to) {
		return err
	}
	if sameFile(from, to) { // a file server did it, and its answer was lost
		return nil
	}
	for _, unable := range []error{syscall.EPERM, syscall.ENOTSUP, syscall.ENOSYS, syscall.EMLINK,
		errors.ErrUnsupported} {
		if errors.Is(err, unable) {
			return takeByClaim(from, to)
		}
	}
	return err
}

func sameFile(a, b string) bool {
	first, err := os.Lstat(a)
	if err != nil {
		return false
	}
	second, err := os.Lstat(b)
	return err == nil && os.SameFile(first, second)
}

// takeByClaim is for file systems without hard links. Of all that see no file at the name only the one may rename that
// has made the claim. A claim that a killed writer has left stops the others: none can know whether it still lives.
func takeByClaim(from, to string) (err error) {
	claim := filepath.Join(filepath.Dir(to), atomicfile.Scratch+"claim-"+filepath.Base(to))
	for attempt := 1; ; attempt++ {
		err := atomicfile.Write(claim, nil)
		if err == nil {
			break
		} else if !errors.Is(err, fs.ErrExist) {
			return err
		}
		if _, err := os.Lstat(to); err == nil {
			return fs.ErrExist
		}
		if attempt == 4*tries { // a rename takes no second
			return &Error{Kind: ErrUnreachable, Doing: writing.doing, Place: to,
				Why: "another writer is at this object, or was killed there", Do: "if no other runs, remove " + claim}
		}
		time.Sleep(50 * time.Millisecond)
	}
	defer func() { err = errors.Join(err, atomicfile.Remove(claim)) }()
	if _, err := os.Lstat(to); !errors.Is(err, fs.ErrNotExist) {
		return errors.Join(err, fs.ErrExist)
	}
	return atomicfile.Rename(from, to)
}

func (f *folder) Delete(_ context.Context, key string) error {
	if err := checkKey(key); err != nil {
		return err
	}
	f.deletes.Add(1)
	if err := atomicfile.Remove(f.path(key)); err != nil {
		return f.explain(deleting, key, err)
	}
	for at := path.Dir(key); at != "."; at = path.Dir(at) { // a bucket has no empty folders
		if os.Remove(f.path(at)) != nil { // not empty
			break
		}
	}
	return nil
}

// explain makes an error of the system's; nil of nil.
func (f *folder) explain(did action, key string, err error) error {
	e := &Error{Doing: did.doing, Place: f.path(key), cause: err}
	known := (*Error)(nil)
	switch {
	case err == nil:
		return nil
	case errors.As(err, &known):
		return known
	case errors.Is(err, ErrTooLarge):
		e.Kind, e.Why = ErrTooLarge, tooLarge(did)
	case errors.Is(err, ErrDamaged):
		e.Kind, e.Do = ErrDamaged, "the content has changed since its sum was taken: do it again"
	case errors.Is(err, fs.ErrExist), errors.Is(err, syscall.EISDIR):
		e.Kind = ErrExists
	case errors.Is(err, fs.ErrNotExist), errors.Is(err, syscall.ENOTDIR) && did != writing:
		e.Kind = ErrMissing
	case errors.Is(err, fs.ErrPermission), errors.Is(err, syscall.EROFS):
		e.Kind, e.Why, e.Do = ErrRefused, plain(err), "this user needs the permission to "+did.doing+" in the folder"
	case errors.Is(err, syscall.ENOSPC), errors.Is(err, syscall.EDQUOT):
		e.Kind, e.Why, e.Do = ErrFull, plain(err), "nothing has to be undone: make room, then do it again"
	default:
		e.Kind, e.Why = ErrUnreachable, plain(err)
	}
	return e
}

// plain is the text of an error without the path, which is said already.
func plain(err error) string {
	if p := (*fs.PathError)(nil); errors.As(err, &p) {
		return p.Err.Error()
	}
	if l := (*os.LinkError)(nil); errors.As(err, &l) {
		return l.Err.Error()
	}
	return err.Error()
}

var _ Store = (*folder)(nil)
