#!/usr/bin/env python3
"""The yardstick of `make bench`: the script that a data engineer would write by hand for the same job.

sqlite3, json or orjson, pyarrow and duckdb; conversations, messages, tool calls and sessions of one Cursor user directory, as a DuckDB
file and as Parquet. It is measured beside `pipeline run` on the same store, and is no part of the product.

With "full" it also keeps what fills a store: the code given with prompts, the checkpoints, and the messages and calls of agents, which
lie in blobs. Those it takes as they lie: which conversation and turn they belong to says the graph, and it decodes none.

usage: peer_python.py USER_DIR OUT_DIR [json|orjson] [lean|full]      PEER_THREADS: threads of DuckDB, 2 if unset
"""
import sys, os, json, glob, sqlite3, re, datetime as dt
import pyarrow as pa, duckdb
user, out = sys.argv[1:3]
if (sys.argv[3] if len(sys.argv) > 3 else "orjson") == "orjson":
    import orjson
    def loads(s):
        try:
            return orjson.loads(s)
        except ValueError:                      # orjson refuses lone surrogates, json does not
            return json.loads(s)
else:
    loads = json.loads
full = sys.argv[4:5] == ["full"]
os.makedirs(out, exist_ok=True)
dbf = os.path.join(out, "out.duckdb")
if os.path.exists(dbf):
    os.remove(dbf)
ddb = duckdb.connect(dbf)
ddb.execute("SET threads=%s" % os.environ.get("PEER_THREADS", "2"))
MIN, MAX, GAP = 1420070400000, 4102444800000, 1800000
SUR = re.compile("[\ud800-\udfff]")
TS = pa.timestamp("ms", "UTC")

def clean(s):
    if s is None or isinstance(s, str) and (s.isascii() or not SUR.search(s)):
        return s
    return SUR.sub("\ufffd", s)

def txt(v):
    if v is None or isinstance(v, str):
        return clean(v)
    return clean(json.dumps(v, ensure_ascii=False, separators=(",", ":")))

def ms(v):
    if isinstance(v, bool):
        return None
    if isinstance(v, (int, float)):
        return int(v) if MIN <= v < MAX else None
    if isinstance(v, str):
        try:
            d = dt.datetime.fromisoformat(v)
            if d.tzinfo is None:
                d = d.replace(tzinfo=dt.timezone.utc)
            x = int((d - dt.datetime(1970, 1, 1, tzinfo=dt.timezone.utc)) / dt.timedelta(milliseconds=1))
            return x if MIN <= x < MAX else None
        except ValueError:
            return None

def version(v):                                 # _v: a number, or its digits as text
    if isinstance(v, str) and v.isdigit() and v.isascii():
        v = int(v)
    return v if isinstance(v, int) and not isinstance(v, bool) and abs(v) < 2**31 else None

quar = []
def body(key, fam, v):
    if v is None: kind = "null"
    elif len(v) == 0: kind = "empty"
    else:
        kind = None
        if isinstance(v, bytes):
            try: v = v.decode()
            except UnicodeDecodeError: kind = "invalid_utf8"
        if kind is None:
            try:
                o = loads(v)
                if isinstance(o, dict): return o
                kind = "not_object"
            except ValueError:
                kind = "bad_json"
    quar.append((fam, key, kind))

# workspaces
proj = {}
for d in sorted(glob.glob(glob.escape(user) + "/workspaceStorage/*")):
    try:
        w = json.load(open(d + "/workspace.json"))
        uri = w.get("folder") or w.get("workspace")
        c = sqlite3.connect("file:%s/state.vscdb?mode=ro" % d, uri=True)
        v = c.execute("SELECT value FROM ItemTable WHERE key='composer.composerData'").fetchone()
        for e in json.loads(v[0])["allComposers"]:
            proj.setdefault(e["composerId"], uri)
        c.close()
    except (OSError, ValueError, TypeError, sqlite3.Error):
        continue
src = sqlite3.connect("file:%s/globalStorage/state.vscdb?mode=ro" % user, uri=True)
src.text_factory = lambda b: b                  # text as bytes: json decodes it, and bad UTF-8 does not stop the fetch
src.execute("BEGIN")                            # one read transaction = one snapshot

