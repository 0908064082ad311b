package disagreetest

import (
	"fmt"
	"strconv"
)

// null stands for NULL in what is wanted; "" for what no rule decides.
const null = "NULL"

// call is a tool call.
type call struct {
	id, tool      string // shell, read, edit, mcp, task
	command, file string
	agent         string // the subagent that it started
	start, end    int64

	row    rowCall
	binary string // what toolCallBinary says of its end: "" there is none; ok, error, rejected, denied, pending
	node   string // what the graph says
	flag   bool   // the graph's message with the result says that it failed
	starts string // which places of the row know when it ran: header, bubble, additional
}

// rowCall is what the bubble says of a call.
type rowCall struct {
	status   string // "" for none
	decision string
	review   string // state of a review whose option is a no: Done; None and Requested decide nothing
	failure  string // text of an error
	result   string // none, plain, error, nested, rejected, aborted
	exit     *int64
	exitIn   string
	args     string // params, rawArgs, none
}

// newCall makes a call: how it ended, and what each place says of that.
func (c *Chat) newCall(m *message) *call {
	r := c.r
	k := &call{id: fmt.Sprintf("toolu_%d_%d_%d", c.seed, c.part, m.n), start: m.at - 900, end: m.at - 200}
	k.tool = r.pick("shell", "shell", "shell", "read", "edit", "mcp")
	if r.chance(5) {
		k.id += "\nfc_1"
	}
	switch k.tool {
	case "shell":
		k.command = "make " + c.words("all")
	case "read", "edit":
		k.file = fmt.Sprintf("/w/%d/%d/%d.go", c.seed, c.part, m.n)
	}
	truth := r.pick("ok", "ok", "ok", "ok", "error", "error", "rejected", "cancelled", "aborted", "denied", "pending")
	if k.tool == "read" && (truth == "rejected" || truth == "denied") {
		truth = "error"
	}
	k.node = k.inGraph(truth)
	if r.chance(12) {
		k.node = k.inGraph(r.pick("ok", "error", "rejected", "denied", "pending"))
	}
	if r.chance(25) {
		k.binary = k.inGraph(truth)
		if r.chance(15) {
			k.binary = k.inGraph(r.pick("ok", "error", "rejected", "denied", "pending"))
		}
	}
	k.flag = k.node == "ok" && !c.noMessages() && r.chance(6)
	k.starts = r.pick("", "", "header", "bubble", "additional", "bubble additional", "header bubble")
	k.inRow(r, truth)
	return k
}

// inGraph is the end of a call in the terms that the graph has for the tool.
func (k *call) inGraph(truth string) string {
	switch truth {
	case "cancelled", "aborted":
		return "pending"
	case "rejected", "denied":
		if k.tool == "read" {
			return "error"
		}
	}
	return truth
}

// inRow decides what the bubble says.
func (k *call) inRow(r random, truth string) {
	w := &k.row
	w.args, w.result = r.pick("params", "params", "params", "rawArgs", "none"), "plain"
	if k.binary != "" && r.chance(70) {
		w.args, w.result = "none", "none"
	}
	if w.args == "none" && k.binary == "" && r.chance(50) {
		w.args = "params"
	}
	switch truth {
	case "ok":
		w.status = r.pick("completed", "completed", "success")
		if k.tool == "shell" && w.result == "plain" && r.chance(30) {
			w.exit, w.exitIn = new(int64), "exitCodeV2"
		}
	case "error":
		k.failed(r)
	case "rejected":
		w.status, w.result = r.pick("completed", "cancelled", "error", "pending", ""), "none"
		switch r.IntN(3) {
		case 0:
			w.decision = "rejected"
		case 1:
			w.result = "rejected"
		default:
			w.review = "Done"
		}
	case "cancelled":
		w.status, w.result = r.pick("cancelled", "canceled"), "none"
	case "aborted":
		w.status, w.result = "completed", "aborted"
	case "denied":
		w.status, w.result = r.pick("completed", "cancelled", "error"), "none"
	case "pending":
		w.status, w.result = r.pick("loading", "pending"), "none"
	}
	if truth != "rejected" && r.chance(20) {
		w.decision = "accepted"
	}
	if w.review == "" && r.chance(20) {
		w.review = r.pick("None", "Requested")
	}
	if r.chance(25) { // an older state of the row, or one that nobody brought to its end
		*w = rowCall{args: w.args, result: "none"}
		w.status = r.pick("loading", "loading", "pending", "completed", "completed", "", "success", "error",
			"cancelled", "canceled", "failed")
	}
}

