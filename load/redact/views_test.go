package redact_test

import (
	"encoding/base64"
	"fmt"
	"net/url"
	"slices"
	"strings"
	"testing"

	"pipeline/load/redact"
	"pipeline/load/redact/redacttest"
)

// inside puts something into the middle of a secret.
func inside(s redacttest.Secret, what string) string {
	n := len(s.Secret) / 2
	return strings.Replace(s.Text, s.Secret, s.Secret[:n]+what+s.Secret[n:], 1)
}

// spaced has something behind each character, as UTF-16 has where it is taken for UTF-8.
func spaced(s, behind string) string {
	var out strings.Builder
	for _, c := range s {
		out.WriteString(string(c) + behind)
	}
	return out.String()
}

func wrapped(s string, at int, between string) string {
	return strings.Join(slices.Collect(func(yield func(string) bool) {
		for part := range slices.Chunk([]byte(s), at) {
			if !yield(string(part)) {
				return
			}
		}
	}), between)
}

// TestRedactViews: a secret is found however it is written. The second half of a secret that has something in its
// middle must be gone.
func TestRedactViews(t *testing.T) {
	t.Parallel()
	whole := func(s redacttest.Secret) string { return s.Secret }
	half := func(s redacttest.Secret) string { return s.Secret[len(s.Secret)/2:] }
	encode := func(s redacttest.Secret) string {
		return base64.StdEncoding.EncodeToString([]byte("the text is: " + s.Text + "\n"))
	}
	unlike := func(kinds ...string) func(string) bool {
		return func(kind string) bool { return !slices.Contains(kinds, kind) }
	}
	for name, form := range map[string]struct {
		write func(redacttest.Secret) string
		gone  func(redacttest.Secret) string
		of    func(kind string) bool
	}{
		"a colour around": {func(s redacttest.Secret) string {
			return strings.Replace(s.Text, s.Secret, "\x1b[1;32m"+s.Secret+"\x1b[0m", 1)
		}, whole, nil},
		"a colour before": {func(s redacttest.Secret) string {
			return "\x1b[01;31m\x1b[K" + s.Text + "\x1b[m\x1b[K"
		}, whole, nil},
		"a colour in JSON": {func(s redacttest.Secret) string {
			return quote("\x1b[32m" + inside(s, "\x1b[0m\x1b[7m") + "\x1b[0m")
		}, half, nil},
		"a colour in code": {func(s redacttest.Secret) string { return `\x1b[32m` + inside(s, `\033[0m`) }, half,
			nil},
		"no width": {func(s redacttest.Secret) string { return inside(s, "\u200b") }, half, nil},
		"a soft hyphen in JSON": {func(s redacttest.Secret) string {
			return quote(strings.ReplaceAll(inside(s, "SHY"), "SHY", `\u00ad`))
		}, half, nil},
		"a mark of the order": {func(s redacttest.Secret) string { return "\ufeff" + inside(s, "\ufeff") }, half,
			nil},
		"UTF-16": {func(s redacttest.Secret) string { return spaced(s.Text, "\x00") },
			func(s redacttest.Secret) string { return spaced(s.Secret[len(s.Secret)/2:], "\x00") }, nil},
		"UTF-16 in a warehouse": {func(s redacttest.Secret) string { return spaced(s.Text, "\u2400") },
			func(s redacttest.Secret) string { return spaced(s.Secret[len(s.Secret)/2:], "\u2400") }, nil},
		"an address": {func(s redacttest.Secret) string {
			return "https://example.com/?q=" + url.PathEscape(s.Text)
		}, func(s redacttest.Secret) string { return url.PathEscape(s.Secret) },
			unlike("PEM", "PEM of RSA", "PEM that was cut", "SSH")},
		"a form": {func(s redacttest.Secret) string { return "a=1&text=" + url.QueryEscape(s.Text) },
			func(s redacttest.Secret) string { return url.QueryEscape(s.Secret) },
			unlike("PEM", "PEM of RSA", "PEM that was cut", "SSH", "bearer alone", "mysql", "password of a command",
				"token of a command")},
		"HTML": {func(s redacttest.Secret) string {
			return "<p>" + strings.NewReplacer(`"`, "&quot;", "'", "&#39;", "&", "&amp;").Replace(s.Text) + "</p>"
		}, whole, nil},
		"spaces that never break": {func(s redacttest.Secret) string {
			return strings.ReplaceAll(s.Text, " ", "\u00a0")
		}, func(s redacttest.Secret) string { return strings.ReplaceAll(s.Secret, " ", "\u00a0") }, nil},
		"wide signs": {func(s redacttest.Secret) string {
			return strings.NewReplacer(":", "：", "=", "＝").Replace(s.Text)
		}, func(s redacttest.Secret) string { return strings.NewReplacer(":", "：", "=", "＝").Replace(s.Secret) }, nil},
		"base64": {encode, encode, nil},
		"base64 in lines": {func(s redacttest.Secret) string {
			return "data:\n" + wrapped(encode(s), 76, "\n") + "\nend"
		}, func(s redacttest.Secret) string { return wrapped(encode(s), 76, "\n") }, nil},
		"base64, indented": {func(s redacttest.Secret) string {
			return "data: |\n    " + wrapped(encode(s), 64, "\n    ")
		}, func(s redacttest.Secret) string { return wrapped(encode(s), 64, "\n    ") }, nil},
		"base64 in JSON in JSON": {func(s redacttest.Secret) string {
			return quote(quote(wrapped(encode(s), 64, "\r\n")))
		}, func(s redacttest.Secret) string { return encode(s)[:min(60, len(encode(s)))] }, nil},
	} {
		for _, s := range redacttest.Secrets(31) {
			if len(s.Text) > 4000 || form.of != nil && !form.of(s.Kind) {
				continue
			}
			text, secret := form.write(s), form.gone(s)
			if !strings.Contains(text, secret) && !strings.HasPrefix(text, `"`) {
				t.Fatalf("%s, %s: the text has no %q", name, s.Kind, secret)
			}
			out := holds(t, text)
			for i := 0; i+30 <= len(secret); i++ {
				if piece := secret[i : i+30]; strings.Contains(out, piece) && !strings.Contains(piece, "PRIV") &&
					!strings.Contains(piece, "---") && !strings.Contains(piece, "END") {
					t.Errorf("%s, %s: %q of the secret is left in %.300q", name, s.Kind, piece, out)
					break
				}
			}
			if len(secret) < 30 && strings.Contains(out, secret) {
				t.Errorf("%s, %s: the secret is left in %.300q", name, s.Kind, out)
			}
		}
	}
}

