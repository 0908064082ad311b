package main

import (
	"cmp"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/dustin/go-humanize"
	"github.com/jedib0t/go-pretty/v6/text"

	"pipeline/cmd/pipeline/internal/term"
	"pipeline/load/figures"
	"pipeline/load/sinks"
	"pipeline/pipelines"
	"pipeline/pipelines/plan"
)

// sourceParts says how many stores a source has.
func sourceParts(s *pipelines.SourceResult) string {
	switch {
	case s.Home != nil:
		return fmt.Sprintf("%s, %s of the command line", term.Plural(s.Home.Chats, "chat"),
			term.Plural(s.Home.Transcripts, "transcript"))
	case s.Chats > 0:
		return term.Plural(s.Chats, "chat") + " of the command line"
	}
	return term.Plural(s.Stores, "store")
}

// printSummary prints the result of a run for people.
func printSummary(out io.Writer, r *pipelines.Result, dry bool) {
	w := term.Fitted(out)
	n := humanize.Comma
	say := func(some bool, format string, args ...any) {
		if some {
			fmt.Fprintf(w, format, args...)
		}
	}
	switch {
	case dry:
		fmt.Fprintln(w, "Dry run: nothing was changed.")
	case r.First:
		fmt.Fprintln(w, "First load: the warehouse was made.")
	default:
		fmt.Fprintf(w, "Load %d done.\n", r.LoadID)
	}
	for _, s := range r.Sources {
		fmt.Fprintf(w, "  source         %s: %s, %s\n", s.ID, term.Printable(s.UserDir), sourceParts(&s))
	}
	c := r.Conversations
	changed, again := changedApart(r)
	fmt.Fprintf(w, "  conversations  %s new, %s changed, %s deleted, %s unchanged%s\n", n(c.New), n(changed),
		n(c.Deleted), n(c.Unchanged), again)
	printReasons(w, r)
	if p := r.InPlace; p != nil {
		fmt.Fprintf(w, "  in place       %s, %s: values were overwritten in rows that stayed\n",
			term.Plural(p.Conversations, "conversation"), term.Plural(p.Others, "other row"))
	}
	say(r.LeftOut > 0, "  left out       %s that were not asked for; a plain run loads them\n",
		term.Plural(r.LeftOut, "conversation"))
	if dry {
		printFailures(w, r.Failures)
		fmt.Fprintf(w, "  to read        %s\n", term.Size(r.Bytes))
		printHomes(w, r)
		printChanges(w, r.Changes)
		return
	}
	fmt.Fprintf(w, "  written        %s, %s\n", term.Plural(r.Messages, "message"),
		term.Plural(r.ToolCalls, "tool call"))
	if g := r.Git; g != nil {
		fmt.Fprintf(w, "  git            %s written, of %s in %s\n", term.Plural(g.Written, "commit"), n(g.Commits),
			term.Plural(g.Repositories, "repository", "repositories"))
	}
	t := r.Totals
	fmt.Fprintf(w, "  warehouse      %s\n", holdings(t))
	say(t.Empty > 0, "  empty          %s without a message\n", term.Plural(t.Empty, "more conversation"))
	printUsage(say, t.Usage)
	printCopies(say, t.Copies)
	say(t.Orphaned > 0, "  orphans        %s that Cursor no longer lists, with %s, %s; see status = 'orphaned'\n",
		term.Plural(t.Orphaned, "more conversation"), term.Plural(t.OrphanedRows.Messages, "message"),
		term.Plural(t.OrphanedRows.ToolCalls, "tool call"))
	printAliases(w, t.Aliases)
	say(len(t.Quarantine) > 0, "  quarantined    %s; see table quarantine\n", reasons(t.Quarantine))
	say(r.NullRows > 0, "  deleted rows   %s that Cursor has emptied\n", term.Plural(r.NullRows, "row"))
	printNotRead(w, r)
	printHomes(w, r)
	printNew(w, r)
	printCoverage(w, t.Coverage)
	printFailures(w, r.Failures)
	fmt.Fprintf(w, "  time           %.1f s\n", r.Seconds)
	printBeside(w, r)
	const ask, see = "Ask it:    ", "See it:    "
	fmt.Fprintf(out, "Warehouse: %s\n%s%s\n%s%s\n", term.Printable(r.Warehouse), ask,
		lineFor("pipeline answers", r.Warehouse, len(ask)), see, lineFor("pipeline report", r.Warehouse, len(see)))
}

// holdings says what a warehouse has.
func holdings(t figures.Totals) string {
	return fmt.Sprintf("%s, %s, %s, %s", term.Plural(t.Conversations, "conversation"),
		term.Plural(t.Messages, "message"), term.Plural(t.ToolCalls, "tool call"), term.Plural(t.Sessions, "session"))
}

