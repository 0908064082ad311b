package sinks

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"pipeline/load/engine"
	"pipeline/sql/schema"
)

// This file divides months with many rows into parts, each a file of its own. A load that changes one conversation then writes a part of its month again, and the
// other parts stay links. A part has the conversations of its month whose keys lie in a range. Where ranges begin stays as it is from one publication to the next; a
// part that has become large, and has to be written again, is divided further.

// partRows is the number of messages up to which a part takes conversations. A month or a part of twice as many is divided.
const partRows = 4096

// bound says where a part begins. A month's first part has none: it has all that lies before the others.
type bound struct {
	label string // of the part, see partLabel
	first string // the least key of a conversation in it
}

// keyOf returns a text by which the conversations of a month are ordered, here and in dividedMonths.
func keyOf(source, id string) string { return source + "/" + id }

// partLabel names a part of a month. The first is named as the month is.
func partLabel(month string, part int) string {
	if part == 0 {
		return month
	}
	return month + "." + strconv.Itoa(part)
}

// ofLabel returns the month of a part, and its number.
func ofLabel(label string) (month string, part int) {
	month, number, _ := strings.Cut(label, ".")
	part, _ = strconv.Atoi(number) // none: the first
	return month, part
}

// nextPart returns the label of a further part of a month.
func nextPart(month string, bounds []bound) string {
	last := 0
	for _, b := range bounds {
		if of, part := ofLabel(b.label); of == month {
			last = max(last, part)
		}
	}
	return partLabel(month, last+1)
}

// divides reports whether the target's months may have several parts. Tables for spreadsheets have one file a month; and the list of a redacted publication has no ids.
func (t Target) divides() bool { return t.Sink == parquet{} && t.Redaction == nil }

// bounds returns where the parts of the files begin that were written ahead, or else of the earlier publications.
func (p *publisher) bounds() (out []bound) {
	if !p.divides() {
		return nil
	}
	if a := p.options.Ahead; a != nil {
		<-a.done
		for _, m := range a.parts {
			out = append(out, m.bounds...)
		}
		return out
	}
	firsts := map[string]string{}
	for _, path := range slices.Sorted(maps.Keys(p.before)) {
		if f := p.before[path]; f.First != "" {
			firsts[f.Month] = f.First
		}
	}
	for label, first := range firsts {
		out = append(out, bound{label, first})
	}
	return out
}

// divided makes the temporary table of months, and reads the months: those with many rows are divided.
func (p *publisher) divided(ctx context.Context, before standing) (map[string]*month, error) {
	bounds := p.bounds()
	for {
		if _, err := p.conn.ExecContext(ctx, dividedMonths(bounds)); err != nil {
			return nil, err
		}
		months, err := p.months(ctx, before)
		if err != nil {
			return nil, err
		}
		more := p.divide(months, bounds, before)
		if len(more) == 0 {
			for _, b := range bounds {
				if m := months[b.label]; m != nil {
					m.first = b.first
				}
			}
			return months, nil
		}
		bounds = append(bounds, more...)
	}
}

// dividedMonths returns the statement that makes the table of months, with the labels of parts in place of their months.
func dividedMonths(bounds []bound) string {
	if len(bounds) == 0 {
		return startMonths
	}
	rows := make([]string, len(bounds))
	for i, b := range bounds {
		month, _ := ofLabel(b.label)
		rows[i] = fmt.Sprintf("(%s, %s, %s)", engine.Literal(month), engine.Literal(b.label), engine.Literal(b.first))
	}
	return startMonths + `;
		CREATE OR REPLACE TEMP TABLE _start_months AS SELECT s.source_id, s.conversation_id, coalesce(p.label, s.month) AS month FROM _start_months s
		ASOF LEFT JOIN (VALUES ` + strings.Join(rows, ", ") + `) p(month, label, first) ON s.month = p.month AND s.source_id || '/' || s.conversation_id >= p.first`
}

// divide returns where further parts begin: in months and parts with many messages that are to be written in any case.
func (p *publisher) divide(months map[string]*month, bounds []bound, before standing) (more []bound) {
	if !p.divides() {
		return nil
	}
	for _, label := range slices.Sorted(maps.Keys(months)) {
		m := months[label]
		_, there := p.before[partitionPath("messages", label, p.Sink.About().Extension)]
		if label == noMonth || m.rows <= 2*partRows || there && !(before.known() && m.changed) {
			continue
		}
		slices.SortFunc(m.conversations, func(x, y sized) int { return cmp.Compare(x.key, y.key) })
		month, _ := ofLabel(label)
		var rows int64
		for _, c := range m.conversations {
			if rows > 0 && rows+c.rows > partRows {
				more, rows = append(more, bound{nextPart(month, slices.Concat(bounds, more)), c.key}), 0
			}
			rows += c.rows
		}
	}
	return more
}

// sized is a conversation with its number of messages.
type sized struct {
	key  string
	rows int64
}

// aheadMonth is a month that is written ahead, with its parts so far.
type aheadMonth struct {
	bounds []bound // in the order of the keys
	last   string  // the largest key so far
	rows   int     // messages of the last part
}

// manyFiles is the number of files that are written ahead from which on a part is finished when the next one begins: a process may have only so many files open. Usually conversations
// come in the order of their keys; those of workspaces come later.
const manyFiles = 256

// messagesOf returns how many messages a conversation has whose first rows these are: those of a large one come in several batches.
func messagesOf(rows *schema.Rows) int {
	n := len(rows.Messages)
	for i := range rows.Sources {
		if s := &rows.Sources[i]; s.IsPrimary && s.MessageCount != nil {
			n = max(n, int(*s.MessageCount))
		}
	}
	return n
}

// place returns the part of a month into which a conversation goes that is written ahead.
func (a *Ahead) place(month, key string, messages int) (label string, err error) {
	if month == noMonth {
		return month, nil
	}
	m := a.parts[month]
	if m == nil {
		m = &aheadMonth{}
		a.parts[month] = m
	}
	if key > m.last {
		m.last = key
		if m.rows > 0 && m.rows+messages > partRows {
			if len(a.files) > manyFiles {
				err = a.finish(partLabel(month, len(m.bounds)))
			}
			m.bounds, m.rows = append(m.bounds, bound{nextPart(month, m.bounds), key}), 0
		}
		m.rows += messages
	}
	label = month
	for _, b := range m.bounds {
		if b.first <= key {
			label = b.label
		}
	}
	return label, err
}

// finish writes the end of a part's files. A file that is to take further rows after that is not used.
func (a *Ahead) finish(label string) error {
	for _, table := range []string{"messages", "tool_calls"} {
		if f := a.files[part{table, label}]; f != nil {
			if err := cmp.Or(a.flush(f), f.close(a.about)); err != nil {
				return err
			}
			a.meta -= f.meta
			f.file, f.out, f.finished = nil, nil, true
		}
	}
	return nil
}
