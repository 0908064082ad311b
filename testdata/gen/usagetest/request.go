package usagetest

import (
	"encoding/binary"
	"fmt"
	"math/rand/v2"
	"strconv"
	"strings"
	"time"
	"unicode/utf16"
)

// Request is a request as Cursor has counted it. Each form of a file says a part of it.
type Request struct {
	At                         int64 // milliseconds
	Model                      string
	Kind                       Kind
	Tokens                     bool // its tokens are recorded
	Fresh, Write, Read, Output int64
	Worth                      int64 // millionths of a dollar
	Conversation, Bc, User     string
	Headless, Max              bool
}

// Kind is how a request is paid.
type Kind struct {
	CSV, API     string
	Word         string // the one word for it, whatever the file
	Failed, Paid bool
}

// Kinds are all kinds that were seen.
var Kinds = []Kind{
	{"Included", "USAGE_EVENT_KIND_INCLUDED_IN_PRO", "included", false, false},
	{"On-Demand", "USAGE_EVENT_KIND_USAGE_BASED", "on_demand", false, true},
	{"Free", "USAGE_EVENT_KIND_FREE_CREDIT", "free", false, false},
	{"Errored, No Charge", "USAGE_EVENT_KIND_ERRORED_NOT_CHARGED", "errored", true, false},
	{"Aborted, Not Charged", "USAGE_EVENT_KIND_ABORTED_NOT_CHARGED", "errored", true, false},
	{"Included in Business", "USAGE_EVENT_KIND_INCLUDED_IN_BUSINESS", "included", false, false},
	{"Usage-based", "USAGE_EVENT_KIND_USAGE_BASED", "on_demand", false, true},
	{"User API Key", "USAGE_EVENT_KIND_USER_API_KEY", "unknown", false, false},
}

// Requests makes requests of a month, in the order of time. The same seed gives the same ones; some of them are equal.
func Requests(seed uint64, many int) (all []Request) {
	r := rand.New(rand.NewPCG(seed, 7))
	at := time.Date(2026, 6, 1, 0, 0, 0, 0, time.UTC).UnixMilli()
	for len(all) < many {
		at += r.Int64N(4 * 3600 * 1000)
		q := Request{
			At: at, Model: []string{"auto", "composer-2.5", "claude-4.6-opus-high-thinking", "gpt-5, fast",
				`model "x"`}[r.IntN(5)], Kind: Kinds[r.IntN(len(Kinds))],
			Tokens: true, Fresh: small(r), Write: small(r), Read: small(r) * 10, Output: small(r),
			Worth:        r.Int64N(3_000_000) * []int64{1, 100, 10_000}[r.IntN(3)],
			Conversation: "c0ffee00-0000-4000-8000-00000000000" + strconv.Itoa(r.IntN(10)),
			User:         "ann" + strconv.Itoa(r.IntN(3)) + "@example.com", Headless: r.IntN(4) == 0,
			Max: r.IntN(3) == 0,
		}
		if r.IntN(5) == 0 {
			q.Bc = "bc-" + q.Conversation
		}
		if q.Kind.Failed {
			q.Worth = 0
			if q.Tokens = r.IntN(2) == 0; !q.Tokens {
				q.Fresh, q.Write, q.Read, q.Output = None, None, None, None
			}
		}
		all = append(all, q)
		for r.IntN(12) == 0 {
			all = append(all, q)
		}
	}
	return all
}

// small is a number of tokens, and often zero.
func small(r *rand.Rand) int64 {
	if r.IntN(4) == 0 {
		return 0
	}
	return r.Int64N([]int64{10, 5_000, 20_000_000}[r.IntN(3)])
}

// Generations are the columns of exports by generation: of August and September 2025, and of later ones.
var Generations = map[string][]string{
	"tokens": {"Date", "User", "Kind", "Max Mode", "Model", "Tokens", "Cost ($)"},
	"output": {"Date", "User", "Kind", "Max Mode", "Model", in1, in2, "Cache Read", "Output", "Total Tokens",
		"Cost ($)"},
	"v1": {"Date", "Model", in1, in2, "Cache Read", "Output Tokens", "Total Tokens", "Cost", "Cost to you"},
	"v2": {"Date", "Kind", "Model", "Max Mode", in1, in2, "Cache Read", "Output Tokens", "Total Tokens", "Cost"},
	"v3": {"Date", "Cloud Agent ID", "Automation ID", "Kind", "Model", "Max Mode", in1, in2, "Cache Read",
		"Output Tokens", "Total Tokens", "Cost"},
	"v3 team": {"Date", "User", "Cloud Agent ID", "Automation ID", "Kind", "Model", "Max Mode", in1, in2, "Cache Read",
		"Output Tokens", "Total Tokens", "Requests"},
}

const (
	in1 = "Input (w/ Cache Write)"
	in2 = "Input (w/o Cache Write)"
)

// Style is how an export is written.
type Style struct {
	Generation             string // of Generations
	Mixed, Windows, BOM    bool   // columns in another order; line ends of Windows; a byte order mark
	Thousands, Dollar, Raw bool   // 1,234; $0.10; no quotes where none are needed
	Zone                   int    // hours of the times' zone
	Before                 string // a line before the columns
	// what is between fields; "" for a comma. Before a semicolon, a comma stands before decimals
	Separator string
	Encoding  string // "" for UTF-8, UTF-16LE, UTF-16BE, UTF-16LE without a mark
}

