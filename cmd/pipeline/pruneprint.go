package main

import (
	"fmt"
	"io"

	"github.com/dustin/go-humanize"

	"pipeline/cmd/pipeline/internal/term"
	"pipeline/pipelines"
)

// printPruned says what may be done, or was.
func printPruned(w io.Writer, out *pipelines.Compacted) {
	printCompacted(w, out)
	switch {
	case out.Applied:
	case out.Raw.Into > 0 || out.Warehouse.Due:
		fmt.Fprintln(w, "Nothing was changed; --apply does it.")
	default:
		fmt.Fprintln(w, "There is nothing to do.")
	}
}

// printCompacted says which files would be merged and rewritten, or were.
func printCompacted(w io.Writer, out *pipelines.Compacted) {
	size := func(n int64) string { return humanize.Bytes(uint64(n)) }
	raw, file := out.Raw, out.Warehouse
	text := fmt.Sprintf("%s, %s; nothing to merge", term.Plural(int64(raw.AllFiles), "file"), size(raw.AllBytes))
	switch {
	case raw.Into > 0 && out.Applied:
		text = fmt.Sprintf("%s of %s merged into %d of %s; now %s", term.Plural(int64(raw.Files), "small file"),
			size(raw.Bytes), raw.Into, size(raw.BytesAfter),
			term.Plural(int64(raw.AllFiles-raw.Files+raw.Into), "file"))
	case raw.Into > 0:
		text = fmt.Sprintf("%s of %s would be merged into %d; there are %s",
			term.Plural(int64(raw.Files), "small file"), size(raw.Bytes), raw.Into,
			term.Plural(int64(raw.AllFiles), "file"))
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
