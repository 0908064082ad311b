package search

import (
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"io"
	"maps"
	"os"
	"slices"
	"time"

	"pipeline/load/engine"
	"pipeline/load/reader"
	"pipeline/load/textindex"
	"pipeline/load/tool/filelock"
	"pipeline/load/tool/sqlrows"
)

// This file keeps the search index, a file beside the warehouse, up to date. The first search makes it. Each load after
// that updates it, and so does a search that finds it out of date.

// indexPath returns the path of a warehouse's search index. The file may be removed at any time: the next search makes
// it again.
func indexPath(warehouse string) string { return warehouse + ".search" }

// Fields returns the names of the fields that are searched. found_in has one of them. The title is that of the
// conversation, and is searched with its first message.
func Fields() textindex.Fields {
	return textindex.Fields{"text", "title", "thinking", "params", "result"}
}

// searchedLength is how many characters of each field are searched: a longer one is more data than text.
const searchedLength = 1 << 20

// searchBatch is how many bytes of text are read at a time.
const searchBatch = 16 << 20

// searchWait is how long a search waits for another process that updates the index.
const searchWait = 10 * time.Minute

// Indexed says what an update of the index did.
type Indexed struct {
	Conversations int   `json:"conversations"` // whose messages were read again
	Messages      int64 `json:"messages"`      // that the index holds now
	Bytes         int64 `json:"bytes"`         // of the file
}

// Exists reports whether a warehouse has a search index.
func Exists(warehouse string) bool {
	_, err := os.Stat(indexPath(warehouse))
	return err == nil
}

// Update brings the search index of a warehouse up to date. progress is as in Open.
func Update(ctx context.Context, warehouse string, progress func(done, total int)) (_ *Indexed, err error) {
	s, err := Open(ctx, warehouse, progress)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, s.Close()) }()
	return &s.Indexed, nil
}

// A Search finds messages of a warehouse by words.
type Search struct {
	Indexed Indexed // what Open had to do

	warehouse string
	reader    *reader.Reader // nil until it is needed
	index     *textindex.Index
}

// Open opens the search index of a warehouse. It makes the index or updates it first. progress may be nil; otherwise
// Open calls it with the number of messages that were read and the number of all that have to be. Open opens the
// warehouse only if its file has changed since the last comparison with the index.
func Open(ctx context.Context, warehouse string, progress func(done, total int)) (_ *Search, err error) {
	s := &Search{warehouse: warehouse}
	defer func() {
		if err != nil {
			err = errors.Join(err, s.Close())
		}
	}()
	stamp := fileStamp(warehouse)
	if Exists(warehouse) && stamp != "" {
		if err := s.openIndex(ctx); err != nil {
			return nil, err
		}
		if had, err := s.index.Stamp(ctx); err != nil || had == stamp {
			return s, err
		}
	}
	if err := s.open(ctx); err != nil {
		return nil, err
	}
	state, err := s.state(ctx)
	if err != nil {
		return nil, err
	}
	if err := s.openIndex(ctx); err != nil {
		return nil, err
	}
	have, err := s.index.State(ctx)
	if err == nil && have != state {
		if progress == nil {
			progress = func(int, int) {}
		}
		err = s.update(ctx, state, progress)
	}
	// To close the file, as fileStamp does, ends the lock that this process has on it.
	err = errors.Join(err, s.reader.Close())
	s.reader = nil
	if err == nil && stamp != "" && stamp == fileStamp(warehouse) {
		err = s.index.SetStamp(ctx, state, stamp)
	}
	return s, err
}

// open opens the warehouse, unless it is open.
func (s *Search) open(ctx context.Context) (err error) {
	if s.reader == nil {
		s.reader, err = reader.Open(ctx, s.warehouse)
	}
	return err
}

func (s *Search) openIndex(ctx context.Context) (err error) {
	if s.index == nil {
		s.index, err = textindex.Open(ctx, indexPath(s.warehouse), Fields())
	}
	return err
}

// stampedBytes is the size of a DuckDB file's headers. Each checkpoint writes one of them anew, with a new number.
const stampedBytes = 3 * 4096

// fileStamp returns a text that differs for each state of a warehouse's file, without opening the warehouse. It is ""
// if the state cannot be told, because there is a log beside the file.
func fileStamp(path string) string {
	if engine.HasLog(path) {
		return ""
	}
	file, err := os.Open(path)
	if err != nil {
		return ""
	}
	defer func() { _ = file.Close() }() // nothing was written
	info, err := file.Stat()
	if err != nil {
		return ""
	}
	sum := sha256.New()
	if _, err := io.CopyN(sum, file, stampedBytes); err != nil {
		return ""
	}
	return fmt.Sprintf("%d %d %x", info.Size(), info.ModTime().UnixNano(), sum.Sum(nil))
}

