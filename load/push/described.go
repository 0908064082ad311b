package push

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"path"

	"pipeline/load/objects"
	"pipeline/sql/schema"
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
		if isSentByConversation(t) {
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

// schemaName distinguishes descriptions of one version of the schema: a column that may be NULL is added without
// another version.
func schemaName() string {
	text, _ := json.Marshal(schemaOf()) // of texts alone: it cannot fail
	sum := sha256.Sum256(text)
	return hex.EncodeToString(sum[:4])
}

// describe sends the description of the tables, unless the store has it. The first push of a machine proves by it that
// the store never replaces an object: all else goes by that.
func (p *pusher) describe(ctx context.Context, first bool) error {
	f, err := p.text(path.Join(Root, "schema", fmt.Sprintf("%d-%s.json", schema.Version, schemaName())), schemaOf())
	if err != nil {
		return err
	}
	if first {
		return objects.CheckNew(ctx, p.o.Store, f.Key, f.path, f.SHA256)
	}
	_, err = p.o.Store.Head(ctx, f.Key)
	if errors.Is(err, objects.ErrMissing) || errors.Is(err, objects.ErrRefused) {
		// who may not list must not know that something is missing
		err = p.o.Store.PutNew(ctx, f.Key, f.path, f.SHA256)
	}
	if errors.Is(err, objects.ErrExists) {
		return nil
	}
	return err
}
