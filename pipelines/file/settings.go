package file

import (
	"cmp"
	"fmt"
	"net/url"
	"slices"
	"strings"
	"time"

	"github.com/dustin/go-humanize"
	"github.com/xhit/go-str2duration/v2"

	"pipeline/extract"
	"pipeline/load/sinks"
	"pipeline/pipelines"
)

// A Setting is one thing that can be said of a run: by a key of a pipeline's file, by a flag of 'pipeline run', or by a variable of the environment.
type Setting struct {
	Key     string // in a file, with the key that it is below: notify.ping; "" where no file says it
	Flag    string // "" where no flag says it
	Short   string // the flag as one letter
	Env     string // the variable
	Default string // the value that holds where nothing else is said
	Unset   string // what holds then, where there is no such value
	Doc     string // what the key means; without a key: why no file says it
	Usage   string // what --help says of the flag, with the word for its value in backquotes
	Without string // what --help says holds without the flag, where that is no value
	Example string
	Needed  bool // the key that it is below is nothing without it
	Secret  bool // its value is shown by Masked alone

	value
}

// A Run is what the settings of a run say. What has to be looked for when the run begins is still text.
type Run struct {
	Options      pipelines.Options // but for its sources and times, and where it publishes
	Targets      []sinks.Target    // of sinks that were named; one without a folder publishes nothing
	Sources      []string          // each [NAME=]PATH; none: every Cursor found here
	UserDataDir  string            // see Settings
	Since, Until string
	Report       string // "" for none
	Strict       bool
	Retry        time.Duration
	Ping         *url.URL // nil for none
	Command      string   // at the end; "" for none
	When         string   // that command is run: one of the Notify constants
	Log          string   // "" for what is usual, or LogNone
}

// Settings is the one declaration of what can be said of a run. The flags, the keys of a file, the variables, the JSON schema, the tables of the
// documentation, the output of 'pipeline config' and the options of a run are made from it. Its order is that of the documentation.
func Settings() []Setting {
	return slices.Concat(aboutThePipeline(), aboutReading(), aboutPublishing(), aboutLoads(), aboutTelling(), onlyFlags())
}

func aboutThePipeline() []Setting {
	return []Setting{
		{Key: "name", value: nameKind.inFile(), Unset: "the file's name without .yaml", Example: "nightly",
			Doc: "What the pipeline is called: letters, digits, '.', '_' and '-'. A file in the folder of pipelines is called as the file is."},
		{Key: "description", value: textKind.inFile(), Unset: "none", Example: "Everything, with Parquet, every night",
			Doc: "What the pipeline is for, in a line."},
		{Key: "schedule", value: group, Unset: "only when somebody runs it",
			Doc: "When the pipeline runs."},
		{Key: "schedule.cron", value: cronKind.inFile(), Needed: true, Example: "30 2 * * *",
			Doc: "Minute, hour, day, month and weekday, as cron has them, or @hourly, @daily, @weekly, @monthly, @yearly. Put it in quotes. A time that a day lacks because clocks go forward is the moment at which they do; one that it has twice counts once."},
		{Key: "schedule.timezone", value: zoneKind.inFile(), Unset: "this machine's", Example: "Europe/Berlin",
			Doc: "Time zone of the times in cron, by its name."},
		{Key: "schedule.jitter", value: durationKind.inFile(), Unset: "at the time", Example: "10m",
			Doc: "'pipeline serve' starts the run up to this long after the time, by chance, so that many machines do not all start at once."},
	}
}

