package main

import (
	"path/filepath"
	"slices"
	"testing"

	"github.com/urfave/cli/v2"
)

// TestAbsoluteArgs: a timer starts in another folder, so that paths are made absolute; a bucket, and what is no path, stays.
func TestAbsoluteArgs(t *testing.T) {
	here, err := filepath.Abs(".")
	if err != nil {
		t.Fatal(err)
	}
	in := func(name string) string { return filepath.Join(here, name) }
	flags := runFlags()
	for _, test := range []struct{ args, want []string }{
		{[]string{"--push", "s3://bucket/prefix"}, []string{"--push", "s3://bucket/prefix"}},
		{[]string{"--push=s3://bucket"}, []string{"--push=s3://bucket"}},
		{[]string{"--push", "lake"}, []string{"--push", in("lake")}},
		{[]string{"-w", "w.duckdb", "--quiet", "--parquet=p"}, []string{"-w", in("w.duckdb"), "--quiet", "--parquet=" + in("p")}},
		{[]string{"--source", "work=User", "--since", "7d", "nightly"}, []string{"--source", "work=" + in("User"), "--since", "7d", "nightly"}},
	} {
		if got := absoluteArgs(test.args, flags); !slices.Equal(got, test.want) {
			t.Errorf("%q becomes %q, want %q", test.args, got, test.want)
		}
	}
	for _, f := range flags { // no flag makes a path of a URL
		if _, isPath := f.(*cli.PathFlag); isPath && absoluteValue(f, "s3://b") != "s3://b" {
			t.Errorf("%v makes s3://b %q", f.Names(), absoluteValue(f, "s3://b"))
		}
	}
}
