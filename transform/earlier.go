package transform

import "pipeline/extract"

// This file replaces shared rows that exist but cannot be used by an earlier version.

// Earlier returns the last usable version of a shared row that an earlier load has read, by its store, table and key;
// nil if there is none.
type Earlier func(*extract.Document) *extract.Document

// useEarlier reads the earlier version of a row that cannot be used. If that version cannot be read either, the row is
// left out.
func (s *Shared) useEarlier(bad *extract.Document, read func(last *extract.Document) error) {
	if s.earlier == nil {
		return
	}
	if last := s.earlier(bad); last != nil && !last.HoldsNothing() && read(last) == nil {
		s.replaced[bad] = last
	}
}

// EarlierVersions returns the earlier versions that were read instead of unusable rows. They have the rows' stores,
// tables and keys.
func (s *Shared) EarlierVersions() []*extract.Document {
	var out []*extract.Document
	for _, last := range s.replaced {
		out = append(out, last)
	}
	return out
}

// IsEarlier reports whether a copied conversation comes from an earlier version of its row, because the present version
// cannot be used.
func (f *Facts) IsEarlier() bool {
	c := f.bestCopy()
	return c != nil && c.isEarlier
}
