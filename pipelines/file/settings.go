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

	"pipeline/load/sinks"
	"pipeline/pipelines"
)

// A Setting is one setting of a run: a key of a pipeline's file, a flag of 'pipeline run', or an environment variable.
type Setting struct {
	Key     string // path of the key in a file, such as notify.ping; "" if files cannot set it
	Flag    string // "" if there is no flag
	Short   string // one-letter form of the flag
	Env     string // environment variable
	Default string // default value
	Unset   string // what happens without a value, if there is no default
	Doc     string // documentation of the key; without a key: why files cannot set it
	Usage   string // text of --help, with the placeholder in backquotes
	Without string // what --help says about running without the flag, if there is no default
	Example string
	Needed  bool // the key above it is invalid without this key
	Secret  bool // its value must only be shown masked

	value
}

// A Run has the values of a run's settings. Values that depend on the start of the run are still text.
type Run struct {
	Options      pipelines.Options // without sources, times and targets
	Targets      []sinks.Target    // targets of the sinks that were named; one without a folder publishes nothing
	Sources      []string          // each [NAME=]PATH; none: every Cursor found here
	Usage        []string          // files, folders and patterns of files with usage
	Prices       string            // file of a price list; "" for none
	UserDataDir  string            // see Settings
	Since, Until string
	Timezone     string // "": the reader's
	Report       string // "" for none
	Markdown     Markdown
	Push         Push
	Strict       bool
	Retry        time.Duration
	Ping         *url.URL // nil for none
	Command      string   // command after the run; "" for none
	When         string   // when that command is run: one of the Notify constants
	Log          string   // "" for the default, or LogNone
}

// Markdown says where a run keeps a Markdown file for each conversation.
type Markdown struct {
	Dir    string // "" for nowhere
	Redact bool
}

// Push says where a run's rows are pushed after the load.
type Push struct {
	To             string // s3://BUCKET[/PREFIX], or a folder; "": nowhere
	Endpoint       string // URL of the S3 server; "": Amazon's
	Region         string // of the bucket; "": that of the environment or of the profile
	Level          string // "": redacted, or what the policy of the store allows
	Since          string // nothing older; "": everything
	Projects, Deny []string
}

// Settings declares all settings of a run. Flags, keys of a file, variables, the JSON schema, tables of the
// documentation, the output of 'pipeline config' and the options of a run are made from it. Its order is that of the
// documentation.
func Settings() []Setting {
	return slices.Concat(aboutThePipeline(), aboutReading(), aboutPublishing(), aboutPushing(), aboutLoads(),
		aboutTelling(), onlyFlags())
}

func aboutThePipeline() []Setting {
	return []Setting{
		{Key: "name", value: nameKind.inFile(), Unset: "the file's name without .yaml", Example: "nightly",
			Doc: "Name of the pipeline: letters, digits, '.', '_' and '-'. In the folder of pipelines it must be the " +
				"file's name."},
		{Key: "description", value: textKind.inFile(), Unset: "none", Example: "Everything, with Parquet, every night",
			Doc: "What the pipeline is for, in a line."},
		{Key: "schedule", value: group, Unset: "only when somebody starts it",
			Doc: "When the pipeline runs."},
		{Key: "schedule.cron", value: cronKind.inFile(), Needed: true, Example: "30 2 * * *",
			Doc: "Minute, hour, day, month and weekday, as cron has them, or @hourly, @daily, @weekly, @monthly, " +
				"@yearly. Put it in quotes. A time that a day lacks because clocks go forward is the moment at which " +
				"they do; one that it has twice counts once."},
		{Key: "schedule.timezone", value: zoneKind.inFile(), Unset: "this machine's", Example: "Europe/Berlin",
			Doc: "Time zone of the times in cron, by its name."},
		{Key: "schedule.jitter", value: jitterKind.inFile(), Unset: "at the time", Example: "10m",
			Doc: "'pipeline serve' starts the run up to this long after the time, by a random delay, so that many " +
				"machines do not all start at once."},
	}
}

