package main

import (
	"strings"
	"testing"

	"pipeline/testdata/gen/storetest"
)

// oddValues are stored values of messages; text is what their message says, quarantine the reason why there is none.
var oddValues = []struct {
	name             string
	value            any
	text, quarantine string
}{
	{"no-json", "This is no JSON.", "", "bad_json"},
	{"cut", `{"type":2,"text":"cut o`, "", "bad_json"},
	{"bytes", []byte("\x00\x01\xfe\xff{"), "", "not_utf8"},
	{"latin1", []byte("{\"text\":\"caf\xe9\"}"), "", "not_utf8"},
	{"null", nil, "", ""},
	{"empty", "", "", "empty"},
	{"empty-blob", []byte{}, "", "empty"},
	{"nul", "{\"text\":\"a\x00b\"}", "", "bad_json"}, // a control character in a string
	{"deep", `{"text":"deep","x":` + strings.Repeat("[", 100_000) + strings.Repeat("]", 100_000) + `}`, "", "too_deep"},
	{"deep-object", strings.Repeat(`{"x":`, 100_000) + "1" + strings.Repeat("}", 100_000), "", "too_deep"},
	{"deep-cut", strings.Repeat("[", 100_000), "", "too_deep"},
	{"array", `[{"text":"a"}]`, "", "not_object"},
	{"number", int64(7), "", "not_object"},
	{"real", 1.5, "", "not_object"},
	{"blob", []byte(`{"type":2,"text":"in a blob"}`), "in a blob", ""},
	{"hex", "7b2274657874223a22696e20686578227d", "in hex", ""},
	{"nul-escape", `{"text":"a\u0000b"}`, "a\u2400b", ""},
	{"surrogate", `{"text":"half \ud83d and"}`, "half \ufffd and", ""},
	{"surrogates", `{"text":"\udc00\ud83d\ude42\ud83d"}`, "\ufffd\U0001f642\ufffd", ""},
	{"twice", `{"text":"first","text":"second"}`, "second", ""}, // as JSON.parse has it
	{"large-numbers",
		`{"text":"large","toolFormerData":{"tool":15,"name":"run_terminal_cmd","params":{"a":9223372036854775808,"b":18446744073709551617,"c":-9223372036854775809,"d":1e400}}}`, "large", ""},
	{"large-type",
		`{"type":9223372036854775808,"text":"large type","timingInfo":{"clientStartTime":18446744073709551617},"tokenCount":{"inputTokens":9223372036854775808}}`, "large type", ""},
}

// TestOddValues: what is no JSON, no text, too deep or too large a number spoils no run. Each row is a message or in
// quarantine, and in the raw layer byte for byte.
func TestOddValues(t *testing.T) {
	long(t)
	w := newCLITest(t)
	rows := talk("odd")
	rows = append(rows, storetest.Row{Key: "bubbleId:odd:k\x00ey", Value: `{"text":"NUL in the key"}`},
		storetest.Row{Key: nil, Value: `{"text":"no key"}`})
	texts, reasons := map[string]string{"k\u2400ey": "NUL in the key"}, map[string]string{"": "bad_key"}
	for _, v := range oddValues {
		rows = append(rows, storetest.Row{Key: "bubbleId:odd:" + v.name, Value: v.value})
		if v.text != "" {
			texts[v.name] = v.text
		}
		if v.quarantine != "" {
			reasons["bubbleId:odd:"+v.name] = v.quarantine
		}
	}
	w.store(rows, storetest.StoreOptions{})
	w.run(4, "--strict")
	got := map[string]string{}
	for _, row := range w.ask("SELECT message_id, text FROM live_messages") {
		got[row[0]] = row[1]
	}
	w.same("the messages", texts, got)
	got = map[string]string{}
	for _, row := range w.ask("SELECT coalesce(key, ''), reason FROM quarantine WHERE resolved_load_id IS NULL") {
		got[row[0]] = row[1]
	}
	w.same("the quarantine", reasons, got)
	w.same("large numbers",
		[][]string{{`{"a":9223372036854775808,"b":18446744073709551617,"c":-9223372036854775809,"d":1e400}`}},
		w.ask("SELECT CAST(params AS VARCHAR) FROM tool_calls WHERE message_id = 'large-numbers'"))
	w.same("numbers that no column holds", [][]string{{"unknown", "NULL"}},
		w.ask("SELECT role, input_tokens FROM messages WHERE message_id = 'large-type'"))
	for _, v := range oddValues {
		var want string
		switch value := v.value.(type) {
		case string:
			want = value
		case []byte:
			want = string(value)
		default:
			continue // it is printed in another form
		}
		printed, _ := w.does(0, "history", "--warehouse", w.warehouse, "bubbleId:odd:"+v.name, "--show", "last")
		if printed != want {
			t.Errorf("the raw layer has %.100q of %s, want %.100q", printed, v.name, want)
		}
	}
	w.run(0)
	w.same("the loads", [][]string{{"1"}, {"0"}},
		w.ask("SELECT conversations_new + conversations_changed FROM loads ORDER BY load_id"))
	w.sound()
}

// TestOddKeys: what a key says is data: it comes back as it was, and no file is made of it.
func TestOddKeys(t *testing.T) {
	long(t)
	w := newCLITest(t)
	long := strings.Repeat("0123456789abcdef", 4096)
	ids := []string{`it's "so"`, "a;DROP TABLE loads;--", "two\nlines\r", "../../../../escape", "/etc/passwd",
		"..\\..\\escape", "%2e%2e%2fescape", "$(touch escape)", "*?[a-z]", "\x1b[31mred", long, "ключ 鍵"}
	var rows []storetest.Row
	for _, id := range ids {
		rows = append(rows, storetest.Row{Key: "composerData:" + id, Value: `{"name":"x"}`},
			storetest.Row{Key: "bubbleId:" + id + ":" + id, Value: `{"text":"of it"}`},
			storetest.Row{Key: "ofsContent:" + id, Value: "file " + id})
	}
	w.store(rows, storetest.StoreOptions{})
	w.run(0, "--parquet", w.dir+"/parquet")
	var want, got []string
	for _, id := range ids {
		want = append(want, id)
		for _, row := range w.ask("SELECT conversation_id FROM live_messages WHERE text = 'of it' AND message_id = " +
			"conversation_id AND conversation_id = '" + strings.ReplaceAll(id, "'", "''") + "'") {
			got = append(got, row[0])
		}
		printed, _ := w.does(0, "history", "--warehouse", w.warehouse, "ofsContent:"+id, "--show", "last")
		if printed != "file "+id && printed != "file "+id+"\n" {
			t.Errorf("the raw layer has %.100q of %.40q", printed, id)
		}
	}
	w.same("the conversations", want, got)
	w.sound()
	for path := range files(t, w.dir) {
		if strings.Contains(path, "escape") || strings.Contains(path, "0123456789abcdef") {
			t.Errorf("there is a file %s", path)
		}
	}
}
