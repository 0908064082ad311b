package pipelines_test

import (
	"errors"
	"os"
	"strings"
	"testing"

	"pipeline/load/objects"
	"pipeline/load/objects/s3test"
	"pipeline/load/push"
	"pipeline/load/redact"
)

// planted are secrets, put together here so that no scanner takes this file for one that has any.
var planted = []string{
	"ghp_" + "wWPw5k4aXcaT4fNP0UcnZwJUVFk6LO0pINUx", "AKIA" + "Z7Q2LKMNB4HX6TWD",
	"xoxb-" + "263594206564-2343594206574-FGqddMF8t08v8N7Oq4i57vs1", "sk_live_" + "4eC39HqLyjWDarjtT1zdp7dc",
	"eyJhbGciOiJIUzI1NiJ9" + ".eyJzdWIiOiIxMjM0NTY3ODkwIn0.dozjgNryP4J3jVmNHl0w5N_XgL0n3I9PlFUP0THsR8U",
}

// plantedUserDir has secrets in texts, a title, parameters, results and a path, and a project whose name says
// something.
func plantedUserDir() *userDir {
	w := baseUserDir()
	w = w.with(keyAlpha, strings.Replace(alphaHead, `"Alpha"`, `"Title with `+planted[0]+`"`, 1), keyA1,
		strings.Replace(bubbleA1, "First question", "My key is "+planted[1]+" in wonderland", 1), keyA3,
		`{"_v":2,"type":2,"bubbleId":"a3","createdAt":"2025-10-09T08:56:20Z","toolFormerData":{"tool":15,"name":"run_terminal_command_v2","toolCallId":"call-1","status":"completed",`+
			`"params":"{\"command\":\"curl -H 'X: `+planted[2]+`' /home/mira/x\"}","result":"{\"output\":\"token=`+
			planted[3]+`\"}"}}`,
		keyB2, strings.Replace(bubbleB2, "Let me think.", "He gave me "+planted[4]+", hm", 1))
	return w.withFolder("ws1", folder{json: `{"folder":"file:///home/mira/src/nightingale"}`})
}

// TestPushLevels: at no level but full is a secret or a person's folder in an object; at level metadata no word of a
// text is, nor the name of a project; what was told at another level is read no more. Rows of a project that is denied
// are nowhere, and those that were there are withdrawn.
func TestPushLevels(t *testing.T) {
	long(t)
	t.Parallel()
	l := newFixture(t)
	l.run(plantedUserDir())
	at := func(dir, level string, change ...func(*push.Options)) string {
		o := l.pushOptions(storeIn(t, dir))
		o.Target, o.Level, o.Redact = dir, level, func(text, _ string) string { return redact.Text(text) }
		for _, f := range change {
			f(&o)
		}
		l.push(o)
		return readLake(t, dir).texts(dir)
	}
	full := at(t.TempDir(), push.Full)
	for _, word := range append([]string{"wonderland", "nightingale", "mira"}, planted...) {
		if !strings.Contains(full, word) {
			t.Errorf("at level full %s is missing: the test looks for nothing", word)
		}
	}
	redacted := at(t.TempDir(), push.Redacted)
	for _, word := range append([]string{"mira"}, planted...) {
		if strings.Contains(redacted, word) {
			t.Errorf("at level redacted there is %s", word)
		}
	}
	if !strings.Contains(redacted, "wonderland") || !strings.Contains(redacted, "[redacted:") ||
		!strings.Contains(redacted, "~/src/nightingale") {
		t.Error("at level redacted the rest of the texts is missing")
	}
	dir := t.TempDir()
	for _, word := range append([]string{"wonderland", "nightingale", "mira", "Reply", "curl", "Second question"},
		planted...) {
		if text := at(dir, push.Metadata); strings.Contains(text, word) {
			t.Errorf("at level metadata there is %s", word)
		}
	}
	if text := at(t.TempDir(), push.Metadata,
		func(o *push.Options) { o.Pseudonym = func(string) string { return "pseudonym-1" } }); !strings.Contains(text,
		"pseudonym-1") || strings.Contains(text, "nightingale") {
		t.Error("a project has no pseudonym, or its name beside it")
	}
	deny := func(o *push.Options) {
		o.Deny = func(p push.Project) bool { return strings.Contains(p.URI, "nightingale") }
	}
	dir = t.TempDir()
	if text := at(dir, push.Full, deny); strings.Contains(text, "nightingale") ||
		strings.Contains(text, "wonderland") || !strings.Contains(text, "Reply") {
		t.Error("rows of a denied project have left the machine, or others have not")
	}
	dir = t.TempDir()
	at(dir, push.Full)
	o := l.pushOptions(storeIn(t, dir))
	o.Target = dir
	deny(&o)
	r := l.push(o)
	var n int
	must(t, readLake(t, dir).conn.QueryRowContext(t.Context(),
		`SELECT (SELECT count(*) FROM messages WHERE conversation_id = 'alpha') + (SELECT count(*) FROM sessions WHERE project = 'nightingale') + (SELECT count(*) FROM workspaces)`).Scan(&n))
	if r.Withdrawn == 0 || n > 0 {
		t.Errorf("%d rows of a project that is denied now are read: %+v", n, r)
	}
}

