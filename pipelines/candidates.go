package pipelines

import (
	"context"
	"strings"

	"pipeline/extract"
	"pipeline/load"
	"pipeline/sql/schema"
	"pipeline/transform"
)

// Reasons why a conversation is loaded.
const (
	WhyNew     = "new"
	WhyRows    = "rows replaced"         // rows were added, replaced or deleted
	WhyInPlace = "rows changed in place" // same rowids, other values
	WhyFacts   = "title, project or other shared fact changed"
	WhyVersion = "this version of the tool reads it differently"
	WhyFull    = "asked for with --full"
	WhyGone    = "gone from its store"
)

// candidate is a conversation whose fingerprint is not the known one, or whose fingerprint is not to be trusted this time.
type candidate struct {
	conv   *extract.Conversation
	key    load.ConversationKey
	before schema.KnownConversation
	known  bool // before may be compared with
	facts  string
	why    string // where it is not known
	lossy  bool   // rows of it lie on damaged pages: it is looked at again in each run
}

// block gathers candidates, so that the raw layer is asked for many at once.
type block struct {
	r          *reading
	emit       func(*job, bool) error
	candidates []*candidate
	asked      int                                   // rows that the raw layer is to be asked for
	rows       map[load.ConversationKey]load.RawRows // what the raw layer holds of them, once it is asked for
}

// add passes a conversation on unless it is unchanged or not wanted.
func (b *block) add(ctx context.Context, conv *extract.Conversation) error {
	c, err := b.r.candidate(conv)
	if err != nil {
		return failureOf(b.r.src, conv.Store, err)
	}
	if c == nil {
		b.r.dealtWith(conv)
		return nil
	}
	b.candidates = append(b.candidates, c)
	if !b.r.paged(conv) {
		b.asked += conv.Rows()
	}
	if len(b.candidates) < blockSize && b.asked < rawPage {
		return nil
	}
	return b.end(ctx)
}

// end looks into the candidates gathered so far.
func (b *block) end(ctx context.Context) error {
	var keys []load.ConversationKey
	for _, c := range b.candidates {
		if !b.r.paged(c.conv) {
			keys = append(keys, c.key)
		}
	}
	for i, c := range b.candidates {
		b.candidates[i] = nil // its rows are in memory from here on
		if err := b.consider(ctx, c, keys); err != nil {
			return failureOf(b.r.src, c.conv.Store, err)
		}
		delete(b.rows, c.key)
	}
	b.candidates, b.rows, b.asked = nil, nil, 0
	return nil
}

// candidate compares a conversation's fingerprint with the known one; nil if there is nothing to do for it. No value is read, but for the
// conversation's own document where only a project's are wanted.
func (r *reading) candidate(conv *extract.Conversation) (*candidate, error) {
	if r.only.narrowed() {
		if err := conv.LoadHead(); err != nil {
			return nil, err
		}
	}
	c := &candidate{conv: conv, key: load.ConversationKey{SourceID: r.src.id, Store: conv.Store, ConversationID: schema.CleanText(conv.ID)}, why: WhyNew}
	c.before, c.known = r.state.Known[c.key]
	if c.known && r.trusted() && c.before.TransformVersion == transform.Version && asBefore(c.before, conv) {
		return nil, nil // the facts need not be looked up
	}
	wanted := r.wanted(conv)
	c.facts = r.n().Shared.Fingerprint(conv.ID)
	switch {
	case c.known && r.opt.Full:
		c.known, c.why = false, WhyFull
	case c.known && c.before.TransformVersion != transform.Version:
		c.known, c.why = false, WhyVersion
	}
	if c.known && asBefore(c.before, conv) && parseFingerprint(c.before.Fingerprint).facts == c.usedFacts(r.n(), c.before.WorkspaceID) &&
		!r.forced[conv.Store] && !r.subset.includes(c.key.ConversationID) {
		return nil, nil
	}
	if !wanted {
		r.result.leaveOut(conv)
		return nil, nil
	}
	inTime, err := r.inTime(conv)
	if err == nil && !inTime {
		r.result.leaveOut(conv)
	}
	if err != nil || !inTime {
		return nil, err
	}
	return c, nil
}

