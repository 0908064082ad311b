package transform

import (
	"errors"
	"slices"
	"strings"

	"pipeline/extract"
	"pipeline/sql/schema"
)

// This file reads what shared rows record of no single conversation: prompts, and the figures of a day.

func (s *Shared) prompts(d *extract.Document, workspace string, doc value) {
	count := s.censusOf(d.Store).of(censusKey{d.Family, "[]"})
	count.Seen += elementsAt(doc, "[]")
	nth := map[string]int{}
	if s.promptIDs == nil {
		s.promptIDs = map[[2]string]int{}
	}
	for i, element := range doc.array() {
		o := element.object()
		if !o.exists() {
			s.setAside(d, element, count, fmtInt(int64(i)))
		}
		if !o.hasMembers() {
			continue
		}
		p := schema.Prompt{WorkspaceID: workspace, Kind: "prompt", Text: o.get("text").str(),
			CommandType: o.get("commandType").scalar()}
		if d.Family == "aiService.generations" {
			p.Kind, p.Text, p.CreatedAt = "generation", o.get("textDescription").str(), o.get("unixMs").time()
			p.CommandType = o.get("type").scalar()
		}
		if id := o.get("generationUUID").str(); id != nil {
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

func (s *Shared) dailyStats(d *extract.Document, o value) {
	count := s.censusOf(d.Store).of(censusKey{d.Family, ""})
	count.Seen++
	date := d.Key[strings.LastIndexByte(d.Key, '.')+1:]
	if stored := o.get("date").text(); len(stored) == len("2006-01-02") {
		date = stored
	}
	row := schema.DailyEditStats{
		Date:                   schema.Date(date),
		TabSuggestedLines:      o.get("tabSuggestedLines").count(),
		TabAcceptedLines:       o.get("tabAcceptedLines").count(),
		ComposerSuggestedLines: o.get("composerSuggestedLines").count(),
		ComposerAcceptedLines:  o.get("composerAcceptedLines").count(),
	}
	if _, err := parseDate(date); err != nil {
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
