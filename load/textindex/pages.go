package textindex

import (
	"cmp"
	"context"
	"database/sql"
	"encoding/binary"
	"errors"
	"slices"

	"github.com/klauspost/compress/zstd"
)

// This file stores the texts on pages, for callers that show hits. A page has texts of one owner and is compressed as a
// whole, because most texts are too short to be compressed alone.

// pageSize is the number of bytes from which a page is full.
const pageSize = 64 << 10

// openPages is how many bytes of text may be on pages that are not written yet.
const openPages = 16 << 20

// pages collects the texts of an update and writes them page by page.
type pages struct {
	encoder *zstd.Encoder
	insert  *sql.Stmt
	open    map[int64]*page // by owner
	held    int             // bytes on them
	next    int64           // the id of the next page
}

type page struct {
	id   int64
	text []byte
}

func newPages(ctx context.Context, tx *sql.Tx) (*pages, error) {
	p := &pages{open: map[int64]*page{}}
	var err error
	if p.encoder, err = zstd.NewWriter(nil, zstd.WithEncoderLevel(zstd.SpeedFastest),
		zstd.WithEncoderConcurrency(1)); err != nil {
		return nil, err
	}
	if err := tx.QueryRowContext(ctx, `SELECT coalesce(max(id), 0) + 1 FROM pages`).Scan(&p.next); err != nil {
		return nil, err
	}
	p.insert, err = tx.PrepareContext(ctx, `INSERT INTO pages (id, owner, texts) VALUES (?, ?, ?)`)
	return p, err
}

// add adds a text to a page of its owner, and returns the page and the place of the text on it.
func (p *pages) add(ctx context.Context, owner int64, t *Text) (id, place int64, err error) {
	if p.held > openPages {
		if err := p.flush(ctx); err != nil {
			return 0, 0, err
		}
	}
	on := p.open[owner]
	if on == nil {
		on = &page{id: p.next}
		p.next++
		p.open[owner] = on
	}
	id, place = on.id, int64(len(on.text))
	for _, part := range append([]string{t.Note}, t.Fields[:]...) {
		on.text = append(binary.AppendUvarint(on.text, uint64(len(part))), part...)
	}
	p.held += len(on.text) - int(place)
	if len(on.text) < pageSize {
		return id, place, nil
	}
	return id, place, p.write(ctx, owner)
}

func (p *pages) write(ctx context.Context, owner int64) error {
	on := p.open[owner]
	delete(p.open, owner)
	p.held -= len(on.text)
	_, err := p.insert.ExecContext(ctx, on.id, owner, p.encoder.EncodeAll(on.text, nil))
	return err
}

// flush writes all open pages.
func (p *pages) flush(ctx context.Context) error {
	for owner := range p.open {
		if err := p.write(ctx, owner); err != nil {
			return err
		}
	}
	return nil
}

func (p *pages) close() error { return errors.Join(p.insert.Close(), p.encoder.Close()) }

// errDamaged says that a text is not at its place on a page.
var errDamaged = errors.New("its pages are damaged: remove the file, and the next search makes it again")

// read calls show for each hit, page by page.
func read(ctx context.Context, tx *sql.Tx, hits []Hit, show Shower) error {
	byPage := slices.SortedFunc(slices.Values(hits), func(a, b Hit) int { return cmp.Compare(a.page, b.page) })
	decoder, err := zstd.NewReader(nil, zstd.WithDecoderConcurrency(1))
	if err != nil {
		return err
	}
	defer decoder.Close()
	var id int64
	var text []byte
	for _, hit := range byPage {
		if hit.page != id {
			id = hit.page
			var packed []byte
			if err := tx.QueryRowContext(ctx, `SELECT texts FROM pages WHERE id = ?`, id).Scan(&packed); err != nil {
				return err
			}
			if text, err = decoder.DecodeAll(packed, text[:0]); err != nil {
				return errors.Join(errDamaged, err)
			}
		}
		note, fields, ok := cutText(text, hit.place)
		if !ok {
			return errDamaged
		}
		if err := show(hit, note, fields); err != nil {
			return err
		}
	}
	return nil
}

// cutText returns the text at a place of a page.
func cutText(page []byte, place int64) (note string, fields Fields, ok bool) {
	if place < 0 || place > int64(len(page)) {
		return "", fields, false
	}
	rest := page[place:]
	var parts [1 + len(fields)]string
	for i := range parts {
		length, n := binary.Uvarint(rest)
		if n <= 0 || length > uint64(len(rest)-n) {
			return "", fields, false
		}
		parts[i], rest = string(rest[n:n+int(length)]), rest[n+int(length):]
	}
	return parts[0], Fields(parts[1:]), true
}
