package main

import (
	"encoding/json"
	"path/filepath"
	"strings"
	"testing"

	"pipeline/cmd/pipeline/internal/chattest"
	"pipeline/testdata/gen/clitest"
)

// TestCommandsAndPrograms: a command that the user ran is shown and exported with what it printed, and a prompt that
// the program wrote never stands as the user's.
func TestCommandsAndPrograms(t *testing.T) {
	t.Parallel()
	w, cases := newCLITest(t), clitest.Cases()
	shell, simulated := cases.Chat("shell_turns"), cases.Chat("simulated_prompt")
	hostile := "\n```\n</details><script>alert(1)</script>\n````\n# no heading\n"
	shell.Graph.Turns[1].Shell.Out = hostile
	dot := filepath.Join(w.dir, ".cursor")
	w.must((&clitest.Home{Chats: []*clitest.Chat{shell, simulated}}).Write(dot))
	w.runs(0, "run", "--source", "test="+dot, "--warehouse", w.warehouse, "--quiet")
	export := func(format, id string) string {
		printed, _ := w.does(0, "export", "conversations", "--warehouse", w.warehouse, "--conversation", id, "--format",
			format)
		return printed
	}
	for _, want := range []string{"\n```sh\nls -l\n```\n\n`````text\n```\n</details>",
		"\n# no heading\n`````\n\n```sh\nfalse\n```\n\n```text\nno\n```\n\n**Exit code 1**\n\nIs shell_turns done?\n"} {
		if got := export("markdown", shell.ID); !strings.Contains(got, want) {
			t.Errorf("not in Markdown: %s\n%s", want, got)
		}
	}
	if found := chattest.Live(chattest.HTML(t, export("markdown", shell.ID))); found != "" {
		t.Errorf("%s is alive", found)
	}
	if got := export("markdown", simulated.ID); !strings.Contains(got, "10 messages, 2 of the user;") ||
		!strings.Contains(got, "\n## Program · 2026-10-21 00:10:00Z\n\nIs simulated_prompt done?\n") ||
		strings.Count(got, "\n## User ·") != 2 {
		t.Error(got)
	}
	if got, _ := w.does(0, "show", "--no-pager", "--warehouse", w.warehouse, simulated.ID); !strings.Contains(got,
		"10 messages, 2 of the user;") || !strings.Contains(got, " 6 · program · ") ||
		strings.Count(got, " · user · ") != 2 {
		t.Error(got)
	}
	for id, wants := range map[string][]string{
		shell.ID: {">\nls -l</pre>", "\n&lt;/details&gt;&lt;script&gt;alert(1)&lt;/script&gt;\n", ">\nfalse</pre>",
			">\nno</pre>\n<p class=\"failed\">exit code 1</p>"},
		simulated.ID: {"<span class=\"who\">Program</span> <time datetime=\"2026-10-21T00:10:00Z\">",
			"10 messages, 2 of the user;"},
	} {
		for _, want := range wants {
			if got := export("html", id); !strings.Contains(got, want) || strings.Contains(got, "<script") {
				t.Errorf("not in HTML: %s\n%s", want, got)
			}
		}
	}
	said := func(id string) (out []string) {
		var line struct {
			Messages []struct{ Role, Name, Content string }
		}
		w.must(json.Unmarshal([]byte(export("openai", id)), &line))
		for _, m := range line.Messages {
			if m.Role == "user" {
				out = append(out, m.Name+"|"+m.Content)
			}
		}
		return out
	}
	for id, want := range map[string][]string{
		shell.ID: {"|Fix shell_turns.", "|$ ls -l\n" + strings.Trim(hostile, "\n"), "|$ false\nno\nexit code 1",
			"|Is shell_turns done?"},
		simulated.ID: {"|Fix simulated_prompt.", "program|Is simulated_prompt done?", "|A subagent has ended."},
	} {
		if got := said(id); strings.Join(got, "\x00") != strings.Join(want, "\x00") {
			t.Errorf("%q, want %q", got, want)
		}
	}
}
