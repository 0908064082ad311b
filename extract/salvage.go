package extract

import (
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"
)

// A scan of a damaged table stops at its first bad page. Its unique index names the rows all the same, and each can be asked for by its rowid:
// what is lost then is what lies on bad pages. So a damaged store is read into a new one, row by row, and that is read like any other.

// errCut says that a file lacks its end. Nothing is salvaged then: it is a broken copy, and what it lacks has no name.
var errCut = errors.New("it was cut off")

// loss is what a damaged store has lost.
type loss struct {
	rows map[string]map[int64]bool // rowids by table: their keys are known, their values are not
	keys []string
	read int64
	of   *StoreError // says it to people
}

// lost reports that the value of a row could not be read.
func (l *loss) lost(table string, rowID int64) bool { return l != nil && l.rows[table][rowID] }

func (l *loss) add(table, key string, rowID int64) {
	if l.rows[table] == nil {
		l.rows[table] = map[int64]bool{}
	}
	l.rows[table][rowID] = true
	l.keys = append(l.keys, key)
}

// namedLost is how many lost rows an error names.
const namedLost = 5

func (l *loss) explain(path string, why error) {
	slices.Sort(l.keys)
	text := fmt.Sprintf("%v; %d of %d rows are lost", why, len(l.keys), l.read+int64(len(l.keys)))
	before := ": "
	for _, key := range l.keys[:min(len(l.keys), namedLost)] {
		text += before + fmt.Sprintf("%.120q", key)
		before = ", "
	}
	if len(l.keys) > namedLost {
		text += fmt.Sprintf(" and %d more", len(l.keys)-namedLost)
	}
	l.of = &StoreError{Path: path, Kind: KindSalvaged, Err: errors.New(text)}
}

// salvage makes a sound database of the damaged copy and puts it in its place. A copy that turns out sound, as after a read error that
// passed, stays as it is. holes is how many bytes the copy lacks.
func (s *storeSnapshot) salvage(ctx context.Context, copied string, l look, holes int64) (err error) {
	if l.judged() {
		err := s.judgeWAL(ctx, copied, l)
		if err != nil && kindOf(err) != KindDamaged {
			return err
		}
		if err != nil && l.staleWAL() {
			s.warn(l.ageOfWAL() + leftOut)
			if err := errors.Join(os.Remove(copied+walEnd), removeIfThere(copied+shmEnd)); err != nil {
				return err
			}
		}
	}
	why, err := s.check(ctx, copied)
	if err != nil {
		return err
	}
	if err := checkLength(copied); err != nil {
		return err
	}
	if why == nil && holes == 0 {
		return s.settle(ctx, copied, "mode=rw", "PRAGMA journal_mode = DELETE")
	}
	if why == nil {
		why = fmt.Errorf("%d bytes of it cannot be read", holes)
	}
	found, err := salvageInto(ctx, copied, copied+".salvaged")
	if err != nil {
		return err
	}
	if found.read == 0 {
		return &StoreError{Path: s.info.Path, Kind: KindDamaged, Err: why}
	}
	for _, end := range []string{walEnd, shmEnd, journalEnd} {
		err = errors.Join(err, removeIfThere(copied+end))
	}
	found.explain(s.info.Path, why)
	s.loss = found
	return errors.Join(err, os.Rename(copied+".salvaged", copied))
}

// check has SQLite look at every page of the copy and compare the index with the table. It returns what is wrong with it.
func (s *storeSnapshot) check(ctx context.Context, copied string) (why, err error) {
	conn, end, err := connectTo(ctx, copied, "mode=rw")
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, end()) }()
	var verdict string
	// A -wal is taken in first; where that fails the rows are looked for with it.
	_, _ = conn.ExecContext(ctx, "PRAGMA wal_checkpoint(TRUNCATE)")
	switch err := conn.QueryRowContext(ctx, "PRAGMA integrity_check(1)").Scan(&verdict); {
	case passOver(err) != nil:
		return nil, err
	case err != nil:
		return err, nil
	case verdict != "ok":
		return errors.New(strings.TrimPrefix(strings.ReplaceAll(verdict, "\n", " "), "*** in database main *** ")), nil
	}
	return nil, nil
}

// checkLength reports a file that ends before its last page: rows that no index could name are missing. The header tells the number of pages
// if it was written with the last change (sqlite.org/fileformat2.html, 1.3.8).
func checkLength(path string) error {
	f, err := lookAtFile(path)
	if err != nil {
		return err
	}
	if len(f.head) < headBytes {
		return errCut
	}
	whole := int64(binary.BigEndian.Uint32(f.head[28:32])) * pageSize(f.head)
	if string(f.head[24:28]) == string(f.head[92:96]) && f.size() < whole {
		return fmt.Errorf("%w: it has %d bytes of %d", errCut, f.size(), whole)
	}
	return nil
}
