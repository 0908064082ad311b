package transform

import (
	"slices"

	"pipeline/sql/schema"
)

// contextParts reads promptTokenBreakdown.categories: Cursor's estimate of what fills the context window
// (docs/formats.md, Parts of the context). It adds up the tokens of parts with the same id:
// merged is how many were added to another one. nameless is how many have neither an id nor a label.
func contextParts(sourceID, id string, head value) (rows []schema.ContextPart, merged, nameless int64) {
	for category := range head.get("promptTokenBreakdown").unquoted().get("categories").unquoted().elements {
		category = category.unquoted()
		row := schema.ContextPart{SourceID: sourceID, ConversationID: id, Label: category.get("label").str(),
			Tokens: category.get("estimatedTokens").count()}
		if row.Part = deref(category.get("id").scalar()); row.Part == "" {
			row.Part = deref(row.Label)
		}
		if row.Part == "" {
			if !isEmpty(category) {
				nameless++
			}
			continue
		}
		if at := slices.IndexFunc(rows, func(r schema.ContextPart) bool { return r.Part == row.Part }); at >= 0 {
			merged++
			rows[at].Tokens = sum(rows[at].Tokens, row.Tokens)
			continue
		}
		rows = append(rows, row)
	}
	return rows, merged, nameless
}
