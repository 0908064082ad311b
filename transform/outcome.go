package transform

import (
	"strings"

	"pipeline/sql/schema"
	"pipeline/transform/jsondoc"
)

// This file says how a tool call ended (docs/formats.md, Outcomes of a call). A call is put together from several
// places first: the row, the agent's call inside the row, the graph, a transcript. Each place is a witness, and the
// weightiest of what they say counts: a place that says loading was written before one that says how the call ended.

// Outcomes, the weightiest first.
const (
	outcomeRejected  = "rejected"
	outcomeCancelled = "cancelled"
	outcomeAborted   = "aborted"
	outcomeError     = "error"
	outcomeOK        = "ok"
	outcomePending   = "pending"
)

// weights order the outcomes; nothing known weighs 0.
var weights = map[string]int{outcomeRejected: 6, outcomeCancelled: 5, outcomeAborted: 4, outcomeError: 3, outcomeOK: 2,
	outcomePending: 1}

// statusOutcomes are what the states that Cursor stores say of the outcome.
var statusOutcomes = map[string]string{
	"rejected": outcomeRejected, "denied": outcomeCancelled, "cancelled": outcomeCancelled,
	"canceled": outcomeCancelled, "aborted": outcomeAborted, "error": outcomeError, "failed": outcomeError,
	"completed": outcomeOK, "success": outcomeOK, "loading": outcomePending, "pending": outcomePending,
	"running": outcomePending,
}

// witness adds what a place says of a call's outcome.
func witness(call *schema.ToolCall, outcome string) {
	if weights[outcome] > weights[deref(call.Outcome)] {
		call.Outcome = &outcome
	}
}

// conclude derives the outcome of a call from its fields and from what was witnessed, and is_error from the outcome.
func conclude(call *schema.ToolCall) {
	witness(call, statusOutcomes[strings.ToLower(deref(call.Status))])
	if strings.ToLower(deref(call.UserDecision)) == "rejected" {
		witness(call, outcomeRejected)
	}
	if deref(call.Error) != "" || deref(call.ExitCode) != 0 {
		witness(call, outcomeError)
	}
	call.IsError = nil
	switch deref(call.Outcome) {
	case outcomeError:
		call.IsError = ptr(true)
	case outcomeOK:
		call.IsError = ptr(false)
	}
}

// resultOutcome is how a call ended according to its result. Cursor calls every call completed that has one.
func resultOutcome(result jsondoc.Value) string {
	task := result.First("completedTaskResult", "asyncTaskResult")
	switch {
	case task.Get("userAborted").IsTrue():
		return outcomeAborted
	case task.Get("subagentErrored").IsTrue(), result.Get("applyFailed").IsTrue(),
		result.Get("fileNonExistent").IsTrue(),
		strings.HasSuffix(result.Get("endedReason").Text(), "_EXECUTION_FAILED"):
		return outcomeError
	}
	return ""
}

// isAborted reports whether a reason for the end of a call says that it was aborted: USER_ABORTED,
// ENDED_REASON_ABORTED.
func isAborted(reason *string) bool {
	return strings.HasSuffix(strings.ToUpper(deref(reason)), "ABORTED")
}

// isRefused reports whether a result says that the user refused the call. Of a plan an empty object says that it was
// made and waits for its review (docs/formats.md, Errors and decisions).
func isRefused(call *schema.ToolCall, result jsondoc.Value) bool {
	no := result.Get("rejected")
	return no.IsTrue() || no.IsObject() && (no.HasMembers() || call.ToolKind != "plan")
}

// isPutAway reports whether the user closed a question without an answer. Such a call is completed, and Cursor shows it
// as cancelled.
func isPutAway(call *schema.ToolCall, result, extra jsondoc.Value) bool {
	return deref(call.Tool) == "ask_question" && deref(call.Status) == "completed" &&
		extra.Get("status").Text() == "cancelled" && jsondoc.IsEmpty(result.Get("answers")) &&
		!result.Get("isAsync").IsTrue()
}
