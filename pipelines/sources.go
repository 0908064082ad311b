package pipelines

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"path"
	"slices"
	"strings"

	"pipeline/extract"
	"pipeline/load"
	"pipeline/sql/schema"
)

// source is a source with its id in the warehouse.
type source struct {
	extract.Source
	id     string
	host   string
	replay extract.Snapshot // the rows of a load in the raw layer, in a rebuild; else nil
}

// open takes a snapshot of the source.
func (s source) open(ctx context.Context, how extract.OpenOptions) (extract.Snapshot, error) {
	if s.replay != nil {
		return s.replay, nil
	}
	return s.Open(ctx, how)
}

// identify gives each source its id: the name that the user gave, else the id that an earlier load made for the same
// machine and folder, else 12 hex digits of a hash over both. Two folders with one id are a usage error: one of them
// would not be read.
func identify(opt Options, state *load.State) (out []source, err error) {
	taken := map[string]string{} // ids, and the folder that has each
	for _, s := range opt.Sources {
		id := s.Name
		_, isKind := kindOf(source{Source: s})
		known := slices.IndexFunc(state.Sources, func(known schema.Source) bool {
			return known.Host == opt.Host && (known.UserDir == s.UserDir ||
				isKind && known.App == s.App && extract.SameFolder(known.UserDir, s.UserDir))
		})
		if known >= 0 && (id == "" || isKind) {
			// what the sources of a home share came with one of them: under that one's name, by its path
			id = state.Sources[known].SourceID
		}
		if id == "" {
			sum := sha256.Sum256([]byte(opt.MachineID + "\x00" + s.UserDir))
			id = hex.EncodeToString(sum[:])[:12]
		}
		if folder, ok := taken[id]; ok && folder != s.UserDir {
			return nil, &UsageError{fmt.Sprintf("the sources %s and %s are both named %s: give each a name of its own",
				folder, s.UserDir, id)}
		} else if ok {
			continue // the same folder was named twice
		}
		taken[id] = s.UserDir
		out = append(out, source{Source: s, id: id, host: opt.Host})
	}
	return out, nil
}

// stores reports on the stores of the source, including missing ones.
func (r *reading) stores() []extract.StoreReport {
	return r.plan.Expected(r.src.Source, r.snapshot.Stores())
}

// ofProject reports whether a conversation belongs to a wanted project.
func (r *reading) ofProject(conv *extract.Conversation) bool {
	if len(r.plan.Wanted.Projects) == 0 {
		return true
	}
	if conv.Loose {
		return false
	}
	uri, dir, name := r.n().Project(conv)
	if r.names == nil {
		r.names, r.matched = map[string]bool{}, map[string]bool{}
	}
	if name != "" {
		r.names[name] = true
	}
	found := false
	for _, project := range r.plan.Wanted.Projects {
		if now := r.calledNow(uri); IsProject(project, uri, dir, name) ||
			now != nil && IsProject(project, now.URI, now.Path, now.Name) {
			r.matched[project], found = true, true
		}
	}
	return found
}

// IsProject reports whether a project is the wanted one: wanted is its URI, path or name, or a glob that matches one of
// these.
func IsProject(wanted, uri, dir, name string) bool {
	for _, have := range []string{uri, dir, name} {
		if have == "" {
			continue
		}
		if ok, err := path.Match(wanted, have); have == wanted || err == nil && ok {
			return true
		}
	}
	return false
}

// projectFound returns a UsageError with the nearest names if a wanted project has no conversation.
func (r *run) projectFound() error {
	i := slices.IndexFunc(r.opt.Projects, func(project string) bool { return !r.matched[project] })
	if i < 0 {
		return nil
	}
	names := make([]string, 0, len(r.names))
	for name := range r.names {
		names = append(names, name)
	}
	return NoProject(r.opt.Projects[i], names)
}

// ProjectsNamed returns the URIs of the projects that a name, a path, a URI or a glob selects, or NoProject.
func ProjectsNamed(wanted string, all []load.Project) (uris []string, err error) {
	var names []string
	for _, p := range all {
		if IsProject(wanted, p.URI, p.Path, p.Name) || IsProject(wanted, p.Old, "", "") {
			uris = append(uris, p.URI)
		}
		if p.Name != "" && !slices.Contains(names, p.Name) {
			names = append(names, p.Name)
		}
	}
	if uris == nil {
		return nil, NoProject(wanted, names)
	}
	return slices.Compact(uris), nil
}

// NoProject is the UsageError for a project without conversations, with the nearest of the existing names.
func NoProject(wanted string, names []string) error {
	message := fmt.Sprintf("no conversation belongs to the project %q", wanted)
	if len(names) > 0 {
		message += "; the nearest names are: " + strings.Join(Nearest(wanted, names), ", ")
	}
	return &UsageError{message}
}

// Nearest sorts names by their edit distance to a word, and returns the first five.
func Nearest(wanted string, names []string) []string {
	slices.SortFunc(names, func(a, b string) int {
		if d := extract.Distance(wanted, a) - extract.Distance(wanted, b); d != 0 {
			return d
		}
		return strings.Compare(a, b)
	})
	return names[:min(5, len(names))]
}

// UsageError is a mistake in the arguments.
type UsageError struct{ Message string }

func (e *UsageError) Error() string { return e.Message }

// SourceError says that no source could be read. Nothing was loaded.
type SourceError struct{ Failures []error }

func (e *SourceError) Error() string { return errors.Join(e.Failures...).Error() }

// Unwrap returns the stores' errors.
func (e *SourceError) Unwrap() []error { return e.Failures }

// DidYouMean suggests, as the end of a message, the name for which a word is probably a typing error; "" if there is
// none.
func DidYouMean(word string, names []string) string {
	if nearest := Nearest(word, slices.Clone(names)); word != "" && len(nearest) > 0 && Similar(word, nearest[0]) {
		return fmt.Sprintf("; did you mean %q?", nearest[0])
	}
	return ""
}

// Similar reports whether a word is probably a typing error for another.
func Similar(a, b string) bool {
	return strings.HasPrefix(b, a) || extract.Distance(a, b) <= max(1, len(b)/3)
}

// besideEach are the sources at the paths that belong to the wanted sources of chats, each once: the editor and the
// command line of a home share them.
func besideEach(opt Options, app string, pathOf func(extract.Source) string) (out []extract.Source) {
	for _, s := range opt.Sources {
		path := pathOf(s)
		if path != "" && !slices.ContainsFunc(out,
			func(t extract.Source) bool { return extract.SameFolder(t.UserDir, path) }) {
			out = append(out, beside(s, app, path))
		}
	}
	return out
}

// beside is the source at a path that belongs to a source of chats, and takes its name from that.
func beside(chats extract.Source, app, path string) extract.Source {
	s := extract.Source{UserDir: path, App: app, OS: chats.OS}
	if chats.Name != "" {
		s.Name = chats.Name + "." + app
	}
	return s
}
