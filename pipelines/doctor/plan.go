package doctor

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/dustin/go-humanize"

	"pipeline/extract"
	"pipeline/load/engine"
	"pipeline/load/figures"
	"pipeline/pipelines"
)

// This file finds out what a run would do.

// tries is the number of dry runs if stores change while they are read.
const tries = 3

// lookAhead makes a dry run, if the warehouse can be read, and takes over what it learned about the stores.
func (e *exam) lookAhead(ctx context.Context) error {
	if e.asked.NoPlan {
		return nil
	}
	e.Plan = &Plan{Failures: []figures.CheckFailure{}, Reasons: map[string]int64{},
		failed: map[string]*extract.StoreError{}}
	switch {
	case len(e.asked.Sources) == 0:
		e.Plan.Skipped = "no source was found"
		return nil
	case e.Warehouse.Err != nil:
		e.Plan.Skipped = "the warehouse cannot be looked into"
		return nil
	}
	result, err := pipelines.DryRun(ctx, e.asked.Options)
	for try := 1; err != nil && errors.Is(err, extract.ErrTorn) && try < tries; try++ { // like a run
		result, err = pipelines.DryRun(ctx, e.asked.Options)
	}
	var none *pipelines.SourceError
	switch {
	case errors.As(err, &none):
		e.Plan.failures(none.Failures)
	case err != nil:
		e.Plan.err = err
	default:
		e.Plan.Conversations, e.Plan.LeftOut, e.Plan.Bytes, e.Plan.Reasons = result.Conversations, result.LeftOut,
			result.Bytes, result.Reasons
		e.Plan.Failures = append(e.Plan.Failures, result.Failures...)
		e.Plan.failures(result.Errors())
	}
	if err != nil {
		e.Plan.Error = err.Error()
	}
	e.readAs(result)
	return nil
}

// readAs takes over how the dry run read each store, or why it could not: it knows more than a look.
func (e *exam) readAs(result *pipelines.Result) {
	methods := map[string]string{}
	if result != nil {
		methods = result.SnapshotMethods()
	}
	for store := range e.stores() {
		switch failed, method := e.Plan.failed[store.Path], methods[store.Path]; {
		case failed != nil:
			store.Err, store.Method, store.Reason = failed, "", ""
		case method != "" && store.Err != nil:
			store.Reason = fmt.Sprintf("though it looks odd: %v", store.Err)
			store.Err, store.Method = nil, method
		case method != "" && method != store.Method:
			store.Method, store.Reason = method, ""
		}
	}
}

// failures sorts errors by their store.
func (p *Plan) failures(errs []error) {
	for _, err := range errs {
		if joined, ok := err.(interface{ Unwrap() []error }); ok {
			p.failures(joined.Unwrap())
			continue
		}
		var failed *extract.StoreError
		if errors.As(err, &failed) {
			p.failed[failed.Path] = failed
		} else {
			p.errs = append(p.errs, err)
		}
	}
}

// tellPlan reports what a run would do.
func (e *exam) tellPlan() {
	p := e.Plan
	switch {
	case p == nil:
		return
	case p.Skipped != "":
		e.note("", "What a run would load is not known: %s.", p.Skipped)
		return
	case p.err != nil:
		verdict, remedy := VerdictProblem, "Run again in a minute."
		var usage *pipelines.UsageError
		switch {
		case errors.As(p.err, &usage):
			remedy = "Change the arguments of the run."
		case errors.Is(p.err, engine.ErrBusy) || errors.Is(p.err, extract.ErrTorn):
			verdict = VerdictBusy
		}
		e.problem(verdict, remedy, "A run would fail now: %v", p.err)
		return
	case p.Error != "":
		e.note("", "A run would load nothing: no source can be read.")
		return
	}
	for _, err := range p.errs {
		e.problem(VerdictSource, "Try pipeline run --dry-run, which says more.", "%v", err)
	}
	for _, f := range p.Failures {
		e.problem(VerdictProblem, "Look whether the store is the right one before you accept it.",
			"A run would end with %s: %s", f.Check, f.First)
	}
	c := p.Conversations
	text := fmt.Sprintf("conversations: %s new, %s changed, %s deleted, %s unchanged; %s to read",
		humanize.Comma(c.New), humanize.Comma(c.Changed), humanize.Comma(c.Deleted), humanize.Comma(c.Unchanged),
		size(p.Bytes))
	if len(p.Reasons) > 0 && c.Unchanged+c.Changed+c.Deleted > 0 {
		var because []string
		for _, why := range slices.Sorted(maps.Keys(p.Reasons)) {
			because = append(because, fmt.Sprintf("%s: %s", why, humanize.Comma(p.Reasons[why])))
		}
		text += " (" + strings.Join(because, "; ") + ")"
	}
	if p.LeftOut > 0 {
		text += fmt.Sprintf("; %s left out", humanize.Comma(p.LeftOut))
	}
	e.ok("%s", text)
}
