package graph

import (
	"cmp"
	"slices"
	"strconv"

	"google.golang.org/protobuf/encoding/protowire"
)

// This file reads tool calls of steps.

// DecodeCall decodes a tool call that stands by itself, outside of a graph: the editor's rows have some
// (docs/formats.md, Calls in binary). ok is false for bytes that are no call. Blobs that it names are not read.
func DecodeCall(b []byte, limits Limits) (call *ToolCall, ok bool) {
	none := func(Hash) (Blob, error) { return Blob{}, ErrMissing }
	r := &reader{decoder: &decoder{fetch: none, limits: limits.withDefaults()}, c: &Conversation{}}
	call = r.call(b, 0)
	bad := func(p Problem) bool { return p.Reason != blobMissing }
	return call, call.Variant != 0 && !slices.ContainsFunc(r.c.Problems, bad)
}

// envelope are the fields of a call that are no variant: contexts of hooks, the id, the times.
var envelope = map[protowire.Number]bool{54: true, 57: true, 59: true, 60: true}

// call reads a tool call. A variant that is not known counts if there is no other.
func (r *reader) call(b []byte, depth int) *ToolCall {
	var c ToolCall
	var variant, newer *field
	for f := range r.fields(message{"tool_call", 80}, b) {
		switch {
		case f.num == 57:
			r.put(f, &c.ID)
		case f.num == 59:
			r.put(f, moment{&c.StartedAt})
		case f.num == 60:
			r.put(f, moment{&c.CompletedAt})
		case envelope[f.num] || f.typ != protowire.BytesType:
		case tools[f.num].name == "":
			newer = &f
		case variant != nil:
			r.bad(f.of)
		default:
			variant = &f
		}
	}
	if variant == nil {
		variant = newer
	}
	if variant == nil {
		return &c
	}
	if variant.num == truncatedCall {
		return r.truncated(&c, variant.b, depth)
	}
	r.variant(&c, variant.num, variant.b)
	return &c
}

// variant reads the arguments and the result of a call.
func (r *reader) variant(c *ToolCall, num protowire.Number, b []byte) {
	t := tools[num]
	c.Variant, c.Tool = int(num), t.name
	if r.walks && num != readCall { // no other names blobs
		return
	}
	if c.Tool == "" {
		c.Tool = strconv.Itoa(int(num))
	}
	r.read(message{c.Tool, 3}, b,
		dest{1, func(b []byte) { r.arguments(c, t, b) }},
		dest{2, func(b []byte) { r.result(c, t, b) }})
	c.Args, c.Result = c.VariantArgs, c.VariantResult
}

// arguments reads the arguments of a call. Some have the id of the call, as calls of before 2026 do.
func (r *reader) arguments(c *ToolCall, t tool, b []byte) {
	args := r.object(c.Tool+"_args", t.args, b, 0)
	for _, s := range t.args {
		if s.kind != callID {
			continue
		}
		if id, ok := args[s.name].(string); ok && id != "" && c.ID == "" {
			c.ID = id
		}
		delete(args, s.name)
	}
	c.VariantArgs = toJSON(args)
}

// lastOutcome is the highest field number of a result that may be an outcome. Fields from 101 on say how a shell was
// run.
const lastOutcome = 100

// result reads the result of a call: which field it has, and what is in it.
func (r *reader) result(c *ToolCall, t tool, b []byte) {
	outcomes := 0
	for f := range r.fields(message{c.Tool + "_result", protowire.MaxValidNumber}, b) {
		name, named := t.outcomes[f.num]
		switch {
		case f.num > lastOutcome || f.typ != protowire.BytesType || named && name == "":
			continue
		case named:
		case f.num == 1:
			name = success
		default:
			name = failure
		}
		outcomes++
		c.Outcome = name
		r.put(f, func(b []byte) { r.resultBody(c, t, f.num, b) })
	}
	if outcomes > 1 {
		c.Outcome = ""
	}
}

// resultBody reads the message in a field of a result.
func (r *reader) resultBody(c *ToolCall, t tool, num protowire.Number, b []byte) {
	body := r.object(c.Tool+"_result."+strconv.Itoa(int(num)), t.results[num], b, 0)
	c.VariantResult = toJSON(body)
	if yes, ok := body["is_error"].(bool); ok && yes && c.Outcome == success {
		c.Outcome = failure
	}
	for name, to := range map[string]**int64{"exit_code": &c.ExitCode, "lines_added": &c.LinesAdded,
		"lines_removed": &c.LinesRemoved, "execution_time_ms": &c.TookMS, "duration_ms": &c.TookMS} {
		if n, ok := body[name].(int64); ok && t.results != nil {
			*to = &n
		}
	}
	if id, ok := body["agent_id"].(string); ok {
		c.AgentID = id
	}
}

// truncated follows a truncated call to the original step. If that cannot be read, the outcome is all that is left.
func (r *reader) truncated(short *ToolCall, b []byte, depth int) *ToolCall {
	short.Variant, short.Tool = truncatedCall, tools[truncatedCall].name
	var original *ToolCall
	r.read(message{short.Tool, 3}, b,
		dest{1, func(f field) {
			if depth+1 >= r.limits.Depth {
				r.problem(tooDeep, nodeStep, r.at)
				return
			}
			r.hash(f, func(h Hash) {
				r.open(h, nodeStep, func(b []byte) {
					if s, ok := r.step(b, depth+1); ok {
						original = s.Call
					}
				})
			})
		}},
		dest{3, func(b []byte) { r.truncatedResult(short, b) }})
	if original == nil {
		return short
	}
	original.fill(short)
	return original
}

// truncatedResult reads the outcome of a truncated call.
func (r *reader) truncatedResult(c *ToolCall, b []byte) {
	r.read(message{"truncated_result", 2}, b,
		dest{1, func(field) { c.Outcome = success }},
		dest{2, func(f field) {
			c.Outcome = failure
			r.put(f, func(b []byte) {
				c.Error = ""
				r.read(message{"truncated_error", 1}, b, dest{1, &c.Error})
			})
		}})
}

// fill takes from a truncated call what the original does not have.
func (c *ToolCall) fill(short *ToolCall) {
	c.ID, c.Outcome = cmp.Or(c.ID, short.ID), cmp.Or(c.Outcome, short.Outcome)
	c.StartedAt, c.CompletedAt = cmp.Or(c.StartedAt, short.StartedAt), cmp.Or(c.CompletedAt, short.CompletedAt)
}
