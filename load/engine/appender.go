package engine

import (
	"bytes"
	"database/sql"
	"errors"
	"fmt"
	"reflect"
	"runtime"
	"strings"
	"time"
	"unicode/utf8"
	"unsafe"

	"github.com/marcboeker/go-duckdb/mapping"

	"pipeline/sql/schema"
)

// This file is the only one that knows how the engine holds a column of rows in memory.

// An Appender writes rows of one table. It fills the columns of a chunk, which has 2,048 rows, in the engine's own
// memory. The driver's appender calls the engine for each value: with it, a first load takes a tenth longer.
type Appender struct {
	table   schema.Table
	engine  mapping.Appender
	types   []mapping.LogicalType
	chunk   mapping.DataChunk
	columns []column
	rows    int   // in the chunk
	most    int   // rows that a chunk can hold
	texts   arena // texts of the chunk's rows
	pending int64 // bytes of texts in the chunk
	passed  int64 // bytes that the engine has copied from chunks, and not yet written into the table
	batch   int64 // bytes after which it writes them: by itself it would wait for 200,000 rows, whatever their size
}

// A chunk is passed on early, with room for more rows, once its texts have more than 1/chunkShare of a batch's bytes.
const chunkShare = 4

// column is one column of a chunk.
type column struct {
	cell   schema.Cell
	write  writer
	values unsafe.Pointer
	valid  []uint64 // a bit for each row, 0 for NULL
	text   string   // the last text, and how the engine holds it; "" if there is none
	held   engineText
}

// writer writes the value of the next row; it returns false for NULL.
type writer func(a *Appender, c *column, value unsafe.Pointer) bool

// engineText is how the engine holds a text or a blob (duckdb_string_t). If it has at most 12 bytes, they are in start
// and rest. Otherwise start is a copy of its first four, and rest the address of all of it.
type engineText struct {
	length uint32
	start  [4]byte
	rest   uint64
}

// insideText is how many bytes of a text fit into an engineText.
const insideText = 12

// NewAppender begins to write rows of a table into target, which has the same columns: a table, SCHEMA.TABLE, or
// temp.TABLE. batch is about how many bytes of rows it may hold.
func NewAppender(conn *sql.Conn, target string, t schema.Table, batch int64) (*Appender, error) {
	a := &Appender{table: t, batch: batch, most: int(mapping.VectorSize())}
	catalog, in, name := "", "", target
	if first, rest, ok := strings.Cut(target, "."); ok && first == "temp" {
		catalog, name = first, rest
	} else if ok {
		in, name = first, rest
	}
	err := conn.Raw(func(c any) error {
		connection, err := connectionOf(c)
		if err == nil && mapping.AppenderCreateExt(connection, catalog, in, name, &a.engine) == mapping.StateError {
			err = a.failure()
			mapping.AppenderDestroy(&a.engine)
		}
		return err
	})
	if err != nil {
		return nil, fmt.Errorf("append to %s: %w", target, err)
	}
	for i, cell := range t.Cells() {
		a.types = append(a.types, mapping.AppenderColumnType(a.engine, mapping.IdxT(i)))
		a.columns = append(a.columns, column{cell: cell, write: writerFor(cell.Type)})
	}
	a.chunk = mapping.CreateDataChunk(a.types)
	a.begin()
	return a, nil
}

// connectionOf returns the engine's connection. The driver keeps it to itself, and offers a call for each value
// instead.
func connectionOf(driverConn any) (of mapping.Connection, err error) {
	if v := reflect.ValueOf(driverConn); v.Kind() == reflect.Pointer && v.Elem().Kind() == reflect.Struct {
		if field := v.Elem().FieldByName("conn"); field.IsValid() && field.Type() == reflect.TypeOf(of) {
			return *(*mapping.Connection)(unsafe.Pointer(field.UnsafeAddr())), nil
		}
	}
	return of, errors.New("the driver of the warehouse has another version than this program was made for")
}

// begin looks up where the values of the empty chunk are.
func (a *Appender) begin() {
	for i := range a.columns {
		v := mapping.DataChunkGetVector(a.chunk, mapping.IdxT(i))
		mapping.VectorEnsureValidityWritable(v)
		a.columns[i].values = mapping.VectorGetData(v)
		a.columns[i].text = ""
		a.columns[i].valid = unsafe.Slice((*uint64)(mapping.VectorGetValidity(v)), (a.most+63)/64)
	}
}

// Append adds the rows of a slice of the table's structs.
func (a *Appender) Append(rows reflect.Value) error {
	if rows.Type().Elem() != a.table.Row {
		return fmt.Errorf("append to %s: its rows are no %s", a.table.Name, rows.Type().Elem())
	}
	for i := range rows.Len() {
		a.append(unsafe.Add(rows.UnsafePointer(), uintptr(i)*a.table.Row.Size()))
		if a.pending > a.batch/chunkShare || a.rows == a.most {
			if err := a.pass(); err != nil {
				return err
			}
		}
		if a.passed > a.batch {
			expectMuch()
			if err := a.flush(); err != nil {
				return err
			}
		}
	}
	runtime.KeepAlive(rows)
	return nil
}