// usedFacts stands for the facts that its rows use, if it names such a workspace.
func (c *candidate) usedFacts(n *transform.Normalizer, workspace string) string {
	return c.facts + n.Shared.WorkspaceFingerprint(workspace)
}

// fingerprint is a conversation's once it is read.
func (c *candidate) fingerprint(sums extract.Sums, facts string) string {
	if c.lossy {
		return ""
	}
	return fingerprint{c.conv.Fingerprint, sums.Sizes(), facts}.String()
}

// consider reads a candidate's values and passes it on if they are not the known ones (Cursor rewrites unchanged rows: docs/formats.md, How Cursor writes).
func (b *block) consider(ctx context.Context, c *candidate, all []load.ConversationKey) error {
	buffered, err := c.conv.Load(b.r.opt.budget().Buffer)
	if err != nil {
		return err
	}
	if ok, err := b.mend(ctx, c, all); err != nil || !ok {
		b.r.dealtWith(c.conv)
		return err
	}
	sums, err := c.conv.Sums()
	if err != nil {
		return err
	}
	r := b.r
	if !c.conv.Loose {
		r.result.Read++
	}
	hash := sums.Content()
	sameRows := strings.HasPrefix(c.before.ContentHash, hash)
	if !sameRows || r.rawGap {
		if err := b.keep(ctx, c, all); err != nil {
			return err
		}
	}
	whole, err := b.standIn(ctx, c, sameRows)
	if err != nil {
		return err
	}
	workspace := transform.NamedWorkspace(c.conv)
	facts := c.usedFacts(b.r.n(), workspace)
	now := schema.KnownConversation{SourceID: c.key.SourceID, Store: c.key.Store, ConversationID: c.key.ConversationID, WorkspaceID: workspace,
		Fingerprint: c.fingerprint(sums, facts), ContentHash: hash + facts,
		TransformVersion: transform.Version, LoadID: r.state.LastLoadID + 1}
	if !whole {
		r.dealtWith(c.conv)
		return b.freeze(c, now, sameRows)
	}
	if c.known && c.before.ContentHash == now.ContentHash {
		if c.before.Fingerprint != now.Fingerprint {
			now.LoadID = c.before.LoadID
			r.remember = append(r.remember, now)
		}
		r.dealtWith(c.conv)
		return nil
	}
	if c.known {
		c.why = c.changed(sameRows)
	}
	if c.why == WhyInPlace {
		r.result.overwritten(!c.conv.Loose)
	}
	if c.known && (r.tx == nil || r.tx.Raw() == nil) { // nothing says which rows it had
		if err := r.believe(ctx, c.key.Store); err != nil {
			return err
		}
	}
	r.result.changedRows(b.r.src, c.conv, c.why)
	return b.emit(&job{conv: c.conv, rows: make(chan batch, 1), known: now, why: c.why}, buffered)
}

// changed says what of a known conversation is another.
func (c *candidate) changed(sameRows bool) string {
	switch {
	case sameRows:
		return WhyFacts
	case parseFingerprint(c.before.Fingerprint).holds(c.conv.Fingerprint, ""):
		return WhyInPlace
	}
	return WhyRows
}

// keep hands a conversation's rows to the raw layer, which is asked once for the whole block.
func (b *block) keep(ctx context.Context, c *candidate, all []load.ConversationKey) error {
	if b.r.tx == nil || b.r.tx.Raw() == nil {
		return nil
	}
	if b.r.paged(c.conv) {
		return b.r.keepPages(ctx, c.key, c.conv)
	}
	if err := b.ask(ctx, all); err != nil {
		return err
	}
	return b.r.keep(ctx, c.key, b.rows[c.key], rows(c.conv))
}

// ask asks the raw layer for a whole block, once.
func (b *block) ask(ctx context.Context, all []load.ConversationKey) (err error) {
	if b.rows == nil {
		b.rows, err = b.r.tx.Raw().Known(ctx, all)
	}
	return err
}
