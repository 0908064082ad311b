package transcripttest

import (
	"math/rand/v2"
	"strconv"
	"strings"
	"time"
)

// Random makes a talk. The same seed gives the same talk.
func Random(seed uint64) Talk {
	r := maker{rand.New(rand.NewPCG(seed, 1))}
	var talk Talk
	for range r.IntN(5) {
		talk = append(talk, r.prompt())
		for range r.IntN(4) {
			talk = append(talk, r.answer())
		}
		if r.maybe() {
			talk = append(talk, Item{Type: r.pick("turn_ended", "error"),
				Status: r.pick("", "success", "error", "aborted"), Error: r.pick("", "no \"network\"")})
		}
	}
	return talk
}

// maker makes things up.
type maker struct{ *rand.Rand }

func (r maker) maybe() bool { return r.IntN(2) == 0 }

func (r maker) pick(from ...string) string { return from[r.IntN(len(from))] }

// sentence is one line that begins with a letter.
func (r maker) sentence() string {
	words := []string{r.pick("Fix", "Why", "Zoë", "日本語", "ok", "users:", "Assistant", "B: or A:", "x")}
	for range r.IntN(4) {
		words = append(words, r.pick("it", "user:", "assistant:", "A:", "[Thinking]", "[Tool call] Read", "[REDACTED]",
			"<b>bold</b>", "</user>", "a=b", `"q"`, `\n`, "\t|", "😀", "\u2028", "\x00"))
	}
	return strings.Join(append(words, "end"), " ")
}

// text is some lines. Speakers' words and marks are only inside of its lines, or indented.
func (r maker) text() string {
	lines := []string{r.sentence()}
	for range r.IntN(3) {
		lines = append(lines, r.pick("", "  ", "\t")+r.sentence(), r.pick("", "    user:", "last", "  A: x"))
	}
	return strings.TrimRight(strings.Join(lines, "\n"), "\n ")
}

func (r maker) prompt() Item {
	it := Item{Role: "user", Query: r.maybe(), Pieces: []Piece{{Text: r.text()}}}
	if r.maybe() {
		at := time.Date(2025+r.IntN(2), time.Month(1+r.IntN(12)), 1+r.IntN(28), r.IntN(24), r.IntN(60), 0, 0, time.UTC)
		zone := r.IntN(27) - 12
		it.TagAt = at.UnixMilli()
		it.Tag = at.Add(time.Duration(zone)*time.Hour).Format("Monday, Jan 2, 2006, 3:04 PM") + " (UTC" +
			map[bool]string{true: "+", false: ""}[zone > 0]
		if zone != 0 {
			it.Tag += strconv.Itoa(zone)
		}
		it.Tag += ")"
	}
	for range r.IntN(3) {
		it.Around = append(it.Around,
			Around{r.pick("attached_files", "open_and_recently_viewed_files", "image_files", "system_reminder"),
				r.text()})
	}
	return it
}

func (r maker) answer() Item {
	it := Item{Role: "assistant"}
	for range 1 + r.IntN(5) {
		switch r.IntN(6) {
		case 0:
			it.Pieces = append(it.Pieces, Piece{Thought: r.sentence()})
		case 1, 2:
			it.Pieces = append(it.Pieces, Piece{Text: r.text(), Marks: max(0, r.IntN(4)-1)})
		case 3:
			it.Pieces = append(it.Pieces, Piece{Unknown: r.pick("image", "tool_result", "new")})
		default:
			it.Pieces = append(it.Pieces, Piece{Call: r.call()})
		}
	}
	return it
}

func (r maker) call() *Call {
	c := &Call{Name: r.pick("Read", "Shell", "StrReplace"), HasResult: true, Result: r.text()}
	if r.maybe() {
		c.ID = "toolu_" + strconv.Itoa(r.IntN(1000))
	}
	for _, key := range []string{"path", "old_string", "n-1"}[:r.IntN(4)] {
		c.Args = append(c.Args, Arg{key, r.text()})
	}
	return c
}