func aboutReading() []Setting {
	return []Setting{
		{Key: "sources", Flag: "source", Short: "s", Env: "PIPELINE_SOURCE", value: sourceKind.list(func(r *Run) *[]string { return &r.Sources }),
			Unset: "every Cursor found here", Without: "every Cursor found here", Example: "work=~/backup/Cursor/User",
			Doc:   "What is read, each [NAME=]PATH: a Cursor user directory, a folder above it, a storage folder, or one SQLite file. A path may begin with ~/, or is seen from the file's folder.",
			Usage: "`[NAME=]PATH` of a Cursor user directory, a folder above it, a storage folder, or one SQLite file; repeatable"},
		{Key: "since", Flag: "since", value: momentKind.to(func(r *Run) *string { return &r.Since }), Unset: "no limit", Example: "7d",
			Doc:   "Only conversations with activity at or after this time: 7d, 36h, yesterday, last-run, 2026-03-01, RFC 3339. It is worked out anew in each run.",
			Usage: "only conversations with activity at or after `T`: 7d, 36h, yesterday, last-run, 2026-03-01, RFC 3339"},
		{Key: "until", Flag: "until", value: momentKind.to(func(r *Run) *string { return &r.Until }), Unset: "no limit", Example: "2026-03-01",
			Doc:   "Only conversations whose last activity is before this time.",
			Usage: "only conversations whose last activity is before `T`"},
		{Key: "projects", Flag: "project", value: projectKind.list(func(r *Run) *[]string { return &r.Options.Projects }), Unset: "all projects", Example: "my-app",
			Doc:   "Only conversations of these projects, each by its URI, path or name, or a glob over one of them.",
			Usage: "only conversations of project `P`: its URI, path or name, or a glob; repeatable"},
		{Key: "full", Flag: "full", value: yesKind.to(func(r *Run) *bool { return &r.Options.Full }), Default: "false",
			Doc:   "Load every conversation, changed or not.",
			Usage: "load every conversation, changed or not"},
		{Key: "warehouse", Flag: "warehouse", Short: "w", Env: "PIPELINE_WAREHOUSE", value: pathKind.to(func(r *Run) *string { return &r.Options.Warehouse }),
			Unset: "warehouse.duckdb in your data directory", Without: "warehouse.duckdb in your data directory", Example: "~/cursor.duckdb",
			Doc:   "The DuckDB file. A path may begin with ~/, or is seen from the file's folder.",
			Usage: "the DuckDB `FILE`"},
	}
}

// aboutPublishing has two settings for each sink: its folder, and how long its older publications stay.
func aboutPublishing() (out []Setting) {
	for _, sink := range sinks.All() {
		about := sink.About()
		variable := "PIPELINE_" + strings.ToUpper(about.Name)
		out = append(out,
			Setting{Key: about.Name, Flag: about.Name, Env: variable, value: pathKind.to(func(r *Run) *string { return &r.Target(sink).Dir }),
				Unset: "no " + about.Title, Example: "~/cursor-" + about.Name,
				Doc:   fmt.Sprintf("Folder to publish every table as %s in, after each load.", about.Title),
				Usage: fmt.Sprintf("also publish every table as %s in `DIR`/current", about.Title)},
			Setting{Key: about.Name + "-keep", Flag: about.Name + "-keep", Env: variable + "_KEEP", value: keepKind.to(func(r *Run) *time.Duration { return &r.Target(sink).Keep }),
				Default: str2duration.String(sinks.DefaultKeep), Example: "1d",
				Doc:   "How long a publication stays after another took its place, for who still reads it; 0: not at all.",
				Usage: "keep a publication for `D` after another took its place, for who still reads it; 0: remove it at once"})
	}
	return out
}

