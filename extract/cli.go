package extract

import (
	"cmp"
	"context"
	"errors"
	"io/fs"
	"iter"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/zeebo/xxh3"
)

// This file reads the chats of Cursor's command line (docs/formats.md, The command line). Each chat has a folder with a
// store of its own: the blobs of its graph, and a row that names the root. A home may have thousands. So a chat's store
// is opened only if its files have changed, and one after the other. The transcripts of the same home are read here,
// too: transcripts.go.

// openCLI lists the chats of a source and opens none of them. It ignores Salvage, Known, Depth and Every. From a
// damaged chat only a part of its graph could be salvaged, which says less than what earlier loads know of the chat; so
// what they know stays. Known and Depth serve stores with many conversations; the state of a chat's files tells whether
// the chat has changed.
func openCLI(ctx context.Context, src Source, how OpenOptions) (Snapshot, error) {
	s := &cliSnapshot{src: src, how: how, failed: map[string]error{}, counts: map[string]FamilyCount{},
		info: StoreInfo{Path: src.UserDir, JournalMode: "wal", Method: MethodInPlace}}
	if err := s.listChats(ctx); err != nil {
		return nil, err
	}
	for _, c := range s.chats {
		if err := how.Skip[c.store]; err != nil {
			s.failed[c.store] = err
		}
	}
	slices.SortFunc(s.chats, func(a, b *chat) int {
		return cmp.Or(compareBool(IsACPStore(a.store), IsACPStore(b.store)), strings.Compare(a.id, b.id),
			b.changed.Compare(a.changed), strings.Compare(a.store, b.store))
	})
	s.noteCopies()
	if err := s.listTranscripts(); err != nil {
		return s, err
	}
	found := trustedAround(src)
	for _, c := range s.chats {
		c.trust(found)
	}
	return s, nil
}

func compareBool(a, b bool) int {
	switch {
	case a == b:
		return 0
	case b:
		return -1
	}
	return 1
}

// listChats adds the chats of all folders. A folder in chatsFolder that cannot be listed has failed: its chats do not
// count as gone (plan.Complete). If it is the outer one, that is the error.
func (s *cliSnapshot) listChats(ctx context.Context) error {
	above := filepath.Join(s.src.UserDir, chatsFolder)
	entries, err := readDir(above)
	if err != nil {
		return newStoreError(above, err)
	}
	for _, e := range entries {
		folder := chatsFolder + "/" + e.Name()
		ok, err := isFolder(above, e)
		if ok {
			err = s.list(ctx, folder)
		}
		switch {
		case ctx.Err() != nil:
			return ctx.Err()
		case err != nil:
			s.failed[validName(folder)] = newStoreError(filepath.Join(above, e.Name()), err)
		}
	}
	return s.list(ctx, acpFolder)
}

// list adds the chats of a folder below the source's.
func (s *cliSnapshot) list(ctx context.Context, folder string) error {
	dir := filepath.Join(s.src.UserDir, filepath.FromSlash(folder))
	entries, err := readDir(dir)
	if err != nil {
		return newStoreError(dir, err)
	}
	for _, e := range entries {
		if ctx.Err() != nil {
			return ctx.Err()
		}
		isDir, err := isFolder(dir, e)
		if !isDir && err == nil {
			continue
		}
		c := &chat{store: validName(folder + "/" + e.Name()), dir: filepath.Join(dir, e.Name()),
			id: validName(e.Name())}
		ok := false
		switch {
		case isDir && !IsConversationID(c.id):
			err = &StoreError{Path: c.dir, Kind: KindStrange, Err: errors.New("its name is no id of a chat")}
		case isDir:
			ok, err = c.look(time.Now())
		}
		switch {
		case err != nil:
			s.failed[c.store] = newStoreError(c.dir, err)
		case ok:
			s.chats = append(s.chats, c)
			s.info.Bytes += c.bytes
		default:
			s.empty++
		}
	}
	return nil
}

// isFolder reports whether an entry is a folder, or leads to one. A link that leads nowhere is an error: what it led to
// may be on a disk that is not there now.
func isFolder(dir string, e fs.DirEntry) (bool, error) {
	if e.Type()&fs.ModeSymlink == 0 {
		return e.IsDir(), nil
	}
	info, err := os.Stat(filepath.Join(dir, e.Name()))
	return err == nil && info.IsDir(), err
}

