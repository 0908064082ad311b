package load

import (
	"context"
	_ "embed"
	"errors"
	"fmt"
	"strings"

	"github.com/klauspost/compress/zstd"

	"pipeline/load/atomicfile"
	"pipeline/sql/schema"
)

// This file makes empty warehouses. Making 34 tables and some 70 views and macros by statements costs most of a small load, so a new warehouse is a copy
// of an empty one that was made so before, by go generate.

//go:generate go test . -run ^TestTemplate$ -update

// template is the file of an empty warehouse, compressed by zstd.
//
//go:embed template.duckdb.zst
var template []byte

// templateOf says what the template was made of, as madeBy has it.
//
//go:embed template.txt
var templateOf string

// madeBy is what an empty warehouse depends on: the version of the engine, and a hash of all statements.
func madeBy(engine string) string { return engine + " " + madeOf() + "\n" }

// create makes the file of a first load: out of the template, or by statements where the template is of another engine or of other statements.
func (w *warehouse) create(ctx context.Context) error {
	if err := w.unpack(ctx); err == nil {
		w.templated = true
		return nil
	}
	if err := errors.Join(w.closeEngine(), atomicfile.Remove(w.file)); err != nil {
		return err
	}
	if err := w.connect(ctx); err != nil {
		return err
	}
	return w.createByStatements(ctx)
}

// unpack makes the file out of the template and opens it.
func (w *warehouse) unpack(ctx context.Context) (err error) {
	if _, statements, _ := strings.Cut(templateOf, " "); strings.TrimSpace(statements) != madeOf() {
		return errors.ErrUnsupported
	}
	decoder, err := zstd.NewReader(nil, zstd.WithDecoderConcurrency(1))
	if err != nil {
		return err
	}
	defer decoder.Close()
	file, err := decoder.DecodeAll(template, nil)
	if err != nil {
		return err
	}
	if err := atomicfile.Write(w.file, file); err != nil {
		return err
	}
	if err := w.connect(ctx); err != nil {
		return err
	}
	var engine string
	if err := w.conn.QueryRowContext(ctx, `SELECT version()`).Scan(&engine); err != nil {
		return err
	}
	if madeBy(engine) != templateOf {
		return errors.ErrUnsupported
	}
	return nil
}

// createByStatements makes everything in one transaction: each statement would be synced to the disk on its own.
func (w *warehouse) createByStatements(ctx context.Context) (err error) {
	t := &transaction{w: w, first: true}
	if err := t.exec(ctx, `BEGIN TRANSACTION`); err != nil {
		return err
	}
	defer func() {
		if err != nil {
			err = errors.Join(err, t.exec(context.WithoutCancel(ctx), `ROLLBACK`))
		}
	}()
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
