package sinks

import (
	"cmp"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"time"

	"pipeline/load/parquetfile"
	"pipeline/load/tool/atomicfile"
	"pipeline/sql/schema"
)

// This file writes the largest tables of a first publication out of the rows that a load has in memory, beside the load. So they are not read back from the
// warehouse. It is a saving and no more: a file that may not have exactly the rows of the warehouse is left out, and Publish writes it.

// An Ahead writes files ahead of a publication, for a load into an empty warehouse. Its methods are called by one goroutine; another one writes.
type Ahead struct {
	dir   string   // scratch folder in the target's
	made  []string // folders that were made for it, the innermost first
	about string   // the version of the tool
	room  Room
	rows  chan *schema.Rows
	ended chan struct{} // closed when the load may go on after the last row
	done  chan struct{}
	err   error // the first; nothing of it is used then

	held   int64 // bytes of rows that wait
	meta   int64 // about how many bytes of metadata the library holds for the open files
	full   bool  // more rows came than may wait
	files  map[part]*aheadFile
	months map[conversation]string         // in which conversations began, and the part of it
	parts  map[string]*aheadMonth          // by month
	free   map[string][]*parquetfile.Group // empty groups, by table
	memory *parquetfile.Memory

	members map[string]string // by month, at the end: a hash over the ids of its conversations
}

// Room is how many bytes files that are written ahead may take.
type Room struct {
	Rows     int64 // that wait until a row group is worth writing
	Metadata int64 // of row groups, until their files end; if there is more, the files are given up
}

type (
	conversation struct{ source, id string }
	part         struct{ table, month string } // month is "" for a table that is not partitioned, and may be a part of a month
)

// aheadFile is a file that is written ahead.
type aheadFile struct {
	table schema.Table
	path  string
	out   *os.File
	file  *parquetfile.Writer // nil until the first group is written
	group *parquetfile.Group  // rows that wait; nil for none
	size  int64               // of the group
	meta  int64               // about how many bytes of metadata the library holds until the file ends
	rows  int64

	finished bool // nothing can be added
}

// Ahead begins to write files ahead. The result is nil if this target has no files of that kind: its methods do nothing then.
func (t Target) Ahead(toolVersion string, room Room) *Ahead {
	if t.Sink != (parquet{}) || t.Redaction != nil || t.checkRedaction() != nil || t.CheckCurrent() != nil || CheckFolder(t.Dir) != nil {
		return nil
	}
	var made []string
	for folder := t.Dir; errors.Is(stat(folder), fs.ErrNotExist); folder = filepath.Dir(folder) {
		made = append(made, folder)
	}
	if os.MkdirAll(t.Dir, 0o700) != nil {
		return nil // Publish says why
	}
	dir, err := os.MkdirTemp(t.Dir, atomicfile.Scratch)
	if err != nil {
		return nil
	}
	a := &Ahead{dir: dir, made: made, about: toolVersion, room: room, rows: make(chan *schema.Rows, 1), ended: make(chan struct{}), done: make(chan struct{}),
		files: map[part]*aheadFile{}, months: map[conversation]string{}, parts: map[string]*aheadMonth{}, free: map[string][]*parquetfile.Group{}, memory: &parquetfile.Memory{}}
	go a.write()
	return a
}

// Write takes rows that the load has written. They must not change any more.
func (a *Ahead) Write(rows *schema.Rows) {
	if a != nil {
		a.rows <- rows
	}
}

// End says that there are no more rows. What waits is written while the load goes on; if there were many rows, before it goes on: the memory for that many is not
// there twice.
func (a *Ahead) End() {
	if a != nil {
		close(a.rows)
		<-a.ended
	}
}

// Recalled drops the files with rows that a model has changed since: ids of conversations, by table. It is called after End.
func (a *Ahead) Recalled(changed map[string][]string) {
	if a == nil || len(changed) == 0 {
		return
	}
	<-a.done
	monthsOf := map[string][]string{} // by id, which several sources may have
	for c, month := range a.months {
		monthsOf[c.id] = append(monthsOf[c.id], month)
	}
	for table, conversations := range changed {
		for _, id := range conversations {
			for _, month := range monthsOf[id] {
				delete(a.files, part{table, month})
			}
		}
	}
}

