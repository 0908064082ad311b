package pipelines

import (
	"context"
	"errors"

	"golang.org/x/sync/errgroup"

	"pipeline/extract"
	"pipeline/load"
	"pipeline/sql/schema"
	"pipeline/transform"
)

// job is one changed conversation while it is processed: rows come out in the order of the jobs.
type job struct {
	conv  *extract.Conversation
	known schema.Owner
	rows  chan batch
	why   string
	bytes int64  // size of its values, in a dry run
	whole func() // called when all its rows are made; may be nil
}

// batch is some of a job's rows.
type batch struct {
	rows *schema.Rows
	err  error
}

// conversations reads every conversation of a source, leaves out unchanged ones, and writes the rows of the others. One
// goroutine reads (a store is read on one connection), workers normalize, and one goroutine writes. It notes the store
// of each conversation.
func (r *reading) conversations(ctx context.Context) error {
	group, ctx := errgroup.WithContext(ctx)
	inOrder := make(chan *job, r.opt.Workers)
	work := make(chan *job)
	group.Go(func() error {
		defer close(inOrder)
		defer close(work)
		return r.read(ctx, func(j *job, held bool) error {
			if !send(ctx, inOrder, j) {
				return ctx.Err()
			}
			if !held {
				return normalize(ctx, r.n(), j)
			}
			if !send(ctx, work, j) {
				close(j.rows) // no worker will close it
				return ctx.Err()
			}
			return nil
		})
	})
	for range r.opt.Workers {
		group.Go(func() error {
			for j := range work {
				if err := normalize(ctx, r.n(), j); err != nil {
					return err
				}
			}
			return nil
		})
	}
	group.Go(func() error { return r.write(ctx, inOrder) })
	return group.Wait()
}

// blockSize is how many conversations are looked up in the raw layer at once.
const blockSize = 256

// read passes each new or changed conversation to emit.
func (r *reading) read(ctx context.Context, emit func(*job, bool) error) error {
	r.expect(r.snapshot.Count())
	block := &block{r: r, emit: emit}
	unreadable, globalWhole := map[string]bool{}, true
	for _, s := range r.stores() {
		unreadable[s.Store] = s.Unreadable()
		globalWhole = globalWhole && (s.Store != extract.GlobalStore || s.Err == nil)
	}
	held := func(id string) bool { return !globalWhole && r.plan.KnownInGlobal(id) }
	away := r.chatsAway()
	for conv, err := range r.snapshot.Conversations(ctx) {
		if err != nil {
			return failureOf(r.src, storeAt(r.snapshot, err), err)
		}
		if r.opt.meet != nil {
			r.opt.meet(conv)
		}
		key := r.plan.KeyOf(conv).Anywhere()
		if _, again := r.seen[key]; again {
			continue
		}
		if conv.Store != extract.GlobalStore && !conv.Loose && held(key.ID) {
			r.seen[key] = extract.GlobalStore
			continue
		}
		if store, ok := away[key.ID]; ok && !conv.Loose && extract.GoesWithItsFolder(conv.Store) {
			r.seen[key] = store
			r.dealtWith(conv)
			continue
		}
		r.seen[key] = conv.Store
		conv.Elsewhere = r.others[key.ID]
		if err := block.add(ctx, conv); err != nil {
			return err
		}
	}
	if err := r.readCopies(ctx, unreadable, held, block); err != nil {
		return err
	}
	if err := r.readListed(ctx, unreadable, globalWhole, block); err != nil {
		return err
	}
	return block.end(ctx)
}

// readCopies adds the conversations that exist only in shared rows of workspace stores.
func (r *reading) readCopies(ctx context.Context, unreadable map[string]bool, held func(id string) bool,
	block *block) error {
	if r.plan.Trusted() { // then they are those of the last load
		for _, key := range r.plan.Copies() {
			if _, again := r.seen[key.Anywhere()]; !again {
				r.seen[key.Anywhere()] = key.Store
				r.listed[key.ID] = r.state.Known[key].IsListed
			}
		}
		return nil
	}
	copied := r.n().Shared.Copied()
	r.expect(len(copied))
	for _, id := range copied {
		conv := r.n().Conversation(id)
		key := r.plan.KeyOf(conv)
		if _, again := r.seen[key.Anywhere()]; again || held(id) || unreadable[conv.Store] { // or it stays unchanged
			continue
		}
		r.seen[key.Anywhere()] = conv.Store
		r.heads[key] = r.n().Shared.Of(id).IsEarlier()
		if err := block.add(ctx, conv); err != nil {
			return err
		}
	}
	return nil
}

