package transform

import (
	"errors"
	"slices"
	"strings"
	"time"

	"pipeline/extract"
	"pipeline/sql/schema"
	"pipeline/transform/jsondoc"
)

// This file reads what shared rows record of no single conversation: prompts, and the figures of a day.

func (s *Shared) prompts(d *extract.Document, workspace string, doc jsondoc.Value) {
	count := s.censusOf(d.Store).of(censusKey{d.Family, "[]"})
	count.Seen += elementsAt(doc, "[]")
	nth := map[string]int{}
	for i, element := range doc.Array() {
		o := element.Object()
		if !o.Exists() {
			s.setAside(d, element, count, fmtInt(int64(i)))
		}
		if !o.HasMembers() {
			continue
		}
		p := schema.Prompt{WorkspaceID: workspace, Kind: "prompt", Text: o.Get("text").Str(),
			CommandType: o.Get("commandType").Scalar()}
		if d.Family == "aiService.generations" {
			p.Kind, p.Text, p.CreatedAt = "generation", o.Get("textDescription").Str(), timeOf(o.Get("unixMs"))
			p.CommandType = o.Get("type").Scalar()
		}
		if id := o.Get("generationUUID").Str(); id != nil {
			p.PromptID = *id
		} else {
			text := ""
			if p.Text != nil {
				text = *p.Text
			}
			nth[text]++
			p.PromptID = hash128([]byte(p.Kind), []byte{0}, []byte(text),
				[]byte{0, byte(nth[text] >> 8), byte(nth[text])})
		}
		key := [2]string{workspace, p.PromptID}
		if s.promptIDs[key]++; s.promptIDs[key] > 1 { // a repeated id
			p.PromptID += "~" + string(fmtInt(int64(s.promptIDs[key])))
		}
		s.Prompts = append(s.Prompts, p)
		count.Rows++
	}
}

func (s *Shared) dailyStats(d *extract.Document, o jsondoc.Value) {
	count := s.censusOf(d.Store).of(censusKey{d.Family, ""})
	count.Seen++
	date := d.Key[strings.LastIndexByte(d.Key, '.')+1:]
	if stored := o.Get("date").Text(); len(stored) == len("2006-01-02") {
		date = stored
	}
	row := schema.DailyEditStats{
		Date:                   schema.Date(date),
		TabSuggestedLines:      o.Get("tabSuggestedLines").Count(),
		TabAcceptedLines:       o.Get("tabAcceptedLines").Count(),
		ComposerSuggestedLines: o.Get("composerSuggestedLines").Count(),
		ComposerAcceptedLines:  o.Get("composerAcceptedLines").Count(),
	}
	if _, err := time.Parse(time.DateOnly, date); err != nil {
		s.quarantine(d, errors.New(extract.ProblemBadKey))
		count.Quarantined++
		return
	}
	if slices.ContainsFunc(s.DailyStats, func(have schema.DailyEditStats) bool { return have.Date == row.Date }) {
		count.Duplicates++
		return
	}
	s.DailyStats = append(s.DailyStats, row)
	count.Rows++
}
