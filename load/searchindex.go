package load

import (
	"context"
	"crypto/sha256"
	dbsql "database/sql"
	"encoding/hex"
	"errors"
	"fmt"
	"iter"
	"math"
	"os"
	"strings"
	"time"

	"github.com/gofrs/flock"

	"pipeline/load/textindex"
)

// This file keeps the search index, a file beside the warehouse, in step with it: it is made by the first search, and brought up to date by each load
// after that, and by a search that finds it behind.

// SearchPath is where the search index of a warehouse is. It may be removed at any time: a search makes it again.
func SearchPath(warehouse string) string { return warehouse + ".search" }

// SearchFields are what is looked into, by the names that found_in has.
func SearchFields() [4]string { return [4]string{"text", "thinking", "params", "result"} }

// searchedLength is how many characters of each field are looked into: what is longer is data more than text.
const searchedLength = 1 << 20

// searchBatch is how many bytes of texts are read at a time.
const searchBatch = 16 << 20

// searchWait is how long a search waits for another process that brings the index up to date.
const searchWait = 10 * time.Minute

// SearchIndexed says what bringing the index up to date took.
type SearchIndexed struct {
	Conversations int   `json:"conversations"` // whose messages were read again
	Messages      int64 `json:"messages"`      // that the index holds now
	Bytes         int64 `json:"bytes"`         // of the file
}

// HasSearch reports that somebody has searched a warehouse.
func HasSearch(warehouse string) bool {
	_, err := os.Stat(SearchPath(warehouse))
	return err == nil
}

// UpdateSearch brings the search index of a warehouse up to date.
func UpdateSearch(ctx context.Context, warehouse string) (_ *SearchIndexed, err error) {
	s, err := OpenSearch(ctx, warehouse, nil)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, s.Close()) }()
	return &s.Indexed, nil
}

// A Search asks a warehouse's messages for words.
type Search struct {
	Indexed SearchIndexed // what Open had to do

	reader *Reader
	index  *textindex.Index
}

// OpenSearch opens a warehouse and its search index, which it makes or brings up to date first. progress may be nil; it is told of how many messages
// how many are read.
func OpenSearch(ctx context.Context, warehouse string, progress func(done, all int64)) (_ *Search, err error) {
	s := &Search{}
	defer func() {
		if err != nil {
			err = errors.Join(err, s.Close())
		}
	}()
	if s.reader, err = OpenReader(ctx, warehouse); err != nil {
		return nil, err
	}
	state, err := s.state(ctx)
	if err != nil {
		return nil, err
	}
	if s.index, err = textindex.Open(ctx, SearchPath(warehouse), SearchFields()); err != nil {
		return nil, err
	}
	have, err := s.index.State(ctx)
	if err != nil || have == state {
		return s, err
	}
	if progress == nil {
		progress = func(int64, int64) {}
	}
	return s, s.update(ctx, warehouse, state, progress)
}

// Close lets go of both files.
func (s *Search) Close() (err error) {
	if s.index != nil {
		err = s.index.Close()
	}
	if s.reader != nil {
		err = errors.Join(err, s.reader.Close())
	}
	return err
}

// state tells one state of the warehouse from every other: its last loads, also of a backup or of a warehouse made anew.
func (s *Search) state(ctx context.Context) (state string, err error) {
	err = s.reader.conn.QueryRowContext(ctx, `SELECT md5(coalesce(string_agg(concat_ws('|', load_id, epoch_us(started_at), epoch_us(finished_at), mode, tool_version), ',' ORDER BY load_id), ''))
		FROM (FROM loads ORDER BY load_id DESC LIMIT 5)`).Scan(&state)
	return state, err
}