schema = {
 "conversations": pa.schema([("conversation_id", pa.string()), ("title", pa.string()), ("mode", pa.string()), ("status", pa.string()), ("version", pa.int32()), ("created_at", TS), ("updated_at", TS), ("project", pa.string())]),
 "messages": pa.schema([("conversation_id", pa.string()), ("message_id", pa.string()), ("ord", pa.int32()), ("listed", pa.bool_()), ("role", pa.string()), ("text", pa.large_string()), ("thinking", pa.large_string()), ("thinking_ms", pa.int64()), ("model", pa.string()), ("input_tokens", pa.int64()), ("output_tokens", pa.int64()), ("created_at", TS), ("effective_at", TS)]),
 "tool_calls": pa.schema([("conversation_id", pa.string()), ("message_id", pa.string()), ("tool_call_id", pa.string()), ("name", pa.string()), ("status", pa.string()), ("user_decision", pa.string()), ("args", pa.large_string()), ("result", pa.large_string())]),
 "sessions": pa.schema([("project", pa.string()), ("session_no", pa.int32()), ("started_at", TS), ("ended_at", TS), ("messages", pa.int32())]),
 "quarantine": pa.schema([("family", pa.string()), ("key", pa.string()), ("kind", pa.string())])}
if full:
    schema["attachments"] = pa.schema([("conversation_id", pa.string()), ("message_id", pa.string()), ("kind", pa.string()), ("path", pa.string()), ("start_line", pa.int64()), ("text", pa.large_string())])
    schema["checkpoints"] = pa.schema([("conversation_id", pa.string()), ("checkpoint_id", pa.string()), ("file_count", pa.int32()), ("files", pa.large_string())])
    schema["agent_messages"] = pa.schema([("blob", pa.string()), ("role", pa.string()), ("model", pa.string()), ("request_id", pa.string()), ("text", pa.large_string()), ("thinking", pa.large_string())])
    schema["agent_calls"] = pa.schema([("blob", pa.string()), ("tool_call_id", pa.string()), ("name", pa.string()), ("args", pa.large_string()), ("result", pa.large_string()), ("is_error", pa.bool_())])
buf = {k: [] for k in schema}
made = set()
def flush(t):
    if not buf[t] and t in made: return
    cols = list(zip(*buf[t])) or [[] for _ in schema[t]]
    arrow = pa.table([pa.array(c, f.type) for c, f in zip(cols, schema[t])], schema=schema[t])
    ddb.execute(("INSERT INTO %s SELECT * FROM arrow" if t in made else "CREATE TABLE %s AS SELECT * FROM arrow") % t)
    made.add(t); buf[t].clear()
def add(t, row):
    buf[t].append(row)
    if len(buf[t]) >= 4096: flush(t)

ROLE = {1: "user", "1": "user", "HUMAN": "user", "user": "user", 2: "assistant", "2": "assistant", "AI": "assistant", "assistant": "assistant"}
times = {}
def num(o, k):
    v = o.get(k) if isinstance(o, dict) else None
    return v if isinstance(v, int) else 0
def message(cid, bid, o, ix, htype, st):
    th = o.get("thinking")
    th = th.get("text") if isinstance(th, dict) else th
    own = ms(o.get("createdAt"))
    e = own
    if e is None:
        ti = o.get("timingInfo"); e = ms(ti.get("clientStartTime")) if isinstance(ti, dict) else None
    if e is None: e = st[0]
    st[0] = e
    if e is not None: times.setdefault(proj.get(cid), []).append(e)
    mi = o.get("modelInfo"); model = (mi.get("modelName") if isinstance(mi, dict) else None) or o.get("modelName")
    tc = o.get("tokenCount")
    add("messages", (cid, bid, ix, htype is not False, ROLE.get(o.get("type", htype), "unknown"), clean(o.get("text") or ""), clean(th) or None, num(o, "thinkingDurationMs"), model, num(tc, "inputTokens"), num(tc, "outputTokens"), own, e))
    t = o.get("toolFormerData")
    if isinstance(t, dict) and t.get("name"):
        add("tool_calls", (cid, bid, t.get("toolCallId"), t["name"], t.get("status"), t.get("userDecision"), txt(t.get("params")), txt(t.get("result"))))
    if full:
        for c in items(o, "attachedCodeChunks"):
            add("attachments", (cid, bid, "code", c.get("relativeWorkspacePath"), num(c, "startLineNumber"), clean("".join(items(c, "lines")))))
        for c in items(o.get("context"), "selections"):
            add("attachments", (cid, bid, "selection", (c.get("uri") or {}).get("path"), num(c.get("range"), "selectionStartLineNumber"), clean(c.get("text"))))

def items(o, k):
    v = o.get(k) if isinstance(o, dict) else None
    return v if isinstance(v, list) else []
def rows_between(fam):
    for k, v in src.execute("SELECT key, value FROM cursorDiskKV WHERE key >= ? AND key < ?", (fam + ":", fam + ";")):
        yield k.decode().split(":", 2)[1:], v
