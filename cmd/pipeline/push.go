package main

import (
	"cmp"
	"context"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io"
	"maps"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/dustin/go-humanize"
	"github.com/urfave/cli/v2"

	"pipeline/cmd/pipeline/internal/term"
	"pipeline/load/objects"
	"pipeline/load/push"
	"pipeline/load/redact"
	"pipeline/pipelines"
	"pipeline/sql"
)

func pushCommand() *cli.Command {
	return &cli.Command{
		Name:  "push",
		Usage: "send what has changed to a store that many machines share",
		Description: `Writes Parquet objects, and a commit after them, to a bucket of any S3 server or to a folder that machines share. DuckDB, ClickHouse and Spark read the rows of
all machines there: --views prints the SQL, and with --answers the answers over all machines. A conversation is sent again when something of it has changed, and its newest version counts; of a push that was
interrupted nothing is seen, and the next one sends the rest. The warehouse is only read.

What leaves the machine: with --level metadata ids, times, numbers and words such as models and tools, and no text; with redacted, the default, texts too, in which secrets
are replaced by [redacted:RULE] and home folders by ~; with full everything. A file v1/policy.json of the store's administrator may allow less.
--dry-run says how much would be sent, --show-redactions what would be taken out.

Credentials come from the environment (AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY), a profile, web identity or the role of the machine, never from flags. The region is
AWS_REGION, else us-east-1.

Examples:
   pipeline push --to s3://team-cursor --dry-run
   pipeline push --to s3://team-cursor/chats --endpoint https://minio.example.org
   pipeline push --to /mnt/share/cursor --level metadata
   pipeline push --to s3://team-cursor --deny '*/secret-project*'
   pipeline push --to s3://team-cursor --withdraw 550e8400-e29b-41d4-a716-446655440000
   pipeline push --to s3://team-cursor --views duckdb > views.sql
   pipeline push --to s3://team-cursor --views spark --answers > answers.sql

Exit codes: 0 done, or nothing was to be done, 1 failed, 2 usage, also what the store's policy forbids, 3 there is no warehouse, 75 another push is under way, 130 interrupted.`,
		Flags: []cli.Flag{
			&cli.StringFlag{Name: "to", EnvVars: []string{"PIPELINE_PUSH"}, Usage: "push to `TARGET`: s3://BUCKET[/PREFIX], or a folder"},
			&cli.StringFlag{Name: "endpoint", EnvVars: []string{"PIPELINE_PUSH_ENDPOINT"}, Usage: "`URL` of the S3 server", DefaultText: "Amazon's"},
			warehouseFlag(),
			&cli.StringFlag{Name: "level", EnvVars: []string{"PIPELINE_PUSH_LEVEL"}, Usage: "what leaves the machine: metadata, redacted or full; `LEVEL`", DefaultText: "redacted, or what the policy allows"},
			&cli.StringSliceFlag{Name: "project", Usage: "only rows of project `P`: its URI, path or name, or a glob; repeatable"},
			&cli.StringSliceFlag{Name: "deny", Usage: "no rows of project `P`: its URI, path or name, or a glob; what was pushed of it is withdrawn; repeatable"},
			&cli.BoolFlag{Name: "checkpoint", Usage: "send everything again, so that nothing older is read"},
			&cli.StringSliceFlag{Name: "withdraw", Usage: "take conversation `ID` back: it never leaves this machine again; repeatable"},
			&cli.BoolFlag{Name: "gc", Usage: "instead of a push, remove the objects that no reader needs since a checkpoint that is a week old"},
			&cli.BoolFlag{Name: "erase", Usage: "instead of a push, remove all objects of this machine; the next push begins as another machine"},
			&cli.BoolFlag{Name: "new-machine", Usage: "begin as another machine"},
			&cli.BoolFlag{Name: "force", Usage: "push an older state of the warehouse over a newer one"},
			&cli.BoolFlag{Name: "dry-run", Aliases: []string{"n"}, Usage: "say what would be sent, and send nothing"},
			&cli.BoolFlag{Name: "show-redactions", Usage: "with --dry-run: say which rule would take out what, by its first 4 characters"},
			&cli.StringFlag{Name: "views", Usage: "print the SQL with which `ENGINE` reads the rows of all machines: " + strings.Join(push.Engines(), ", ")},
			&cli.BoolFlag{Name: "answers", Usage: "with --views: print the views and answers too, over the rows of all machines"},
			jsonFlag(),
			&cli.BoolFlag{Name: "quiet", Aliases: []string{"q"}, Usage: "print nothing but errors"},
		},
		Action: pushAction,
	}
}

