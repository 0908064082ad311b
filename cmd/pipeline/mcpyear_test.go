package main

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"pipeline/testdata/gen/storetest"
)

// A year is an invented history of six projects, with facts that developers ask for. It counts what is in it by itself,
// as it is made.
type year struct {
	*cliTest
	today    time.Time // midnight, UTC
	random   *rand.Rand
	rows     []storetest.Row
	talked   map[[2]string]bool
	abandons map[string]string // conversations of mobile that were begun and not ended: why
	commit   string
}

// yearProjects are the projects of a year.
var yearProjects = []string{"atlas", "billing", "checkout", "docs-site", "gateway", "mobile"}

// spoken is a message of a conversation.
type spoken struct {
	isUser           bool
	text             string
	tool             string // as the store names it
	number           int
	params, result   map[string]any
	failure, status  string
	at               time.Time // zero: a minute after the message before
	answersWithError bool
}

func asks(text string) spoken { return spoken{isUser: true, text: text} }
func says(text string) spoken { return spoken{text: text} }
func editsFile(file string) spoken {
	return spoken{tool: "edit_file_v2", number: 38, params: map[string]any{"relativeWorkspacePath": file},
		result: map[string]any{}}
}
func readsFile(file, failure string) spoken {
	return spoken{tool: "read_file_v2", number: 40, params: map[string]any{"targetFile": file},
		result: map[string]any{"contents": "package main"}, failure: failure}
}
func runsCommand(command, output string, code int) spoken {
	return spoken{tool: "run_terminal_command_v2", number: 15, params: map[string]any{"command": command},
		result: map[string]any{"output": output, "exitCodeV2": code}}
}

// chat adds a conversation, a message a minute, in a version of Cursor's format.
func (y *year) chat(project, title string, at time.Time, version int, more map[string]any,
	messages ...spoken) (id string) {
	y.t.Helper()
	id = fmt.Sprintf("%08x-%04x-4000-8000-%012x", y.random.Uint32(), y.random.IntN(1<<16), len(y.rows))
	var headers []map[string]any
	begun, last := at, at
	for i, m := range messages {
		switch {
		case !m.at.IsZero():
			at = m.at
		case i > 0:
			at = at.Add(time.Minute)
		}
		last = at
		y.talked[[2]string{at.Format(time.DateOnly), project + ": " + title}] = true
		message := fmt.Sprintf("%s-%d", id[:8], i)
		body := y.body(m, at)
		body["bubbleId"] = message
		headers = append(headers, map[string]any{"bubbleId": message, "type": body["type"]})
		y.row("bubbleId:"+id+":"+message, body)
	}
	head := map[string]any{"_v": version, "composerId": id, "name": title, "createdAt": begun.UnixMilli(),
		"lastUpdatedAt": last.UnixMilli(), "fullConversationHeadersOnly": headers,
		"workspaceIdentifier": map[string]any{"id": project,
			"uri": map[string]any{"external": "file://" + y.folder(project)}}}
	for key, value := range more {
		head[key] = value
	}
	y.row("composerData:"+id, head)
	return id
}

// body is a message as the store has it.
func (y *year) body(m spoken, at time.Time) map[string]any {
	body := map[string]any{"_v": 3, "type": 2, "createdAt": at.Format(time.RFC3339), "text": m.text}
	if m.isUser {
		body["type"] = 1
		return body
	}
	body["modelInfo"] = map[string]any{"modelName": "gpt-5.2"}
	if m.answersWithError {
		body["errorDetails"] = map[string]any{"error": "ERROR_OPENAI", "message": "The provider is overloaded."}
	}
	if m.tool == "" {
		return body
	}
	call := map[string]any{"tool": m.number, "name": m.tool, "toolCallId": "call_" + fmt.Sprint(len(y.rows)),
		"status": "completed", "params": y.text(m.params), "rawArgs": y.text(m.params)}
	switch {
	case m.status != "":
		call["status"] = m.status
	case m.failure != "":
		call["status"], call["error"] = "error",
			y.text(map[string]any{"clientVisibleErrorMessage": m.failure, "modelVisibleErrorMessage": m.failure})
	default:
		call["result"] = y.text(m.result)
	}
	body["toolFormerData"] = call
	return body
}

func (y *year) text(v any) string {
	text, err := json.Marshal(v)
	y.must(err)
	return string(text)
}

