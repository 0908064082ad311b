package main

import (
	"cmp"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/dustin/go-humanize"

	"pipeline/cmd/pipeline/internal/term"
	"pipeline/load/figures"
)

// This file describes the problems that a load found: checks that failed, rows that cannot be used.

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