func pushAction(c *cli.Context) (err error) {
	target := c.String("to")
	switch {
	case target == "":
		return &pipelines.UsageError{Message: "say where to push: pipeline push --to s3://BUCKET, or --to FOLDER"}
	case c.IsSet("views"):
		return printViews(c, target)
	case c.Bool("answers"):
		return &pipelines.UsageError{Message: "--answers goes with --views"}
	case c.String("level") != "" && !slices.Contains(push.Levels, c.String("level")):
		return &pipelines.UsageError{Message: fmt.Sprintf("--level is %s, not %q", strings.Join(push.Levels, ", "), c.String("level"))}
	case c.Bool("show-redactions") && !c.Bool("dry-run"):
		return &pipelines.UsageError{Message: "--show-redactions goes with --dry-run"}
	}
	path, err := existingWarehouse(c)
	if err != nil {
		return err
	}
	store, err := objects.Open(target, c.String("endpoint"))
	if err != nil {
		return &pipelines.UsageError{Message: err.Error()}
	}
	options := push.Options{Warehouse: path, Store: store, Target: target + "\n" + c.String("endpoint"), Checkpoint: c.Bool("checkpoint"), NewMachine: c.Bool("new-machine"), Force: c.Bool("force"),
		DryRun: c.Bool("dry-run"), ToolVersion: version, Now: time.Now(), Redaction: redact.Version, Withdraw: c.StringSlice("withdraw")}
	unmet, err := obey(c.Context, &options, c.String("level"), c.StringSlice("project"), c.StringSlice("deny"))
	if err != nil {
		return err
	}
	if c.Bool("gc") || c.Bool("erase") {
		return clearStore(c, target, options)
	}
	found := redactions{}
	options.Redact = func(text, column string) string { return redact.Text(text) }
	if c.Bool("show-redactions") {
		options.Redact = found.take
	}
	result, err := push.Push(c.Context, options)
	if err != nil {
		return err
	}
	for _, wanted := range unmet() {
		fmt.Fprintf(c.App.ErrWriter, "warning: no project of this warehouse is %s\n", term.Printable(wanted))
	}
	switch {
	case c.Bool("json"):
		return term.PrintJSON(c.App.Writer, result)
	case !c.Bool("quiet"):
		printPush(c.App.Writer, target, result)
		found.print(c.App.Writer)
	}
	return nil
}

// printViews prints the SQL with which an engine reads a store.
func printViews(c *cli.Context, target string) (err error) {
	place := push.Place{Target: target, Endpoint: c.String("endpoint")}
	if !strings.Contains(target, "://") {
		if place.Target, err = filepath.Abs(target); err != nil {
			return err
		}
	}
	text, err := push.Views(c.String("views"), place)
	if err != nil {
		return &pipelines.UsageError{Message: err.Error()}
	}
	if c.Bool("answers") {
		answers, err := sql.OverMachines(c.String("views"))
		if err != nil {
			return err
		}
		text += answers
	}
	fmt.Fprint(c.App.Writer, text)
	return nil
}

// clearStore removes objects: those that are needless, or all of this machine.
func clearStore(c *cli.Context, target string, o push.Options) (err error) {
	var removed *push.Removed
	o.Redact = func(text, _ string) string { return text } // nothing is sent
	if c.Bool("erase") {
		if removed, err = push.Erase(c.Context, o); err == nil && !o.DryRun {
			err = push.Forget(c.Context, o)
		}
	} else {
		removed, err = push.Collect(c.Context, o, push.Grace)
	}
	if err != nil {
		return err
	}
	if c.Bool("json") {
		return term.PrintJSON(c.App.Writer, removed)
	}
	done := "Removed from"
	if o.DryRun {
		done = "Dry run: nothing was changed. To be removed from"
	}
	if !c.Bool("quiet") {
		fmt.Fprintf(c.App.Writer, "%s %s, of machine %s: %s, %s of data.\n", done, term.Printable(target), removed.Machine, term.Plural(int64(removed.Commits), "commit"), term.Plural(int64(removed.Objects), "object"))
	}
	return nil
}

// isProject reports whether a project's URI, path or name is the wanted one, or matches it as a glob. Unlike elsewhere, case does not count, and * goes over folders: what is denied must not get through by a
// spelling.
func isProject(wanted string, p push.Project) bool {
	return slices.ContainsFunc([]string{p.URI, p.Path, p.Name}, func(have string) bool {
		matches, err := path.Match(asOne(wanted), asOne(have))
		return have != "" && (strings.EqualFold(have, wanted) || err == nil && matches)
	})
}

