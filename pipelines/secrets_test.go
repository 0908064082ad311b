package pipelines_test

import (
	"bytes"
	"context"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/apache/arrow/go/v17/arrow/memory"
	"github.com/apache/arrow/go/v17/parquet/file"
	"github.com/apache/arrow/go/v17/parquet/pqarrow"

	"pipeline/load/reader"
	"pipeline/pipelines"
	"pipeline/testdata/gen/storetest"
)

// canary is a secret in a place where Cursor keeps one.
func canary(n int) string { return fmt.Sprintf("CANARY%02dq7Xw3kP", n) }

// secretUserDir is the base store with a canary in each place; open is a text of the user's, which must be found
// everywhere.
func secretUserDir(t *testing.T) (w *userDir, canaries []string) {
	n := 0
	next := func() string {
		n++
		canaries = append(canaries, canary(n))
		return canary(n)
	}
	keys := func() string {
		return `"blobEncryptionKey":"` + next() + `","speculativeSummarizationEncryptionKey" : "` + next() + `\"` +
			next() + `",`
	}
	w = baseUserDir().replaced(t, keyA2, "An answer", openText)
	w = w.replaced(t, keyAlpha, `"name"`, keys()+`"name"`)
	w.rows["composerData:broken"] = `{"composerId":"broken",` + keys() + `"name":`
	w.rows["composerData:cut"] = `{"composerId":"cut","blobEncryptionKey":"` + next()
	w.rows["composerData:hex"] = fmt.Sprintf("%x", `{"name":"Hex",`+keys()+`"status":"none"}`)
	w.rows["composerData:hexblob"] = []byte(fmt.Sprintf("%x", `{"name":"Hex",`+keys()+`"status":"none"}`))
	w.rows["composerData:hexbroken"] = fmt.Sprintf("%X", `{"name":"Hex",`+keys()+`"status":`)
	cut := fmt.Sprintf("%x", `{"name":"Hex",`+keys()+`"status":"none"}`)
	w.rows["composerData:hexcut"] = cut[:len(cut)-1]
	w.rows["composerData:hexarray"] = fmt.Sprintf("%x", `[{`+keys()+`"status":"none"}]`)
	w.rows["composerData:notutf8"] = []byte("{\"name\":\"\xff\"," + keys() + `"status":"none"}`)
	w.rows["composerData:array"] = `[{` + keys() + `"status":"none"}]`
	w.rows["composerData:inline"] = `{"name":"Inline",` + keys() + `"conversation":[{"type":1,"text":"x",` + keys() +
		`"toolFormerData":{"tool":15,"params":{` + keys() + `"command":"ls"}}}]}`
	w.rows["bubbleId:alpha:s1"] = `{"type":2,"text":"x","commits":[{` + keys() +
		`"a":1}],"toolResults":[{"accessToken":"` + next() + `","my_refreshToken":"` + next() + `"}]}`
	w.rows["checkpointId:alpha:c1"] = `{"files":[{` + keys() + `"a":1}]}`
	w.rows["messageRequestContext:alpha:a1"] = `{"todos":[{` + keys() + `"a":1}]}`
	w.extra = append(w.extra, storetest.Row{Key: nil, Value: `{` + keys() + `"a":1}`},
		storetest.Row{Key: "bubbleId:badkey", Value: `{` + keys() + `"a":1}`},
		storetest.Row{Key: []byte("composerData:blobkey"), Value: `{` + keys() + `"a":1}`})
	for _, key := range []string{"cursorAuth/accessToken", "cursorAuth/refreshToken", "cursorAuth/cachedEmail",
		"secret://x", "mcpOAuth.y", "my.token.store", "telemetry.machineId"} {
		w.extra = append(w.extra, storetest.Row{Table: storetest.ItemTable, Key: key, Value: next()})
	}
	w.extra = append(w.extra, storetest.Row{Table: storetest.ItemTable, Key: "composer.composerHeaders",
		Value: `{"allComposers":[{"composerId":"beta",` + keys() + `"subtitle":"s"}]}`},
		storetest.Row{Table: storetest.ItemTable, Key: "aiService.generations",
			Value: `[{` + keys() + `"textDescription":`},
		storetest.Row{Table: storetest.ItemTable, Key: "some.setting", Value: next()})
	w.headers = []map[string]any{{"composerId": "gamma",
		"value": `{"composerId":"gamma",` + keys() + `"subtitle":"s"}`},
		{"composerId": "alpha", "value": `{"composerId":"alpha",` + keys() + `"subtitle":`}}
	w.workspaces["ws1"] = folder{`{"folder":"file:///src/one"}`, map[string]any{"cursorAuth/accessToken": next(),
		"composer.composerData": `{"allComposers":[{"composerId":"copy","conversation":[{"type":1,"text":"x",` +
			keys() + `"commits":[{` + keys() + `"a":1}]}],` + keys() + `"name":"Copy"}]}`}, false}
	return w, canaries
}