func aboutReading() []Setting {
	return []Setting{
		{Key: "sources", Flag: "source", Short: "s", Env: "PIPELINE_SOURCE",
			value: sourceKind.list(func(r *Run) *[]string { return &r.Sources }), Unset: "every Cursor found here",
			Without: "every Cursor found here", Example: "work=~/backup/Cursor/User",
			Doc: "What is read, each [NAME=]PATH: a Cursor user directory, a folder above it, a storage folder, or " +
				"one SQLite file. A path may begin with ~/, or is relative to the file's folder.",
			Usage: "`[NAME=]PATH` of a Cursor user directory, a folder above it, a storage folder, or one SQLite " +
				"file; repeatable"},
		{Key: "usage", Flag: "usage", Env: "PIPELINE_USAGE",
			value: pathKind.list(func(r *Run) *[]string { return &r.Usage }), Unset: "no usage is read",
			Example: "~/Downloads/usage-events-*.csv",
			Doc: "Files that say which tokens Cursor counted and what it billed, folders of them, or patterns: " +
				"exports of the dashboard (CSV), events of its API (JSON), logs of hooks, output of 'cursor-agent " +
				"--output-format stream-json'. A run asks nobody for them.",
			Usage: "also read usage from `PATH`, a file, a folder or a pattern: exports of Cursor's dashboard (CSV), " +
				"events of its API (JSON), logs of hooks; repeatable"},
		{Key: "usage-user", Flag: "usage-user", Env: "PIPELINE_USAGE_USER",
			value: textKind.to(func(r *Run) *string { return &r.Options.UsageUser }), Unset: "who the warehouse knows",
			Without: "who the warehouse knows", Example: "ann@example.com",
			Doc: "Who uses the warehouse, as files of usage name them: where these tell of several persons, only " +
				"this one's usage is joined to prompts by time alone. The warehouse remembers a hash of it; none " +
				"takes it back.",
			Usage: "of usage of several persons, join only that of `MAIL` to prompts by time alone; the warehouse " +
				"remembers it, none takes it back"},
		{Key: "since", Flag: "since", value: momentKind.to(func(r *Run) *string { return &r.Since }), Unset: "no limit",
			Example: "7d", Doc: "Only conversations with activity at or after this time: 7d, 36h, yesterday, " +
				"last-run, 2026-03-01, RFC 3339. It is computed again in each run.",
			Usage: "only conversations with activity at or after `TIME`: 7d, 36h, yesterday, last-run, 2026-03-01, " +
				"RFC 3339"},
		{Key: "until", Flag: "until", value: momentKind.to(func(r *Run) *string { return &r.Until }), Unset: "no limit",
			Example: "2026-03-01", Doc: "Only conversations whose last activity is before this time.",
			Usage: "only conversations whose last activity is before `TIME`"},
		{Key: "timezone", Flag: "timezone", Env: "PIPELINE_TIMEZONE",
			value: zoneKind.to(func(r *Run) *string { return &r.Timezone }), Unset: "that of TZ, else this machine's",
			Without: "that of TZ, else this machine's", Example: "Europe/Berlin",
			Doc: "Time zone, by its name, of the days in since, until and the report. The warehouse is the same in " +
				"every zone: its times are UTC.",
			Usage: "cut days, and read and print times without a zone, in `ZONE`, such as Europe/Berlin"},
		{Key: "projects", Flag: "project", value: projectKind.list(func(r *Run) *[]string {
			return &r.Options.Projects
		}), Unset: "all projects", Example: "my-app",
			Doc:   "Only conversations of these projects, each by its URI, path or name, or a glob over one of them.",
			Usage: "only conversations of `PROJECT`: its URI, path or name, or a glob; repeatable"},
		{Key: "aliases", Flag: "alias", Env: "PIPELINE_ALIAS",
			value: aliasKind.list(func(r *Run) *[]pipelines.Alias { return &r.Options.Aliases }),
			Unset: "only those that the warehouse already has", Example: "~/src/old=~/src/new",
			Doc: "Projects that have a new name, each OLD=NEW, as paths or URIs: answers and the report count OLD " +
				"as NEW. The warehouse remembers it; OLD= takes it back.",
			Usage: "count project OLD as NEW, `OLD=NEW` as paths or URIs; the warehouse remembers it, OLD= takes it " +
				"back; repeatable"},
		{Key: "full", Flag: "full", value: yesKind.to(func(r *Run) *bool { return &r.Options.Full }), Default: "false",
			Doc:   "Load every conversation, changed or not.",
			Usage: "load every conversation, changed or not"},
		{Key: "warehouse", Flag: "warehouse", Short: "w", Env: "PIPELINE_WAREHOUSE",
			value: pathKind.to(func(r *Run) *string { return &r.Options.Warehouse }),
			Unset: "warehouse.duckdb in your data directory", Without: "warehouse.duckdb in your data directory",
			Example: "~/cursor.duckdb", Doc: "The DuckDB file. A path may begin with ~/ for your home, with data: " +
				"for the folder of the default warehouse, or is relative to the file's folder.",
			Usage: "the DuckDB `FILE`"},
	}
}

