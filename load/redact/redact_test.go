package redact_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"sync"
	"testing"
	"unicode/utf8"

	"pipeline/load/redact"
	"pipeline/load/redact/redacttest"
)

func quote(s string) string {
	out, err := json.Marshal(s)
	if err != nil {
		panic(err)
	}
	return string(out)
}

// contexts are places where secrets are.
var contexts = map[string]func(string) string{
	"alone":    func(s string) string { return s },
	"prose":    func(s string) string { return "Please use this one: " + s + " and tell me what it says." },
	"comma":    func(s string) string { return "He gave me " + s + ", and it works" },
	"sentence": func(s string) string { return "Is it “" + s + "”? " + s + "… *" + s + "*" },
	"brackets": func(s string) string { return "(it is <" + s + ">)" },
	"end":      func(s string) string { return "It is " + s + "." },
	"lines":    func(s string) string { return "first\n" + s + "\nlast" },
	"code":     func(s string) string { return "x := f(`" + s + "`)" },
	"JSON": func(s string) string {
		return `{"role":"user","text":` + quote("here:\n"+s+"\nthanks") +
			`,"n":1}`
	},
	"tight JSON":   func(s string) string { return `[` + quote(s) + `]` },
	"JSON in JSON": func(s string) string { return `{"params":` + quote(`{"file":`+quote("a\n"+s+"\nb")+`}`) + `}` },
	"JSON thrice":  func(s string) string { return `[` + quote(`[`+quote(`{"a":`+quote("\t"+s+"\n")+`}`)+`]`) + `]` },
	"deep": func(s string) string {
		return strings.Repeat("Nothing to see here, go on. ", 3000) + "\n" + s + "\n" + strings.Repeat("And on. ", 3000)
	},
}

// decoded is all that is in a text, also within strings of JSON.
func decoded(s string) string {
	var v any
	if json.Unmarshal([]byte(s), &v) != nil {
		return s
	}
	var out strings.Builder
	var walk func(any)
	walk = func(v any) {
		switch v := v.(type) {
		case string:
			out.WriteString(decoded(v) + "\n")
		case []any:
			for _, e := range v {
				walk(e)
			}
		case map[string]any:
			for k, e := range v {
				out.WriteString(k + "\n")
				walk(e)
			}
		}
	}
	walk(v)
	return out.String()
}

// gone fails if any 12 bytes of a secret are left in a text.
func gone(t *testing.T, name, out, secret string) {
	t.Helper()
	out = decoded(out)
	for i := 0; i+12 <= len(secret); i++ {
		if piece := secret[i : i+12]; strings.Contains(out, piece) && !strings.Contains(piece, "PRIVATE") &&
			!strings.Contains(piece, "-----") {
			t.Errorf("%s: %q of the secret is left in %.300q", name, piece, out)
			return
		}
	}
	if len(secret) < 12 && strings.Contains(out, secret) {
		t.Errorf("%s: the secret is left in %.300q", name, out)
	}
}

// holds fails if a text and what became of it break a promise.
func holds(t *testing.T, in string) string {
	t.Helper()
	out := redact.Text(in)
	if again := redact.Text(out); again != out {
		t.Errorf("%.300q became %.300q, and then %.300q", in, out, again)
	}
	if json.Valid([]byte(in)) && !json.Valid([]byte(out)) {
		t.Errorf("%.300q was JSON, and became %.300q", in, out)
	}
	if utf8.ValidString(in) && !utf8.ValidString(out) {
		t.Errorf("%.300q was UTF-8, and became %.300q", in, out)
	}
	var built strings.Builder
	from := 0
	for _, f := range redact.Find(in) {
		if f.Start < from || f.End <= f.Start || f.End > len(in) || f.Rule == "" {
			t.Fatalf("%.300q: found %v behind %d", in, f, from)
		}
		mark := "[redacted:" + f.Rule + "]"
		if f.Rule == "home" {
			mark = "~"
		} else if strings.HasPrefix(out[built.Len()+f.Start-from:], `"`+mark+`"`) && in[f.Start] != '"' &&
			(f.Start == 0 || in[f.Start-1] != '"') {
			mark = `"` + mark + `"`
		}
		built.WriteString(in[from:f.Start] + mark)
		from = f.End
	}
	if built.WriteString(in[from:]); built.String() != out {
		t.Errorf("%.300q became %.300q, and what was found says %.300q", in, out, built.String())
	}
	return out
}