// openText mentions a secret's name; it is the user's, and stays.
const openText = `Why is \"accessToken\": \"OPEN\" in blobEncryptionKey here?`

// TestSecrets: no login secret and no key material leaves the store, into whatever a run makes.
func TestSecrets(t *testing.T) { // not parallel: it takes the process's stdout
	l := newFixture(t)
	w, canaries := secretUserDir(t)
	w.write(t, l.user)
	for _, secret := range canaries { // the control: the search below finds each in the source
		if len(search(t, l.user, secret)) == 0 {
			t.Errorf("the search does not find %s in the source", secret)
		}
	}
	var r *pipelines.Result
	said := captured(t, func() {
		var warned []string
		for range 2 {
			var err error
			if r, err = pipelines.Run(context.Background(), l.options(full, func(o *pipelines.Options) {
				o.Publish = parquetIn(filepath.Join(l.dir, "parquet"))
				o.Warn = func(format string, args ...any) { warned = append(warned, fmt.Sprintf(format, args...)) }
			})); err != nil {
				fmt.Println(err)
				return
			}
		}
		printed, err := json.Marshal(r)
		fmt.Println(string(printed), warned, r.Errors(), err)
	})
	if r == nil {
		t.Fatal(said)
	}
	made := map[string]string{"what was printed": said}
	for table, text := range everyValue(t, l.warehouse(), true) {
		made["table "+table] = text
	}
	for file, text := range everyParquetValue(t, filepath.Join(l.dir, "parquet")) {
		made[file] = text
	}
	for _, secret := range canaries {
		for what, text := range made {
			if holds([]byte(text), secret) {
				t.Errorf("%s is in %s", secret, what)
			}
		}
		for _, file := range search(t, l.dir, secret) {
			if !strings.HasPrefix(file, l.user) {
				t.Errorf("%s is in the bytes of %s", secret, file)
			}
		}
	}
	const kept = `Why is "accessToken": "OPEN" in blobEncryptionKey here?`
	published := ""
	for file, text := range made {
		if strings.HasPrefix(file, filepath.Join(l.dir, "parquet", "current", "messages")) {
			published += text
		}
	}
	for what, text := range map[string]string{"table messages": made["table messages"],
		"the published messages": published} {
		if !strings.Contains(text, kept) {
			t.Errorf("the user's text is not in %s", what)
		}
	}
	same(t, "the refused secrets in the summary", int64(8), r.Secrets)
}

// search finds the files below dir that hold a text, as it is or as hex digits.
func search(t *testing.T, dir, text string) (found []string) {
	t.Helper()
	must(t, filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil || !d.Type().IsRegular() {
			return err
		}
		b, err := os.ReadFile(path)
		if holds(b, text) {
			found = append(found, path)
		}
		return err
	}))
	return found
}

func holds(b []byte, text string) bool {
	low := []byte(hex.EncodeToString([]byte(text)))
	return bytes.Contains(b, []byte(text)) || bytes.Contains(b, low) || bytes.Contains(b, bytes.ToUpper(low))
}

// captured is what f writes to the process's stdout and stderr.
func captured(t *testing.T, f func()) string {
	t.Helper()
	file, err := os.Create(filepath.Join(t.TempDir(), "printed"))
	must(t, err)
	stdout, stderr := os.Stdout, os.Stderr
	os.Stdout, os.Stderr = file, file
	defer func() { os.Stdout, os.Stderr = stdout, stderr }()
	f()
	must(t, file.Close())
	printed, err := os.ReadFile(file.Name())
	must(t, err)
	return string(printed)
}

