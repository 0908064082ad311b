package mcpserver

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"sync"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
)

// This file answers lines that are no messages. The library of the protocol ends the connection at the first of them.

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
