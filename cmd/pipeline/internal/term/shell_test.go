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
	for _, s := range []string{"plain", "a b", "it's", `back\slash "quoted" $HOME`, "\x1b[31m'red\\", "two\nlines\t", "\x7f\u009b\u202e ключ", "latin1 \xe9f"} {
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