// everyValue is all values of each table, and maybe view, of a warehouse as text, internal tables too.
func everyValue(t *testing.T, warehouse string, views bool) map[string]string {
	t.Helper()
	w, err := reader.Open(context.Background(), warehouse)
	must(t, err)
	defer func() { must(t, w.Close()) }()
	out := map[string]string{}
	for _, name := range query(t, w,
		fmt.Sprintf(`SELECT table_name FROM information_schema.tables WHERE %t OR table_type = 'BASE TABLE'`, views)) {
		out[name[0]] = rowsText(t, w, `"`+name[0]+`"`)
	}
	if len(out) < 20 {
		t.Errorf("only %d tables and views were searched", len(out))
	}
	return out
}

// rowsText is all values of a table as one text.
func rowsText(t *testing.T, w *reader.Reader, table string) string {
	var text strings.Builder
	for _, row := range query(t, w, `SELECT CAST(COLUMNS(*) AS VARCHAR) FROM `+table) {
		text.WriteString(strings.Join(row, "\n") + "\n")
	}
	return text.String()
}

// everyParquetValue is all decoded values of each Parquet file.
func everyParquetValue(t *testing.T, dir string) map[string]string {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(dir, "*", "*.parquet"))
	must(t, err)
	months, err := filepath.Glob(filepath.Join(dir, "*", "*", "month=*", "*.parquet"))
	must(t, err)
	live, err := filepath.Glob(filepath.Join(dir, "*", "live", "*.parquet"))
	must(t, err)
	liveMonths, err := filepath.Glob(filepath.Join(dir, "*", "live", "*", "month=*", "*.parquet"))
	must(t, err)
	files = slices.Concat(files, months, live, liveMonths)
	if len(files) < 30 { // two publications, and the link to the newer one
		t.Errorf("only %d Parquet files were searched", len(files))
	}
	out := map[string]string{}
	for _, file := range files {
		out[file] = parquetText(t, file)
	}
	return out
}

func parquetText(t *testing.T, path string) string {
	r, err := file.OpenParquetFile(path, false)
	must(t, err)
	defer func() { must(t, r.Close()) }()
	arrowReader, err := pqarrow.NewFileReader(r, pqarrow.ArrowReadProperties{}, memory.DefaultAllocator)
	must(t, err)
	table, err := arrowReader.ReadTable(context.Background())
	must(t, err)
	defer table.Release()
	var text strings.Builder
	for i := range int(table.NumCols()) {
		for _, chunk := range table.Column(i).Data().Chunks() {
			for row := range chunk.Len() {
				text.WriteString(chunk.ValueStr(row) + "\n")
			}
		}
	}
	return text.String()
}

// TestPlannedCanaries: none of the canaries that the generator hides is in anything that is made from its store.
func TestPlannedCanaries(t *testing.T) {
	t.Parallel()
	l := newFixture(t)
	must(t, storetest.New(storetest.Options{Seed: 7, Messages: 300}).Write(l.user))
	l.run(nil, func(o *pipelines.Options) { o.Publish = parquetIn(filepath.Join(l.dir, "parquet")) })
	// views show what tables have; TestSecrets reads them, too
	tables := everyValue(t, l.warehouse(), !testing.Short())
	parquet := everyParquetValue(t, filepath.Join(l.dir, "parquet"))
	for _, secret := range storetest.Canaries() {
		if len(search(t, l.user, secret)) == 0 {
			t.Errorf("the search does not find %s in the source", secret)
		}
		for _, texts := range []map[string]string{tables, parquet} {
			for what, text := range texts {
				if strings.Contains(text, secret) {
					t.Errorf("%s is in %s", secret, what)
				}
			}
		}
		if found := search(t, l.dir, secret); slices.ContainsFunc(found,
			func(f string) bool { return !strings.HasPrefix(f, l.user) }) {
			t.Errorf("%s is in the bytes of %v", secret, found)
		}
	}
}