// readListed adds the conversations of which lists have a head and no store has a row. One that was loaded is deleted,
// though its head stays. If the global store cannot be read, nobody knows which have rows: those that are known stay.
func (r *reading) readListed(ctx context.Context, unreadable map[string]bool, globalWhole bool, block *block) error {
	for _, key := range r.plan.Copies() {
		if !globalWhole && r.state.Known[key].IsListed && r.seen[key.Anywhere()] == "" {
			r.seen[key.Anywhere()], r.listed[key.ID] = key.Store, true
		}
	}
	if r.plan.Trusted() || !globalWhole {
		return nil
	}
	for _, id := range r.n().Shared.Listed() {
		conv := r.n().Conversation(id)
		key := r.plan.KeyOf(conv).Anywhere()
		if _, again := r.seen[key]; again || unreadable[conv.Store] || !transform.OnlyListed(r.n().Last(key.ID)) {
			continue
		}
		r.expect(1)
		r.seen[key], r.listed[key.ID] = conv.Store, true
		if err := block.add(ctx, conv); err != nil {
			return err
		}
	}
	return nil
}

// inTime reports whether a conversation's last activity is within the wanted period.
func (r *reading) inTime(conv *extract.Conversation) (bool, error) {
	wanted := r.plan.Wanted
	if !wanted.Timed() {
		return true, nil
	}
	enough := wanted.Since
	if wanted.Until != nil {
		enough = nil // a later message may be too late
	}
	last, err := r.n().LastActivity(conv, enough)
	return err == nil && wanted.Within(last), err
}

// normalize sends a job's rows and closes its channel. It sends a read error with the rows: the writer returns it.
func normalize(ctx context.Context, n *transform.Normalizer, j *job) (err error) {
	defer close(j.rows)
	defer caught(j.known.Key(), true, &err)
	for rows, err := range n.Normalize(j.conv) {
		if !send(ctx, j.rows, batch{rows, err}) {
			return ctx.Err()
		}
	}
	if j.whole != nil {
		j.whole()
	}
	return nil
}

// write writes the jobs in order.
func (r *reading) write(ctx context.Context, jobs <-chan *job) error {
	for {
		var j *job
		var ok bool
		select {
		case <-ctx.Done():
			return ctx.Err()
		case j, ok = <-jobs:
		}
		if !ok {
			return nil
		}
		r.tx.Replace(j.known.Key())
		if err := r.writeJob(ctx, j); err != nil {
			return err
		}
		r.tx.Remember(j.known)
		r.dealtWith(j.conv)
	}
}

func (r *reading) writeJob(ctx context.Context, j *job) error {
	var first *schema.Millis
	var conversation *schema.Conversation
	chat := load.RowKey{SourceID: j.known.SourceID, ConversationID: j.known.ID}
	if extract.IsChatStore(j.conv.Store) {
		r.spoke[chat] = false
	}
	for {
		select {
		case <-ctx.Done():
			return ctx.Err()
		case b, more := <-j.rows:
			switch {
			case !more:
				if r.dry {
					r.result.list(j, conversation)
				}
				if r.opt.Git && conversation != nil {
					r.noteProject(conversation, first)
				}
				return nil
			case b.err != nil:
				return failureOfRows(j, b.err)
			}
			r.result.add(b.rows)
			if len(b.rows.Conversations) > 0 {
				conversation = &b.rows.Conversations[0]
			}
			if _, ok := r.spoke[chat]; ok && len(b.rows.Messages) > 0 {
				r.spoke[chat] = true
			}
			for i := range b.rows.Messages {
				first = earliest(first, b.rows.Messages[i].CreatedAt)
			}
			if err := r.tx.Write(b.rows); err != nil {
				return err
			}
		}
	}
}

// failureOfRows is why the rows of a conversation were not made: its store could not be read, unless the rows could not
// be set aside.
func failureOfRows(j *job, err error) error {
	if aside := new(transform.AsideError); errors.As(err, &aside) {
		return err
	}
	return &storeFailure{j.known.SourceID, j.conv.Store, "", err}
}

// send sends v unless the run is over.
func send[T any](ctx context.Context, c chan<- T, v T) bool {
	select {
	case c <- v:
		return true
	case <-ctx.Done():
		return false
	}
}
