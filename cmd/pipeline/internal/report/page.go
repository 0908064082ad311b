package report

import (
	"bytes"
	"embed"
	"html/template"
	"io"
	"strings"

	"pipeline/cmd/pipeline/internal/csp"
)

//go:embed page/*.html page/*.css page/*.js echarts/echarts.min.js echarts/LICENSES
var parts embed.FS

// A page is the data for page/page.html.
type page struct {
	Title, Period, PeriodFrom, Compared, Zone, Projects, Made, Version, Undated string

	Titles     bool
	Fresh      []string // sentences
	Figures    []figure
	FiguresSQL string
	Sections   []section
	Payload    *payload

	Policy   string
	Style    template.CSS
	Library  template.JS
	Script   template.JS
	Licences string
}

// A section is a heading with rows of cards.
type section struct {
	Title  string
	Folded bool // it is opened by a click
	Rows   []cards
}

// cards are one row of the page: one wide card, or several in two columns.
type cards []*card

// add puts a card under the heading that it begins, else under the last one.
func (p *page) add(c *card) {
	if c.Section != "" {
		p.Sections = append(p.Sections, section{Title: c.Section, Folded: c.Section == qualitySection})
	}
	rows := &p.Sections[len(p.Sections)-1].Rows
	if last := len(*rows) - 1; last >= 0 && !c.Wide && !(*rows)[last][0].Wide {
		(*rows)[last] = append((*rows)[last], c)
		return
	}
	*rows = append(*rows, cards{c})
}

// Columns are the left and the right column, in the order of the charts. They are not left to the style sheet: a card
// must stay in its column when its table is opened.
func (c cards) Columns() []cards {
	half := (len(c) + 1) / 2
	if half == len(c) {
		return []cards{c}
	}
	return []cards{c[:half], c[half:]}
}

// scripts are the parts of the page's script, in order.
var scripts = []string{"page/numbers.js", "page/facts.js", "page/derive.js", "page/figures.js", "page/draw.js",
	"page/charts.js", "page/drill.js", "page/page.js"}

// write fills the template. The security policy allows only the page's own style and scripts, by their hashes. So the
// page makes no request, and no text of the warehouse can become a script.
func (p *page) write(w io.Writer) error {
	text, script := map[string]string{}, ""
	for _, name := range append([]string{"page/page.html", "page/style.css", "echarts/echarts.min.js",
		"echarts/LICENSES"}, scripts...) {
		b, err := parts.ReadFile(name)
		if err != nil {
			return err
		}
		text[name] = string(b)
	}
	for _, name := range scripts {
		script += text[name]
	}
	style, library := text["page/style.css"], text["echarts/echarts.min.js"]
	p.Style, p.Library, p.Script, p.Licences = template.CSS(style), template.JS(library), template.JS(script),
		text["echarts/LICENSES"]
	p.Policy = strings.Join([]string{"default-src 'none'",
		"script-src " + csp.Source(library) + " " + csp.Source(script),
		"style-src " + csp.Source(style), "base-uri 'none'", "form-action 'none'"}, "; ")
	t, err := template.New("page").Parse(text["page/page.html"])
	if err != nil {
		return err
	}
	return t.Execute(w, p)
}

// largest is how many bytes a page may have.
const largest = 1 << 20

// room returns how many bytes of the page are left for facts. It holds a twentieth back: the size of a fact counts its
// values, and not the JSON around them.
func (p *page) room() (int, error) {
	var written bytes.Buffer
	err := p.write(&written)
	return (largest - written.Len()) * 19 / 20, err
}
