package redact_test

import (
	"encoding/base64"
	"fmt"
	"math"
	"os"
	"strings"
	"testing"

	"pipeline/load/redact"
	"pipeline/load/redact/redacttest"
)

// TestRedactRules: what is embedded can be read, so at run time nothing can fail.
func TestRedactRules(t *testing.T) {
	t.Parallel()
	theirs := strings.Count(redact.GitleaksRules(), "\n[[rules]]\n")
	if theirs != 222 {
		t.Errorf("%d rules of gitleaks, want 222", theirs)
	}
	ours := strings.Count(redact.OwnRules(), "\n[[rules]]\n")
	count, err := redact.Load(redact.GitleaksRules(), redact.OwnRules())
	if err != nil || count != theirs+ours-redact.Skipped() {
		t.Errorf("%d rules of %d and %d: %v", count, theirs, ours, err)
	}
	for _, wrong := range []string{"[", "[[rules]]\nid='a'\nregex='a'", "[[rules]]\nid='a'\nkeywords=['a']"} {
		if _, err := redact.Load(wrong); err == nil {
			t.Errorf("%q was read", wrong)
		}
	}
}

// TestRedactDocument: the document says how many rules there are.
func TestRedactDocument(t *testing.T) {
	t.Parallel()
	text, err := os.ReadFile("../../docs/team.md")
	if err != nil {
		t.Fatal(err)
	}
	want := fmt.Sprintf("(%d rules of gitleaks, %d of our own)",
		strings.Count(redact.GitleaksRules(), "\n[[rules]]\n")-redact.Skipped(),
		strings.Count(redact.OwnRules(), "\n[[rules]]\n"))
	if !strings.Contains(string(text), want) {
		t.Errorf("docs/team.md does not say %q", want)
	}
}

// TestRedactEntropy: characters are counted, bytes weigh, as the thresholds of the rules want it.
func TestRedactEntropy(t *testing.T) {
	t.Parallel()
	for in, want := range map[string]float64{"": 0, "aaaa": 0, "ab": 1, "abcd": 2, "éé": 0.5} {
		if got := redact.Entropy(in); math.Abs(got-want) > 1e-9 {
			t.Errorf("%q: %v, want %v", in, got, want)
		}
	}
}

// TestRedactLinear: whatever a text is, expressions read only so much of it, and of six times the text six times as
// much.
func TestRedactLinear(t *testing.T) {
	t.Parallel()
	const most = 40 // rules times readings of a byte, of the texts below
	size := 20 << 10
	if testing.Short() {
		size = 4 << 10
	}
	d := redacttest.NewDice(1)
	for name, part := range map[string]string{
		"a": "a", "=": "=", "quotes": `"`, "backslashes": `\`, "escapes": `\"`, "spaces": " ", "keyword": "key",
		"keywords": "key=", "values": "key='a1b2c3d4e5f6' ", "token": "token=token=", "ey": "ey",
		"eyJ": "eyJhbGciOiJIUzI1NiJ9.", "begin": "-----BEGIN " + "PRIVATE KEY-----",
		"end": d.Of(redacttest.Alnum, 64) + "\n-----END " + "PRIVATE KEY-----\n", "curl": "curl -u ",
		"secret": "kind: secret data: ", "address": "a://b:c", "home": "/home/", "users": `C:\Users\`,
		"names": "/Users/A B C ", "marks": "[redacted:jwt]", "base64": d.Of(redacttest.Alnum+"+/", 1000), "sk": "SK",
		"escaped keyword": `\"key\":\"a1b2c3d4e5f6\",`, "open": "://", "password": "password=", "bearer": "bearer ",
		"aws": "AKIA", "bytes": "\xff\xfe", "form": "key%3Da%20", "one address": "%3Dkey",
		"colours": "\x1b[32mtoken=\x1b[0m", "zeros": "k\x00e\x00y\x00=\x00", "entities": "&quot;token&quot;:",
		"encoded": base64.StdEncoding.EncodeToString([]byte("the key=value of it, "+strings.Repeat("token= ", 40))) +
			"\n", "password is": "password is ", "cookie": "cookie: a=", "sentence": "password: a1",
		"element": "<password>", "mysql": "mysql -p", "login": "machine a login b password ",
		"hex": "token=" + d.Of(redacttest.Hex, 40) + " ",
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			small, large := strings.Repeat(part, size/len(part)), strings.Repeat(part, 6*size/len(part))
			a, b := redact.Work(small), redact.Work(large)
			if b > most*len(large) || float64(b) > 6.5*float64(a)+float64(size) {
				t.Errorf("of %d bytes %d were read, of %d %d", len(small), a, len(large), b)
			}
			t.Logf("%.2f bytes read for a byte", float64(b)/float64(len(large)))
		})
	}
}
