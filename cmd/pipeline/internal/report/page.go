package report

import (
	"crypto/sha256"
	"embed"
	"encoding/base64"
	"html/template"
	"io"
	"strings"
)

//go:embed page/page.html page/style.css page/draw.js page/charts.js echarts/echarts.min.js echarts/LICENSES
var parts embed.FS

// A page is the data for page/page.html.
type page struct {
	Title, Period, PeriodFrom, BeforePeriod, Zone, Projects, Made, Version, Undated string

	WithText   bool
	Fresh      []string // sentences
	Figures    []figure
	FiguresSQL string
	Sections   []section

	Policy   string
	Style    template.CSS
	Library  template.JS
	Script   template.JS
	Licences string
}

// A section is a heading with rows of cards.
type section struct {
	Title string
	Rows  []cards
}

// cards are one row of the page: one wide card, or several in two columns.
type cards []*card

// add puts a card under the heading that it begins, else under the last one.
func (p *page) add(c *card) {
	if c.Section != "" {
		p.Sections = append(p.Sections, section{Title: c.Section})
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

// write fills the template. The security policy allows only the page's own style and scripts, by their hashes. So the
// page makes no request, and no text of the warehouse can become a script.
func (p *page) write(w io.Writer) error {
	text := map[string]string{}
	for _, name := range []string{"page/page.html", "page/style.css", "page/draw.js", "page/charts.js", "echarts/echarts.min.js", "echarts/LICENSES"} {
		b, err := parts.ReadFile(name)
		if err != nil {
			return err
		}
		text[name] = string(b)
	}
	style, library, script := text["page/style.css"], text["echarts/echarts.min.js"], text["page/draw.js"]+text["page/charts.js"]
	p.Style, p.Library, p.Script, p.Licences = template.CSS(style), template.JS(library), template.JS(script), text["echarts/LICENSES"]
	p.Policy = strings.Join([]string{"default-src 'none'", "script-src " + hash(library) + " " + hash(script), "style-src " + hash(style), "base-uri 'none'", "form-action 'none'"}, "; ")
	t, err := template.New("page").Parse(text["page/page.html"])
	if err != nil {
		return err
	}
	return t.Execute(w, p)
}

// hash is the name of a script or style in the policy.
func hash(text string) string {
	sum := sha256.Sum256([]byte(text))
	return "'sha256-" + base64.StdEncoding.EncodeToString(sum[:]) + "'"
}