// aboutPublishing has two settings for each sink: its folder, and how long older publications are kept.
func aboutPublishing() (out []Setting) {
	for _, sink := range sinks.All() {
		about := sink.About()
		variable := "PIPELINE_" + strings.ToUpper(about.Name)
		out = append(out,
			Setting{Key: about.Name, Flag: about.Name, Env: variable,
				value: pathKind.to(func(r *Run) *string { return &r.Target(sink).Dir }), Unset: "no " + about.Title,
				Example: "~/cursor-" + about.Name,
				Doc: fmt.Sprintf("Folder to publish every table as %s in, after each load. Secrets stay in its texts; "+
					"'pipeline export %s --redact' takes them out.", about.Title, about.Name),
				Usage: fmt.Sprintf("also publish every table as %s in `DIR`/current; secrets stay in its texts, "+
					"'pipeline export %s --redact' takes them out", about.Title, about.Name)},
			Setting{Key: about.Name + "-keep", Flag: about.Name + "-keep", Env: variable + "_KEEP",
				value:   keepKind.to(func(r *Run) *time.Duration { return &r.Target(sink).Keep }),
				Default: str2duration.String(sinks.DefaultKeep), Example: "1d",
				Doc: "How long a publication is kept after another has replaced it, for programs that still read " +
					"it; 0: not at all.",
				Usage: "keep a replaced publication for `DURATION`, for programs that still read it; 0: remove it at " +
					"once"})
	}
	return out
}

func aboutPushing() []Setting {
	return []Setting{
		{Key: "push", value: group, Unset: "nothing leaves this machine",
			Doc: "Where the warehouse is pushed after each load, for machines that share a store; see 'pipeline " +
				"push'. A push that fails ends the run with exit code 1, and the next run makes up for it; the load " +
				"is in the warehouse."},
		{Key: "push.to", Flag: "push", Env: "PIPELINE_PUSH",
			value: pushKind.to(func(r *Run) *string { return &r.Push.To }), Needed: true, Unset: "no push",
			Example: "s3://team-cursor", Doc: "s3://BUCKET[/PREFIX], or a folder.",
			Usage: "after the load, push to `TARGET`: s3://BUCKET[/PREFIX], or a folder"},
		{Key: "push.endpoint", Flag: "push-endpoint", Env: "PIPELINE_PUSH_ENDPOINT",
			value: serverKind.to(func(r *Run) *string { return &r.Push.Endpoint }), Unset: "Amazon's",
			Example: "https://minio.example.org", Doc: "URL of the S3 server.", Usage: "`URL` of that S3 server"},
		{Key: "push.region", Flag: "push-region", Env: "PIPELINE_PUSH_REGION",
			value: textKind.to(func(r *Run) *string { return &r.Push.Region }),
			Unset: "AWS_REGION, the profile's, or us-east-1", Example: "eu-central-1", Doc: "Region of the bucket.",
			Usage: "`REGION` of that bucket"},
		{Key: "push.level", Flag: "push-level", Env: "PIPELINE_PUSH_LEVEL",
			value: levelKind.to(func(r *Run) *string { return &r.Push.Level }),
			Unset: "redacted, or what the store's policy allows", Example: "metadata",
			Doc:   "What leaves the machine: metadata, redacted or full.",
			Usage: "let this `LEVEL` leave the machine: metadata, redacted or full"},
		{Key: "push.since", Flag: "push-since", value: momentKind.to(func(r *Run) *string { return &r.Push.Since }),
			Unset: "everything", Example: "365d",
			Doc:   "Nothing older leaves the machine, and what was pushed of it is withdrawn.",
			Usage: "push nothing older than `TIME`"},
		{Key: "push.projects", Flag: "push-project",
			value: projectKind.list(func(r *Run) *[]string { return &r.Push.Projects }), Unset: "all projects",
			Example: "my-app", Doc: "Only rows of these projects leave the machine, each by its URI, path or name, " +
				"or a glob over one of them.",
			Usage: "push only rows of `PROJECT`: its URI, path or name, or a glob; repeatable"},
		{Key: "push.deny", Flag: "push-deny", value: projectKind.list(func(r *Run) *[]string { return &r.Push.Deny }),
			Unset: "no project", Example: "*/secret-project*",
			Doc:   "No rows of these projects leave the machine; what was pushed of them is withdrawn.",
			Usage: "push no rows of `PROJECT`: its URI, path or name, or a glob; repeatable"},
	}
}

