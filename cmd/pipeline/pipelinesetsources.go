package main

import (
	"context"
	"io"
	"maps"
	"path/filepath"
	"slices"

	"github.com/urfave/cli/v2"

	"pipeline/extract"
)

// whatRunFinds returns the warehouse that 'pipeline run NAME' would write, and what it would read, by the default
// flags, the environment and the file. A missing source is looked for again in a minute, and the run reports it.
func whatRunFinds(ctx context.Context, name string, withSources bool) (warehouse string, found []extract.Source,
	err error) {
	app := newApp(io.Discard, io.Discard)
	app.Command("run").Action = func(c *cli.Context) error {
		p, err := namedPipeline(c)
		if err != nil {
			return err
		}
		needed := slices.DeleteFunc(choices(c, p), func(ch choice) bool {
			return !slices.Contains([]string{"warehouse", "sources", "user-data-dir"}, ch.Key)
		})
		run, err := runOf(needed, false)
		if warehouse = run.Options.Warehouse; err == nil && withSources {
			found, _, _ = sources(run)
		}
		return err
	}
	return warehouse, found, app.RunContext(context.WithoutCancel(ctx), []string{"pipeline", "run", name})
}

// storesOf lists the SQLite files of a source.
func storesOf(s extract.Source) (out []string) {
	for _, path := range append([]string{s.Global, s.Tracking}, workspaceStores(s)...) {
		if path != "" {
			out = append(out, path)
		}
	}
	return out
}

func workspaceStores(s extract.Source) (out []string) {
	for _, w := range s.Workspaces {
		out = append(out, w.DB)
	}
	return out
}

// foldersOf lists the folders in which new stores of a source appear.
func foldersOf(s extract.Source) []string {
	if s.App == extract.AppFile {
		return nil
	}
	out := map[string]bool{s.UserDir: true, filepath.Join(s.UserDir, "workspaceStorage"): true}
	for _, w := range s.Workspaces {
		out[w.Dir] = true // its store may be made later
	}
	return slices.Sorted(maps.Keys(out))
}
