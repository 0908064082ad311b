package main

import (
	"cmp"
	"context"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io"
	"os"
	"path"
	"slices"
	"strings"
	"time"

	"github.com/dustin/go-humanize"
	"github.com/urfave/cli/v2"

	"pipeline/cmd/pipeline/internal/places"
	"pipeline/cmd/pipeline/internal/term"
	"pipeline/load/objects"
	"pipeline/load/push"
	"pipeline/load/redact"
	"pipeline/pipelines"
	"pipeline/pipelines/file"
	"pipeline/sql"
)

func pushCommand() *cli.Command {
	return &cli.Command{
		Name:  "push",
		Usage: "send what has changed to a store that many machines share",
		Description: `Writes Parquet objects, and a commit after them, to a bucket of any S3 server or to a folder that machines share. DuckDB, ClickHouse and Spark read the rows of
all machines there: --views prints the SQL, and with --answers the answers of DuckDB over all machines. A conversation is sent again when something of it has changed, and its newest version counts; of a push that was
interrupted nothing is seen, and the next one sends the rest. The warehouse is only read.

What leaves the machine: with --level metadata ids, times, numbers and words such as models and tools, and no text; with redacted, the default, texts too, in which secrets
are replaced by [redacted:RULE] and home folders by ~; with full everything. A file v1/policy.json of the store's administrator may allow less.
--dry-run says how much would be sent, --show-redactions what would be taken out.

Credentials come from the environment (AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY), a profile, web identity or the role of the machine, never from flags. The region is
that of --region, AWS_REGION or the profile, else us-east-1.

Examples:
   pipeline push --to s3://team-cursor --dry-run            # what would be sent
   pipeline push --to /mnt/share/cursor --level metadata --deny '*/secret-*'
   pipeline push --to s3://team-cursor --withdraw 5a1cdd1b  # take one back
   pipeline push --to s3://team-cursor --views duckdb > views.sql

Exit codes: 0 done, or nothing was to be done, 1 failed, 2 usage, also what the store's policy forbids, 3 there is no warehouse, 75 another push is under way, 130 interrupted.`,
		Flags: []cli.Flag{
			&cli.StringFlag{Name: "to", EnvVars: []string{"PIPELINE_PUSH"},
				Usage: "push to `TARGET`: s3://BUCKET[/PREFIX], or a folder"},
			&cli.StringFlag{Name: "endpoint", EnvVars: []string{"PIPELINE_PUSH_ENDPOINT"},
				Usage: "`URL` of the S3 server", DefaultText: "Amazon's"},
			&cli.StringFlag{Name: "region", EnvVars: []string{"PIPELINE_PUSH_REGION"}, Usage: "`REGION` of the bucket",
				DefaultText: "AWS_REGION, the profile's, or us-east-1"},
			warehouseFlag(), timezoneFlag(),
			&cli.StringFlag{Name: "level", EnvVars: []string{"PIPELINE_PUSH_LEVEL"},
				Usage:       "let this `LEVEL` leave the machine: metadata, redacted or full",
				DefaultText: "redacted, or what the policy allows"},
			&cli.StringSliceFlag{Name: "project",
				Usage: "only rows of `PROJECT`: its URI, path or name, or a glob; repeatable"},
			&cli.StringSliceFlag{Name: "deny",
				Usage: "no rows of `PROJECT`: its URI, path or name, or a glob; what was pushed of it is withdrawn; " +
					"repeatable"},
			&cli.StringFlag{Name: "since", Usage: "nothing older than `TIME`, such as 365d or 2026-01-01; what was " +
				"pushed of it is withdrawn"},
			&cli.BoolFlag{Name: "checkpoint", Usage: "send everything again, so that nothing older is read"},
			&cli.StringSliceFlag{Name: "withdraw",
				Usage: "take conversation `ID` back: it never leaves this machine again; repeatable"},
			&cli.BoolFlag{Name: "gc", Usage: "instead of a push, remove the objects that no reader needs since a " +
				"checkpoint that is a week old"},
			&cli.BoolFlag{Name: "erase", Usage: "instead of a push, remove all objects of this machine; the next " +
				"push begins as another machine"},
			&cli.BoolFlag{Name: "new-machine", Usage: "begin as another machine"},
			&cli.BoolFlag{Name: "force", Usage: "push an older state of the warehouse over a newer one"},
			&cli.BoolFlag{Name: "dry-run", Aliases: []string{"n"}, Usage: "say what would be sent, and send nothing"},
			&cli.BoolFlag{Name: "show-redactions",
				Usage: "with --dry-run: say which rule would take out what: the column, the conversation, the " +
					"message, the first 4 characters"},
			&cli.StringFlag{Name: "views", Usage: "print the SQL with which `ENGINE` reads the rows of all machines: " +
				strings.Join(push.Engines(), ", ")},
			&cli.StringFlag{Name: "tables", Usage: "with --views: print the SQL that keeps these rows in tables " +
				"`WHERE`: a database of ClickHouse, else a new folder or s3://BUCKET/PREFIX"},
			&cli.BoolFlag{Name: "answers", Usage: "with --views duckdb: print the views and answers too, over the " +
				"rows of all machines"},
			jsonFlag(),
			&cli.BoolFlag{Name: "quiet", Aliases: []string{"q"}, Usage: "print nothing but errors"},
		},
		Action: pushAction,
	}
}