// TestRedactViewsLeave: what is written so and has no secret stays, also its colours.
func TestRedactViewsLeave(t *testing.T) {
	t.Parallel()
	key := "gh" + "p_" + redacttest.NewDice(3).Of(redacttest.Alnum, 36)
	for in, want := range map[string]string{
		"\x1b[32m" + key +
			"\x1b[0m end": "\x1b[32m[redacted:github-pat]\x1b[0m end",
		"\x1b[32mok\x1b[0m \u200b end\u00a0of it: 100%25, q=a%20b&amp;c": "\x1b[32mok\x1b[0m \u200b end\u00a0of it: " +
			"100%25, q=a%20b&amp;c",
		base64.StdEncoding.EncodeToString([]byte(
			"Hello, this is a long and ordinary text; it has no secret at all.")): base64.StdEncoding.EncodeToString(
			[]byte("Hello, this is a long and ordinary text; it has no secret at all.")),
		`a\u0000b\u0000`: `a\u0000b\u0000`,
		"family: 👩\u200d👩\u200d👧, 密码：没有": "family: 👩\u200d👩\u200d👧, 密码：没有",
	} {
		if got := holds(t, in); got != want {
			t.Errorf("%q became %q, want %q", in, got, want)
		}
	}
	if found := redact.Find(fmt.Sprintf("q=%s", url.QueryEscape("x "+key+" y"))); len(found) != 1 ||
		found[0].Rule != "github-pat" {
		t.Errorf("in an address was found %v", found)
	}
}
