package warehouse

import (
	"context"
	"database/sql"

	"pipeline/load"
	"pipeline/load/session"
	"pipeline/load/tool/sqlrows"
	statements "pipeline/sql"
)

// This file is about old names of projects (table project_aliases).

// aliasRow is a row of the temporary table _aliases.
type aliasRow struct {
	ProjectURI  string  `col:"project_uri"`
	AliasOf     string  `col:"alias_of,empty"` // '': the alias is taken back
	Project     *string `col:"project"`
	ProjectPath *string `col:"project_path"`
	Origin      string  `col:"origin"`
}

// mergeAliases merges the aliases that the user gives, and those of folders that were renamed since the last load. It
// runs before the rows of workspaces are merged.
func (t *Load) mergeAliases(ctx context.Context) error {
	renames := !t.first && t.staged["workspaces"]
	if !renames && len(t.settings.Aliases) == 0 {
		return nil
	}
	var rows []aliasRow
	for _, a := range t.settings.Aliases {
		row := aliasRow{ProjectURI: a.ProjectURI, AliasOf: a.New.URI, Origin: "flag"}
		if a.New.URI != "" {
			row.Project = &a.New.Name
			if a.New.Path != "" { // the root of a remote machine has none
				row.ProjectPath = &a.New.Path
			}
		}
		rows = append(rows, row)
	}
	if err := session.List(ctx, t.w.s, t.settings.Memory.Batch, "_aliases", rows); err != nil {
		return err
	}
	if renames {
		if err := t.exec(ctx, statements.Statement("merge/project_renames")); err != nil {
			return err
		}
	}
	var any bool
	if err := t.w.s.Conn.QueryRowContext(ctx, `SELECT EXISTS (FROM temp._aliases)`).Scan(&any); err != nil {
		return err
	}
	if !any {
		return t.exec(ctx, `DROP TABLE temp._aliases`)
	}
	if err := t.exec(ctx, `SET VARIABLE load_id = ?::BIGINT`, t.settings.LoadID); err != nil {
		return err
	}
	t.written["project_aliases"] = true
	return t.exec(ctx, statements.Statement("merge/project_aliases"))
}

// readAliases reads the aliases into the state.
func readAliases(ctx context.Context, conn *sql.Conn, s *load.State) error {
	s.Aliases = map[string]load.Project{}
	type row struct {
		load.Alias
		given bool
	}
	return sqlrows.EachAs(ctx, conn,
		`SELECT project_uri, alias_of, coalesce(alias_path, ''), coalesce(alias_project, ''), '', NULL, origin = 'flag' FROM project_aliases ORDER BY project_uri`, func(r row) {
			if s.Aliases[r.ProjectURI] = r.New; r.given {
				s.Given = append(s.Given, r.Alias)
			}
		})
}
