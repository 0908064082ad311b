package mcpserver

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"strings"
	"sync"

	"github.com/google/jsonschema-go/jsonschema"
	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// This file is the only one that knows the library of the protocol.

// A protocol speaks with a client.
type protocol struct{ server *mcp.Server }

func newProtocol(version, instructions string) protocol {
	return protocol{mcp.NewServer(&mcp.Implementation{Name: "pipeline", Title: "History of Cursor", Version: version},
		&mcp.ServerOptions{
			Instructions: instructions,
			// what is listed never changes
			Capabilities: &mcp.ServerCapabilities{Tools: &mcp.ToolCapabilities{}, Prompts: &mcp.PromptCapabilities{},
				Resources: &mcp.ResourceCapabilities{}},
		})}
}

// serve answers until in ends or the context does.
func (p protocol) serve(ctx context.Context, in io.ReadCloser, out io.WriteCloser) error {
	p.server.AddReceivingMiddleware(withoutNulls)
	answers := &lockedWriter{WriteCloser: out}
	err := p.server.Run(ctx, &mcp.IOTransport{Reader: onlyMessages(in, answers), Writer: answers})
	if errors.Is(err, io.EOF) || errors.Is(err, mcp.ErrConnectionClosed) {
		return nil
	}
	return err
}

// withoutNulls takes out arguments that are null: some clients send so what is not given.
func withoutNulls(next mcp.MethodHandler) mcp.MethodHandler {
	return func(ctx context.Context, method string, request mcp.Request) (mcp.Result, error) {
		if call, ok := request.GetParams().(*mcp.CallToolParamsRaw); ok && call != nil {
			var given map[string]json.RawMessage
			if json.Unmarshal(call.Arguments, &given) == nil {
				maps.DeleteFunc(given, func(_ string, value json.RawMessage) bool { return string(value) == "null" })
				if text, err := json.Marshal(given); err == nil && given != nil {
					call.Arguments = text
				}
			}
		}
		return next(ctx, method, request)
	}
}

// A tool answers an input of type In.
type tool[In any] struct {
	name, title string
	rows        int // at most
	usual       int // rows, unless the input says otherwise
	answer      func(ctx context.Context, p *page, in In) error
	about       string
}

// addTool adds a tool.
func addTool[In any](p protocol, s *server, t tool[In]) {
	no := false
	input, err := jsonschema.For[In](nil)
	if err != nil {
		panic(fmt.Sprintf("mcpserver: the input of %s has no schema: %v", t.name, err)) // a mistake in this package
	}
	bound(input, t.rows, t.usual)
	mcp.AddTool(p.server, &mcp.Tool{
		Name: t.name, Title: t.title, Description: t.about, InputSchema: input, OutputSchema: answerSchema(),
		Annotations: &mcp.ToolAnnotations{Title: t.title, ReadOnlyHint: true, IdempotentHint: true,
			DestructiveHint: &no, OpenWorldHint: &no},
	}, func(ctx context.Context, _ *mcp.CallToolRequest, in In) (*mcp.CallToolResult, Answer, error) {
		out, err := ask(ctx, s, func(ctx context.Context, q *question) (out Answer, err error) {
			p, err := q.newPage(t.name, &in, t.usual)
			if err == nil {
				err = t.answer(ctx, p, in)
			}
			if err == nil {
				out = p.done()
			}
			return out, err
		})
		return nil, out, err
	})
}

// bound declares in a schema how many rows a tool gives, how long a piece of text is, and the words that it takes.
func bound(input *jsonschema.Schema, rows, usual int) {
	for name, most := range map[string]int{"limit": rows, "length": pieceLimit} {
		if p := input.Properties[name]; p != nil {
			least, most := 1.0, float64(most)
			p.Minimum, p.Maximum = &least, &most
			if p.Description == "" {
				p.Description = fmt.Sprintf("how many rows, %d unless given", usual)
			}
		}
	}
	for _, name := range []string{"offset", "after"} {
		if p := input.Properties[name]; p != nil {
			p.Minimum = new(float64)
			p.Type, p.Types = "integer", nil // null is no way to leave it out
		}
	}
	for name, words := range map[string][]any{"role": {"user", "assistant", "unknown"},
		"in": {"text", "thinking", "params", "result"}} {
		if p := input.Properties[name]; p != nil {
			p.Enum = words
		}
	}
}