// TestPushPolicy: a policy can only make a push stricter, and one that nobody understands stops every push.
func TestPushPolicy(t *testing.T) {
	t.Parallel()
	for _, test := range []struct{ policy, asked, level, wrong string }{
		{"", "", "redacted", ""}, {"", "full", "full", ""}, {`{}`, "metadata", "metadata", ""},
		{`{"min_level":"full"}`, "", "redacted", ""}, {`{"min_level":"metadata"}`, "", "metadata", ""},
		{`{"min_level":"metadata"}`, "redacted", "", "allows at most level metadata"},
		{`{"min_level":"redacted"}`, "full", "", "allows at most"},
		{`{"min_level":"all"}`, "", "", "nothing is pushed"}, {`{"minlevel":"metadata"}`, "", "", "nothing is pushed"},
		{`{`, "", "", "nothing is pushed"}, {`{"checkpoint_days":-1}`, "", "", "nothing is pushed"},
		{`{} {"min_level":"metadata"}`, "", "", "nothing is pushed"}, {`{}garbage`, "full", "", "nothing is pushed"},
		{`{"deny":["*"]} {}`, "full", "", "nothing is pushed"}, {`null`, "full", "", "nothing is pushed"},
		{`[]`, "", "", "nothing is pushed"}, {`{"min_level":"metadata","min_level":"full"}`, "full", "",
			"nothing is pushed"}, {`{"min_level":"metadata","Min_Level":"full"}`, "full", "", "nothing is pushed"},
		{`{"min_level":null}`, "full", "", "nothing is pushed"}, {"{\"min_level\":\"metadata\"}\n", "", "metadata", ""},
		{"", "redacted", "redacted", ""},
	} {
		dir := t.TempDir()
		if test.policy != "" {
			must(t, os.MkdirAll(dir+"/v1", 0o700))
			must(t, os.WriteFile(dir+"/v1/policy.json", []byte(test.policy), 0o600))
		}
		policy, err := push.ReadPolicy(t.Context(), storeIn(t, dir))
		level := ""
		if err == nil {
			level, err = policy.Level(test.asked)
		}
		if level != test.level || (err == nil) != (test.wrong == "") ||
			err != nil && !strings.Contains(err.Error(), test.wrong) {
			t.Errorf("%s, asked for %q: %q, %v", test.policy, test.asked, level, err)
		}
	}
}

// TestPushS3: pushes to a real S3 server, of a machine that may write below its own prefix alone.
func TestPushS3(t *testing.T) {
	long(t)
	server := s3test.Start(t)
	s3test.Setenv(t, server.Key, server.Secret)
	l := newFixture(t)
	l.run(baseUserDir())
	target := "s3://" + server.Bucket + "/team"
	store, err := objects.Open(target, server.Endpoint, "")
	must(t, err)
	o := l.pushOptions(store)
	o.Target = target
	r := l.push(o)
	if r.Seq != 1 || r.Stats.Puts == 0 {
		t.Errorf("%+v", r)
	}
	readLake(t, server.Dir+"/team").holds(r.Machine, l)
	before := store.Stats().Requests()
	if r := l.push(o); r.Seq != 0 || store.Stats().Requests()-before > 2 {
		t.Errorf("nothing new: %+v, %d requests", r, store.Stats().Requests()-before)
	}
	l.run(baseUserDir().without(keyBeta, keyB1, keyB2))
	l.push(o)
	readLake(t, server.Dir+"/team").holds(r.Machine, l)
	s3test.Setenv(t, server.Key, "wrong")
	store, err = objects.Open(target, server.Endpoint, "")
	must(t, err)
	o.Store = store
	if _, err := push.Push(t.Context(), o); !errors.Is(err, objects.ErrCredentials) &&
		!errors.Is(err, objects.ErrRefused) {
		t.Errorf("with a wrong secret: %v", err)
	}
}