// TestRedactKinds: each kind of secret is found wherever it is.
func TestRedactKinds(t *testing.T) {
	t.Parallel()
	for seed := range uint64(2) {
		if testing.Short() && seed > 0 {
			continue // make test-all takes both
		}
		for _, p := range redacttest.Secrets(seed) {
			for name, in := range contexts {
				if name == "deep" && seed > 0 {
					continue
				}
				text := in(p.Text)
				out := holds(t, text)
				gone(t, p.Kind+", "+name, out, p.Secret)
				if !strings.Contains(out, "[redacted:") {
					t.Errorf("%s, %s: nothing stands for it in %.300q", p.Kind, name, out)
				}
			}
		}
	}
}

// TestRedactSeveral: one secret hides no other.
func TestRedactSeveral(t *testing.T) {
	t.Parallel()
	for _, between := range []string{"\n", " and ", "\"\n\""} {
		for _, in := range []string{"alone", "JSON", "JSON in JSON"} {
			var texts []string
			all := redacttest.Secrets(11)
			for _, p := range all {
				texts = append(texts, p.Text)
			}
			out := holds(t, contexts[in](strings.Join(texts, between)))
			for _, p := range all {
				if p.Kind == "PEM that was cut" { // here it is not: another follows
					continue
				}
				gone(t, fmt.Sprintf("%s of several by %q, %s", p.Kind, between, in), out, p.Secret)
			}
		}
	}
}

// TestRedactNextLine: what allows a line does not allow the one before. The last line makes the rule read all three at
// once.
func TestRedactNextLine(t *testing.T) {
	t.Parallel()
	text := "client_secret = " + redacttest.NewDice(1).Value(32) + "\nimport { a } from \"b\";\nkey: 1111111111111111"
	if found := redact.Find(text); len(found) != 1 {
		t.Errorf("of %q was found %v", text, found)
	}
}

// TestRedactFind: a place is said with the rule that is most exact.
func TestRedactFind(t *testing.T) {
	t.Parallel()
	key := "AK" + "IA" + redacttest.NewDice(1).Of("ABCDEFGHIJKLMNOPQRSTUVWXYZ234567", 16)
	text := "in /home/bob/x: aws_access_token = " + key + " end"
	found := redact.Find(text)
	at := strings.Index(text, key)
	want := []redact.Found{{Rule: "home", Start: 3, End: 12}, {Rule: "aws-access-token", Start: at, End: at + len(key)}}
	if fmt.Sprint(found) != fmt.Sprint(want) {
		t.Errorf("found %v, want %v", found, want)
	}
	if found := redact.Find("authorization: x2y4z6w8q=/home/bob/k3"); len(found) != 1 ||
		found[0].Rule != "authorization-header" {
		t.Errorf("of a home within a secret: %v", found)
	}
	if redact.Find("nothing") != nil {
		t.Error("something was found in nothing")
	}
}