func pushAction(c *cli.Context) (err error) {
	target := c.String("to")
	if err := checkPush(c); err != nil {
		return err
	}
	if c.IsSet("views") {
		return printViews(c, target)
	}
	path, err := existingWarehouse(c)
	if err != nil {
		return err
	}
	if folder := objects.Folder(target); folder != "" {
		if err := places.CheckExport(folder, "--to", path); err != nil {
			return err
		}
	}
	options, err := pushOptions(c.Context, path,
		file.Push{To: target, Endpoint: c.String("endpoint"), Region: c.String("region"), Level: c.String("level"),
			Since: c.String("since"), Projects: c.StringSlice("project"), Deny: c.StringSlice("deny")})
	if err != nil {
		return err
	}
	options.Checkpoint, options.NewMachine, options.Force, options.DryRun, options.Withdraw = c.Bool("checkpoint"),
		c.Bool("new-machine"), c.Bool("force"), c.Bool("dry-run"), c.StringSlice("withdraw")
	if c.Bool("gc") || c.Bool("erase") {
		return clearStore(c, target, options.Options)
	}
	found := redactions{people: options.people}
	if c.Bool("show-redactions") {
		options.Redact, options.Hidden = found.take, found.hide
	}
	count, finish := busy(c, phaseWords[pipelines.PhasePush])
	options.Progress = count
	result, err := push.Push(c.Context, options.Options)
	finish()
	if err != nil {
		return err
	}
	taken, err := found.places(c.Context, path, func(p push.Project) bool {
		return (options.Only == nil || options.Only(p)) && (options.Deny == nil || !options.Deny(p))
	})
	if err != nil {
		return err
	}
	for _, wanted := range options.unmet() {
		fmt.Fprintf(c.App.ErrWriter, "warning: no project of this warehouse is %s\n", term.Printable(wanted))
	}
	var out any = result
	if c.Bool("show-redactions") {
		out = shownPush{result, taken}
	}
	return printed(c, out, func(w io.Writer) {
		printPush(w, target, result)
		printRedactions(w, taken)
	})
}

// checkPush refuses flags that do not go together.
func checkPush(c *cli.Context) error {
	switch {
	case c.String("to") == "":
		return usage("say where to push: pipeline push --to s3://BUCKET, or --to FOLDER")
	case c.String("level") != "" && !slices.Contains(push.Levels, c.String("level")):
		return usage("--level is %s, not %q", strings.Join(push.Levels, ", "), c.String("level"))
	case c.Bool("show-redactions") && !c.Bool("dry-run"):
		return usage("--show-redactions goes with --dry-run")
	case c.IsSet("tables") && !c.IsSet("views"):
		return usage("--tables goes with --views")
	case c.Bool("answers") && (c.String("views") != push.DuckDB || c.IsSet("tables")):
		return usage("--answers goes with --views duckdb alone: the other engines have the tables, and answers are " +
			"SQL of DuckDB")
	}
	return nil
}

// printViews prints the SQL with which an engine reads a store, or keeps its rows in tables.
func printViews(c *cli.Context, target string) (err error) {
	name, tables, text := c.String("views"), c.String("tables"), ""
	place := push.Place{Target: wholePath(target), Endpoint: c.String("endpoint")}
	if c.Bool("answers") {
		place.Schema = sql.Machines
	}
	switch {
	case tables == "":
		text, err = push.Views(name, place)
	case name == push.ClickHouse: // whose tables are in a database
		text, err = push.Tables(name, tables, place)
	default:
		text, err = push.Tables(name, wholePath(tables), place)
	}
	if err != nil {
		return usage("%s", err)
	}
	if c.Bool("answers") {
		text += sql.OverMachines()
	}
	fmt.Fprint(c.App.Writer, text)
	return nil
}

// pushing is a push of a warehouse before it begins.
type pushing struct {
	push.Options
	people *redact.People
	unmet  func() []string // after the push: which projects were named that the warehouse has not
}

func pushOptions(ctx context.Context, warehouse string, to file.Push) (o pushing, err error) {
	store, err := objects.Open(to.To, to.Endpoint, to.Region)
	if err != nil {
		return o, usage("%s", err)
	}
	people, err := peopleIn(ctx, warehouse)
	if err != nil {
		return o, err
	}
	o.people = people
	o.Options = push.Options{Warehouse: warehouse, Store: store, Target: to.To + "\n" + to.Endpoint,
		ToolVersion: version, Now: time.Now(), Redaction: redact.Version,
		Redact: func(text, _ string) string { return people.Text(text) }}
	o.unmet, err = obey(ctx, &o.Options, to)
	return o, err
}