// Remove removes the files that were not used. It is called after End.
func (a *Ahead) Remove() {
	if a == nil {
		return
	}
	<-a.done
	_ = os.RemoveAll(a.dir) // if it stays, the next publication sweeps it
	for _, folder := range a.made {
		_ = os.Remove(folder) // it is empty if nothing was published
	}
}

func stat(path string) error {
	_, err := os.Stat(path)
	return err
}

// write writes the files until there are no more rows.
func (a *Ahead) write() {
	defer close(a.done)
	for rows := range a.rows {
		if a.err != nil {
			continue
		}
		if a.err = a.take(rows); a.err != nil {
			a.drop()
		}
	}
	if !a.full {
		close(a.ended)
	}
	for _, f := range a.files {
		if a.err == nil {
			a.err = a.flush(f)
		}
		a.err = errors.Join(a.err, f.close(a.about))
		f.file = nil
	}
	a.free, a.memory = nil, nil // the engine needs the memory now
	if a.full {
		close(a.ended)
	}
	a.members = a.membersOf()
}

// errMetadata says that files ahead are no saving. Where memory is short, to hold on to their metadata costs more than the files save: the garbage collector runs
// again and again. With 256 MB and the raw layer, a load of 3 GB took 50 CPU seconds, and 37 without files ahead.
var errMetadata = errors.New("there is no room for the metadata of so many row groups")

// drop drops the files and their memory, as nothing of them will be used.
func (a *Ahead) drop() {
	for _, f := range a.files {
		if f.out != nil {
			_ = f.out.Close() // Remove removes it
		}
	}
	a.files, a.free, a.memory = nil, nil, nil
}

// take adds rows to the groups of their files: those of the largest tables, which no model changes without saying so in
// _recalled (TestAheadTables). A conversation's own row is in the first batch of its rows, and its messages come in their order.
func (a *Ahead) take(rows *schema.Rows) error {
	err := add(a, part{table: "checkpoints"}, rows.Checkpoints)
	for i := range rows.Conversations {
		c := &rows.Conversations[i]
		month, placed := a.place(monthOfStart(c, rows.Messages), keyOf(c.SourceID, c.ConversationID), messagesOf(rows))
		a.months[conversation{c.SourceID, c.ConversationID}], err = month, errors.Join(err, placed)
	}
	if len(rows.Messages) > 0 && len(rows.Conversations) <= 1 {
		m := &rows.Messages[0]
		if month, known := a.months[conversation{m.SourceID, m.ConversationID}]; known {
			err = errors.Join(err, add(a, part{"messages", month}, rows.Messages), add(a, part{"tool_calls", month}, rows.ToolCalls))
		}
	}
	for a.held > a.room.Rows && err == nil {
		a.full = true
		err = a.flush(a.largest())
	}
	if err == nil && a.meta > a.room.Metadata {
		return errMetadata
	}
	return err
}

// monthOfStart returns the month in which a conversation with these messages begins. The models decide that, see startMonths: where they decide otherwise, the
// conversations of the month are others, and its file is not used.
func monthOfStart(c *schema.Conversation, messages []schema.Message) string {
	var first *schema.Millis
	for i := range messages {
		if m := &messages[i]; schema.IsRealTime(m.CreatedAtSource) && (first == nil || *m.CreatedAt < *first) {
			first = m.CreatedAt
		}
	}
	start := cmp.Or(c.CreatedAt, first, c.UpdatedAt)
	if start == nil {
		return noMonth
	}
	return time.UnixMilli(int64(*start)).UTC().Format("2006-01")
}