func (y *year) row(key string, value map[string]any) {
	y.rows = append(y.rows, storetest.Row{Key: key, Value: y.text(value)})
}

// folder is a project's.
func (y *year) folder(project string) string { return filepath.Join(y.dir, "src", project) }

// daily adds what is done on each day of work: talk about retries that decides nothing, edits, and tools that fail.
func (y *year) daily(from, until time.Time) {
	files := []string{"main.go", "config.go", "handlers/user.go", "README.md", "store.go", "client.go"}
	for day := from; day.Before(until); day = day.AddDate(0, 0, 1) {
		if day.Weekday() == time.Saturday || day.Weekday() == time.Sunday {
			continue
		}
		for _, hour := range []int{9, 11} {
			project := yearProjects[y.random.IntN(len(yearProjects))]
			file := files[y.random.IntN(len(files))]
			version := 3
			if day.After(y.today.AddDate(0, -6, 0)) {
				version = 13
			}
			messages := []spoken{asks("Please change " + file + " so that a user can be renamed, and retry the build."),
				readsFile(file, ""), editsFile(file)}
			switch y.random.IntN(8) {
			case 0, 1:
				messages = append(messages, readsFile("vendor/"+file, "File not found: vendor/"+file))
			case 2:
				messages = append(messages, runsCommand("pnpm test", "sh: 1: pnpm: not found", 127))
			case 3:
				messages = append(messages, runsCommand("go test ./...", "ok", 0), editsFile(file))
			}
			y.chat(project, fmt.Sprintf("Rename a user in %s (%d)", file, len(y.rows)),
				day.Add(time.Duration(hour)*time.Hour), version, nil,
				append(messages, says("I will retry the build: it passes. Retrying once was enough."))...)
		}
	}
}

// newYear makes the history, with the facts that are asked for.
func newYear(t *testing.T) *year {
	t.Helper()
	y := &year{cliTest: newCLITest(t), today: time.Now().UTC().Truncate(24 * time.Hour),
		random: rand.New(rand.NewPCG(1, 2)), talked: map[[2]string]bool{}, abandons: map[string]string{}}
	for _, project := range yearProjects {
		y.must(os.MkdirAll(y.folder(project), 0o700))
	}
	y.daily(y.today.AddDate(-1, 0, 0), y.today.AddDate(0, 0, -1))
	y.decisions()
	y.failures()
	y.unfinished()
	y.yesterday()
	y.commits()
	y.store(y.rows, storetest.StoreOptions{})
	y.run(0, "--quiet", "--git")
	return y
}

// lastMonth is the first of the month before this one.
func (y *year) lastMonth() time.Time {
	return time.Date(y.today.Year(), y.today.Month()-1, 1, 0, 0, 0, 0, time.UTC)
}

// decisions adds one of last month, and an older one that it has replaced.
func (y *year) decisions() {
	y.chat("gateway", "Client errors", y.lastMonth().AddDate(0, -3, 4).Add(17*time.Hour), 13, nil,
		asks("How should the client treat a 503?"),
		says("We decided to retry forever without a pause, because it is simple."))
	y.chat("gateway", "Locked accounts", y.lastMonth().AddDate(0, 0, 9).Add(17*time.Hour), 13, nil,
		asks("Customers say that their accounts are locked after an outage. What do we do?"),
		readsFile("client.go", ""),
		says(strings.Repeat("The log of the outage shows bursts of requests from each client, all within a second. ",
			6)+
			"We decided to retry at most three times with jitter, because the payment provider locks an account after "+
			"five attempts."), asks("Good, do that."), editsFile("client.go"), says("Done."))
}

// failures adds an error that was met before, and how it was fixed.
func (y *year) failures() {
	y.chat("docs-site", "What does it mean?", y.today.AddDate(0, -6, 0).Add(18*time.Hour), 13, nil,
		asks("What does refused mean when a connection is closed?"), says("That nobody listens at the port."))
	y.chat("atlas", "Migrations do not run", y.today.AddDate(0, -5, 0).Add(18*time.Hour), 13, nil,
		asks("make migrate fails. Find out why."),
		runsCommand("make migrate", "dial tcp 127.0.0.1:5433: connect: connection refused", 2),
		readsFile("compose.yaml", ""), says("The database listens at 5432, and DATABASE_URL says 5433."),
		editsFile("compose.yaml"), runsCommand("make migrate", "ok", 0),
		says("Fixed: I set the port of DATABASE_URL to 5432 in compose.yaml."))
}

