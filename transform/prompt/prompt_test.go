package prompt_test

import (
	"fmt"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"pipeline/transform/prompt"
)

// said is a prompt on one line.
func said(p prompt.Prompt) string {
	out := fmt.Sprintf("%q", p.Text)
	if p.Query {
		out += " query"
	}
	if p.Notice {
		out += " notice"
	}
	if p.At != nil {
		out += fmt.Sprintf(" at=%d", *p.At)
	}
	return out
}

// TestPrompt: what the user wrote, and what was put around it.
func TestPrompt(t *testing.T) {
	t.Parallel()
	const tag = "<timestamp>Sunday, Apr 26, 2026, 9:53 PM (UTC-4)</timestamp>"
	for message, want := range map[string]string{
		"":          `""`,
		" hi <b>\n": `" hi <b>\n"`,
		tag + "\n<user_query>\nhi\n</user_query>": `"hi" query at=1777254780000`,
		tag + "\nhi\nthere\n":                     `"hi\nthere" at=1777254780000`,
		"hi\n" + tag:                              `"hi" at=1777254780000`,
		"hi\n" + tag + "\nthere":                  `"hi\n` + tag + `\nthere"`,
		"what is " + tag + "?":                    `"what is ` + tag + `?"`,
		"<user_query>" + tag + "</user_query>":    `"` + tag + `" query`,
		"<attached_files>\n<user_query>\nno\n</user_query>\n</attached_files>\n<user_query>yes</user_query><system_reminder>Be brief.</system_reminder>": `"yes" query`,
		"<user_query>a</user_query>\nrest\n<user_query>\n<rules>b\n</user_query>":                                                                        `"a\n<rules>b" query`,
		"<user_query>\ncut":                                      `"cut" query`,
		"<user_info>OS</user_info>\n<rules>no</rules>":           `""`,
		"<rules>open <user_query>":                               `"<rules>open <user_query>"`,
		"<rules>open\n<user_query>a</user_query>":                `"a" query`,
		"<div>a</div>":                                           `"<div>a</div>"`,
		"  <user_query>a</user_query>":                           `"a" query`,
		"<rules>Sunday, Apr 26, 2026, 9:53 PM (UTC-4)</rules>hi": `"hi"`,
		"<timestamp>Monday</timestamp>hi":                        `"hi"`,
		tag + "\n<system_notification>\nEnded.\n<rules>x</rules>\n</system_notification>\n<user_query>Tell.</user_query>": `"Tell." query notice at=1777254780000`,
		"<system_notification>Ended.</system_notification>":                                                               `"<system_notification>Ended.</system_notification>" notice`,
		"<system_notification>Ended.</system_notification>\nWhy?":                                                         `"<system_notification>Ended.</system_notification>\nWhy?"`,
		"<system_notification>a</system_notification>\n<system_notification>b</system_notification>":                      `"<system_notification>a</system_notification>\n<system_notification>b</system_notification>" notice`,
		"<system_notification> is what?":                                                                                  `"<system_notification> is what?"`,
		"What is <system_notification>a</system_notification>?":                                                           `"What is <system_notification>a</system_notification>?"`,
		"<user_query>a</user_query>\n<system_notification>a</system_notification>":                                        `"a" query`,
		"<user_query>\n<system_notification>a</system_notification>\n</user_query>":                                       `"<system_notification>a</system_notification>" query`,
	} {
		if got := said(prompt.Parse(message)); got != want {
			t.Errorf("%q is\n%s, want\n%s", message, got, want)
		}
	}
}

// TestPromptTime: times of tags, exact to a minute. The same moment is written in several zones.
func TestPromptTime(t *testing.T) {
	t.Parallel()
	const moment = 1777254780000 // 2026-04-27 01:53 UTC
	if got := time.UnixMilli(moment).UTC().Format(time.DateTime); got != "2026-04-27 01:53:00" {
		t.Fatal(got)
	}
	for text, want := range map[string]bool{
		"Sunday, Apr 26, 2026, 9:53 PM (UTC-4)": true, "Monday, Apr 27, 2026, 7:23 AM (UTC+5:30)": true,
		"\n Monday, Apr 27, 2026, 1:53 AM (UTC) ": true, "Sunday, Apr 26, 2026, 9:53\u202fPM\u00a0(UTC-4)": true,
		"Monday, Apr 27, 2026, 3:53 PM (UTC+14)": true, "Sunday, Apr 26, 2026, 10:23 PM (UTC-3:30)": true,
		"Sunday, Apr 26, 2026 (UTC-4)": false, "Sunday, Apr 26, 2026, 9:53 PM": false,
		"Sunday, Apr 26, 2026, 9:53 PM (UTC-99)": false, "Sunday, Apr 26, 2026, 9:53 PM (UTCx)": false,
		"Sunday, Apr 26, 2026, 9:53 PM (UTC4)": false, "Sunday, Apr 26, 2026, 9:53 PM (UTC-4:99)": false,
		"Sunday, Apr 26, 2026, 9:53 PM (UTC-)": false, "Apr 26, 2026, 9:53 PM (UTC-4)": false, "": false,
	} {
		at := prompt.Parse("<timestamp>" + text + "</timestamp>hi").At
		if ok := at != nil; ok != want || ok && *at != moment {
			t.Errorf("%q: %v", text, at)
		}
	}
}

// TestPromptCost: tags without end cost no more than other text.
func TestPromptCost(t *testing.T) {
	t.Parallel()
	begin := time.Now()
	for _, piece := range []string{"\n<timestamp>", "\n<rules>\n<user_info>", "<user_query", " <rules>",
		"\n<rules></rules>", "\n<user_query></user_query>"} {
		prompt.Parse(strings.Repeat(piece, 4<<20/len(piece)))
	}
	if d := time.Since(begin); d > 20*time.Second {
		t.Errorf("it took %s", d)
	}
}

// FuzzPrompt: any text has a prompt. All that is in it is in the message, and a prompt in a block comes back.
func FuzzPrompt(f *testing.F) {
	for _, s := range []string{"hi", "<user_query>\na\n</user_query>",
		"<timestamp>Sunday, Apr 26, 2026, 9:53 PM (UTC-4)</timestamp>\n<rules>x</rules>\nhi <user_query>",
		"a\n<rules>b</rules>c"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		p := prompt.Parse(s)
		if len(p.Text) > len(s) || !p.Query && !strings.Contains(s, p.Text) ||
			utf8.ValidString(s) && !utf8.ValidString(p.Text) {
			t.Fatalf("%q of %q", p.Text, s)
		}
		if !strings.Contains(s, "</user_query>") {
			wrapped := prompt.Parse("<rules>r</rules>\n<user_query>\n" + s + "\n</user_query>")
			if wrapped.Text != strings.TrimSpace(s) || !wrapped.Query {
				t.Fatalf("%q came back as %q", s, wrapped.Text)
			}
		}
	})
}

// TestUnwrap: only a message that is nothing but blocks, one of which is a query that ends, is unwrapped.
func TestUnwrap(t *testing.T) {
	t.Parallel()
	asked, twice := "<user_query> what does this tag do?", "Why does <user_query>x</user_query> come twice?"
	pasted := "<user_query>\nFix it\n</user_query>\nI pasted this from a transcript."
	for message, want := range map[string]string{
		"<user_query>\nFix it\n</user_query>":                        "Fix it",
		"<timestamp>Monday</timestamp>\n<user_query>\n</user_query>": "",
		asked: asked, twice: twice, pasted: pasted,
	} {
		if got := prompt.Unwrap(message); got != want {
			t.Errorf("%q is unwrapped to %q, want %q", message, got, want)
		}
	}
}