// update reads the messages of every conversation that is not the one that the index knows.
func (s *Search) update(ctx context.Context, warehouse, state string, progress func(done, all int64)) (err error) {
	lock := flock.New(SearchPath(warehouse)+".lock", flock.SetPermissions(0o600))
	waiting, cancel := context.WithTimeout(ctx, searchWait)
	defer cancel()
	if _, err := lock.TryLockContext(waiting, 50*time.Millisecond); err != nil && !errors.Is(err, errors.ErrUnsupported) {
		if ctx.Err() == nil && waiting.Err() != nil {
			return fmt.Errorf("%w: another search brings %s up to date; wait for it to end and search again", ErrBusy, SearchPath(warehouse))
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
	var done int64
	texts := func(yield func(*textindex.Text, error) bool) {
		for _, p := range parts {
			for text, err := range s.texts(ctx, p, changed) {
				if !yield(text, err) {
					return
				}
				if done++; done%1000 == 0 {
					progress(done, all)
				}
			}
		}
		progress(all, all)
	}
	if err := s.index.Update(ctx, state, gone, changed, texts); err != nil {
		return withRemedy(err)
	}
	s.Indexed.Conversations = len(changed) + len(gone)
	if s.Indexed.Messages, err = s.index.Texts(ctx); err != nil {
		return err
	}
	info, err := os.Stat(SearchPath(warehouse))
	if err == nil {
		s.Indexed.Bytes = info.Size()
	}
	return err
}

// changes compares each conversation's signature with the index: all that a load can change of its messages, or of what they can be narrowed to,
// changes it.
func (s *Search) changes(ctx context.Context) (changed map[textindex.Owner]string, gone []textindex.Owner, err error) {
	had, err := s.index.Signatures(ctx)
	if err != nil {
		return nil, nil, err
	}
	changed = map[textindex.Owner]string{}
	err = each(ctx, s.reader.conn, `WITH known AS (
			SELECT source_id, conversation_id, string_agg(concat_ws('|', store, fingerprint, content_hash, transform_version, load_id), ',' ORDER BY store) AS seen
			FROM _known_conversations GROUP BY ALL)
		SELECT c.source_id, c.conversation_id, md5(concat_ws('|', epoch_us(c.changed_at), epoch_us(c.deleted_at), c.status, c.project_uri, k.seen))
		FROM conversations c LEFT JOIN known k ON k.source_id = c.source_id AND k.conversation_id = c.conversation_id`, func(rows *dbsql.Rows) error {
		var o textindex.Owner
		var signature string
		err := rows.Scan(&o.SourceID, &o.ID, &signature)
		if had[o] != signature {
			changed[o] = signature
		}
		delete(had, o)
		return err
	})
	for o := range had {
		gone = append(gone, o)
	}
	return changed, gone, err
}

// searchPart is what is read at a time: the messages of some conversations, or a part of those of a large one. Its rows stand close together.
type searchPart struct {
	conversations   []string
	messages, calls rowRange
	part, parts     int64
}

// rowRange is where rows of a table stand, the first and the last: what is asked for by its place costs no scan.
type rowRange struct{ first, last int64 }

func (r *rowRange) add(o rowRange) { r.first, r.last = min(r.first, o.first), max(r.last, o.last) }

// closeRows is how many rows of others may stand between those of a part.
const closeRows = 2048

// parts cuts what is to be read into parts of a size that memory holds.
func (s *Search) parts(ctx context.Context, changed map[textindex.Owner]string) (out []searchPart, messages int64, err error) {
	size := int64(searchBatch)
	err = each(ctx, s.reader.conn, fmt.Sprintf(`WITH said AS (
			SELECT source_id, conversation_id, count(*) AS rows, min(rowid) AS first, max(rowid) AS last,
				sum(least(coalesce(strlen(text), 0), %[1]d) + least(coalesce(strlen(thinking), 0), %[1]d)) AS bytes FROM messages GROUP BY ALL),
		called AS (
			SELECT source_id, conversation_id, min(rowid) AS first, max(rowid) AS last,
				sum(least(coalesce(strlen(CAST(params AS VARCHAR)), 0), %[1]d) + least(coalesce(strlen(CAST(result AS VARCHAR)), 0), %[1]d)) AS bytes FROM tool_calls GROUP BY ALL)
		SELECT m.source_id, m.conversation_id, m.rows, CAST(m.bytes + coalesce(c.bytes, 0) AS BIGINT), m.first, m.last, coalesce(c.first, %[2]d), coalesce(c.last, -1)
		FROM said m LEFT JOIN called c ON c.source_id = m.source_id AND c.conversation_id = m.conversation_id
		ORDER BY m.first`, searchedLength, math.MaxInt64), func(rows *dbsql.Rows) error {
		var o textindex.Owner
		var count, bytes int64
		p := searchPart{parts: 1}
		if err := rows.Scan(&o.SourceID, &o.ID, &count, &bytes, &p.messages.first, &p.messages.last, &p.calls.first, &p.calls.last); err != nil {
			return err
		}
		if _, wanted := changed[o]; !wanted {
			return nil
		}
		messages += count
		bytes += 500 * count
		p.conversations = []string{o.ID}
		if last := len(out) - 1; size+bytes <= searchBatch && p.messages.first <= out[last].messages.last+closeRows {
			out[last].conversations = append(out[last].conversations, o.ID)
			out[last].messages.add(p.messages)
			out[last].calls.add(p.calls)
			size += bytes
			return nil
		}
		p.parts = (bytes + searchBatch - 1) / searchBatch
		for p.part = range p.parts {
			out = append(out, p)
		}
		if size = bytes; p.parts > 1 {
			size = searchBatch // nothing is added to it
		}
		return nil
	})
	return out, messages, err
}

// rows is a query for the rows of the part.
func (p searchPart) rows(table string, rows rowRange) string {
	return fmt.Sprintf("FROM "+table+" WHERE rowid BETWEEN %d AND %d AND conversation_id IN (%s) AND hash(message_id) %% %d = %d", rows.first, rows.last, literals(p.conversations), p.parts, p.part)
}

// texts reads a part.
func (s *Search) texts(ctx context.Context, p searchPart, changed map[textindex.Owner]string) iter.Seq2[*textindex.Text, error] {
	return func(yield func(*textindex.Text, error) bool) {
		calls, err := s.calls(ctx, p.rows("tool_calls", p.calls))
		if err != nil {
			yield(nil, err)
			return
		}
		stopped := errors.New("enough")
		err = each(ctx, s.reader.conn, fmt.Sprintf(`SELECT m.source_id, m.conversation_id, m.message_id, coalesce(epoch_ms(m.created_at), 0), m.role, m.kind,
				m.deleted_at IS NULL AND c.deleted_at IS NULL AND c.status IS DISTINCT FROM 'orphaned', coalesce(c.project_uri, ''),
				coalesce(left(m.text, %[1]d), ''), coalesce(left(m.thinking, %[1]d), '')
			FROM (%[2]s) m JOIN conversations c ON c.source_id = m.source_id AND c.conversation_id = m.conversation_id
			ORDER BY m.created_at`, searchedLength, p.rows("messages", p.messages)), func(rows *dbsql.Rows) error {
			t, err := textOf(rows, calls)
			if err != nil {
				return err
			}
			if _, wanted := changed[t.Owner]; wanted && !yield(t, nil) { // else of the same name in another source
				return stopped
			}
			return nil
		})
		if err != nil && !errors.Is(err, stopped) {
			yield(nil, err)
		}
	}
}

// textOf is a message as the index takes it.
func textOf(rows *dbsql.Rows, calls map[messageKey]messageCalls) (*textindex.Text, error) {
	var t textindex.Text
	var role, kind, project string
	var live bool
	if err := rows.Scan(&t.Owner.SourceID, &t.Owner.ID, &t.ID, &t.At, &role, &kind, &live, &project, &t.Fields[0], &t.Fields[1]); err != nil {
		return nil, err
	}
	c := calls[messageKey{t.Owner, t.ID}]
	t.Fields[2], t.Fields[3] = c.params, c.result
	t.Facets = append(c.facets, roleFacet+role, kindFacet+kind, projectFacet(project))
	if !live {
		t.Facets = append(t.Facets, goneFacet)
	}
	return &t, nil
}

type messageKey struct {
	owner textindex.Owner
	id    string
}

// messageCalls are the tool calls of a message, as one.
type messageCalls struct {
	tool           string // of the first
	params, result string
	facets         []string
}

// calls reads the tool calls that a query finds, by message.
func (s *Search) calls(ctx context.Context, from string) (map[messageKey]messageCalls, error) {
	out := map[messageKey]messageCalls{}
	err := each(ctx, s.reader.conn, fmt.Sprintf(`SELECT source_id, conversation_id, message_id, coalesce(tool, ''), coalesce(name, ''),
			coalesce(left(CAST(params AS VARCHAR), %[1]d), ''), coalesce(left(CAST(result AS VARCHAR), %[1]d), '')
		FROM (%[2]s) ORDER BY source_id, conversation_id, message_id, call_index`, searchedLength, from), func(rows *dbsql.Rows) error {
		var key messageKey
		var tool, name, params, result string
		if err := rows.Scan(&key.owner.SourceID, &key.owner.ID, &key.id, &tool, &name, &params, &result); err != nil {
			return err
		}
		c := out[key]
		if c.tool == "" {
			c.tool = tool
		}
		c.params, c.result = addLeaves(c.params, params), addLeaves(c.result, result)
		c.facets = append(c.facets, toolFacet+facetName(tool), toolFacet+facetName(name))
		out[key] = c
		return nil
	})
	return out, err
}

func addLeaves(before, document string) string {
	if before == "" {
		return textindex.Leaves(document)
	}
	return before + "\n" + textindex.Leaves(document)
}

func literals(values []string) string {
	out := make([]string, len(values))
	for i, v := range values {
		out[i] = literal(v)
	}
	return strings.Join(out, ", ")
}

// Facets: what messages can be narrowed to.
const (
	goneFacet = "gone" // Cursor no longer has it. Few are: a mark of all others would have to be read in each search
	roleFacet = "role:"
	kindFacet = "kind:"
	toolFacet = "tool:" // a call's stable name, or the stored one
)

func projectFacet(uri string) string {
	sum := sha256.Sum256([]byte(uri))
	return "project:" + hex.EncodeToString(sum[:8])
}

// facetName is a name as one word.
func facetName(name string) string { return strings.Join(strings.Fields(strings.ToLower(name)), "_") }
