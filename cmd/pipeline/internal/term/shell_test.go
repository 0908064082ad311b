package term

import (
	"os/exec"
	"testing"
)

// TestShellQuote: what is printed to be pasted is read by a shell as what it stands for.
func TestShellQuote(t *testing.T) {
	bash, err := exec.LookPath("bash")
	if err != nil {
		t.Skip("bash is not installed")
	}
	for _, s := range []string{"plain", "a b", "it's", `back\slash "quoted" $HOME`, "\x1b[31m'red\\", "two\nlines\t",
		"\x7f\u009b\u202e ключ", "latin1 \xe9f"} {
		quoted := ShellQuote(s)
		got, err := exec.Command(bash, "-c", "printf %s "+quoted).Output()
		if err != nil || string(got) != s {
			t.Errorf("%q is read as %q: %v", quoted, got, err)
		}
		if Printable(quoted) != quoted {
			t.Errorf("%q steers a terminal", quoted)
		}
	}
}

// TestWindowsQuote: the expected words follow from the rules of Windows for command lines.
func TestWindowsQuote(t *testing.T) {
	for word, want := range map[string]string{
		`demo\usage`:          `demo\usage`,
		`C:\Users\a\w.duckdb`: `C:\Users\a\w.duckdb`,
		`C:\Users\a b\w`:      `"C:\Users\a b\w"`,
		`C:\a b\`:             `"C:\a b\\"`,
		"it's":                `"it's"`,
		"cach*":               `"cach*"`,
		`say "no"`:            `"say \"no\""`,
		"":                    `""`,
	} {
		if got := windowsQuote(word); got != want {
			t.Errorf("%s is quoted as %s, want %s", word, got, want)
		}
	}
}
