package main

import (
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/urfave/cli/v2"

	"pipeline/cmd/pipeline/internal/result"
	"pipeline/cmd/pipeline/internal/term"
	"pipeline/load"
	"pipeline/load/engine"
	"pipeline/load/reader"
	"pipeline/load/redact"
	"pipeline/load/tool/sqlrows"
	"pipeline/sql/schema"
)

func secretsCommand() *cli.Command {
	return &cli.Command{
		Name:      "secrets",
		Usage:     "list the secrets in the history that are recognised",
		ArgsUsage: " ",
		Description: `Lists where texts of the warehouse have a secret: in what was said, in what tools were given and gave back, in titles, attachments, plans, commits, and
also in what Cursor has deleted since. A secret has at most its first four characters there. The newest comes first; one that repeats in a text is listed once.

The rules are those of 'pipeline push' and of --redact. They know tokens by their form, and passwords by what is beside them. They do not find a password
that nothing names, one that is spread over several messages, what a picture shows, and what is not in the warehouse's tables: the raw layer has more
('pipeline history'), and so has Cursor. Whatever is listed has been in a chat, and may have been sent to a model: replace it where it was issued.

--since and --until choose texts by their time: that of the message, else of the chat, the plan or the commit. With --project only what is of a chat is listed.

Examples:
   pipeline secrets
   pipeline secrets --project my-app --since 30d
   pipeline secrets --format csv -o secrets.csv
   pipeline secrets --json | jq -r '.rows[].conversation_id'

` + formatHelp,
		Flags: slices.Concat([]cli.Flag{warehouseFlag(), timezoneFlag(), projectFlag()}, timeFlags("texts"), []cli.Flag{
			&cli.StringFlag{Name: "source", Usage: "only texts of the source of this `ID`"}}, outputFlags()),
		Action: secretsAction,
	}
}

func secretsAction(c *cli.Context) error {
	out, err := outputOf(c)
	if err != nil {
		return err
	}
	path, err := existingWarehouse(c)
	if err != nil {
		return err
	}
	out.Open = func(ctx context.Context, caption *result.Caption, path string, writable ...string) (*reader.Reader,
		error) {
		r, err := reader.OpenLocal(ctx, path, writable...)
		if err != nil {
			return nil, err
		}
		if caption.Below, err = secretsIn(c, path, r); err != nil {
			return nil, errors.Join(err, r.Close())
		}
		return r, nil
	}
	return out.Present(c.Context, path, "FROM temp._secrets", result.Caption{})
}

// A secretPlace is a secret in a text, without the secret.
type secretPlace struct {
	Rule           redact.Rule    `json:"rule"`
	Begins         string         `json:"begins"`
	Count          int            `json:"count"`
	At             *schema.Millis `json:"ms"`
	FoundIn        string         `json:"found_in"`
	ConversationID string         `json:"conversation_id"`
	Title          string         `json:"title"`
	MessageID      string         `json:"message_id"`
	SourceID       string         `json:"source_id"`
}

func (p *secretPlace) chat() load.RowKey {
	return load.RowKey{SourceID: p.SourceID, ConversationID: p.ConversationID}
}

// secretsTable makes a table of places.
const secretsTable = `CREATE OR REPLACE TEMP TABLE _secrets AS
	SELECT make_timestamptz(ms * 1000) AS created_at, rule, begins, count, found_in, nullif(conversation_id, '') AS conversation_id, nullif(title, '') AS title,
		nullif(message_id, '') AS message_id, nullif(source_id, '') AS source_id
	FROM (SELECT unnest(from_json(%s, '[{"rule": "VARCHAR", "begins": "VARCHAR", "count": "BIGINT", "ms": "BIGINT", "found_in": "VARCHAR",
		"conversation_id": "VARCHAR", "title": "VARCHAR", "message_id": "VARCHAR", "source_id": "VARCHAR"}]'), recursive := true))
	ORDER BY created_at DESC NULLS LAST, source_id, conversation_id, message_id, found_in, rule, begins, count`

