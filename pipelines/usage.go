package pipelines

import (
	"cmp"
	"context"
	"crypto/rand"
	"encoding/hex"
	"slices"

	"pipeline/extract"
	"pipeline/load/figures"
	"pipeline/transform"
)

// metaUsage begins the names of the settings in _meta that have to do with persons. A rebuild takes them along: they
// are in no raw layer.
const (
	metaUsage     = "usage_"
	metaUsageKey  = metaUsage + "person_key" // of the hashes by which persons are told apart
	metaUsageUser = metaUsage + "user"       // hash of the person who uses this warehouse, "" for none
)

// noUser, given in place of an address (--usage-user none), makes the warehouse forget who uses it.
const noUser = "none"

// usageSources are the folders with the files of usage that a run was given.
func usageSources(opt Options) (out []extract.Source) {
	for _, f := range opt.Usage {
		out = append(out, extract.Source{UserDir: f.Dir, App: extract.AppUsage})
	}
	return out
}

func (r *reading) openUsage(context.Context, extract.OpenOptions) (extract.Snapshot, error) {
	i := slices.IndexFunc(r.opt.Usage, func(f extract.UsageFiles) bool { return f.Dir == r.src.UserDir })
	if i < 0 {
		return nil, nil
	}
	return extract.OpenUsage(r.opt.Usage[i], transform.UsageRows([]byte(r.personKey()))), nil
}

// personKey is the key of the hashes of persons. It is made once, and kept.
func (r *run) personKey() string {
	if r.newPersonKey == "" && r.state.Meta[metaUsageKey] == "" {
		var key [32]byte
		_, _ = rand.Read(key[:]) // it never fails
		r.newPersonKey = hex.EncodeToString(key[:])
	}
	return cmp.Or(r.state.Meta[metaUsageKey], r.newPersonKey)
}

// usageUser is the hash of the person whose events are joined by time, "" for none: what the run was told, else what an
// earlier one was.
func (r *run) usageUser() string {
	switch {
	case r.anew.kept != nil:
		return r.anew.kept[metaUsageUser]
	case r.opt.UsageUser == "":
		return r.state.Meta[metaUsageUser]
	case r.opt.UsageUser == noUser:
		return ""
	}
	return transform.UsagePerson([]byte(r.personKey()), r.opt.UsageUser)
}

// tellPersons says that nobody's events are joined by time, where they are of several persons and nobody has said who
// uses this warehouse.
func (r *run) tellPersons(u figures.Usage) {
	user, others := r.usageUser(), ""
	if u.Unnamed > 0 {
		others = ", and events name nobody"
	}
	switch {
	case len(u.Persons) == 0:
	case user == "" && (len(u.Persons) > 1 || u.Unnamed > 0):
		r.opt.Note("usage is of %d named persons%s, so none of it is joined to a prompt by time alone: say who you "+
			"are with --usage-user MAIL", len(u.Persons), others)
	case r.opt.UsageUser != "" && user != "" && !slices.Contains(u.Persons, user):
		r.opt.Note("usage is of %d named persons%s, and none of them is the one of --usage-user: none of it is joined "+
			"to a prompt by time alone", len(u.Persons), others)
	}
}