func aboutLoads() []Setting {
	return []Setting{
		{Key: "report", Flag: "report", Env: "PIPELINE_REPORT",
			value: pathKind.to(func(r *Run) *string { return &r.Report }), Unset: "no report", Example: "~/cursor.html",
			Doc: "HTML file that the report page, with titles of conversations, is written to after each load, also " +
				"after one that found nothing new; a failure to write it is a warning.",
			Usage: "write the report page to `FILE` after the load"},
		{Key: "markdown", Flag: "markdown", Env: "PIPELINE_MARKDOWN",
			value: pathKind.to(func(r *Run) *string { return &r.Markdown.Dir }), Unset: "no Markdown",
			Example: "~/cursor-chats", Doc: "Folder with a Markdown file for each conversation, by project and date; " +
				"after each load those that changed are written. It keeps what Cursor deletes. A failure to write " +
				"it is a warning.",
			Usage: "keep a Markdown file for each conversation in `DIR`, by project and date"},
		{Key: "markdown-redact", Flag: "markdown-redact", Env: "PIPELINE_MARKDOWN_REDACT",
			value: yesKind.to(func(r *Run) *bool { return &r.Markdown.Redact }), Default: "false",
			Doc:   "Take the secrets that are recognised out of these files.",
			Usage: "take the secrets that are recognised out of the Markdown files"},
		{Key: "session-gap", Flag: "session-gap", Env: "PIPELINE_SESSION_GAP",
			value:   durationKind.to(func(r *Run) *time.Duration { return &r.Options.SessionGap }),
			Default: str2duration.String(pipelines.DefaultSessionGap), Example: "45m",
			Doc: "A pause longer than this ends a session.", Usage: "a pause longer than `DURATION` ends a session"},
		{Key: "git", Flag: "git", Env: "PIPELINE_GIT", value: yesKind.to(func(r *Run) *bool { return &r.Options.Git }),
			Default: "false", Doc: "Also read the commits of the projects' repositories, and link them to " +
				"conversations.",
			Usage: "also read the commits of the projects' repositories, and link them to conversations"},
		{Key: "estimate", Flag: "estimate", Env: "PIPELINE_ESTIMATE", value: yesKind.to(estimate),
			Unset: "as in the warehouse's last load", Without: "as in the warehouse's last load", Example: "true",
			Doc: "Estimate tokens and cost of turns of which no usage is known, in columns of their own: from what " +
				"the store records of the turn, else from its texts, with a price list. The warehouse remembers it; " +
				"false takes it back.",
			Usage: "estimate tokens and cost of turns of which no usage is known, in columns of their own; the " +
				"warehouse remembers it, --estimate=false takes it back"},
		{Key: "prices", Flag: "prices", Env: "PIPELINE_PRICES",
			value:   pathKind.to(func(r *Run) *string { return &r.Prices }),
			Unset:   "the list that was named last, else the program's",
			Without: "the list that was named last, else the program's", Example: "~/prices.csv",
			Doc: "CSV file with the prices for estimates, in place of the program's own: model, from (a day), " +
				"input, cache_write, cache_read, output (US dollars for a million tokens), source. 'pipeline prices' " +
				"prints the program's. It turns estimates on.",
			Usage: "make estimates with the prices of the CSV `FILE`, which has the form that 'pipeline prices' " +
				"prints; turns them on"},
		{Key: "commit-window", Flag: "commit-window", Env: "PIPELINE_COMMIT_WINDOW",
			value:   durationKind.to(func(r *Run) *time.Duration { return &r.Options.CommitWindow }),
			Default: str2duration.String(pipelines.DefaultCommitWindow), Example: "1h",
			Doc:   "A conversation active in this time before a commit may have led to it.",
			Usage: "link a commit to conversations that were active up to `DURATION` before it"},
		{Key: "memory", Flag: "memory", Env: "PIPELINE_MEMORY",
			value:   sizeKind.to(func(r *Run) *int64 { return &r.Options.Memory }),
			Default: humanize.Bytes(pipelines.DefaultMemory), Example: "1GB",
			Doc:   "About how much memory a run takes; at least 256MB.",
			Usage: "take about `SIZE` of memory, at least 256MB"},
	}
}