def beside():                                   # what is not in conversations and bubbles
    for (cid, bid), v in rows_between("messageRequestContext"):
        o = body(bid, "messageRequestContext", v) or {}
        for c in items(o, "terminalFiles"):
            add("attachments", (cid, bid, "terminal", c.get("relativePath"), None, clean(c.get("content"))))
        for c in items(o, "cursorRules"):
            add("attachments", (cid, bid, "rule", c.get("filename"), None, None))
    for (cid, cp), v in rows_between("checkpointId"):
        o = body(cp, "checkpointId", v)
        if o is not None:
            add("checkpoints", (cid, cp, len(items(o, "files")), txt(o.get("files"))))
    for (_, blob), v in rows_between("agentKv"):
        if v[:1] != b"{": continue              # the others are nodes of the graph
        try: o = loads(v)
        except ValueError: continue
        if not isinstance(o, dict) or not o.get("role"): continue
        cursor = (o.get("providerOptions") or {}).get("cursor") or {}
        parts = o.get("content") if isinstance(o.get("content"), list) else [{"type": "text", "text": txt(o.get("content"))}]
        text, thinking = [], []
        for p in parts:
            kind = p.get("type")
            if kind == "text": text.append(p.get("text") or "")
            elif kind == "reasoning": thinking.append(p.get("text") or "")
            elif kind == "tool-call": add("agent_calls", (blob, p.get("toolCallId"), p.get("toolName"), txt(p.get("args")), None, None))
            elif kind == "tool-result": add("agent_calls", (blob, p.get("toolCallId"), p.get("toolName"), None, txt(p.get("result")), p.get("isError")))
        add("agent_messages", (blob, o["role"], cursor.get("modelName"), cursor.get("requestId"), clean("\n".join(text)), clean("\n".join(thinking))))

def rows_of(cid):
    for k, v in src.execute("SELECT key, value FROM cursorDiskKV WHERE key >= ? AND key < ?", ("bubbleId:%s:" % cid, "bubbleId:%s;" % cid)):
        yield k.decode(), v
good = set()
for k, v in src.execute("SELECT key, value FROM cursorDiskKV WHERE key >= 'composerData:' AND key < 'composerData;' ORDER BY key").fetchall():
    k = k.decode(); cid = k[13:]
    if not cid:
        quar.append(("composerData", k, "bad_key")); continue
    o = body(k, "composerData", v)
    if o is None: continue
    good.add(cid)
    add("conversations", (cid, clean(o.get("name")), o.get("unifiedMode"), o.get("status"), version(o.get("_v")), ms(o.get("createdAt")), ms(o.get("lastUpdatedAt")), proj.get(cid)))
    order, bodies = {}, {}
    for ix, h in enumerate(o.get("fullConversationHeadersOnly") or []):
        order.setdefault(h["bubbleId"], (ix, h.get("type")))
    for ix, b in enumerate(o.get("conversation") or []):
        order.setdefault(b["bubbleId"], (ix, b.get("type"))); bodies.setdefault(b["bubbleId"], b)
    for bid, b in (o.get("conversationMap") or {}).items(): bodies.setdefault(bid, b)
    for key, v in rows_of(cid):
        bid = key[len(cid) + 10:]
        if not bid:
            quar.append(("bubbleId", key, "bad_key")); continue
        b = body(key, "bubbleId", v)
        if b is not None: bodies[bid] = b
    st = [ms(o.get("createdAt"))]
    n = 0
    for bid, (ix, ht) in sorted(order.items(), key=lambda x: x[1][0]):
        if bid in bodies: message(cid, bid, bodies.pop(bid), n, ht, st); n += 1
    for bid in sorted(bodies, key=lambda b: (ms(bodies[b].get("createdAt")) or -1, b)):
        message(cid, bid, bodies[bid], n, False, st); n += 1
orphans = 0
for (k,) in src.execute("SELECT key FROM cursorDiskKV WHERE key >= 'bubbleId:' AND key < 'bubbleId;'"):
    k = k.decode(); p = k.split(":", 2)
    if len(p) < 3 or not p[1] or not p[2]:
        if len(p) < 3 or not p[1] or p[1] not in good: quar.append(("bubbleId", k, "bad_key"))
    elif p[1] not in good:
        v = src.execute("SELECT value FROM cursorDiskKV WHERE key=?", (k,)).fetchone()[0]
        orphans += body(k, "bubbleId", v) is not None
for u in sorted(times, key=str):
    ts = sorted(times[u]); no = 0; a = prev = ts[0]; n = 0
    for t in ts:
        if t - prev > GAP:
            add("sessions", (u, no, a, prev, n)); no += 1; a = t; n = 0
        prev = t; n += 1
    add("sessions", (u, no, a, prev, n))
if full:
    beside()
buf["quarantine"] = quar
for t in schema: flush(t)
os.makedirs(out + "/parquet", exist_ok=True)
for t in schema:
    ddb.execute("COPY %s TO '%s/parquet/%s.parquet' (FORMAT parquet, COMPRESSION zstd)" % (t, out, t))
ddb.close()
print("orphans", orphans)
