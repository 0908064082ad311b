package transform

import (
	"slices"

	"pipeline/sql/schema"
	"pipeline/transform/jsondoc"
)

// contextParts reads promptTokenBreakdown.categories: Cursor's estimate of what fills the context window
// (docs/formats.md, Parts of the context). It adds up the tokens of parts with the same id:
// merged is how many were added to another one. nameless is how many have neither an id nor a label.
func contextParts(sourceID, id string, head jsondoc.Value) (rows []schema.ContextPart, merged, nameless int64) {
	for category := range head.Get("promptTokenBreakdown").Unquoted().Get("categories").Unquoted().Elements {
		category = category.Unquoted()
		row := schema.ContextPart{SourceID: sourceID, ConversationID: id, Label: category.Get("label").Str(),
			Tokens: category.Get("estimatedTokens").Count()}
		if row.Part = deref(category.Get("id").Scalar()); row.Part == "" {
			row.Part = deref(row.Label)
		}
		if row.Part == "" {
			if !jsondoc.IsEmpty(category) {
				nameless++
			}
			continue
		}
		if at := slices.IndexFunc(rows, func(r schema.ContextPart) bool { return r.Part == row.Part }); at >= 0 {
			merged++
			rows[at].Tokens = plus(rows[at].Tokens, row.Tokens)
			continue
		}
		rows = append(rows, row)
	}
	return rows, merged, nameless
}