func aboutLoads() []Setting {
	return []Setting{
		{Key: "report", Flag: "report", Env: "PIPELINE_REPORT", value: pathKind.to(func(r *Run) *string { return &r.Report }), Unset: "no report", Example: "~/cursor.html",
			Doc:   "HTML file that the report page is written to after each load, also after one that found nothing new; a failure of it is a warning.",
			Usage: "write the report page to `FILE` after the load"},
		{Key: "raw", Flag: "raw", value: rawKind.to(func(r *Run) *extract.RawLevel { return &r.Options.Raw }), Default: rawKind.oneOf[0], Example: "all",
			Doc:   "Rows of which every version is kept beside the warehouse: tables (what a table is built from), all, or none.",
			Usage: "rows of which every version is kept beside the warehouse: `tables` (what a table is built from), all, or none"},
		{Key: "retention", Flag: "retention", Env: "PIPELINE_RETENTION", value: durationKind.orNone().to(func(r *Run) *time.Duration { return &r.Options.Retention }),
			Unset: "everything stays for ever", Without: "nothing is removed", Example: "180d",
			Doc:   "How long to keep versions of rows that later ones took the place of, and rows of loads. The latest version of every row stays for ever.",
			Usage: "once a day remove versions and loads that others took the place of more than `D` ago, 180d say; the latest version of every row stays"},
		{Key: "session-gap", Flag: "session-gap", Env: "PIPELINE_SESSION_GAP", value: durationKind.to(func(r *Run) *time.Duration { return &r.Options.SessionGap }),
			Default: str2duration.String(pipelines.DefaultSessionGap), Example: "45m",
			Doc:   "A pause longer than this ends a session.",
			Usage: "a pause longer than `D` ends a session"},
		{Key: "git", Flag: "git", Env: "PIPELINE_GIT", value: yesKind.to(func(r *Run) *bool { return &r.Options.Git }), Default: "false",
			Doc:   "Also read the commits of the projects' repositories, and link them to conversations.",
			Usage: "also read the commits of the projects' repositories, and link them to conversations"},
		{Key: "commit-window", Flag: "commit-window", Env: "PIPELINE_COMMIT_WINDOW", value: durationKind.to(func(r *Run) *time.Duration { return &r.Options.CommitWindow }),
			Default: str2duration.String(pipelines.DefaultCommitWindow), Example: "1h",
			Doc:   "A conversation active in this time before a commit may have led to it.",
			Usage: "a conversation active in the `D` before a commit may have led to it"},
		{Key: "memory", Flag: "memory", Env: "PIPELINE_MEMORY", value: sizeKind.to(func(r *Run) *int64 { return &r.Options.Memory }), Default: humanize.Bytes(pipelines.DefaultMemory), Example: "1GB",
			Doc:   "About how much memory a run takes; at least 256MB.",
			Usage: "take about `SIZE` of memory, at least 256MB"},
	}
}

func aboutTelling() []Setting {
	return []Setting{
		{Key: "strict", Flag: "strict", value: yesKind.to(func(r *Run) *bool { return &r.Strict }), Default: "false",
			Doc:   "End with exit code 4 if rows are quarantined.",
			Usage: "exit 4 if rows are quarantined"},
		{Key: "retry", Flag: "retry", Env: "PIPELINE_RETRY", value: retryKind.to(func(r *Run) *time.Duration { return &r.Retry }), Default: "0", Example: "2h",
			Doc:   "A run that was busy (exit code 75) is tried again with growing pauses until this time has passed since its beginning; 0: not at all.",
			Usage: "where the run was busy (exit code 75), try again with growing pauses for `D`; 0: not at all"},
		{Key: "notify", value: group, Unset: "nobody but who reads what it prints",
			Doc: "Who is told how the run went."},
		{Key: "notify.ping", Flag: "ping", Env: "PIPELINE_PING", value: pingKind.orNone().to(func(r *Run) **url.URL { return &r.Ping }), Secret: true, Unset: "none", Example: "https://hc-ping.com/your-uuid-here",
			Doc:   "URL of a monitor in the manner of healthchecks.io: URL/start is asked when the run begins, URL when it went well, URL/CODE when it ended with another exit code. It is told the pipeline's name, the exit code and counts, no paths and no texts. Of the URL only the host is shown anywhere.",
			Usage: "tell the monitor at `URL`: URL/start, URL when it went well, URL/CODE when not"},
		{Key: "notify.command", Flag: "on-end", Env: "PIPELINE_ON_END", value: textKind.to(func(r *Run) *string { return &r.Command }), Unset: "none", Example: "notify-send \"pipeline: $PIPELINE_ERROR\"",
			Doc:   "Line for the shell that is run at the end; it finds PIPELINE_EXIT_CODE, PIPELINE_ERROR and others in its environment.",
			Usage: "run `COMMAND` by the shell at the end; it finds PIPELINE_EXIT_CODE, PIPELINE_ERROR and others"},
		{Key: "notify.on", Flag: "on-end-when", Env: "PIPELINE_ON_END_WHEN", value: whenKind.to(func(r *Run) *string { return &r.When }), Default: NotifyAlways, Example: NotifyFailure,
			Doc:   "When the command is run: always, failure, or change, which is another exit code than that of the run before.",
			Usage: "run that command always, on failure, or on change (of the exit code): `WHEN`"},
		{Key: "log", Flag: "log", Env: "PIPELINE_LOG", value: logKind.to(func(r *Run) *string { return &r.Log }), Example: "~/pipeline.log",
			Unset: "a file in your state directory", Without: "where stderr is no terminal pipeline/pipeline.log in your state directory",
			Doc:   "File that runs are logged in as JSON lines; none: no log. A path may begin with ~/, or is seen from the file's folder. On a terminal there is none unless it is named.",
			Usage: "log the run in `FILE` as JSON lines; none: nowhere"},
	}
}

