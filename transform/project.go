package transform

import (
	"bytes"
	"cmp"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"regexp"
	"strconv"
	"strings"
	"unicode/utf8"

	"pipeline/transform/jsondoc"
)

// The kinds of Project.
const (
	KindLocal        = "local"
	KindWSL          = "wsl"
	KindSSH          = "ssh"
	KindDevContainer = "dev_container"
	KindAttached     = "attached_container" // a running container, also one of Kubernetes
	KindTunnel       = "tunnel"
	KindCodespaces   = "codespaces"
	KindVirtual      = "virtual"      // a folder in no file system: vscode-vfs, memfs
	KindMultiRoot    = "multi_root"   // a .code-workspace file
	KindEmptyWindow  = "empty_window" // a window without a folder; never from a URI
)

// A Project is what a chat was about: a folder, or a .code-workspace file.
type Project struct {
	URI  string // the identity: percent-decoded, drive letter in lower case, no trailing slash, with a remote authority
	Name string // last segment of the path; several projects may share it
	Path string // for people: /home/me/x, c:\Users\me\x, \\server\share\x; for a remote machine the path there
	Kind string // one of the Kind constants; "" for a URI of any other kind (such as untitled)
}

// ParseProjectURI parses a URI as VS Code writes it (docs/formats.md, URIs). All spellings of one folder give one URI:
// escaped or not, with a trailing slash or without, C: or c:, file://localhost/ or file:///. It also accepts file://
// before a plain path such as c:\x, and an absolute path alone. It returns false for anything else.
func ParseProjectURI(raw string) (Project, bool) {
	scheme, authority, path, tail, ok := splitURI(strings.TrimSpace(raw))
	if !ok {
		return Project{}, false
	}
	authority, path = unescape(authority), withoutDots(lowerDrive(unescape(path)))
	if scheme == "file" {
		if authority = strings.ToLower(authority); authority == "localhost" { // a host name, RFC 8089
			authority = ""
		}
	}
	root := authority == "" && strings.HasPrefix(path, "/")
	if path = strings.TrimRight(path, "/"); path == "" && root {
		path = "/"
	}
	if scheme == "vscode-remote" {
		authority = remoteHost(authority)
	}
	if authority == "" && path == "" {
		return Project{}, false
	}
	p := Project{Name: lastSegment(authority, path), Path: shownPath(scheme, authority, path),
		Kind: kindOfURI(scheme, authority)}
	p.URI = scheme + ":" + path + tail
	if authority != "" || strings.HasPrefix(path, "/") {
		p.URI = scheme + "://" + authority + path + tail
	}
	return p, true
}

// splitURI splits a URI into its parts, still escaped. tail is the query and the fragment with their marks. It is ""
// for file URIs: VS Code escapes ? and #, and plain paths may hold them.
func splitURI(raw string) (scheme, authority, path, tail string, ok bool) {
	scheme, rest, found := strings.Cut(raw, ":")
	if !found || !isScheme(scheme) {
		if isPlainPath(raw) {
			authority, path = splitPlain(raw)
			return "file", authority, path, "", true
		}
		return "", "", "", "", false
	}
	scheme = strings.ToLower(scheme)
	if scheme != "file" {
		if i := strings.IndexAny(rest, "?#"); i >= 0 {
			rest, tail = rest[:i], rest[i:]
		}
	}
	rest, hasAuthority := strings.CutPrefix(rest, "//")
	switch {
	case !hasAuthority:
		return scheme, "", rest, tail, true
	case scheme == "file" && !strings.HasPrefix(rest, "/") && isPlainPath(rest):
		authority, path = splitPlain(rest)
		return scheme, authority, path, tail, true
	}
	authority, path, found = strings.Cut(rest, "/")
	if found {
		path = "/" + path
	}
	if scheme == "file" && authority == "" && strings.HasPrefix(path, "//") {
		// file:////server/share, the other spelling of a UNC path
		authority, path = splitPlain(path)
	}
	return scheme, authority, path, tail, true
}

// isScheme follows RFC 3986, except that a single letter is a drive.
func isScheme(s string) bool {
	if len(s) < 2 || !isLetter(s[0]) {
		return false
	}
	for _, c := range []byte(s) {
		if !isLetter(c) && (c < '0' || c > '9') && c != '+' && c != '-' && c != '.' {
			return false
		}
	}
	return true
}

func isLetter(c byte) bool { return 'a' <= c|0x20 && c|0x20 <= 'z' }

