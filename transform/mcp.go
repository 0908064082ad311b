package transform

import (
	"maps"
	"slices"
	"strings"

	"pipeline/sql/schema"
	"pipeline/transform/jsondoc"
)

// This file finds the MCP server and the tool of a call (docs/formats.md, MCP servers and tools).

// Where mcp_server of a call comes from. The model mcp_calls makes serverByName to serverKnown, or the reverse.
const (
	serverInParams = "params"
	serverByName   = "name"
)

// ownServers are those that Cursor brings along. Their names, which have hyphens, are known without parameters.
var ownServers = []string{"cursor-ide-browser", "cursor-browser-extension", "cursor-app-control"}

// readMcp sets the server and the tool of an MCP call: those in its parameters, else the parts of its name
// mcp-SERVER-TOOL or SERVER-TOOL, cut after the first '-' or '_'. Parameters that have the tool alone say where to cut.
func readMcp(call *schema.ToolCall, params jsondoc.Value) {
	if call.ToolKind != "mcp" {
		return
	}
	first := jsondoc.Value{}
	for _, t := range params.Get("tools").Array() {
		first = t.Object()
		break
	}
	server := mcpServer(params)
	call.McpTool = first.Get("name").Str()
	if call.McpTool == nil {
		call.McpTool = params.First("toolName", "tool_name", "name").Str()
	}
	rest := afterMcp(deref(call.Name))
	if server == nil && call.McpTool != nil {
		if before, found := strings.CutSuffix(rest, *call.McpTool); found && len(before) > 1 &&
			strings.ContainsAny(before[len(before)-1:], "-_") {
			server = ptr(before[:len(before)-1])
		}
	}
	for i, own := range ownServers {
		if server == nil && len(rest) > len(own) && strings.EqualFold(rest[:len(own)], own) &&
			strings.ContainsAny(rest[len(own):len(own)+1], "-_") {
			server = &ownServers[i]
		}
	}
	if server != nil {
		call.McpServer, call.ServerSource = server, ptr(serverInParams)
		if call.McpTool == nil && len(rest) > len(*server)+1 && strings.EqualFold(rest[:len(*server)], *server) &&
			strings.ContainsAny(rest[len(*server):len(*server)+1], "-_") {
			call.McpTool = ptr(rest[len(*server)+1:])
		}
		return
	}
	if i := strings.IndexAny(rest, "-_"); i > 0 {
		call.McpServer, call.ServerSource, call.McpTool = ptr(rest[:i]), ptr(serverByName), nil
		if rest = rest[i+1:]; rest != "" {
			call.McpTool = &rest
		}
	}
}

// mcpArguments are those arguments of a call that may name a server and a tool: the parameters, else what the model
// wrote if it has the agent's form. Any other arguments are the server's own, and may mean anything by a name.
func mcpArguments(params, raw jsondoc.Value) jsondoc.Value {
	if mcpServer(params) == nil {
		if o := raw.Unquoted().Object(); o.Get("providerIdentifier").Exists() && o.Get("toolName").Exists() {
			return o
		}
	}
	return params
}

// mcpServer returns the server that parameters name.
func mcpServer(params jsondoc.Value) *string {
	if s := params.First("server", "serverName", "serverIdentifier", "providerIdentifier", "mcpServer").
		Str(); s != nil {
		return s
	}
	for _, t := range params.Get("tools").Array() {
		if s := t.First("serverName", "server").Str(); s != nil {
			return s
		}
	}
	return nil
}

// isServerTool reports whether a name is that of a server and of its tool: mcp_SERVER_TOOL, or SERVER-TOOL, as no tool
// of Cursor's own has a hyphen.
func isServerTool(name string) bool {
	return afterMcp(name) != ""
}

// afterMcp returns the part of a tool's name after mcp- or mcp_, or a name with a hyphen, and "" for another one. What
// a model wrote before a name is no server's.
func afterMcp(name string) string {
	if len(name) > len("mcp-") && strings.EqualFold(name[:3], "mcp") && strings.ContainsAny(name[3:4], "-_") {
		return name[len("mcp-"):]
	}
	if before, after, ok := strings.Cut(name, "-"); ok && before != "" && after != "" &&
		!strings.ContainsAny(name, wordSeparators) {
		return name
	}
	return ""
}

// dynamicTool is the name of Cursor's tool by which newer models call most others.
const dynamicTool = "CallDynamicTool"

// dynamic unwraps such a call: the tool that it names, its arguments, and the MCP server that has it, "" for a tool of
// Cursor's own, which are in the namespace cursor. Any other call is returned as it is.
func dynamic(name string, raw jsondoc.Value) (tool string, arguments jsondoc.Value, server *string) {
	written := raw.Unquoted().Object()
	called, server := written.Get("toolName").Str(), written.Get("namespace").Str()
	switch {
	case called == nil || name != dynamicTool:
		return name, raw, nil
	case deref(server) == "cursor":
		return *called, written.Get("arguments"), nil
	}
	return "CallMcpTool", raw, server
}

// mcpNamed adds the servers that a message names: those that it offered to the model, and those in the parameters of
// its calls.
func (a *assembly) mcpNamed(b *body) {
	for _, name := range b.servers {
		a.server(name)
	}
	for i := range b.calls {
		if c := &b.calls[i]; deref(c.ServerSource) == serverInParams {
			a.server(*c.McpServer)
		}
	}
}

func (a *assembly) server(name string) {
	a.servers[name] = true
}

// descriptors returns the servers in mcpDescriptors of a message.
func descriptors(list jsondoc.Value) (names []string) {
	for _, element := range list.Array() {
		o := element.Unquoted().Object()
		for _, name := range []string{"serverName", "serverIdentifier"} {
			if s := o.Get(name).Str(); s != nil {
				names = append(names, *s)
			}
		}
	}
	return names
}

// mcpRows are the servers that a conversation names.
func (a *assembly) mcpRows() (rows []schema.McpServer) {
	for _, name := range slices.Sorted(maps.Keys(a.servers)) {
		rows = append(rows, schema.McpServer{SourceID: a.n.SourceID, ConversationID: a.conv.ID, Server: name})
	}
	return rows
}

// userServer begins the id of a server that the user has set up, rather than a project or an extension.
const userServer = "user-"

// knownServers reads the ids of the servers that Cursor knows. Calls name a server of the user with or without the
// prefix.
func (s *Shared) knownServers(list jsondoc.Value) {
	for _, element := range list.Array() {
		id := element.Str()
		if id == nil {
			continue
		}
		s.addServer(*id)
		if name, ok := strings.CutPrefix(*id, userServer); ok && name != "" {
			s.addServer(name)
		}
	}
}

func (s *Shared) addServer(name string) {
	row := schema.McpServer{Server: name}
	if !slices.Contains(s.McpServers, row) {
		s.McpServers = append(s.McpServers, row)
	}
}