// answerSchema is the JSON schema of an Answer.
func answerSchema() *jsonschema.Schema {
	text := func(about string) *jsonschema.Schema { return &jsonschema.Schema{Type: "string", Description: about} }
	return &jsonschema.Schema{
		Type:     "object",
		Required: []string{"columns", "rows", "truncated", "next_cursor", "note"},
		Properties: map[string]*jsonschema.Schema{
			"columns": {Type: "array", Items: text(""), Description: "names of the columns"},
			"rows": {Type: "array", Description: "a list of cells for each row, in the order of the columns; lists " +
				"and objects are JSON as text",
				Items: &jsonschema.Schema{Type: "array",
					Items: &jsonschema.Schema{Types: []string{"string", "number", "boolean", "null"}}}},
			"truncated": {Type: "boolean", Description: "true if there are more rows, or more of this text"},
			"next_cursor": text("pass it as cursor, with the same other arguments, for what follows; empty if " +
				"nothing does"),
			"note": text("how to read this answer"),
		},
		AdditionalProperties: &jsonschema.Schema{Not: &jsonschema.Schema{}},
	}
}

// markdown is the type of all resources.
const markdown = "text/markdown"

// A resource is a text that clients can attach to a conversation. A URI with {name} in it is a pattern.
type resource struct{ uri, name, title, about string }

// errNotFound says that there is no such resource.
var errNotFound = errors.New("there is no such resource")

// addResources adds resources, which read reads.
func (p protocol) addResources(all []resource, read func(ctx context.Context, uri string) (string, error)) {
	handle := func(ctx context.Context, request *mcp.ReadResourceRequest) (*mcp.ReadResourceResult, error) {
		uri := request.Params.URI
		text, err := read(ctx, uri)
		switch {
		case errors.Is(err, errNotFound):
			return nil, mcp.ResourceNotFoundError(uri)
		case errors.As(err, new(unknownID)):
			return nil, &jsonrpc.Error{Code: jsonrpc.CodeInvalidParams, Message: err.Error()}
		case err != nil:
			return nil, &jsonrpc.Error{Code: jsonrpc.CodeInternalError, Message: err.Error()}
		}
		return &mcp.ReadResourceResult{Contents: []*mcp.ResourceContents{{URI: uri, MIMEType: markdown, Text: text}}},
			nil
	}
	for _, r := range all {
		if strings.Contains(r.uri, "{") {
			p.server.AddResourceTemplate(&mcp.ResourceTemplate{URITemplate: r.uri, Name: r.name, Title: r.title,
				MIMEType: markdown, Description: r.about}, handle)
			continue
		}
		p.server.AddResource(&mcp.Resource{URI: r.uri, Name: r.name, Title: r.title, MIMEType: markdown,
			Description: r.about}, handle)
	}
}

// A prompt is a question that people can choose in a client. It may have one argument.
type prompt struct {
	name, title, about string
	argument           string // its name; "" for none
	argumentAbout      string
	isRequired         bool
	text               func(argument string) string
}

// addPrompts adds prompts.
func (p protocol) addPrompts(all []prompt) {
	for _, one := range all {
		declared := &mcp.Prompt{Name: one.name, Title: one.title, Description: one.about}
		if one.argument != "" {
			declared.Arguments = []*mcp.PromptArgument{
				{Name: one.argument, Description: one.argumentAbout, Required: one.isRequired},
			}
		}
		p.server.AddPrompt(declared, func(_ context.Context, request *mcp.GetPromptRequest) (*mcp.GetPromptResult,
			error) {
			argument := request.Params.Arguments[one.argument]
			if argument == "" && one.isRequired {
				return nil, &jsonrpc.Error{Code: jsonrpc.CodeInvalidParams,
					Message: fmt.Sprintf("the prompt %s needs %s: %s", one.name, one.argument, one.argumentAbout)}
			}
			return &mcp.GetPromptResult{Messages: []*mcp.PromptMessage{
				{Role: "user", Content: &mcp.TextContent{Text: one.text(argument)}},
			}}, nil
		})
	}
}

