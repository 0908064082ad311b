package main

import (
	"errors"
	"flag"
	"os"
	"path/filepath"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"

	"pipeline/testdata/gen/storetest"
)

// writeStore writes a user directory with stores of every format, and beside it, in folder usage, what Cursor counted.
func writeStore(out string, o storetest.Options) error {
	plan := storetest.New(o)
	return errors.Join(plan.Write(filepath.Join(out, "User")), plan.WriteUsage(filepath.Join(out, "usage")))
}

// mustWriteStore is writeStore for tests: about so many messages.
func mustWriteStore(t *testing.T, out string, messages int, seed uint64) {
	t.Helper()
	must(t, writeStore(out, storetest.Options{Seed: seed, Messages: messages}))
}

// demoScript is `demo`: it puts the invented history, as `store --out demo` makes it, and its warehouse w.duckdb, as
// `pipeline run --source demo=demo --usage demo/usage` makes it, into the script's folder.
func demoScript(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) > 0 {
		ts.Fatalf("usage: demo")
	}
	ts.Check(loadDemo())
	ts.Check(os.CopyFS(ts.MkAbs("."), os.DirFS(demoDir)))
}

// storeCommand is `store [--messages N] [--seed N] [--no-cases] --out DIR`: writeStore in a script.
func storeCommand(ts *testscript.TestScript, neg bool, args []string) {
	var o storetest.Options
	flags := flag.NewFlagSet("store", flag.ContinueOnError)
	flags.IntVar(&o.Messages, "messages", 2000, "")
	flags.Uint64Var(&o.Seed, "seed", 1, "")
	flags.BoolVar(&o.NoCases, "no-cases", false, "")
	out := flags.String("out", "", "")
	if err := flags.Parse(args); neg || err != nil || *out == "" || flags.NArg() > 0 {
		ts.Fatalf("usage: store [--messages N] [--seed N] [--no-cases] --out DIR")
	}
	ts.Check(writeStore(ts.MkAbs(*out), o))
}
