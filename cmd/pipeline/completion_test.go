package main

import (
	"os/exec"
	"slices"
	"strings"
	"testing"
)

// shellProgram is what runs the script of a shell.
var shellProgram = map[string]string{"bash": "bash", "zsh": "zsh", "fish": "fish", "powershell": "pwsh"}

// TestCompletion has each script read by its shell, where that is installed.
func TestCompletion(t *testing.T) {
	for shell, script := range completions {
		t.Run(shell, func(t *testing.T) {
			program, args := shellProgram[shell], []string{"-n"}
			if shell == "powershell" {
				args = []string{"-NoProfile", "-NonInteractive", "-Command", "-"}
			}
			shellRuns(t, program, script, args...)
		})
	}
}

// TestCompletedWords asks shells, in their own way, what could follow the beginning of a command.
func TestCompletedWords(t *testing.T) {
	for shell, ask := range map[string]string{
		"bash": `source <(pipeline completion bash)
complete() { COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _pipeline; echo "${COMPREPLY[@]}"; }
complete pipeline sear; complete pipeline run --wareh; complete pipeline pipelines show wee`,
		"fish": `pipeline completion fish | source
complete -C "pipeline sear"; complete -C "pipeline run --wareh"; complete -C "pipeline pipelines show wee"`,
		"powershell": `pipeline completion powershell | Out-String | Invoke-Expression
foreach ($line in "pipeline sear", "pipeline run --wareh", "pipeline pipelines show wee") { (TabExpansion2 $line $line.Length).CompletionMatches.CompletionText }`,
	} {
		t.Run(shell, func(t *testing.T) {
			args := []string{"-c", ask}
			if shell == "powershell" {
				args = []string{"-NoProfile", "-NonInteractive", "-Command", ask}
			}
			got := strings.Fields(shellRuns(t, shellProgram[shell], "", args...))
			if want := []string{"search", "--warehouse", "weekly"}; !slices.Equal(got, want) {
				t.Errorf("%q, want %q", got, want)
			}
		})
	}
}

// shellRuns runs a shell and returns what it prints; nothing may go to standard error.
func shellRuns(t *testing.T, program, stdin string, args ...string) string {
	t.Helper()
	path, err := exec.LookPath(program)
	if err != nil {
		t.Skipf("%s is not installed: its script is not tried", program)
	}
	shell := exec.Command(path, args...)
	var errs strings.Builder
	shell.Stdin, shell.Stderr = strings.NewReader(stdin), &errs
	out, err := shell.Output()
	if err != nil || errs.Len() > 0 {
		t.Errorf("%s: %v\n%s", program, err, errs.String())
	}
	return string(out)
}
