package storetest

// elementQueries compare what documents held, as the warehouse counted it, with what the plan wrote.
func (w Want) elementQueries(add adder) {
	total := func(counts map[string]int) (n int) {
		for _, c := range counts {
			n += c
		}
		return n
	}
	of := func(name, what, where string, want int) {
		add("elements: "+name, "SELECT CAST(coalesce(sum("+what+"), 0) AS BIGINT) FROM load_elements WHERE "+where,
			[][]string{row(want)})
	}
	of("messages", "seen - duplicates - quarantined",
		"family = 'bubbleId' AND list = '' OR list IN ('conversationMap', 'conversation', 'tabs[].bubbles', "+
			"'allComposers[].conversation')", len(w.Messages))
	of("messages that were written", "rows", "family = 'messages'", len(w.Messages))
	of("tool calls", "seen", "list IN ('toolFormerData', 'capabilities[].data.bubbleDataMap')",
		len(w.ToolCalls)+w.Placeholders)
	of("attachments", "seen", "list = 'attachments'", total(w.Attachments))
	of("prompts", "seen", "list = '[]'", total(w.Prompts))
	of("checkpoints", "seen - quarantined", "family = 'checkpointId'", w.Checkpoints)
	of("code diffs", "seen - quarantined", "family = 'codeBlockDiff'", w.Diffs)
	of("parts of the context", "seen - duplicates", "list = 'promptTokenBreakdown.categories'", len(w.Parts))
	of("elements without an id", "quarantined", "list IN ('allComposers', 'tabs')", w.Quarantine["no_id"])
	add("elements that are lost",
		`SELECT family, list FROM load_elements WHERE seen <> rows + quarantined + duplicates + skipped`, nil)
}