// secretsIn puts the secrets of a warehouse into the table temp._secrets, and says how many there are.
func secretsIn(c *cli.Context, path string, r *reader.Reader) (total string, err error) {
	f, err := filterOf(c, path, r)
	if err != nil {
		return "", err
	}
	if err := knowsSource(c, r); err != nil {
		return "", err
	}
	_, finish := busy(c, "looking for secrets")
	defer finish()
	places, texts, different := []*secretPlace{}, 0, map[string]bool{}
	ofChat := map[load.RowKey]map[string]redact.Rule{}
	if err := r.EachText(c.Context, f, c.String("source"), func(t reader.RowText) {
		found := placesIn(t)
		for secret, p := range found {
			places, different[secret] = append(places, p), true
			if ofChat[p.chat()] == nil {
				ofChat[p.chat()] = map[string]redact.Rule{}
			}
			ofChat[p.chat()][secret] = p.Rule
		}
		texts += min(len(found), 1)
	}); err != nil {
		return "", err
	}
	titles := map[load.RowKey]string{}
	for _, p := range places {
		title, known := titles[p.chat()]
		if !known {
			title = withoutSecrets(p.Title, ofChat[p.chat()])
			titles[p.chat()] = title
		}
		p.Title = title
	}
	all, err := json.Marshal(places)
	if err != nil {
		return "", err
	}
	if _, err := r.Conn().ExecContext(c.Context, fmt.Sprintf(secretsTable, engine.Literal(string(all)))); err != nil {
		return "", err
	}
	if len(places) == 0 {
		return "No secret is recognised.", nil
	}
	return term.Plural(len(different), "secret") + " in " + term.Plural(texts, "text"), nil
}

// knowsSource refuses a --source that the warehouse does not have.
func knowsSource(c *cli.Context, r *reader.Reader) error {
	source, known := c.String("source"), 0
	if source == "" {
		return nil
	}
	err := r.Conn().QueryRowContext(c.Context, "SELECT count(*) FROM sources WHERE source_id = ?", source).Scan(&known)
	if err == nil && known == 0 {
		return usage("there is no source %s in this warehouse; 'pipeline sql \"FROM sources\"' lists them",
			term.Printable(source))
	}
	return err
}

// placesIn are the secrets in a text.
func placesIn(t reader.RowText) map[string]*secretPlace {
	var out map[string]*secretPlace
	for _, found := range redact.Find(t.Text) {
		secret := t.Text[found.Start:found.End]
		switch {
		case found.Rule == redact.Home:
		case out[secret] != nil:
			out[secret].Count++
		default:
			if out == nil {
				out = map[string]*secretPlace{}
			}
			out[secret] = &secretPlace{found.Rule, beginning(secret), 1, t.At, t.Column, t.ConversationID, t.Title,
				t.MessageID, t.SourceID}
		}
	}
	return out
}

// withoutSecrets is the title of a chat without the secrets in the chat: it may end within one, and what it has of that
// has no form that a rule knows.
func withoutSecrets(title string, secrets map[string]redact.Rule) string {
	title = redact.Text(title)
	for secret, rule := range secrets {
		characters := 0
		for end := range secret {
			if characters++; characters <= shownOfSecret+1 {
				continue
			}
			if n := strings.Index(title, secret[:end]); n >= 0 {
				title = title[:n] + "[redacted:" + rule + "]"
			}
			break
		}
	}
	return title
}

// What follows takes secrets out of what leaves the warehouse for other people.

// redactFlag is the flag of commands that write texts. done is what they do with them.
func redactFlag(done string) cli.Flag {
	return &cli.BoolFlag{Name: "redact", Usage: done +
		" texts without secrets and home folders: [redacted:RULE] and ~ stand for them"}
}

// peopleOf are the people whose home folders a warehouse knows: in the places of its sources, projects and stores; and
// who runs the program.
func peopleOf(ctx context.Context, r *reader.Reader) (*redact.People, error) {
	var places []string
	err := sqlrows.Each(ctx, r.Conn(),
		`SELECT DISTINCT place FROM (SELECT user_dir AS place FROM sources UNION ALL SELECT path FROM load_stores UNION ALL SELECT project_uri FROM conversations
		UNION ALL SELECT project_path FROM conversations UNION ALL SELECT uri FROM workspaces UNION ALL SELECT repository_path FROM repositories) WHERE place IS NOT NULL ORDER BY place`, func(rows *sql.Rows) error {
			var place string
			err := rows.Scan(&place)
			places = append(places, place)
			return err
		})
	return redact.NewPeople(places, ownHomes()...), err
}

// ownHomes are the home of who runs the program, and where it really is.
func ownHomes() (homes []string) {
	home, err := os.UserHomeDir()
	if err != nil {
		return nil
	}
	homes = append(homes, home)
	if real, err := filepath.EvalSymlinks(home); err == nil {
		homes = append(homes, real)
	}
	return homes
}

// peopleIn are those of a warehouse that is not open.
func peopleIn(ctx context.Context, warehouse string) (_ *redact.People, err error) {
	r, err := reader.Open(ctx, warehouse)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, r.Close()) }()
	return peopleOf(ctx, r)
}