// printUsage prints what is known of usage, and what is estimated.
func printUsage(say func(some bool, format string, args ...any), u figures.Usage) {
	n := humanize.Comma
	say(u.Events > 0, "  usage          %s, %s counted; the conversation of %s is known by an id, of %s by time, of "+
		"%s not\n", term.Plural(u.Events, "event"), n(u.Counted), n(u.ByID), n(u.ByTime), n(u.Unassigned))
	for _, name := range u.Unread {
		say(true, "  not read       %s: no file of usage in a form that is known\n", term.Printable(name))
	}
	say(u.Estimated > 0, "  estimates      of %s without usage, %s with a price; see table turn_estimates\n",
		term.Plural(u.Estimated, "turn"), n(u.Priced))
}

// printNotRead prints how many rows a run has passed over.
func printNotRead(w io.Writer, r *pipelines.Result) {
	var parts []string
	if r.Secrets > 0 {
		parts = append(parts, term.Plural(r.Secrets, "row that holds a secret", "rows that hold a secret"))
	}
	if r.UnknownKeys > 0 {
		parts = append(parts, term.Plural(r.UnknownKeys, "row of an unknown kind", "rows of an unknown kind"))
	}
	if parts != nil {
		fmt.Fprintf(w, "  not read       %s\n", strings.Join(parts, ", "))
	}
}

// printReasons prints why conversations are read. On a first load all are new.
func printReasons(w io.Writer, r *pipelines.Result) {
	if len(r.Reasons) == 0 || r.First {
		return
	}
	var because []string
	for why, n := range r.Reasons {
		if why == plan.WhyFull || why == plan.WhyVersion {
			// the line above counts them, without documents that belong to no conversation
			because = append(because, why)
			continue
		}
		because = append(because, fmt.Sprintf("%s: %s", why, humanize.Comma(n)))
	}
	slices.Sort(because)
	fmt.Fprintf(w, "  because        %s\n", strings.Join(because, "; "))
}

// printHomes prints what is seen in homes of the command line and not read, or not known.
func printHomes(w io.Writer, r *pipelines.Result) {
	for _, s := range r.Sources {
		if s.Home == nil {
			continue
		}
		for _, left := range leftWords(s.Home) {
			fmt.Fprintf(w, "  not read       %s\n", left)
		}
		if s.Home.Newer > 0 {
			fmt.Fprintf(w, "  newer          %s\n", newerWords(s.Home))
		}
	}
}

// printCopies prints which conversations several sources have, and what only a copy has.
func printCopies(say func(some bool, format string, args ...any), c figures.Copies) {
	line := c.Line()
	say(line != "", "  copies         %s; %s not counted; see table conversation_copies\n", line,
		term.Plural(c.Rows, "further row is", "further rows are"))
	say(c.Messages > 0, "  copies only    %s that the counted copy does not have; see table messages\n",
		term.Plural(c.Messages, "message"))
}

// printAliases prints which old names of projects count as which new ones.
func printAliases(w io.Writer, aliases []figures.Alias) {
	for i, a := range aliases {
		if i == newShown {
			fmt.Fprintf(w, "  renamed        %s; see table project_aliases\n",
				term.Plural(len(aliases)-i, "more project"))
			return
		}
		fmt.Fprintf(w, "  renamed        %s counts as %s (%s)\n", term.Printable(a.ProjectURI),
			term.Printable(a.NewProjectURI), term.Plural(a.Conversations, "conversation"))
	}
}

// changedApart separates conversations that changed from those that were read again in any case, by --full or a new
// version.
func changedApart(r *pipelines.Result) (changed int64, again string) {
	asked := r.Reasons[plan.WhyFull] + r.Reasons[plan.WhyVersion] // includes documents that belong to no conversation
	changed = max(0, r.Conversations.Changed-asked)
	if same := r.Conversations.Changed - changed; same > 0 {
		again = fmt.Sprintf(", %s read again", humanize.Comma(same))
	}
	return changed, again
}

// printBeside prints what the run did besides loading.
func printBeside(w io.Writer, r *pipelines.Result) {
	for _, p := range r.Published() {
		fmt.Fprintf(w, "%s: %s\n", sinks.Named(p.Sink).About().Title, publishedLine(p.Dir, p.Published))
	}
	if r.Report != "" {
		fmt.Fprintf(w, "Report: %s\n", term.Printable(r.Report))
	}
	if m := r.Markdown; m != nil {
		secrets := "with the secrets that are in the chats: --markdown-redact takes them out"
		if m.Redacted {
			secrets = "without the secrets that are recognised"
		}
		fmt.Fprintf(w, "Markdown: %s written to %s, %s\n", term.Plural(m.Written, "file"), term.Printable(m.Dir),
			secrets)
	}
	if p := r.Push; p != nil && p.Seq > 0 {
		fmt.Fprintf(w, "Push: %s sent, %s withdrawn, %s; push %d\n", term.Plural(p.Units, "unit"),
			humanize.Comma(int64(p.Withdrawn)), term.Size(p.Bytes), p.Seq)
	} else if p != nil {
		fmt.Fprintln(w, "Push: nothing to push")
	}
}