// failed decides how a bubble says that a call failed.
func (k *call) failed(r random) {
	w := &k.row
	w.status = r.pick("completed", "completed", "error", "failed")
	switch r.IntN(4) {
	case 0:
		w.failure, w.result = r.pick("It broke.",
			text(object{"clientVisibleErrorMessage": "It broke.", "modelVisibleErrorMessage": "It broke, try again."})),
			"none"
	case 1:
		w.result = r.pick("error", "nested")
	case 2:
		if k.tool == "shell" {
			one := int64(r.between(1, 130))
			w.exit, w.exitIn, w.result = &one, r.pick("exitCode", "exitCodeV2"), "plain"
			return
		}
		w.result = "error"
	default: // the status alone, or nothing: then another place says so
		w.result = "none"
	}
}

// claims are the ends that the places tell of.
func (k *call) claims(row, node bool) map[string]bool {
	says := map[string]bool{}
	if node {
		says[k.node] = true
		says["error"] = says["error"] || k.flag
	}
	if !row {
		return says
	}
	w := k.row
	if k.binary != "" {
		says[k.binary] = true
	}
	switch w.status {
	case "cancelled", "canceled":
		says["cancelled"] = true
	case "error", "failed":
		says["error"] = true
	case "completed", "success":
		says["ok"] = true
	case "loading", "pending":
		says["pending"] = true
	}
	says["rejected"] = says["rejected"] || w.decision == "rejected" || w.result == "rejected" ||
		w.review == "Done"
	says["aborted"] = says["aborted"] || w.result == "aborted"
	says["error"] = says["error"] || w.failure != "" || w.result == "error" || w.result == "nested" ||
		w.exit != nil && *w.exit != 0
	return says
}

// outcomes are what the warehouse may say of a call: one, or those among which nothing decides.
func (k *call) outcomes(row, node bool) []string {
	says := k.claims(row, node)
	switch {
	case says["rejected"]:
		return []string{"rejected"}
	case says["cancelled"]:
		return []string{"cancelled"}
	case says["denied"]:
		return []string{"cancelled", "rejected"} // no rule says which
	case says["aborted"]:
		return []string{"aborted"}
	case says["error"]:
		return []string{"error"}
	case says["ok"]:
		return []string{"ok"}
	case says["pending"] && row && k.row.status == "":
		return []string{"pending", null} // only the graph or the binary, which have no status, says so
	case says["pending"]:
		return []string{"pending"}
	}
	return []string{null}
}

// isError follows from the outcome.
func isError(outcome string) string {
	switch outcome {
	case "ok":
		return "false"
	case "error":
		return "true"
	}
	return null
}

// exitCode is what the places say of it, in the order in which they are asked.
func (k *call) exitCode(row, node bool) string {
	ended := func(end string) string {
		return map[string]string{"ok": "0", "error": "2"}[end]
	}
	if k.tool != "shell" {
		return null
	}
	if row && k.row.exit != nil {
		return strconv.FormatInt(*k.row.exit, 10)
	}
	if row && ended(k.binary) != "" {
		return ended(k.binary)
	}
	if row && k.row.result != "none" {
		return "" // a result without an exit code: 0 or not recorded
	}
	if node && ended(k.node) != "" {
		return ended(k.node)
	}
	return null
}

// took is how long the graph, or the binary, says that a call took: as its result states it, else from its start to its
// end; "" if it has not ended.
func (k *call) took(end string) string {
	switch stated := k.variant(end).Took; {
	case end == "pending":
		return ""
	case stated > 0 && (end == "ok" || end == "error"):
		return strconv.FormatInt(stated, 10)
	}
	return strconv.FormatInt(k.end-k.start, 10)
}

// String is what the places say of a call.
func (k *call) String() string {
	w, exit := k.row, ""
	if w.exit != nil {
		exit = fmt.Sprintf(", %s %d", w.exitIn, *w.exit)
	}
	row := fmt.Sprintf("status %q, decision %q, review %q, error %q, result %s%s, arguments in %s", w.status,
		w.decision, w.review, w.failure, w.result, exit, w.args)
	return fmt.Sprintf("call %q of %s; row: %s; binary %q; graph %q, its message failed %v; times in %q", k.id, k.tool,
		row, k.binary, k.node, k.flag, k.starts)
}