// TestRedactJSON: a number becomes a string, what is between strings stays, an escape is not cut.
func TestRedactJSON(t *testing.T) {
	t.Parallel()
	lines := strings.Split(redacttest.NewDice(3).PEM(""), "\n")
	jwt := redacttest.NewDice(4).Part(`{"alg":`) + "." + redacttest.NewDice(5).Part(`{"sub":`) + "." +
		redacttest.NewDice(6).Of(redacttest.Alnum, 43)
	for in, want := range map[string]string{
		`{"asana_key": 1234567890123456 }`: `{"asana_key": "[redacted:asana-client-id]" }`,
		`["` + jwt + `\"quoted\""]`:        `["[redacted:jwt]\"quoted\""]`,
		// the rule takes backslashes for a part of it
		`["` + jwt + `\\"]`: `["[redacted:jwt]"]`,
		`{"a":"[redacted:jwt]","password":"[redacted:jwt]"}`:    `{"a":"[redacted:jwt]","password":"[redacted:jwt]"}`,
		`["C:\\Users\\bob\nnext","file:///home/j\u00fcrgen/x"]`: `["~\nnext","file://~/x"]`,
		`[["` + lines[0] + `",["` + lines[1] + `"],"` + lines[2] + `"],{"x":["` + lines[len(lines)-1] +
			`"]}]`: `[["[redacted:private-key]",["[redacted:private-key]"],"[redacted:private-key]"],{"[redacted:private-key]":["[redacted:private-key]"]}]`,
	} {
		if got := holds(t, in); got != want {
			t.Errorf("%s\nbecame %s\nwant   %s", in, got, want)
		}
	}
}

// TestRedactCharacters: a window's ends cut no character, though a rule may match up to there.
func TestRedactCharacters(t *testing.T) {
	t.Parallel()
	for n := range 4 {
		holds(t, "DB_PASSWORD="+strings.Repeat("x", n)+strings.Repeat("😀", 300))
	}
}

// TestRedactTogether: several goroutines may redact.
func TestRedactTogether(t *testing.T) {
	t.Parallel()
	var all sync.WaitGroup
	for n := range 4 {
		all.Go(func() {
			for _, p := range redacttest.Secrets(uint64(20 + n)) {
				gone(t, p.Kind, redact.Text(p.Text+" /home/bob/x"), p.Secret)
			}
		})
	}
	all.Wait()
}

// TestRedactAllocates: what has nothing to hide is given back as it is.
func TestRedactAllocates(t *testing.T) {
	text := strings.Repeat("The key of this map is the name; the token count is in usage.tokens, see "+
		"https://example.com/a?b=c.\n", 400)
	if got := testing.AllocsPerRun(20, func() {
		if redact.Text(text) != text {
			t.Error("the text changed")
		}
	}); got >= 1 {
		t.Errorf("%v allocations", got)
	}
}

func FuzzRedactText(f *testing.F) {
	for _, p := range redacttest.Secrets(1) {
		f.Add(p.Text)
		f.Add(contexts["JSON in JSON"](p.Text))
	}
	f.Add("key=key=key= [redacted:x] /home//home/bob C:\\\\Users\\\\a b\\\\c file:///c%3A/Users/x \\u002f \\\\\\\" " +
		"-----BEGIN PRIVATE KEY-----")
	f.Fuzz(func(t *testing.T, s string) { holds(t, s) })
}

// FuzzRedactJSON builds documents around what it is given: a fuzzer seldom finds a document by itself.
func FuzzRedactJSON(f *testing.F) {
	for n, p := range redacttest.Secrets(2) {
		f.Add(p.Text, "a\"\\ /home/bob", uint8(n))
	}
	all := redacttest.Secrets(3)
	f.Fuzz(func(t *testing.T, a, b string, n uint8) {
		secret := all[int(n)%len(all)].Text
		for _, in := range []string{
			`{` + quote(a) + `:` + quote(b+secret+a) + `,"n":-12.5e3,"token": 12345678901234567 ,"l":[true,null,` +
				quote(b) + `]}`,
			`[` + quote(quote(a+secret)+b) + `,{` + quote(secret) + `:` + quote(quote(b)) + `}]`,
		} {
			if !json.Valid([]byte(in)) {
				t.Fatalf("%q is no JSON", in)
			}
			holds(t, in)
		}
	})
}

// TestRedactKeepsCharactersWhole: where a long word is cut, no character of several bytes is.
func TestRedactKeepsCharactersWhole(t *testing.T) {
	t.Parallel()
	for shift := range 5 {
		out := redact.Text("token: " + strings.Repeat("x", shift) + strings.Repeat("я7Z9", 90))
		if !utf8.ValidString(out) || !strings.Contains(out, "[redacted:") {
			t.Errorf("shifted by %d: %q", shift, out)
		}
	}
}
