package transform

import "pipeline/extract"

// This file looks after shared rows that are there and cannot be used.

// Earlier is the version of a shared row that earlier loads have used last, by its store, table and key; nil where there is none.
type Earlier func(*extract.Document) *extract.Document

// standIn has the earlier version of a row that cannot be used read in its place. One that cannot be read either was never used.
func (s *Shared) standIn(bad *extract.Document, read func(last *extract.Document) error) {
	if s.earlier == nil {
		return
	}
	if last := s.earlier(bad); last != nil && !last.HoldsNothing() && read(last) == nil {
		s.stands[bad] = last
	}
}

// StandIns are the versions that stand for rows which cannot be used. They have the rows' stores, tables and keys.
func (s *Shared) StandIns() []*extract.Document {
	var out []*extract.Document
	for _, last := range s.stands {
		out = append(out, last)
	}
	return out
}

// StandsFor reports that a copied conversation is the version that was read last: what has become of its row cannot be used.
func (f *Facts) StandsFor() bool {
	c := f.bestCopy()
	return c != nil && c.stands
}