// asOne writes a path or a glob of paths for path.Match so that * goes over folders, and case does not count.
func asOne(text string) string {
	return strings.ToLower(strings.NewReplacer("/", "\x00", `\`, "\x00").Replace(text))
}

// obey puts what the user wants and what the store's policy allows into the options: the stricter of both. After a push, unmet says which projects were named that the warehouse has not.
func obey(ctx context.Context, o *push.Options, level string, only, deny []string) (unmet func() []string, err error) {
	policy, err := push.ReadPolicy(ctx, o.Store)
	if err != nil {
		return nil, err
	}
	if o.Level, err = policy.Level(level); err != nil {
		return nil, &pipelines.UsageError{Message: err.Error()}
	}
	o.CheckpointEvery = time.Duration(policy.CheckpointDays) * 24 * time.Hour
	named := slices.Concat(only, deny) // by the user: a policy names projects that most machines lack
	deny = append(slices.Clone(deny), policy.Deny...)
	for _, wanted := range slices.Concat(only, deny) {
		if _, err := path.Match(asOne(wanted), ""); err != nil {
			return nil, &pipelines.UsageError{Message: fmt.Sprintf("%q is no glob: a [ has no ]; nothing was pushed", wanted)}
		}
	}
	met := map[string]bool{}
	is := func(list []string, p push.Project) (found bool) {
		for _, wanted := range list {
			if isProject(wanted, p) {
				met[wanted], found = true, true
			}
		}
		return found
	}
	o.Choosy = len(only)+len(deny) > 0
	o.Allowed = func(p push.Project) bool {
		denied := is(deny, p)
		return (len(only) == 0 || is(only, p)) && !denied
	}
	unmet = func() []string {
		return slices.DeleteFunc(named, func(wanted string) bool { return met[wanted] })
	}
	if key := os.Getenv(cmp.Or(policy.HMACKeyEnv, "PIPELINE_PUSH_HMAC_KEY")); key != "" {
		o.Pseudonym = func(name string) string {
			mac := hmac.New(sha256.New, []byte(key))
			_, _ = mac.Write([]byte(name))
			return hex.EncodeToString(mac.Sum(nil)[:12])
		}
	}
	return unmet, nil
}

// printPush says what a push has done.
func printPush(w io.Writer, target string, r *push.Result) {
	switch {
	case r.Units+r.Withdrawn == 0:
		fmt.Fprintf(w, "Nothing to push: %s has all %s of this machine at level %s.\n", term.Printable(target), term.Plural(int64(r.Known), "unit"), r.Level)
		return
	case r.DryRun:
		fmt.Fprintln(w, "Dry run: nothing was sent.")
	default:
		fmt.Fprintf(w, "Push %d is done.\n", r.Seq)
	}
	fmt.Fprintf(w, "  to             %s, as machine %s\n  level          %s\n", term.Printable(target), r.Machine, r.Level)
	fmt.Fprintf(w, "  units          %s of %s sent, %s withdrawn\n", humanize.Comma(int64(r.Units)), humanize.Comma(int64(r.Known)), humanize.Comma(int64(r.Withdrawn)))
	fmt.Fprintf(w, "  files          %s, %s", term.Plural(int64(r.Files), "file"), humanize.Bytes(uint64(max(0, r.Bytes))))
	if r.Skipped > 0 {
		fmt.Fprintf(w, "; %s more had arrived before", humanize.Comma(int64(r.Skipped)))
	}
	fmt.Fprintln(w)
	for _, table := range []string{"conversations", "messages", "tool_calls"} {
		if n := r.Rows[table]; n > 0 {
			fmt.Fprintf(w, "  %-14s %s\n", table, humanize.Comma(int64(n)))
		}
	}
	fmt.Fprintf(w, "  requests       %s\n", humanize.Comma(r.Stats.Requests()))
}

// redactions collects what would be taken out of texts.
type redactions struct {
	mu    sync.Mutex
	count map[[3]string]int // by rule, column and the first characters
}

// shownOfSecret is how many characters of a secret are shown.
const shownOfSecret = 4

func (f *redactions) take(text, column string) string {
	for _, found := range redact.Find(text) {
		secret := []rune(text[found.Start:found.End])
		key := [3]string{found.Rule, column, string(secret[:min(shownOfSecret, len(secret))])}
		f.mu.Lock()
		if f.count == nil {
			f.count = map[[3]string]int{}
		}
		f.count[key]++
		f.mu.Unlock()
	}
	return redact.Text(text)
}

func (f *redactions) print(w io.Writer) {
	for _, key := range slices.SortedFunc(maps.Keys(f.count), func(a, b [3]string) int {
		return cmp.Or(strings.Compare(a[0], b[0]), strings.Compare(a[1], b[1]), strings.Compare(a[2], b[2]))
	}) {
		fmt.Fprintf(w, "  redacted       %s in %s: %s... (%d)\n", key[0], key[1], term.Printable(key[2]), f.count[key])
	}
}