// look notes the state of a chat's files. ok is false if there is no store.
func (c *chat) look(now time.Time) (ok bool, err error) {
	h := xxh3.New()
	certain := true
	for i, name := range chatFiles {
		info, err := os.Stat(filepath.Join(c.dir, name))
		switch {
		case isMissing(err), err == nil && info.IsDir() && i > 0:
			// a folder in place of a store is a store that cannot be read
			hashNumber(h, -1)
			continue
		case err != nil:
			return false, err
		}
		if name != "meta.json" {
			c.bytes += info.Size()
			if info.ModTime().After(c.changed) {
				c.changed = info.ModTime()
			}
		}
		ok = ok || i == 0
		certain = certain && now.Sub(info.ModTime()) >= minAge
		hashFile(h, info.Size(), info.ModTime())
	}
	if certain {
		c.state = sumOf(h)
	}
	return ok, nil
}

func (s *cliSnapshot) Count() int { return len(s.chats) }

// Conversations yields the chats. Of several folders for one chat the first counts.
func (s *cliSnapshot) Conversations(ctx context.Context) iter.Seq2[*Conversation, error] {
	return func(yield func(*Conversation, error) bool) {
		seen := map[string]bool{}
		for _, c := range s.chats {
			if seen[c.id] {
				continue
			}
			seen[c.id] = true
			if s.failed[c.store] != nil { // what is known of it stays, whatever another folder of it has
				continue
			}
			if !yield(s.conversation(ctx, c), nil) {
				return
			}
		}
	}
}

// conversation makes the conversation of a chat. Its store is opened when its rows are used.
func (s *cliSnapshot) conversation(ctx context.Context, c *chat) *Conversation {
	out := &Conversation{Store: c.store, ID: c.id, Fingerprint: c.state, rows: len(c.transcripts) + len(c.copies)}
	if c.dir != "" {
		out.rows += 2
	}
	if c.trusted != nil {
		out.rows++
	}
	out.readHead = func() (*Document, error) {
		rows, err := s.hold(ctx, c)
		if len(rows) > 0 && rows[0].IsHead() {
			return rows[0], err
		}
		return nil, err
	}
	out.Parts = func(yield func(*Document, error) bool) {
		rows, err := s.hold(ctx, c)
		if err != nil {
			yield(nil, err)
			return
		}
		for _, d := range rows {
			if !d.IsHead() && !yield(d, nil) {
				return
			}
		}
	}
	return out
}

// hold returns the rows of a chat. It holds them until those of another are asked for: a chat that is read twice is the
// same.
func (s *cliSnapshot) hold(ctx context.Context, c *chat) ([]*Document, error) {
	if s.held != c {
		rows, err := s.read(ctx, c)
		if err != nil {
			return nil, err
		}
		s.held, s.rows = c, rows
	}
	return s.rows, nil
}

// read reads the rows of a chat from one state of its store.
func (s *cliSnapshot) read(ctx context.Context, c *chat) (rows []*Document, err error) {
	for try := 1; c.dir != ""; try++ {
		rows, err = s.readOnce(ctx, c, storeOptions{Copy: s.how.Copy[c.store] || try == snapshotTries})
		if !errors.Is(err, ErrTorn) || try == snapshotTries {
			break
		}
	}
	if err != nil {
		return nil, err
	}
	copies, err := c.copyRows()
	if err != nil {
		return nil, err
	}
	trust, err := c.trustedRows()
	if err != nil {
		return nil, err
	}
	said, err := s.readTranscripts(c)
	rows = slices.Concat(rows, copies, trust, said)
	for _, d := range rows {
		count := s.counts[d.Family]
		count.Rows++
		count.BytesRead += int64(len(d.Raw))
		s.counts[d.Family] = count
	}
	return rows, err
}

func (s *cliSnapshot) readOnce(ctx context.Context, c *chat, how storeOptions) (rows []*Document, err error) {
	snap, err := openStore(ctx, filepath.Join(c.dir, "store.db"), how)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, snap.Close()) }()
	s.info.Method = snap.Info().Method
	if err := snap.tellMarks(ctx, c.store, s.how.Marks); err != nil {
		return nil, snap.explain(err)
	}
	about, err := c.readMeta(ctx, snap)
	if err != nil {
		return nil, snap.explain(err)
	}
	if file, err := c.readFile(); err != nil {
		return nil, newStoreError(c.dir, err)
	} else if file != nil {
		about = append(about, file)
	}
	rows = about
	if s.how.Graph != nil {
		nodes, err := collect(s.how.Graph, s.how.Kept, about,
			func(name string) (*Document, error) { return c.readNode(ctx, snap, name) })
		if err != nil {
			return nil, snap.explain(err)
		}
		rows = append(rows, nodes...)
	}
	return rows, snap.Verify()
}

// Leave leaves a chat as it is whose store cannot be read, and reports whether it is one: the others are read.
func (s *cliSnapshot) Leave(store string, err error) bool {
	if !GoesWithItsFolder(store) {
		return false
	}
	s.failed[store] = err
	return true
}
