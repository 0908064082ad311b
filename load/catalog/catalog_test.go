package catalog

import (
	"context"
	"errors"
	"testing"

	"pipeline/load/engine"
	"pipeline/sql/schema"
)

// The quick look sees the tables of a new warehouse as declared, and everything that is otherwise: then the columns are
// compared one by one.
func TestAsDeclared(t *testing.T) {
	t.Parallel()
	ctx := context.Background()
	db, conn, err := engine.Open(ctx, "", false)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = errors.Join(conn.Close(), db.Close()) })
	exec := func(statement string) {
		t.Helper()
		if _, err := conn.ExecContext(ctx, statement); err != nil {
			t.Fatal(err)
		}
	}
	look := func(what string, want bool) {
		t.Helper()
		if got, err := asDeclared(ctx, conn); got != want || err != nil {
			t.Errorf("%s: the tables are as declared: %v, want %v (%v)", what, got, want, err)
		}
	}
	exec(schema.SchemasDDL())
	for _, table := range schema.Tables() {
		exec(table.DDL())
	}
	exec(`CREATE TABLE a_table_of_a_person (text VARCHAR)`)
	look("a new warehouse", true)
	for what, statement := range map[string]string{
		"another type":       `ALTER TABLE messages ALTER turn TYPE INTEGER`,
		"a column more":      `ALTER TABLE messages ADD COLUMN mine VARCHAR`,
		"a column less":      `ALTER TABLE messages DROP COLUMN turn`,
		"a column may lack":  `ALTER TABLE messages ALTER role DROP NOT NULL`,
		"a table less":       `DROP TABLE plans`,
		"a table in another": `DROP TABLE plans; CREATE TABLE internal.plans (plan_id VARCHAR)`,
	} {
		exec(`BEGIN`)
		exec(statement)
		look(what, false)
		exec(`ROLLBACK`)
	}
	look("the new warehouse again", true)
}