func aboutTelling() []Setting {
	return []Setting{
		{Key: "strict", Flag: "strict", value: yesKind.to(func(r *Run) *bool { return &r.Strict }), Default: "false",
			Doc:   "End with exit code 4 if rows are quarantined.",
			Usage: "exit 4 if rows are quarantined"},
		{Key: "retry", Flag: "retry", Env: "PIPELINE_RETRY",
			value: retryKind.to(func(r *Run) *time.Duration { return &r.Retry }), Default: "0", Example: "2h",
			Doc: "A run that was busy (exit code 75) is tried again with growing pauses until this time has passed " +
				"since its beginning; 0: not at all.",
			Usage: "if the run is busy (exit code 75), try again with growing pauses for `DURATION`; 0: not at all"},
		{Key: "notify", value: group, Unset: "only the run's own output",
			Doc: "Who is told how the run went."},
		{Key: "notify.ping", Flag: "ping", Env: "PIPELINE_PING",
			value: pingKind.orNone().to(func(r *Run) **url.URL { return &r.Ping }), Secret: true, Unset: "none",
			Example: "https://hc-ping.com/your-uuid-here",
			Doc: "URL of a monitor like healthchecks.io: URL/start is requested when the run begins, URL when it " +
				"succeeds, URL/CODE when it ends with another exit code. The monitor receives the pipeline's name, " +
				"the exit code and counts, no paths and no texts. Only the URL's host is ever shown.",
			Usage: "tell the monitor at `URL`: URL/start, URL when it went well, URL/CODE when not"},
		{Key: "notify.command", Flag: "on-end", Env: "PIPELINE_ON_END",
			value: textKind.to(func(r *Run) *string { return &r.Command }), Unset: "none",
			Example: "notify-send \"pipeline: $PIPELINE_ERROR\"",
			Doc: "Shell command that is run at the end, with PIPELINE_EXIT_CODE, PIPELINE_ERROR and others in its " +
				"environment.",
			Usage: "run `COMMAND` in the shell at the end, with PIPELINE_EXIT_CODE, PIPELINE_ERROR and others in its " +
				"environment"},
		{Key: "notify.on", Flag: "on-end-when", Env: "PIPELINE_ON_END_WHEN",
			value: whenKind.to(func(r *Run) *string { return &r.When }), Default: NotifyAlways, Example: NotifyFailure,
			Doc: "When the command is run: always, failure, or change, which is another exit code than that of the " +
				"run before.",
			Usage: "run that command `WHEN`: always, failure, or change (of the exit code)"},
		{Key: "log", Flag: "log", Env: "PIPELINE_LOG", value: logKind.to(func(r *Run) *string { return &r.Log }),
			Example: "~/pipeline.log", Unset: "a file in your state directory",
			Without: "where stderr is no terminal pipeline/pipeline.log in your state directory",
			Doc: "File in which runs are logged as JSON lines; none: no log. A path may begin with ~/, or is " +
				"relative to the file's folder. On a terminal there is no log unless one is named.",
			Usage: "log the run in `FILE` as JSON lines; none: nowhere"},
	}
}

// onlyFlags are the settings that files cannot set.
func onlyFlags() []Setting {
	return []Setting{
		{Flag: "accept-deletes", value: yesKind.to(func(r *Run) *bool { return &r.Options.AcceptDeletes }),
			Default: "false", Doc: "confirm it once, after a look at the store: pipeline run --accept-deletes",
			Usage: "mark missing conversations deleted even if more than half of a source's are missing"},
		{Flag: "user-data-dir", Env: "CURSOR_USER_DATA_DIR",
			value: pathKind.to(func(r *Run) *string { return &r.UserDataDir }), Unset: "none",
			Doc:   "name the folder in sources:",
			Usage: "the `DIR` that Cursor was started with by its option of the same name"},
	}
}

// estimate is where a run has whether it estimates. Until it is set, the last load decides.
func estimate(r *Run) *bool {
	if r.Options.Estimate == nil {
		r.Options.Estimate = new(bool)
	}
	return r.Options.Estimate
}

// Name is the setting's key, or its flag if it has no key.
func (s Setting) Name() string { return cmp.Or(s.Key, s.Flag) }

// parts splits the key into the key above it, "" for none, and its own name.
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

// Target is the target of a sink.
func (r *Run) Target(s sinks.Sink) *sinks.Target {
	i := slices.IndexFunc(r.Targets, func(t sinks.Target) bool { return t.Sink == s })
	if i < 0 {
		i, r.Targets = len(r.Targets), append(r.Targets, sinks.Target{Sink: s})
	}
	return &r.Targets[i]
}

// Take sets a value of a setting: one text, or all texts of a list.
func (r *Run) Take(s Setting, texts ...string) error {
	for _, text := range texts {
		if err := s.set(r, text); err != nil {
			return usage("--%s %v", s.Flag, err)
		}
	}
	return nil
}

// Help is the text about a key for editors and the documentation.
func (s Setting) Help() string {
	if without := cmp.Or(s.Default, s.Unset); without != "" {
		return fmt.Sprintf("%s Without it: %s.", s.Doc, strings.TrimSuffix(without, "."))
	}
	return s.Doc
}