// newShown is how many new names a summary lists; --json has all.
const newShown = 5

// printNew prints what is new in Cursor.
func printNew(w io.Writer, r *pipelines.Result) {
	var fields, families []string
	for _, f := range r.NewFields {
		fields = append(fields, f.Family+" "+f.Path)
	}
	for _, f := range r.NewFamilies {
		families = append(families, f.Family)
	}
	printNames(w, "new field", fields, "unknown_fields")
	printNames(w, "new family of keys", families, "key_families", "new families of keys")
}

// printNames prints a line such as "3 new fields: a, b, c".
func printNames(w io.Writer, one string, names []string, table string, many ...string) {
	if len(names) == 0 {
		return
	}
	slices.Sort(names)
	names = slices.Compact(names) // several sources may have the same name
	more := ""
	n := len(names)
	if n > newShown {
		more, names = fmt.Sprintf(" and %s more", humanize.Comma(int64(n-newShown))), names[:newShown]
	}
	fmt.Fprintf(w, "  unknown        %s: %s%s; see table %s\n", term.Plural(n, one, many...),
		term.Printable(strings.Join(names, ", ")), more, table)
}

// changesShown is how many conversations a dry run lists on a terminal; --json has all.
const changesShown = 20

// printChanges lists what a run would load, and why.
func printChanges(w io.Writer, changes []pipelines.Change) {
	for i, c := range changes {
		if i == changesShown {
			fmt.Fprintf(w, "  ... and %s more; --json lists all\n", humanize.Comma(int64(len(changes)-i)))
			return
		}
		title := "(no title)"
		if c.Title != nil {
			title = term.Printable(*c.Title)
		}
		title = text.Pad(text.Snip(title, 40, "…"), 40, ' ')
		fmt.Fprintf(w, "  %-36s  %s  %8s  %s\n", term.Printable(c.ConversationID), title, term.Size(c.Bytes), c.Why)
	}
}

// printCoverage prints the coverage. A run that changed nothing did not count it, and prints nothing.
func printCoverage(w io.Writer, coverage []figures.Coverage) {
	var known []string
	for _, m := range coverage {
		known = append(known, fmt.Sprintf(coverageTexts[m.Measure], humanize.Comma(m.Known), humanize.Comma(m.Total)))
	}
	if len(known) > 0 {
		fmt.Fprintf(w, "  recorded       %s\n", strings.Join(known, ", "))
	}
}

var coverageTexts = map[string]string{
	"message_time": "the time of %s of %s messages", "message_model": "the model of %s of %s assistant messages",
	"message_tokens": "the tokens of %s of %s assistant messages",
}

// What follows describes the problems that a load found: checks that failed, rows that cannot be used.

func printFailures(w io.Writer, failures []figures.CheckFailure) {
	for _, f := range failures {
		fmt.Fprintf(w, "  CHECK FAILED   %s: %s (%s, the first: %s)\n", f.Check, f.Doc, term.Plural(f.Rows, "row"),
			term.Printable(f.First))
	}
}

func reasons(counts map[string]int64) string {
	var parts []string
	for reason, n := range counts {
		if rows, ok := reasonRows[reason]; ok {
			parts = append(parts, term.Plural(n, rows[0], rows[1]))
			continue
		}
		parts = append(parts, fmt.Sprintf("%s %s", humanize.Comma(n), cmp.Or(reasonWords[reason], reason)))
	}
	slices.Sort(parts)
	return strings.Join(parts, ", ")
}

// reasonWords describe the reasons in column reason of table quarantine.
var reasonWords = map[string]string{
	"page_corrupt": "on damaged pages", "bad_key": "with a bad key", "too_large": "too large", "empty": "empty",
	"not_utf8": "not UTF-8", "too_deep": "nested too deeply", "bad_json": "not JSON",
	"not_object": "JSON but not an object", "no_id": "without an id",
	"bad_root": "a root of the agent's graph that is broken", "bad_node": "of the agent's graph but broken",
	"blob_missing":  "of the agent's graph but missing",
	"hash_mismatch": "of the agent's graph but not what its name says", "sealed": "sealed: its content is encrypted",
	"bad_number":    "of usage with a number that is none",
	"bad_date":      "of usage with a time that is none",
	"total_differs": "of usage whose total is not the sum of its parts",
	"too_many":      "of usage beyond the number that is read",
}

// reasonRows are what reasons without such words are of: one, and several.
var reasonRows = map[string][2]string{
	"bad_line":     {"line of a file that cannot be read", "lines of files that cannot be read"},
	"unknown_form": {"file of usage in an unknown form", "files of usage in an unknown form"},
}