// What follows answers lines that are no messages. The library ends the connection at the first of them.

// lineLimit is how many bytes a message may have.
const lineLimit = 8 << 20

// A lockedWriter writes one message at a time.
type lockedWriter struct {
	io.WriteCloser
	mu sync.Mutex
}

func (w *lockedWriter) Write(p []byte) (int, error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.WriteCloser.Write(p)
}

// onlyMessages returns a stream of those lines of in that are messages. Each other line is answered with an error. Of a
// list of messages each gets a line of its own, and so an answer of its own.
func onlyMessages(in io.ReadCloser, out io.Writer) io.ReadCloser {
	read, write := io.Pipe()
	go func() {
		lines := bufio.NewReaderSize(in, 64<<10)
		for {
			line, long, err := nextLine(lines)
			switch {
			case long:
				answerError(out, nil, jsonrpc.CodeInvalidRequest, "this message is too long")
			case len(bytes.TrimSpace(line)) > 0:
				if err := passLine(bytes.TrimSpace(line), write, out); err != nil {
					return // nobody reads any more
				}
			}
			if err != nil {
				write.CloseWithError(err)
				return
			}
		}
	}()
	return messages{read, in}
}

// messages are those of a stream. To close them closes the stream, too.
type messages struct {
	*io.PipeReader
	in io.Closer
}

func (m messages) Close() error { return errors.Join(m.PipeReader.Close(), m.in.Close()) }

// nextLine reads a line. Of one that is too long it holds nothing.
func nextLine(in *bufio.Reader) (line []byte, long bool, err error) {
	for {
		part, err := in.ReadSlice('\n')
		if long = long || len(line)+len(part) > lineLimit; long {
			line = nil
		} else {
			line = append(line, part...)
		}
		if !errors.Is(err, bufio.ErrBufferFull) {
			return line, long, err
		}
	}
}

// passLine passes on the messages of a line, and answers what is none.
func passLine(line []byte, to, out io.Writer) error {
	if !json.Valid(line) {
		answerError(out, nil, jsonrpc.CodeParseError, "this line is no JSON: a message is one object on one line")
		return nil
	}
	if line[0] != '[' {
		return passMessage(line, to, out)
	}
	var all []json.RawMessage
	if err := json.Unmarshal(line, &all); err != nil || len(all) == 0 {
		answerError(out, nil, jsonrpc.CodeInvalidRequest, "this list has no messages")
		return nil
	}
	for _, one := range all {
		if err := passMessage(one, to, out); err != nil {
			return err
		}
	}
	return nil
}

// passMessage passes on a message, or answers that it is none.
func passMessage(text []byte, to, out io.Writer) error {
	var head struct {
		ID json.RawMessage `json:"id"`
	}
	isObject := text[0] == '{' && json.Unmarshal(text, &head) == nil
	if !isObject || !isID(head.ID) {
		answerError(out, nil, jsonrpc.CodeInvalidRequest,
			"this is no message of JSON-RPC: it is an object, whose id is a text or a whole number")
		return nil
	}
	if _, err := jsonrpc.DecodeMessage(text); err != nil {
		answerError(out, head.ID, jsonrpc.CodeInvalidRequest, "this is no message of JSON-RPC: "+err.Error())
		return nil
	}
	var line bytes.Buffer
	if err := json.Compact(&line, text); err != nil {
		return err
	}
	line.WriteByte('\n')
	_, err := to.Write(line.Bytes())
	return err
}

// isID says whether an answer can have this id. Without one, a message wants no answer.
func isID(id json.RawMessage) bool {
	if len(id) == 0 {
		return true
	}
	var whole int64
	return id[0] == '"' || id[0] != 'n' && json.Unmarshal(id, &whole) == nil && whole < exact && whole > -exact
}

// answerError writes an error. Without an id, it is that of no message.
func answerError(out io.Writer, id json.RawMessage, code int64, about string) {
	if len(id) == 0 {
		id = json.RawMessage("null")
	}
	text, err := json.Marshal(map[string]any{"jsonrpc": "2.0", "id": id,
		"error": map[string]any{"code": code, "message": about}})
	if err == nil {
		_, _ = out.Write(append(text, '\n')) // a client that reads nothing gets no answers either
	}
}
