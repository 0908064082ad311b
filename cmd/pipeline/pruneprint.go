package main

import (
	"fmt"
	"io"
	"time"

	"github.com/dustin/go-humanize"

	"pipeline/cmd/pipeline/internal/term"
	"pipeline/load/maintain"
	"pipeline/pipelines"
)

// printPruned says what may be removed, or was.
func printPruned(w io.Writer, out pruned) {
	if out.Retention != nil {
		printRetention(w, out.Retention, out.Applied)
	} else {
		fmt.Fprintln(w, "versions    all are kept; --retention DURATION removes old ones")
	}
	printCompacted(w, out.Compacted)
	switch {
	case out.Applied:
	case out.isDue():
		fmt.Fprintln(w, "Nothing was changed; --apply does it.")
	default:
		fmt.Fprintln(w, "There is nothing to do.")
	}
}

// printRetention says which old versions may be removed, or were.
func printRetention(w io.Writer, r *maintain.Retention, applied bool) {
	verb := "Would be removed, as"
	if applied {
		verb = "Removed, as"
	}
	if r.Versions+r.Loads == 0 {
		fmt.Fprintf(w, "Nothing to remove: no load before %s replaced anything that may be removed.\n", term.LocalTime(r.Before))
		return
	}
	fmt.Fprintf(w, "%s loads before %s replaced it:\n", verb, term.LocalTime(r.Before))
	fmt.Fprintf(w, "  versions   %s of rows, %s of values%s\n", humanize.Comma(r.Versions), humanize.Bytes(uint64(r.Bytes)), fromTo(r.From, r.To))
	files := fmt.Sprintf("%s of the raw layer with %s", term.Plural(int64(r.Files), "file"), humanize.Bytes(uint64(r.FileBytes)))
	if applied {
		files += ", rewritten with " + humanize.Bytes(uint64(r.After))
	} else {
		files += ", to be rewritten"
	}
	fmt.Fprintf(w, "  files      %s\n", files)
	fmt.Fprintf(w, "  loads      %s%s\n", humanize.Comma(r.Loads), fromTo(r.LoadsFrom, r.LoadsTo))
}

func fromTo(from, to *time.Time) string {
	if from == nil || to == nil {
		return ""
	}
	return fmt.Sprintf(", from %s to %s", term.LocalTime(*from), term.LocalTime(*to))
}

// printCompacted says which files would be combined and rewritten, or were.
func printCompacted(w io.Writer, out *pipelines.Compacted) {
	size := func(n int64) string { return humanize.Bytes(uint64(n)) }
	raw, file := out.Raw, out.Warehouse
	text := fmt.Sprintf("%s, %s; nothing to combine", term.Plural(int64(raw.AllFiles), "file"), size(raw.AllBytes))
	switch {
	case raw.Into > 0 && out.Applied:
		text = fmt.Sprintf("%s of %s combined into %d of %s; now %s", term.Plural(int64(raw.Files), "small file"), size(raw.Bytes), raw.Into, size(raw.BytesAfter),
			term.Plural(int64(raw.AllFiles-raw.Files+raw.Into), "file"))
	case raw.Into > 0:
		text = fmt.Sprintf("%s of %s would be combined into %d; there are %s", term.Plural(int64(raw.Files), "small file"), size(raw.Bytes), raw.Into, term.Plural(int64(raw.AllFiles), "file"))
	}
	fmt.Fprintf(w, "raw layer   %s\n", text)
	share := fmt.Sprintf("%d of %s free", file.Free, term.Plural(file.Blocks, "block"))
	switch {
	case file.Done:
		text = fmt.Sprintf("rewritten: %s, was %s (%s)", size(file.After), size(file.Bytes), share)
	case file.Due && !out.Applied:
		text = fmt.Sprintf("%s, %s: it would be rewritten", size(file.Bytes), share)
	default:
		text = fmt.Sprintf("%s, %s; it stays as it is", size(file.Bytes), share)
	}
	fmt.Fprintf(w, "warehouse   %s\n", text)
}