// unfinished adds what is open in mobile.
func (y *year) unfinished() {
	at := y.today.AddDate(0, 0, -20).Add(18 * time.Hour)
	add := func(title, why string, more map[string]any, messages ...spoken) {
		y.abandons[y.chat("mobile", title, at, 13, more, messages...)] = why
		at = at.AddDate(0, 0, -7)
	}
	add("Push notifications", "unanswered", nil, asks("Add push notifications."), says("For which system?"),
		asks("Android first."))
	add("Dark mode", "error", nil, asks("Add a dark mode."), spoken{answersWithError: true})
	add("Offline maps", "tool_cancelled", nil, asks("Keep maps offline."),
		spoken{tool: "edit_file_v2", number: 38, params: map[string]any{"relativeWorkspacePath": "maps.go"},
			status: "cancelled"})
	todo := func(id, content, status string) map[string]any {
		return map[string]any{"id": id, "content": content, "status": status, "dependencies": []string{}}
	}
	add("Sign in with a passkey", "todos",
		map[string]any{"todos": []any{todo("1", "register a passkey", "completed"),
			todo("2", "sign in by it", "in_progress"), todo("3", "recover an account", "pending")}},
		asks("Let users sign in with a passkey."), editsFile("passkey.go"), says("A passkey can be registered now."))
}

// yesterday adds three conversations, one of which goes on today.
func (y *year) yesterday() {
	at := y.today.AddDate(0, 0, -1)
	y.chat("billing", "Round invoices", at.Add(10*time.Hour), 13, nil, asks("Round invoices to cents."),
		editsFile("invoice.go"), says("Invoices are rounded."))
	y.chat("mobile", "Faster start", at.Add(13*time.Hour), 13, nil, asks("Why is the start slow?"),
		says("It reads all maps at once."))
	on := asks("Go on with the test.")
	on.at = y.today
	y.chat("billing", "Invoices in other currencies", at.Add(15*time.Hour), 13, nil,
		asks("Add currencies to invoices."), editsFile("currency.go"), on)
}

// commits adds a conversation that led to a commit, and one beside it that did not.
func (y *year) commits() {
	at := y.today.AddDate(0, 0, -40).Add(19 * time.Hour)
	y.chat("gateway", "One tenant slows all", at, 13, nil, asks("Limit each tenant to fifty requests a second."),
		editsFile("limiter.go"), says("The limiter counts by tenant."))
	y.chat("atlas", "Names of streets", at.Add(2*time.Minute), 13, nil, asks("Show names of streets."),
		editsFile("streets.go"), says("They are shown."))
	for _, project := range []string{"gateway", "atlas"} {
		y.git(project, at.AddDate(-1, 0, 0), "init", "-q", "-b", "main")
	}
	for _, c := range []struct{ project, file string }{{"atlas", "streets.go"}, {"gateway", "limiter.go"}} {
		y.must(os.WriteFile(filepath.Join(y.folder(c.project), c.file), []byte("package main\n"), 0o600))
		y.git(c.project, at, "add", ".")
		y.git(c.project, at.Add(12*time.Minute), "commit", "-q", "-m", "Change "+c.file)
		y.commit = y.git(c.project, at, "rev-parse", "HEAD")
	}
}

// git runs git in a project's folder, at a time.
func (y *year) git(project string, at time.Time, arguments ...string) string {
	y.t.Helper()
	cmd := exec.Command("git",
		append([]string{"-C", y.folder(project), "-c", "user.name=Mira", "-c", "user.email=mira@example.org"},
			arguments...)...)
	cmd.Env = append(os.Environ(), "GIT_CONFIG_GLOBAL="+os.DevNull, "GIT_CONFIG_NOSYSTEM=1",
		"GIT_AUTHOR_DATE="+at.Format(time.RFC3339), "GIT_COMMITTER_DATE="+at.Format(time.RFC3339))
	out, err := cmd.CombinedOutput()
	if err != nil {
		y.t.Fatalf("git %q: %v: %s", arguments, err, out)
	}
	return strings.TrimSpace(string(out))
}
