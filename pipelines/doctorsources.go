package pipelines

import (
	"errors"
	"fmt"
	"runtime"
	"strings"

	"github.com/dustin/go-humanize"

	"pipeline/extract"
)

// This file tells what was found of the sources, the editor and the scratch space.

func (d *Diagnosis) add(f Finding) { d.Findings = append(d.Findings, f) }

func (d *Diagnosis) ok(topic, format string, args ...any) {
	d.add(Finding{Topic: topic, Level: LevelOK, Text: fmt.Sprintf(format, args...)})
}

func (d *Diagnosis) note(topic, remedy, format string, args ...any) {
	d.add(Finding{Topic: topic, Level: LevelNote, Text: fmt.Sprintf(format, args...), Remedy: remedy})
}

func (d *Diagnosis) problem(topic string, v Verdict, remedy, format string, args ...any) {
	d.add(Finding{Topic: topic, Level: LevelProblem, Verdict: v, Text: fmt.Sprintf(format, args...), Remedy: remedy})
}

// worst is the verdict over all findings.
func (d *Diagnosis) worst() Verdict {
	if first := d.First(); first != nil {
		return first.Verdict
	}
	return VerdictWell
}

// First is the problem to do something about first, nil if there is none.
func (d *Diagnosis) First() *Finding {
	for _, v := range []Verdict{VerdictSource, VerdictBusy, VerdictProblem} {
		for i := range d.Findings {
			if d.Findings[i].Verdict == v {
				return &d.Findings[i]
			}
		}
	}
	return nil
}

// Count is how many findings are of a level.
func (d *Diagnosis) Count(level Level) (n int) {
	for _, f := range d.Findings {
		if f.Level == level {
			n++
		}
	}
	return n
}

func size(bytes int64) string { return humanize.Bytes(uint64(max(0, bytes))) }

func plural(n int, one, many string) string {
	if n == 1 {
		return "1 " + one
	}
	return humanize.Comma(int64(n)) + " " + many
}

func (d *Diagnosis) tellSources(c Checkup) {
	for _, err := range c.NotFound {
		d.storeProblem(err)
	}
	if len(c.Sources) == 0 && len(c.NotFound) == 0 {
		d.problem(TopicSources, VerdictSource, "Name the folder: pipeline run --source PATH (the User folder, or the state.vscdb itself).",
			"No Cursor store was found. Looked in %s.", strings.Join(d.looked, ", "))
	}
	for i := range d.Sources {
		d.tellSource(&d.Sources[i])
	}
}

// tellSource tells of the global store by itself, of workspace stores by their number, except of those with something to say of.
func (d *Diagnosis) tellSource(s *SourceLook) {
	what := s.OS
	if s.App != "" {
		what = s.App + ", " + s.OS
	}
	d.ok(TopicSources, "%s (%s): %s, %s", s.UserDir, what, plural(s.Folders, "workspace folder", "workspace folders"), plural(len(s.Stores), "store", "stores"))
	if s.err != nil {
		d.storeProblem(s.err)
	}
	quiet, bytes := map[string]int{}, map[string]int64{}
	for i := range s.Stores {
		store := &s.Stores[i]
		if store.Err != nil {
			store.Error = store.Err.Error()
		}
		switch {
		case store.Err != nil:
			d.storeProblem(store.Err)
		case store.Method == extract.MethodBusy && (store.Clone == nil || !*store.Clone):
			d.problem(TopicSources, VerdictBusy, "Run again in a minute, or after closing Cursor.", "%s is written to all the time: no polite moment to read it was found.", store.Path)
		case store.Store == extract.GlobalStore || store.Reason != "" && store.Method != extract.MethodWAL:
			d.tellStore(store)
		default:
			quiet[store.Method]++
			bytes[store.Method] += store.Total()
		}
	}
	for _, method := range []string{extract.MethodInPlace, extract.MethodWAL, extract.MethodCopy, extract.MethodBusy} {
		if n := quiet[method]; n > 0 {
			d.ok(TopicSources, "%s, %s: %s", plural(n, "workspace store", "workspace stores"), size(bytes[method]), ways(method))
		}
	}
}

// ways says in words how a store would be read.
func ways(method string) string {
	switch method {
	case extract.MethodInPlace:
		return "quiet, read in place"
	case extract.MethodWAL:
		return "read beside the editor in one read transaction"
	case extract.MethodCopy:
		return "read from a private copy"
	case extract.MethodBusy:
		return "in use, read from a clone"
	}
	return "read by " + method
}

