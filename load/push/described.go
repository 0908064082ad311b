package push

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
)

// described is a table as its readers have to know it.
type described struct {
	Table   string            `json:"table"`
	Doc     string            `json:"doc"`
	Unit    string            `json:"unit"` // conversation, or the table's name
	Columns []describedColumn `json:"columns"`
}

type describedColumn struct {
	Name string `json:"name"`
	Type string `json:"type"`
	Doc  string `json:"doc"`
	Key  bool   `json:"key,omitempty"`
}

// schemaOf describes the tables of a push.
func schemaOf() (out []described) {
	for _, t := range sharedTables() {
		d := described{Table: t.Name, Doc: t.Doc, Unit: t.Name}
		if ofConversations(t) {
			d.Unit = conversationUnit
		}
		for _, c := range t.Columns {
			kind := c.Type
			if kind == "JSON" {
				kind = "VARCHAR"
			}
			d.Columns = append(d.Columns, describedColumn{c.Name, kind, c.Doc, c.Key})
		}
		out = append(out, d)
	}
	return out
}

// schemaName distinguishes descriptions of one version of the schema: a column that may be NULL is added without another version.
func schemaName() string {
	text, _ := json.Marshal(schemaOf()) // of texts alone: it cannot fail
	sum := sha256.Sum256(text)
	return hex.EncodeToString(sum[:4])
}