// Close closes the index and the warehouse.
func (s *Search) Close() (err error) {
	if s.index != nil {
		err = s.index.Close()
	}
	if s.reader != nil {
		err = errors.Join(err, s.reader.Close())
	}
	return err
}

// state returns a text that differs for each state of the warehouse, by its last loads. A backup and a rebuilt
// warehouse have other states.
func (s *Search) state(ctx context.Context) (state string, err error) {
	err = s.reader.Conn().QueryRowContext(ctx,
		`SELECT md5(coalesce(string_agg(concat_ws('|', load_id, epoch_us(started_at), epoch_us(finished_at), mode, tool_version), ',' ORDER BY load_id), ''))
		FROM (FROM loads ORDER BY load_id DESC LIMIT 5)`).Scan(&state)
	return state, err
}

// update reads the messages of every conversation that has changed since the index was updated.
func (s *Search) update(ctx context.Context, state string, progress func(done, total int)) (err error) {
	lock := filelock.New(indexPath(s.warehouse) + ".lock")
	waiting, cancel := context.WithTimeout(ctx, searchWait)
	defer cancel()
	if _, err := lock.TryLockContext(waiting, 50*time.Millisecond); err != nil &&
		!errors.Is(err, errors.ErrUnsupported) {
		if ctx.Err() == nil && waiting.Err() != nil {
			return fmt.Errorf("%w: another search brings %s up to date; wait for it to end and search again",
				engine.ErrBusy, indexPath(s.warehouse))
		}
		return err
	}
	defer func() { err = errors.Join(err, lock.Close()) }()
	if have, err := s.index.State(ctx); err != nil || have == state { // that other one did it
		return err
	}
	changed, gone, err := s.changes(ctx)
	if err != nil {
		return err
	}
	parts, all, err := s.parts(ctx, changed)
	if err != nil {
		return err
	}
	done := 0
	progress(0, int(all))
	texts := func(yield func(*textindex.Text, error) bool) {
		for _, p := range parts {
			for text, err := range s.texts(ctx, p, changed) {
				if !yield(text, err) {
					return
				}
				if done++; done%1000 == 0 {
					progress(done, int(all))
				}
			}
		}
		progress(int(all), int(all))
	}
	if err := s.index.Update(ctx, state, gone, changed, texts); err != nil {
		return engine.WithRemedy(err)
	}
	s.Indexed.Conversations = len(changed) + len(gone)
	if s.Indexed.Messages, err = s.index.Texts(ctx); err != nil {
		return err
	}
	info, err := os.Stat(indexPath(s.warehouse))
	if err == nil {
		s.Indexed.Bytes = info.Size()
	}
	return err
}

// changes compares the signature of each conversation with the one in the index. A load that changes its messages, or
// the columns that a search filters by or shows, changes the signature. Of a conversation that several sources have
// only the primary is in the index.
func (s *Search) changes(ctx context.Context) (changed map[textindex.Owner]string, gone []textindex.Owner, err error) {
	had, err := s.index.Signatures(ctx)
	if err != nil {
		return nil, nil, err
	}
	changed = map[textindex.Owner]string{}
	type signed struct {
		textindex.Owner
		signature string
	}
	err = sqlrows.EachAs(ctx, s.reader.Conn(), `WITH known AS (
			SELECT source_id, id AS conversation_id, string_agg(concat_ws('|', store, facts_hash, content_hash, transform_version, load_id), ',' ORDER BY store) AS seen
			FROM _owners WHERE kind = 'conversation' GROUP BY ALL)
		SELECT c.source_id, c.conversation_id, md5(concat_ws('|', epoch_us(c.changed_at), epoch_us(c.deleted_at), c.status, c.project_uri, c.project, c.display_title, k.seen))
		FROM all_conversations c
		ANTI JOIN (FROM conversation_copies WHERE NOT is_primary) p ON p.source_id = c.source_id AND p.conversation_id = c.conversation_id
		LEFT JOIN known k ON k.source_id = c.source_id AND k.conversation_id = c.conversation_id`, func(c signed) {
		if had[c.Owner] != c.signature {
			changed[c.Owner] = c.signature
		}
		delete(had, c.Owner)
	})
	return changed, slices.Collect(maps.Keys(had)), err
}