// Export writes an export, and says what is in it.
func Export(requests []Request, s Style, seed uint64) ([]byte, []Told) {
	r := rand.New(rand.NewPCG(seed, 9))
	columns := append([]string(nil), Generations[s.Generation]...)
	if s.Mixed {
		r.Shuffle(len(columns), func(i, j int) { columns[i], columns[j] = columns[j], columns[i] })
	}
	end := "\n"
	if s.Windows {
		end = "\r\n"
	}
	f, told := newFile(), []Told(nil)
	if s.Separator == "" {
		s.Separator = ","
	}
	if s.BOM && s.Encoding == "" {
		f.add("\uFEFF")
	}
	if s.Before != "" {
		f.add(s.Before + end)
	}
	f.add(strings.Join(columns, s.Separator) + end)
	for _, q := range requests {
		e := q.inCSV(s)
		e.Line = f.line
		told = append(told, e)
		row := make([]string, len(columns))
		for i, c := range columns {
			row[i] = field(q.column(c, s), s.Raw)
		}
		f.add(strings.Join(row, s.Separator) + end)
	}
	return encoded(f.String(), s.Encoding), told
}

// encoded is a text in an encoding of Style.
func encoded(text, encoding string) []byte {
	order := map[string]binary.AppendByteOrder{"UTF-16LE": binary.LittleEndian, "UTF-16BE": binary.BigEndian,
		"UTF-16LE without a mark": binary.LittleEndian}[encoding]
	if order == nil {
		return []byte(text)
	}
	var out []byte
	if !strings.HasSuffix(encoding, "mark") {
		out = order.AppendUint16(out, 0xFEFF)
	}
	for _, unit := range utf16.Encode([]rune(text)) {
		out = order.AppendUint16(out, unit)
	}
	return out
}

// inCSV is what an export says of a request.
func (q Request) inCSV(s Style) Told {
	has := func(name string) bool {
		return strings.Contains(","+strings.Join(Generations[s.Generation], ",")+",", ","+name+",")
	}
	e := Told{Origin: "csv", At: q.At, Model: q.Model, Fresh: q.Fresh, Write: q.Write, Read: q.Read, Output: q.Output,
		Cost: None, Charged: None}
	if has("Tokens") {
		e.Fresh, e.Write, e.Read, e.Output = None, None, None, None
		if q.Tokens {
			e.Total = q.Write + q.Fresh + q.Read + q.Output
		}
	}
	if has("User") {
		e.Person = q.User
	}
	if has("Kind") {
		e.Kind, e.FailedAndFree = q.Kind.CSV, q.Kind.Failed
		e.Max = strconv.FormatBool(q.Max)
	}
	if (has("Cost") || has("Cost ($)")) && q.Kind.Paid {
		e.Cost = q.Worth
	}
	if has("Cost to you") {
		e.Charged = 0
		if q.Kind.Paid {
			e.Charged = q.Worth
		}
	}
	if has("Cloud Agent ID") {
		e.Bc = q.Bc
	}
	return e
}

// column is what a request has in a column.
func (q Request) column(name string, s Style) string {
	number := func(n int64) string {
		switch {
		case n == None:
			return ""
		case s.Thousands:
			return thousands(n)
		}
		return strconv.FormatInt(n, 10)
	}
	switch name {
	case "Date":
		if s.Zone == 0 {
			return time.UnixMilli(q.At).UTC().Format("2006-01-02T15:04:05.000Z")
		}
		return time.UnixMilli(q.At).In(time.FixedZone("", s.Zone*3600)).Format("2006-01-02T15:04:05.000-07:00")
	case "User":
		return q.User
	case "Cloud Agent ID":
		return q.Bc
	case "Kind":
		return q.Kind.CSV
	case "Model":
		return q.Model
	case "Max Mode":
		return map[bool]string{true: "Yes", false: "No"}[q.Max]
	case in1:
		return number(q.Write)
	case in2:
		return number(q.Fresh)
	case "Cache Read":
		return number(q.Read)
	case "Output", "Output Tokens":
		return number(q.Output)
	case "Tokens", "Total Tokens":
		if !q.Tokens {
			return ""
		}
		return number(q.Write + q.Fresh + q.Read + q.Output)
	case "Cost", "Cost ($)", "Cost to you":
		if q.Kind.Paid {
			return s.price(q.Worth)
		}
		if name == "Cost to you" {
			return s.price(0)
		}
		return []string{"Included", "Free", "-", "", "Included in Pro", "Errored, No Charge", "free (promotion)"}[q.At%
			7]
	case "Requests":
		return "2.5"
	}
	return ""
}

// price is an amount of millionths of a dollar.
func (s Style) price(n int64) string {
	amount := dollars(n)
	if s.Separator == ";" { // of three digits behind the sign nobody knows what they are
		amount = fmt.Sprintf("%d,%06d", n/1_000_000, n%1_000_000)
	}
	if s.Dollar {
		return "$" + amount
	}
	return amount
}

// thousands is a number with commas.
func thousands(n int64) string {
	s := strconv.FormatInt(n, 10)
	for at := len(s) - 3; at > 0; at -= 3 {
		s = s[:at] + "," + s[at:]
	}
	return s
}

// field is a field of a row. Cursor puts all in quotes.
func field(s string, raw bool) string {
	if raw && !strings.ContainsAny(s, "\",;\t\n") {
		return s
	}
	return `"` + strings.ReplaceAll(s, `"`, `""`) + `"`
}