func (a *Appender) append(row unsafe.Pointer) {
	for i := range a.columns {
		c := &a.columns[i]
		if value := c.cell.In(row); value == nil || !c.write(a, c, value) {
			c.valid[a.rows/64] &^= 1 << (a.rows % 64)
		}
	}
	a.rows++
}

// pass passes the chunk on to the engine, which copies it, and begins it anew.
func (a *Appender) pass() error {
	if a.rows == 0 {
		return nil
	}
	mapping.DataChunkSetSize(a.chunk, mapping.IdxT(a.rows))
	if mapping.AppendDataChunk(a.engine, a.chunk) == mapping.StateError {
		return fmt.Errorf("write to %s: %w", a.table.Name, a.failure())
	}
	mapping.DataChunkReset(a.chunk)
	a.begin()
	a.passed += a.pending + int64(a.rows*len(a.columns))*int64(unsafe.Sizeof(engineText{}))
	a.rows, a.pending = 0, 0
	a.texts.free()
	return nil
}

// flush makes the engine write what was passed on into the table.
func (a *Appender) flush() error {
	a.passed = 0
	if mapping.AppenderFlush(a.engine) == mapping.StateError {
		return fmt.Errorf("write to %s: %w", a.table.Name, a.failure())
	}
	written()
	return nil
}

// failure returns the error of the last call.
func (a *Appender) failure() error {
	data := mapping.AppenderErrorData(a.engine)
	defer mapping.DestroyErrorData(&data)
	return errors.New(mapping.ErrorDataMessage(data))
}

// Close writes the remaining rows and closes the appender.
func (a *Appender) Close() error {
	err := a.pass()
	if err == nil {
		err = a.flush()
	}
	a.texts.free()
	mapping.DestroyDataChunk(&a.chunk)
	for i := range a.types {
		mapping.DestroyLogicalType(&a.types[i])
	}
	if mapping.AppenderDestroy(&a.engine) == mapping.StateError && err == nil {
		err = fmt.Errorf("write to %s: the engine did not close its appender", a.table.Name)
	}
	return err
}

// put sets the value of the next row.
func put[T any](a *Appender, c *column, value T) bool {
	*(*T)(unsafe.Add(c.values, uintptr(a.rows)*unsafe.Sizeof(value))) = value
	return true
}

// putBytes sets the text or the blob of the next row.
func putBytes(a *Appender, c *column, b []byte) bool {
	c.held = engineText{length: uint32(len(b))}
	copy((*[insideText]byte)(unsafe.Pointer(&c.held.start))[:], b)
	if len(b) > insideText {
		c.held.rest = uint64(uintptr(a.texts.copy(b)))
		a.pending += int64(len(b))
	}
	return put(a, c, c.held)
}

// putText sets the text of the next row. Many rows share the one of the row before, as that of their conversation's id:
// it is neither checked nor copied again.
func putText(a *Appender, c *column, text string) bool {
	if schema.SameText(text, c.text) {
		a.pending += int64(c.held.length)
		return put(a, c, c.held)
	}
	c.text = text
	clean := schema.CleanText(text)
	return putBytes(a, c, unsafe.Slice(unsafe.StringData(clean), len(clean)))
}

// writerFor returns how a value of a type is written.
func writerFor(t reflect.Type) writer {
	switch t {
	case reflect.TypeFor[schema.Millis]():
		return func(a *Appender, c *column, value unsafe.Pointer) bool {
			return put(a, c, 1000*int64(*(*schema.Millis)(value))) // the engine counts microseconds
		}
	case reflect.TypeFor[schema.Date]():
		return func(a *Appender, c *column, value unsafe.Pointer) bool {
			day, err := time.Parse(time.DateOnly, string(*(*schema.Date)(value)))
			return err == nil && put(a, c, int32(day.Unix()/(24*60*60)))
		}
	case reflect.TypeFor[schema.JSON]():
		return func(a *Appender, c *column, value unsafe.Pointer) bool {
			v := *(*schema.JSON)(value)
			return v != nil && putBytes(a, c, cleanBytes(v))
		}
	case reflect.TypeFor[schema.Blob]():
		return func(a *Appender, c *column, value unsafe.Pointer) bool {
			v := *(*schema.Blob)(value)
			return v != nil && putBytes(a, c, v)
		}
	}
	switch t.Kind() {
	case reflect.String:
		return func(a *Appender, c *column, value unsafe.Pointer) bool {
			return putText(a, c, *(*string)(value))
		}
	case reflect.Int64, reflect.Float64:
		return func(a *Appender, c *column, value unsafe.Pointer) bool { return put(a, c, *(*[8]byte)(value)) }
	case reflect.Bool:
		return func(a *Appender, c *column, value unsafe.Pointer) bool { return put(a, c, *(*bool)(value)) }
	}
	panic(fmt.Sprintf("engine: no column holds a %s", t))
}

// cleanBytes does the same as schema.CleanText, without a copy of text that is clean.
func cleanBytes(b []byte) []byte {
	if bytes.IndexByte(b, 0) < 0 && utf8.Valid(b) {
		return b
	}
	return []byte(schema.CleanText(string(b)))
}