func (d *Diagnosis) tellStore(s *StoreLook) {
	mode := "rollback journal"
	if s.JournalMode == "wal" {
		mode = "WAL"
	}
	text := fmt.Sprintf("%s store %s: %s", s.Store, s.Path, size(s.Total()))
	if s.WALBytes > 0 {
		text += fmt.Sprintf(" (%s of it in the -wal)", size(s.WALBytes))
	}
	text += ", " + mode + "; " + ways(s.Method)
	if len(s.OpenIn) > 0 {
		text += "; open in " + named(s.OpenIn)
	}
	if s.Reason == "" || s.Method == extract.MethodWAL {
		d.ok(TopicSources, "%s", text)
		return
	}
	d.note(TopicSources, "", "%s: %s", text, s.Reason)
}

// named lists processes.
func named(list []extract.Process) string {
	var names []string
	for _, p := range list[:min(3, len(list))] {
		names = append(names, fmt.Sprintf("%s (process %d)", p.Name, p.PID))
	}
	if more := len(list) - len(names); more > 0 {
		names = append(names, fmt.Sprintf("%d more", more))
	}
	return strings.Join(names, ", ")
}

// storeProblem tells why a store or a source cannot be read. Its text says what to do.
func (d *Diagnosis) storeProblem(err error) {
	var failed *extract.StoreError
	verdict, text, remedy := VerdictSource, err.Error(), "Name the sources with --source; pipeline discover lists those that were found."
	if errors.As(err, &failed) {
		switch failed.Kind {
		case extract.KindBusy, extract.KindTorn:
			verdict = VerdictBusy
		case extract.KindNoSpace:
			verdict = VerdictProblem
		}
		text, remedy = splitRemedy(failed)
	}
	d.problem(TopicSources, verdict, remedy, "%s", text)
}

// splitRemedy cuts a store's error into what is wrong and what to do.
func splitRemedy(e *extract.StoreError) (text, remedy string) {
	remedy = e.Remedy()
	return strings.TrimSuffix(strings.TrimSuffix(e.Error(), remedy), " "), remedy
}

func (d *Diagnosis) tellEditor(sources []extract.Source) {
	switch running := d.Editor.Running; {
	case running == nil:
		d.note(TopicEditor, "", "Whether Cursor is running is not known: this system does not say.")
	case *running:
		d.ok(TopicEditor, "Cursor is running: %s", named(d.Editor.Processes))
	default:
		d.ok(TopicEditor, "Cursor is not running on this machine")
	}
	for _, s := range sources {
		if s.OS != runtime.GOOS {
			d.note(TopicEditor, "", "%s belongs to a Cursor on %s: whether that is running is not known.", s.UserDir, s.OS)
		}
	}
}

func (d *Diagnosis) tellScratch() {
	s := &d.Scratch
	const remedy = "Free some space, or point TMPDIR to a larger disk."
	switch {
	case errors.Is(s.err, errors.ErrUnsupported):
		d.note(TopicScratch, "", "How much room %s has is not known on this system.", s.Folder)
	case s.err != nil:
		d.problem(TopicScratch, VerdictProblem, "Point TMPDIR to a folder that you may write to.", "No private copy can be made in %s: %v", s.Folder, s.err)
	case s.Free < s.Needed:
		d.problem(TopicScratch, VerdictProblem, remedy, "%s has %s free; the private copy of a store needs %s.", s.Folder, size(s.Free), size(s.Needed))
	case s.Free < s.Largest && (s.Clones == nil || !*s.Clones):
		d.note(TopicScratch, remedy, "%s has %s free; a private copy of the largest store, if a read takes too long beside the editor, needs %s.", s.Folder, size(s.Free), size(s.Largest))
	default:
		d.ok(TopicScratch, "%s free in %s%s", size(s.Free), s.Folder, s.compared())
	}
}

// compared says what the room is for.
func (s *ScratchLook) compared() string {
	var clones string
	switch {
	case s.Largest == 0:
		return ""
	case s.Clones == nil:
	case *s.Clones:
		clones = "; stores can be cloned to there, which needs none"
	default:
		clones = "; stores cannot be cloned to there"
	}
	return ", the largest store has " + size(s.Largest) + clones
}