// onlyFlags are the settings that no file has.
func onlyFlags() []Setting {
	return []Setting{
		{Flag: "no-raw", value: yesKind.to(func(r *Run) *bool { return new(bool) }), Doc: "write 'raw: none'",
			Usage: "keep no versions: what Cursor overwrites is gone then, and there is no history and no rebuild"},
		{Flag: "accept-deletes", value: yesKind.to(func(r *Run) *bool { return &r.Options.AcceptDeletes }), Default: "false",
			Doc:   "that is said once, by who has looked: pipeline run --accept-deletes",
			Usage: "mark conversations deleted also when more than half of a source's are gone at once"},
		{Flag: "user-data-dir", Env: "CURSOR_USER_DATA_DIR", value: pathKind.to(func(r *Run) *string { return &r.UserDataDir }), Unset: "none",
			Doc:   "name the folder in sources:",
			Usage: "the `DIR` that Cursor was started with by its option of the same name"},
	}
}

// Name is the setting's key, or its flag where it has none.
func (s Setting) Name() string { return cmp.Or(s.Key, s.Flag) }

// parts are the key that the setting's is below, "" for none, and its own.
func (s Setting) parts() (of, key string) {
	if of, key, below := strings.Cut(s.Key, "."); below {
		return of, key
	}
	return "", s.Key
}

// below are the settings whose keys are below a key; "": those at the top.
func below(of string) []Setting {
	return slices.DeleteFunc(Settings(), func(s Setting) bool {
		group, key := s.parts()
		return key == "" || group != of
	})
}

// Target is where a sink publishes.
func (r *Run) Target(s sinks.Sink) *sinks.Target {
	i := slices.IndexFunc(r.Targets, func(t sinks.Target) bool { return t.Sink == s })
	if i < 0 {
		i, r.Targets = len(r.Targets), append(r.Targets, sinks.Target{Sink: s})
	}
	return &r.Targets[i]
}

// Take has the run take a value of a setting: one text, or each of a list.
func (r *Run) Take(s Setting, texts ...string) error {
	for _, text := range texts {
		if err := s.set(r, text); err != nil {
			return usage("--%s %v", s.Flag, err)
		}
	}
	return nil
}

// Help is what an editor and the documentation say of a key.
func (s Setting) Help() string {
	if without := cmp.Or(s.Default, s.Unset); without != "" {
		return fmt.Sprintf("%s Without it: %s.", s.Doc, strings.TrimSuffix(without, "."))
	}
	return s.Doc
}
