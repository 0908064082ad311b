package warehouse

import (
	"context"
	_ "embed"
	"errors"
	"fmt"
	"strings"

	"github.com/klauspost/compress/zstd"

	"pipeline/load/engine"
	"pipeline/load/tool/atomicfile"
	"pipeline/sql/schema"
)

// This file makes empty warehouses. To make 34 tables and some 70 views and macros by statements takes most of the time
// of a small load. So a new warehouse is a copy of an empty one, which go generate made.

//go:generate go test . -run ^TestTemplate$ -update

// template is the file of an empty warehouse, compressed by zstd.
//
//go:embed template.duckdb.zst
var template []byte

// templateOf says what the template was made of, as madeBy has it.
//
//go:embed template.txt
var templateOf string

// madeBy returns what an empty warehouse depends on: the version of the engine, and a hash of all statements.
func madeBy(version string) string { return version + " " + madeOf() + "\n" }

// create makes the file of a first load. It copies the template, or runs the statements if the template was made by
// other statements or by another engine.
func (w *Warehouse) create(ctx context.Context) error {
	if _, statements, _ := strings.Cut(templateOf, " "); strings.TrimSpace(statements) == madeOf() {
		if err := w.unpack(); err != nil {
			return err
		}
		if w.templated = w.opensTemplate(ctx); w.templated {
			return nil
		}
		if err := errors.Join(w.s.Close(), atomicfile.Remove(w.s.File)); err != nil {
			return err
		}
	}
	if err := w.Reopen(ctx); err != nil {
		return err
	}
	return w.createByStatements(ctx)
}

// unpack writes the template as the warehouse's file.
func (w *Warehouse) unpack() error {
	decoder, err := zstd.NewReader(nil, zstd.WithDecoderConcurrency(1))
	if err != nil {
		return err
	}
	defer decoder.Close()
	file, err := decoder.DecodeAll(template, nil)
	if err != nil {
		return err
	}
	return engine.WithRemedy(atomicfile.Write(w.s.File, file))
}

// opensTemplate opens the unpacked file, and reports whether it was made by this version of the engine. An older engine
// cannot even open it.
func (w *Warehouse) opensTemplate(ctx context.Context) bool {
	if err := w.Reopen(ctx); err != nil {
		return false
	}
	var version string
	err := w.s.Conn.QueryRowContext(ctx, `SELECT version()`).Scan(&version)
	return err == nil && madeBy(version) == templateOf
}

// createByStatements makes everything in one transaction: otherwise the engine would sync each statement to the disk.
func (w *Warehouse) createByStatements(ctx context.Context) (err error) {
	t := &Load{w: w, first: true}
	if err := t.exec(ctx, `BEGIN TRANSACTION`); err != nil {
		return err
	}
	defer func() { err = t.w.s.Undo(ctx, err) }()
	if err := t.makeSchemas(ctx); err != nil {
		return fmt.Errorf("make the schemas: %w", err)
	}
	for _, table := range schema.Tables() {
		if err := t.exec(ctx, table.DDL()); err != nil {
			return fmt.Errorf("make table %s: %w", table.Name, err)
		}
	}
	if err := t.makeObjects(ctx); err != nil {
		return err
	}
	return t.exec(ctx, `COMMIT`)
}