// isPlainPath reports whether s is an absolute path of any system: /x, c:\x, c:/x, \\server\share.
func isPlainPath(s string) bool {
	return strings.HasPrefix(s, "/") || strings.HasPrefix(s, `\\`) || hasDrive(s)
}

func hasDrive(s string) bool {
	return len(s) >= 2 && isLetter(s[0]) && s[1] == ':' && (len(s) == 2 || s[2] == '/' || s[2] == '\\')
}

// splitPlain turns an absolute path into the authority and the path of a file URI.
func splitPlain(s string) (authority, path string) {
	if hasDrive(s) || strings.HasPrefix(s, `\\`) { // on other systems a backslash is an ordinary character
		s = strings.ReplaceAll(s, `\`, "/")
	}
	if hasDrive(s) {
		return "", "/" + s
	}
	if unc, ok := strings.CutPrefix(s, "//"); ok {
		authority, path, found := strings.Cut(strings.TrimLeft(unc, "/"), "/")
		if found {
			path = "/" + path
		}
		return authority, path
	}
	return "", s
}

// escapes are some %XX in a row.
var escapes = regexp.MustCompile(`(%[0-9A-Fa-f]{2})+`)

// unescape decodes %XX. It leaves invalid escapes, and escapes of control characters and of invalid UTF-8.
func unescape(s string) string {
	return escapes.ReplaceAllStringFunc(s, func(escaped string) string {
		run, err := hex.DecodeString(strings.ReplaceAll(escaped, "%", ""))
		if err != nil {
			return escaped
		}
		var b []byte
		for i := 0; i < len(run); {
			r, n := utf8.DecodeRune(run[i:])
			if r == utf8.RuneError && n == 1 || r < 0x20 {
				b = append(b, strings.ToUpper(escaped[3*i:3*(i+n)])...)
			} else {
				b = append(b, run[i:i+n]...)
			}
			i += n
		}
		return string(b)
	})
}

// lowerDrive writes the drive letter of /C:/x in lower case, as VS Code does.
func lowerDrive(path string) string {
	if strings.HasPrefix(path, "/") && hasDrive(path[1:]) {
		return "/" + strings.ToLower(path[1:2]) + path[2:]
	}
	return path
}

func lastSegment(authority, path string) string {
	if i := strings.LastIndex(path, "/"); i >= 0 && i+1 < len(path) {
		return path[i+1:]
	}
	if path == "" {
		return authority
	}
	return path
}

func shownPath(scheme, authority, path string) string {
	switch {
	case strings.HasPrefix(path, "/") && hasDrive(path[1:]):
		path = strings.ReplaceAll(path[1:], "/", `\`)
		if len(path) == 2 { // the root of a drive
			path += `\`
		}
		return path
	case scheme == "file" && authority != "":
		return strings.ReplaceAll("//"+authority+path, "/", `\`)
	}
	return path
}

// remoteHost is the one spelling of a distribution of WSL, whose name is seen in either case, of a host of SSH, whose
// description may be hex digits of JSON, and of a container, whose description or folder has hex digits
// (docs/formats.md, URIs).
func remoteHost(authority string) string {
	remote, name, found := strings.Cut(authority, "+")
	if !found {
		return authority
	}
	switch remote = strings.ToLower(remote); remote {
	case "wsl":
		return strings.ToLower(authority)
	case "dev-container":
		name, host, isRemote := strings.Cut(name, "@")
		var of struct{ HostPath, WorkspacePath string }
		if readHex(name, &of) {
			if folder := cmp.Or(of.HostPath, of.WorkspacePath); folder != "" {
				name = hex.EncodeToString([]byte(folder))
			}
		}
		if isRemote {
			name += "@" + remoteHost(host)
		}
		return remote + "+" + name
	case "ssh-remote":
		var host struct {
			HostName, User string
			Port           any
		}
		if !readHex(name, &host) || host.HostName == "" ||
			strings.ContainsAny(host.HostName+host.User, "/?#%") {
			return remote + "+" + name
		}
		if name = host.HostName; host.User != "" {
			name = host.User + "@" + name
		}
		if port, err := strconv.ParseUint(fmt.Sprint(host.Port), 10, 16); err == nil && port > 0 {
			name += fmt.Sprintf(":%d", port)
		}
		return remote + "+" + name
	}
	return authority
}

// readHex decodes JSON that is written as hex digits; false if it is none.
func readHex(digits string, into any) bool {
	b, err := hex.DecodeString(digits)
	return err == nil && json.Unmarshal(b, into) == nil
}

// remoteKinds maps the start of a vscode-remote authority, up to the +, to a kind.
var remoteKinds = map[string]string{
	"wsl": KindWSL, "ssh-remote": KindSSH, "dev-container": KindDevContainer, "attached-container": KindAttached,
	"k8s-container": KindAttached, "tunnel": KindTunnel, "codespaces": KindCodespaces,
}

func kindOfURI(scheme, authority string) string {
	switch scheme {
	case "file":
		return KindLocal
	case "vscode-remote":
		remote, _, _ := strings.Cut(strings.ToLower(authority), "+")
		return remoteKinds[remote]
	case "vscode-vfs", "memfs", "vsls":
		return KindVirtual
	}
	return ""
}

// withoutDots resolves the segments . and .. of an absolute path. A .. at the root, or at the root of a drive, has no
// effect.
func withoutDots(path string) string {
	if !strings.Contains(path, "/.") || !strings.HasPrefix(path, "/") {
		return path
	}
	segments := strings.Split(path[1:], "/")
	root := 0
	if hasDrive(path[1:]) {
		root = 1
	}
	kept := segments[:0]
	for _, s := range segments {
		switch {
		case s == "..":
			kept = kept[:max(len(kept)-1, root)]
		case s != ".":
			kept = append(kept, s)
		}
	}
	return "/" + strings.Join(kept, "/")
}

// parseWorkspaceJSON reads the content of a workspace.json: {"folder": URI} or {"workspace": URI}, where workspace is a
// .code-workspace file (docs/formats.md, workspace.json). uri is the stored URI, even if it cannot be parsed.
func parseWorkspaceJSON(b []byte) (uri string, p Project, err error) {
	var doc struct{ Folder, Workspace, Configuration *string } // configuration: the older name of workspace
	if err := json.Unmarshal(bytes.TrimPrefix(b, []byte("\ufeff")), &doc); err != nil {
		return "", Project{}, fmt.Errorf("workspace.json: %w", err)
	}
	multiRoot := false
	switch {
	case doc.Folder != nil:
		uri = *doc.Folder
	case doc.Workspace != nil:
		uri, multiRoot = *doc.Workspace, true
	case doc.Configuration != nil:
		uri, multiRoot = *doc.Configuration, true
	default:
		return "", Project{}, errors.New("workspace.json: neither folder nor workspace")
	}
	p, ok := ParseProjectURI(uri)
	if !ok {
		return uri, Project{}, fmt.Errorf("workspace.json: %q is not a URI", uri)
	}
	if multiRoot {
		p.Kind = KindMultiRoot
	}
	return uri, p, nil
}

// IsFolderHere reports whether a project's URI is a folder of this machine itself: not on a server, in WSL or in a
// container.
func IsFolderHere(uri string) bool {
	scheme, authority, _, _, ok := splitURI(uri)
	return ok && scheme == "file" && authority == ""
}

// uriOf reads a VS Code URI: a string, or {external, scheme, path, fsPath}.
func uriOf(v jsondoc.Value) (uri, path *string) {
	if v.IsString() {
		uri = v.Str()
		if uri != nil {
			if p := pathOfURI(*uri); p != "" { // a link to a host has none
				path = &p
			}
		}
		return uri, path
	}
	o := v.Object()
	if path = o.Get("fsPath").Str(); path == nil {
		if path = o.Get("path").Str(); path != nil { // VS Code stores fsPath only if something asked for it
			path = text(shownPath(o.Get("scheme").Text(), o.Get("authority").Text(), lowerDrive(*path)))
		}
	}
	switch {
	case o.Get("external").Str() != nil:
		uri = o.Get("external").Str()
	case o.Get("scheme").Str() != nil && o.Get("path").Str() != nil:
		uri = ptr(o.Get("scheme").Text() + "://" + o.Get("authority").Text() + o.Get("path").Text())
	case o.Get("fsPath").Str() != nil:
		uri = ptr(fileURI(o.Get("fsPath").Text()))
	}
	return uri, path
}

// fileURI returns the file:// URI of a Unix or Windows path.
func fileURI(path string) string {
	path = strings.ReplaceAll(path, `\`, "/")
	if !strings.HasPrefix(path, "/") {
		path = "/" + path
	}
	return "file://" + path
}

func pathOfURI(uri string) string {
	if p, ok := ParseProjectURI(uri); ok {
		return p.Path
	}
	return uri
}
