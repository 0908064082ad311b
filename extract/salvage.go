package extract

import (
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"

	"pipeline/load/tool/atomicfile"
)

// A scan of a damaged table stops at the first bad page. Its unique index still names the rows, and each row can be
// read by its rowid: only rows on bad pages are lost then. So a damaged store is copied into a new one, row by row, and
// the new one is read like any other store.

// errCut says that the end of a file is missing. Nothing is salvaged from it: the file is a broken copy, and the
// missing rows cannot be named.
var errCut = errors.New("it was cut off")

// loss lists the rows that could not be read from a damaged store.
type loss struct {
	rows map[string]map[int64]bool // rowids by table: their keys are known, their values are not
	keys []string
	read int64
	err  *StoreError // the message for people
}

// lost reports whether the value of a row could not be read.
func (l *loss) lost(table string, rowID int64) bool { return l != nil && l.rows[table][rowID] }

func (l *loss) add(table, key string, rowID int64) {
	if l.rows[table] == nil {
		l.rows[table] = map[int64]bool{}
	}
	l.rows[table][rowID] = true
	l.keys = append(l.keys, key)
}

// namedLost is how many lost rows an error lists by name.
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
	l.err = &StoreError{Path: path, Kind: KindSalvaged, Err: errors.New(text)}
}

// salvage builds a sound database from the damaged copy and puts it in the copy's place. It leaves a copy that turns
// out to be sound, as after a temporary read error. holes is how many bytes of the store could not be copied.
func (s *storeSnapshot) salvage(ctx context.Context, copied string, l look, holes int64) (err error) {
	if l.hasDoubtfulWAL() {
		err := s.checkWAL(ctx, copied, l)
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
		return s.checkAndRun(ctx, copied, "mode=rw", "PRAGMA journal_mode = DELETE")
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
	return errors.Join(err, atomicfile.Move(copied+".salvaged", copied))
}

// check has SQLite check every page of the copy and compare the index with the table. It returns the fault that it
// finds in why.
func (s *storeSnapshot) check(ctx context.Context, copied string) (why, err error) {
	conn, end, err := connectTo(ctx, copied, "mode=rw")
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, end()) }()
	var verdict string
	// Take in a -wal first. If that fails, SQLite still reads the rows through it.
	_, _ = conn.ExecContext(ctx, "PRAGMA wal_checkpoint(TRUNCATE)")
	switch err := conn.QueryRowContext(ctx, "PRAGMA integrity_check(1)").Scan(&verdict); {
	case ignoreDamage(err) != nil:
		return nil, err
	case err != nil:
		return err, nil
	case verdict != "ok":
		return errors.New(strings.TrimPrefix(strings.ReplaceAll(verdict, "\n", " "), "*** in database main *** ")), nil
	}
	return nil, nil
}

// checkLength reports a file that ends before its last page: some of its rows cannot even be named by an index. The
// header gives the number of pages if the last change wrote it (sqlite.org/fileformat2.html, 1.3.8).
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