// add adds rows to the group of a file.
func add[R any](a *Ahead, p part, rows []R) error {
	if len(rows) == 0 {
		return nil
	}
	f := a.files[p]
	if f == nil {
		f = &aheadFile{path: filepath.Join(a.dir, p.table+p.month)}
		f.table, _ = schema.Lookup(p.table)
		a.files[p] = f
	}
	if f.finished {
		f.rows = -1 // no file has as many
		return nil
	}
	for i := range rows {
		if f.group == nil {
			f.group = a.group(f.table)
		}
		f.group.Append(reflect.ValueOf(&rows[i]))
		f.rows++
		if f.group.Rows() == fewGroupRows {
			if err := a.flush(f); err != nil {
				return err
			}
		}
	}
	if f.group != nil {
		a.held -= f.size
		f.size = f.group.Bytes()
		a.held += f.size
	}
	return nil
}

// group returns an empty group for rows of a table.
func (a *Ahead) group(t schema.Table) *parquetfile.Group {
	free := a.free[t.Name]
	if len(free) == 0 {
		return parquetfile.NewGroup(t, parquetfile.Options{AsEngine: true, Copies: true, Memory: a.memory})
	}
	a.free[t.Name] = free[:len(free)-1]
	return free[len(free)-1]
}

// largest returns the file of which most bytes wait.
func (a *Ahead) largest() (largest *aheadFile) {
	for _, f := range a.files {
		if largest == nil || f.size > largest.size {
			largest = f
		}
	}
	return largest
}

// chunkMetadata is about how many bytes the library holds for a column of a row group.
const chunkMetadata = 250

// flush writes the rows that wait as a row group.
func (a *Ahead) flush(f *aheadFile) error {
	if f.group == nil {
		return nil
	}
	if f.file == nil {
		if err := f.open(a.memory); err != nil {
			return err
		}
	}
	err := errors.Join(f.file.Write(f.group), f.file.Failure())
	f.group.Reset()
	a.free[f.table.Name] = append(a.free[f.table.Name], f.group)
	a.held -= f.size
	more := int64(len(f.table.Columns)) * chunkMetadata
	a.meta, f.meta = a.meta+more, f.meta+more
	f.group, f.size = nil, 0
	return err
}

// open makes the file.
func (f *aheadFile) open(memory *parquetfile.Memory) (err error) {
	if f.out, err = os.OpenFile(f.path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600); err != nil {
		return err
	}
	options := parquetfile.Options{AsEngine: true, Memory: memory}
	for _, c := range f.table.Columns {
		if c.Type == "JSON" {
			options.NoStatistics = append(options.NoStatistics, c.Name)
		}
	}
	f.file, err = parquetfile.NewWriter(f.out, f.table, options)
	return err
}

func (f *aheadFile) close(toolVersion string) (err error) {
	if f.file != nil {
		err = errors.Join(f.file.Close(aboutFile(f.table, toolVersion)...), f.file.Failure())
	}
	if f.out != nil {
		err = errors.Join(err, f.out.Close())
	}
	return err
}

// membersOf returns the hashes over the ids of the conversations of each month, as publisher.months has them.
func (a *Ahead) membersOf() map[string]string {
	of := map[string][]conversation{}
	for c, month := range a.months {
		of[month] = append(of[month], c)
	}
	out := map[string]string{}
	for month, all := range of {
		slices.SortFunc(all, func(x, y conversation) int {
			return cmp.Or(strings.Compare(x.source, y.source), strings.Compare(x.id, y.id))
		})
		sum := newMembers()
		for _, c := range all {
			sum.add(c.source, c.id)
		}
		out[month] = sum.String()
	}
	return out
}

// useAhead takes a file that was written ahead, if it has exactly the rows that the file is to have: nothing adds rows to what was written, so the same
// conversations and as many rows are the same rows.
func (p *publisher) useAhead(f *publishedFile, to string) bool {
	a := p.options.Ahead
	if a == nil {
		return false
	}
	<-a.done
	ahead := a.files[part{f.Table, f.Month}]
	if a.err != nil || ahead == nil || ahead.rows != f.Rows || f.Month != "" && a.members[f.Month] != f.Members {
		return false
	}
	if atomicfile.Move(ahead.path, to) != nil {
		return false // the engine writes it
	}
	p.seal(f, to)
	return true
}
