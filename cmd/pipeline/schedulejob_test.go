package main

import (
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/urfave/cli/v2"
)

// TestJobVariables: a timer pushes to the server, and with the profile, of the shell that it was installed in. Secrets
// do not go into its files.
func TestJobVariables(t *testing.T) {
	here, err := filepath.Abs(".")
	must(t, err)
	names := map[string]string{"AWS_PROFILE": "team", "AWS_REGION": "eu-central-1", "AWS_CONFIG_FILE": "config",
		"SSL_CERT_FILE": "/etc/ca.pem", "HTTPS_PROXY": "http://proxy:3128", "PIPELINE_PUSH": "s3://lake",
		"PIPELINE_USAGE": "usage/*.csv", "PIPELINE_ALIAS": "src/old=src/new", "XDG_DATA_HOME": "data",
		"XDG_STATE_HOME": "/var/state", "AWS_ACCESS_KEY_ID": "key", "AWS_SECRET_ACCESS_KEY": "secret",
		"AWS_SESSION_TOKEN": "token"}
	for name, value := range names {
		t.Setenv(name, value)
	}
	has := func(name string) string {
		for _, v := range jobVariables(runFlags()) {
			if v.Name == name {
				return v.Value
			}
		}
		return ""
	}
	for name, value := range names {
		want := value
		switch name {
		case "AWS_CONFIG_FILE", "PIPELINE_USAGE":
			want = filepath.Join(here, value)
		case "PIPELINE_ALIAS":
			want = filepath.Join(here, "src/old") + "=" + filepath.Join(here, "src/new")
		case "AWS_ACCESS_KEY_ID", "AWS_SECRET_ACCESS_KEY", "AWS_SESSION_TOKEN":
			want = ""
		}
		if got := has(name); got != want {
			t.Errorf("%s is %q in a timer, want %q", name, got, want)
		}
	}
	if t.Setenv("HTTPS_PROXY", "http://me:hidden@proxy:3128"); has("HTTPS_PROXY") != "" {
		t.Error("the password of a proxy is in a timer")
	}
}

// TestAbsoluteArgs: a timer starts in another folder, so that paths are made absolute; a bucket, and what is no path,
// stays.
func TestAbsoluteArgs(t *testing.T) {
	here, err := filepath.Abs(".")
	must(t, err)
	home, err := os.UserHomeDir()
	must(t, err)
	in := func(name string) string { return filepath.Join(here, name) }
	flags := runFlags()
	for _, test := range []struct{ args, want []string }{
		{[]string{"--push", "s3://bucket/prefix"}, []string{"--push", "s3://bucket/prefix"}},
		{[]string{"--push=s3://bucket"}, []string{"--push=s3://bucket"}},
		{[]string{"--push", "lake"}, []string{"--push", in("lake")}},
		{[]string{"-w", "w.duckdb", "--quiet", "--parquet=p"},
			[]string{"-w", in("w.duckdb"), "--quiet", "--parquet=" + in("p")}},
		{[]string{"--usage", "usage", "--usage=~/u/*.csv"},
			[]string{"--usage", in("usage"), "--usage=" + home + "/u/*.csv"}},
		{[]string{"--alias", "../old=file:///new", "--alias=~/a=", "--project", "p/q"},
			[]string{"--alias", filepath.Dir(here) + "/old=file:///new", "--alias=" + home + "/a=", "--project",
				"p/q"}},
		{[]string{"--source", "work=~/backup"}, []string{"--source", "work=" + home + "/backup"}},
		{[]string{"--source", "work=User", "--since", "7d", "nightly"},
			[]string{"--source", "work=" + in("User"), "--since", "7d", "nightly"}},
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