// pushLoaded pushes after a load. The error is of a push that failed: the load stays, and the next run pushes what this
// one has not.
func pushLoaded(c *cli.Context, to file.Push, opt pipelines.Options) (*push.Result, error) {
	if to.To == "" {
		return nil, nil
	}
	if opt.Phase != nil {
		opt.Phase(pipelines.PhasePush)
	}
	o, err := pushOptions(c.Context, opt.Warehouse, to)
	if err != nil {
		return nil, err
	}
	o.Progress = opt.Progress
	result, err := push.Push(c.Context, o.Options)
	if err != nil {
		return nil, err
	}
	for _, wanted := range o.unmet() {
		term.Warnings(c.App.ErrWriter)("no project of this warehouse is %s", wanted)
	}
	return result, nil
}

// wholePath is a folder's absolute path. A bucket stays as it is.
func wholePath(target string) string {
	return cmp.Or(objects.Folder(target), target)
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
	done := "Removed from"
	if o.DryRun {
		done = "Dry run: nothing was changed. To be removed from"
	}
	return printed(c, removed, func(w io.Writer) {
		fmt.Fprintf(w, "%s %s, of machine %s: %s, %s of data.\n", done, term.Printable(target), removed.Machine,
			term.Plural(removed.Commits, "commit"), term.Plural(removed.Objects, "object"))
	})
}

// isProject reports whether a project's URI, path or name is the wanted one, or matches it as a glob. Unlike elsewhere,
// case does not count, and * goes over folders: what is denied must not get through by a spelling.
func isProject(wanted string, p push.Project) bool {
	return slices.ContainsFunc([]string{p.URI, p.Path, p.Name}, func(have string) bool {
		matches, err := path.Match(asOne(wanted), asOne(have))
		return have != "" && (strings.EqualFold(have, wanted) || err == nil && matches)
	})
}

// namedBy are the projects that denials name without a wildcard in the name itself: chats may speak of one that this
// machine does not have.
func namedBy(deny []string) (named []push.Project) {
	for _, wanted := range deny {
		place := asOne(wanted)
		if name := place[strings.LastIndexByte(place, 0)+1:]; name == "" || strings.ContainsAny(name, `*?[`) {
			continue
		}
		if strings.ContainsAny(wanted, `*?[`) || !strings.ContainsRune(place, 0) {
			named = append(named, push.Project{Name: place[strings.LastIndexByte(place, 0)+1:]})
		} else {
			named = append(named, push.Project{URI: wanted})
		}
	}
	return named
}

// asOne writes a path or a glob of paths for path.Match so that * goes over folders, and case does not count.
func asOne(text string) string {
	return strings.ToLower(strings.NewReplacer("/", "\x00", `\`, "\x00").Replace(text))
}

// obey puts what the user wants and what the store's policy allows into the options: the stricter of both. After a
// push, unmet says which projects were named that the warehouse has not.
func obey(ctx context.Context, o *push.Options, to file.Push) (unmet func() []string, err error) {
	only, deny := to.Projects, to.Deny
	policy, err := push.ReadPolicy(ctx, o.Store)
	if err != nil {
		return nil, err
	}
	if o.Level, err = policy.Level(to.Level); err != nil {
		return nil, usage("%s", err)
	}
	if to.Since != "" {
		if o.Since, err = file.ParseTime(to.Since, o.Now, nil); err != nil {
			return nil, usage("--since: %s", err)
		}
	}
	if kept := o.Now.AddDate(0, 0, -policy.RetentionDays); policy.RetentionDays > 0 && kept.After(o.Since) {
		o.Since = kept
	}
	o.CheckpointEvery = time.Duration(policy.CheckpointDays) * 24 * time.Hour
	named := slices.Concat(only, deny) // by the user: a policy names projects that most machines lack
	deny = append(slices.Clone(deny), policy.Deny...)
	for _, wanted := range slices.Concat(only, deny) {
		if _, err := path.Match(asOne(wanted), ""); err != nil {
			return nil, usage("%q is no glob: a [ has no ]; nothing was pushed", wanted)
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
	if len(only) > 0 {
		o.Only = func(p push.Project) bool { return is(only, p) }
	}
	if len(deny) > 0 {
		o.Deny = func(p push.Project) bool { return is(deny, p) }
		o.Named = namedBy(deny)
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
		fmt.Fprintf(w, "Nothing to push: %s has all %s of this machine at level %s.\n", term.Printable(target),
			term.Plural(r.Known, "unit"), r.Level)
		return
	case r.DryRun:
		fmt.Fprintln(w, "Dry run: nothing was sent.")
	default:
		fmt.Fprintf(w, "Push %d is done.\n", r.Seq)
	}
	fmt.Fprintf(w, "  to             %s, as machine %s\n  level          %s\n", term.Printable(target), r.Machine,
		r.Level)
	fmt.Fprintf(w, "  units          %s of %s sent, %s withdrawn\n", humanize.Comma(int64(r.Units)),
		humanize.Comma(int64(r.Known)), humanize.Comma(int64(r.Withdrawn)))
	fmt.Fprintf(w, "  files          %s, %s", term.Plural(r.Files, "file"), term.Size(r.Bytes))
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
