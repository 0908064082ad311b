// Package file reads pipelines: runs that are written down as YAML.
//
// It knows the format: which keys there are, what may be written after each, and what is wrong with a file. It never knows how a run is done, nor flags
// and terminals.
package file

import (
	"embed"
	"reflect"
	"slices"
	"time"

	"github.com/dustin/go-humanize"
	"github.com/xhit/go-str2duration/v2"

	"pipeline/load/sinks"
	"pipeline/pipelines"
)

// A Pipeline is a run that is written down: a YAML file says when it runs, what it reads, and where it puts it.
//
// This struct is the one declaration of the format. Each field's tags have its key, the flag of 'pipeline run' that says the same (none: no
// flag does), what its text must be (a kind of values.go), what it means, what holds without it, and an example. The reader, the JSON schema,
// 'pipeline config' and the documentation's table are made from them. Values are texts as the flag takes them, so that one place makes
// Options out of both; paths are absolute.
type Pipeline struct {
	Name         string    `key:"name" is:"name" doc:"What the pipeline is called: letters, digits, '.', '_' and '-'. A file in the folder of pipelines is called as the file is." unset:"the file's name without .yaml" example:"nightly"`
	Description  string    `key:"description" is:"text" doc:"What the pipeline is for, in a line." unset:"none" example:"Everything, with Parquet, every night"`
	Schedule     *Schedule `key:"schedule" doc:"When the pipeline runs." unset:"only when somebody runs it"`
	Sources      []string  `key:"sources" flag:"source" is:"source" doc:"What is read, each [NAME=]PATH: a Cursor user directory, a folder above it, a storage folder, or one SQLite file. A path may begin with ~/, or is seen from the file's folder." unset:"every Cursor found here" example:"work=~/backup/Cursor/User"`
	Since        string    `key:"since" flag:"since" is:"time" doc:"Only conversations with activity at or after this time: 7d, 36h, yesterday, last-run, 2026-03-01, RFC 3339. It is worked out anew in each run." unset:"no limit" example:"7d"`
	Until        string    `key:"until" flag:"until" is:"time" doc:"Only conversations whose last activity is before this time." unset:"no limit" example:"2026-03-01"`
	Projects     []string  `key:"projects" flag:"project" is:"project" doc:"Only conversations of these projects, each by its URI, path or name, or a glob over one of them." unset:"all projects" example:"my-app"`
	Full         bool      `key:"full" flag:"full" doc:"Load every conversation, changed or not."`
	Warehouse    string    `key:"warehouse" flag:"warehouse" is:"path" doc:"The DuckDB file. A path may begin with ~/, or is seen from the file's folder." unset:"warehouse.duckdb in your data directory" example:"~/cursor.duckdb"`
	Parquet      string    `key:"parquet" flag:"parquet" is:"path" doc:"Folder to publish every table as Parquet in, after each load." unset:"no Parquet" example:"~/cursor-parquet"`
	ParquetKeep  string    `key:"parquet-keep" flag:"parquet-keep" is:"keep" doc:"How long a publication stays after another took its place, for who still reads it; 0: not at all." example:"1d"`
	Report       string    `key:"report" flag:"report" is:"path" doc:"HTML file that the report page is written to after each load, also after one that found nothing new; a failure of it is a warning." unset:"no report" example:"~/cursor.html"`
	Raw          string    `key:"raw" flag:"raw" is:"raw" doc:"Rows of which every version is kept beside the warehouse: tables (what a table is built from), all, or none." example:"all"`
	Retention    string    `key:"retention" flag:"retention" is:"duration" doc:"How long to keep versions of rows that later ones took the place of, and rows of loads. The latest version of every row stays for ever." unset:"everything stays for ever" example:"180d"`
	SessionGap   string    `key:"session-gap" flag:"session-gap" is:"duration" doc:"A pause longer than this ends a session." example:"45m"`
	Git          bool      `key:"git" flag:"git" doc:"Also read the commits of the projects' repositories, and link them to conversations."`
	CommitWindow string    `key:"commit-window" flag:"commit-window" is:"duration" doc:"A conversation active in this time before a commit may have led to it." example:"1h"`
	Memory       string    `key:"memory" flag:"memory" is:"size" doc:"About how much memory a run takes; at least 256MB." example:"1GB"`
	Strict       bool      `key:"strict" flag:"strict" doc:"End with exit code 4 if rows are quarantined."`
	Retry        string    `key:"retry" flag:"retry" is:"retry" doc:"A run that was busy (exit code 75) is tried again with growing pauses until this time has passed since its beginning; 0: not at all." example:"2h"`
	Notify       *Notify   `key:"notify" doc:"Who is told how the run went." unset:"nobody but who reads what it prints"`
	Log          string    `key:"log" flag:"log" is:"log" doc:"File that runs are logged in as JSON lines; none: no log. A path may begin with ~/, or is seen from the file's folder. On a terminal there is none unless it is named." unset:"a file in your state directory" example:"~/pipeline.log"`

	File    string         // where it was read; "" for one that is shipped
	Shipped bool           // it is part of the program
	Lines   map[string]int // the line of each key that the file has, from 1; a key below another by its path
	Text    string         // the file as it is
}

// A Schedule is when a pipeline runs.
type Schedule struct {
	Cron     string `key:"cron" is:"cron" need:"yes" doc:"Minute, hour, day, month and weekday, as cron has them, or @hourly, @daily, @weekly, @monthly, @yearly. Put it in quotes. A time that a day lacks because clocks go forward is the moment at which they do; one that it has twice counts once." example:"30 2 * * *"`
	Timezone string `key:"timezone" is:"zone" doc:"Time zone of the times in cron, by its name." unset:"this machine's" example:"Europe/Berlin"`
	Jitter   string `key:"jitter" is:"duration" doc:"'pipeline serve' starts the run up to this long after the time, by chance, so that many machines do not all start at once." unset:"at the time" example:"10m"`
}

// A Notify is who is told how a run went.
type Notify struct {
	Ping    string `key:"ping" flag:"ping" is:"ping" secret:"yes" doc:"URL of a monitor in the manner of healthchecks.io: URL/start is asked when the run begins, URL when it went well, URL/CODE when it ended with another exit code. It is told the pipeline's name, the exit code and counts, no paths and no texts. Of the URL only the host is shown anywhere." unset:"none" example:"https://hc-ping.com/your-uuid-here"`
	Command string `key:"command" flag:"on-end" is:"text" doc:"Line for the shell that is run at the end; it finds PIPELINE_EXIT_CODE, PIPELINE_ERROR and others in its environment." unset:"none" example:"notify-send \"pipeline: $PIPELINE_ERROR\""`
	On      string `key:"on" flag:"on-end-when" is:"when" doc:"When the command is run: always, failure, or change, which is another exit code than that of the run before." example:"failure"`
}

// A Key is one key of the format.
type Key struct {
	Name    string // as the file has it
	Path    string // with the keys that it is below: notify.ping
	Flag    string // of 'pipeline run'; "" where there is none
	Kind    string // of values.go; "" for true or false
	Doc     string
	Unset   string // what holds without it, where there is no default value
	Default string // the default value, as text
	Example string
	Needed  bool
	Secret  bool // its value is shown by Masked alone
	field   []int
	typ     reflect.Type
}

// Keys are the keys of a pipeline in the order of the declaration, those below a key after it.
func Keys() []Key { return withBelow(keysOf(reflect.TypeFor[Pipeline](), Key{})) }

func withBelow(keys []Key) (out []Key) {
	for _, k := range keys {
		out = append(append(out, k), withBelow(k.below())...)
	}
	return out
}

// below are the keys below a key.
func (k Key) below() []Key {
	if k.typ.Kind() != reflect.Pointer {
		return nil
	}
	return keysOf(k.typ.Elem(), k)
}

// keysOf are the keys of a struct that stands below a key, or below none.
func keysOf(t reflect.Type, of Key) []Key {
	defaults := Defaults()
	var out []Key
	for i := range t.NumField() {
		f := t.Field(i)
		name, ok := f.Tag.Lookup("key")
		if !ok {
			continue
		}
		path := name
		if of.Path != "" {
			path = of.Path + "." + name
		}
		out = append(out, Key{name, path, f.Tag.Get("flag"), f.Tag.Get("is"), f.Tag.Get("doc"), f.Tag.Get("unset"), defaults[path], f.Tag.Get("example"),
			f.Tag.Get("need") != "", f.Tag.Get("secret") != "", append(slices.Clone(of.field), i), f.Type})
	}
	return out
}

// Defaults are the values that hold where nothing else is said, by the path of the key, as a flag takes them.
func Defaults() map[string]string {
	return map[string]string{
		"full": "false", "git": "false", "strict": "false", "raw": rawLevels()[0], "parquet-keep": str2duration.String(sinks.DefaultKeep),
		"session-gap": str2duration.String(pipelines.DefaultSessionGap), "commit-window": str2duration.String(pipelines.DefaultCommitWindow), "memory": humanize.Bytes(pipelines.DefaultMemory),
		"retry": "0", "notify.on": notifyWhen()[0],
	}
}

// Values are the values of a key that the file has, as its flag takes them: several for a list. One that has keys below it has none.
func (p *Pipeline) Values(k Key) []string {
	if _, ok := p.Lines[k.Path]; !ok {
		return nil
	}
	switch v := reflect.ValueOf(p).Elem().FieldByIndex(k.field).Interface().(type) {
	case string:
		return []string{v}
	case []string:
		return v
	case bool:
		if v {
			return []string{"true"}
		}
		return []string{"false"}
	}
	return nil
}

// shipped are the pipelines that every copy of the program has.
//
//go:embed *.yaml
var shipped embed.FS

// Next are the next n times that the pipeline runs, in the time zone of its schedule; none without a schedule.
func (p *Pipeline) Next(now time.Time, n int) ([]time.Time, error) {
	if p.Schedule == nil {
		return nil, nil
	}
	times, err := p.Schedule.times()
	if err != nil {
		return nil, err
	}
	var out []time.Time
	for range n {
		if now = times.Next(now); now.IsZero() {
			break
		}
		out = append(out, now)
	}
	return out, nil
}
