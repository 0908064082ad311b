"""Writes sql/lake/ENGINE/*.sql: the views and answers over the rows of many machines. See docs/CONTRIBUTING.md, A view over many machines."""
import hashlib
import json
import pathlib
import re
import subprocess
import sys

import duckdb
from sqlglot import exp, parse_one
from sqlglot.optimizer.annotate_types import annotate_types
from sqlglot.optimizer.qualify import qualify

import dialects

HERE = pathlib.Path(__file__).parent
ROOT = HERE.parent.parent
MACHINE = "machine_id"
MACHINES = "_machines"  # the view with the id of each machine


def run(*args):
    return subprocess.run(["go", "run", "./cmd/pipeline", *args], cwd=ROOT, check=True, capture_output=True, text=True).stdout


def sources():
    """The views and answers in the order in which they can be made: (path, name)."""
    for folder in ("views", "answers"):
        for path in sorted((ROOT / "sql" / folder).glob("*.sql")):
            yield path, re.sub(r"^\d+_", "", path.stem)


# The machine's own answer, for each machine.

def name_of(source):
    return source.alias_or_name


def machine_of(select):
    """The expression of the machine's id in a SELECT: that of its first table, or of either side of a full join."""
    tables = [select.args["from_"].this] + [j.this for j in select.args.get("joins") or [] if j.side == "FULL"]
    columns = [exp.column(MACHINE, table=name_of(t)) for t in tables]
    return columns[0] if len(columns) == 1 else exp.func("COALESCE", *columns)


def has_machine(source):
    """Whether rows of a source are some machine's: those of lists are not."""
    return isinstance(source, exp.Table) or isinstance(source, exp.Subquery) and not isinstance(source.this, exp.Values)


def join_machines(select):
    first = select.args["from_"].this
    for join in select.args.get("joins") or []:
        if not has_machine(join.this):
            continue
        same = exp.EQ(this=exp.column(MACHINE, table=name_of(join.this)), expression=exp.column(MACHINE, table=name_of(first)))
        if join.kind == "CROSS":
            join.set("kind", None)
        join.set("on", exp.and_(same, join.args["on"]) if join.args.get("on") else same)


def subqueries_to_joins(select):
    """A subquery that gives a value has a row for each machine: it is joined."""
    for i, query in enumerate([s for s in select.find_all(exp.Subquery) if s.parent_select is select and not isinstance(s.parent, (exp.From, exp.Join))]):
        alias = f"_value{i}"
        inner = query.this
        inner.expressions[0].replace(exp.alias_(inner.expressions[0].unalias(), "value"))
        query.replace(exp.column("value", table=alias))
        if not select.args.get("from_"):
            select.from_(MACHINES, copy=False)
        select.join(exp.Subquery(this=inner, alias=exp.TableAlias(this=exp.to_identifier(alias))), copy=False)
        add_machine(inner)


def is_over(aggregate):
    return isinstance(aggregate.parent, exp.Window) or isinstance(aggregate.parent, exp.Filter) and isinstance(aggregate.parent.parent, exp.Window)


def aggregates(select):
    """The aggregates of a SELECT that sum up its rows."""
    return [a for e in select.expressions + [select.args.get("having") or exp.true()] for a in e.find_all(exp.AggFunc) if a.parent_select is select and not is_over(a)]


def row_for_each_machine(select):
    """Sums over all rows have a row also where there are none: the rows are joined to the list of machines."""
    inner = exp.select("*").from_(select.args["from_"].this)
    names = {}
    for column in [c for e in select.expressions for c in e.find_all(exp.Column)]:
        names.setdefault((column.table, column.name), column.name if column.name not in names.values() else f"{column.table}_{column.name}")
    inner.set("expressions", [exp.alias_(exp.column(n, table=t), alias) for (t, n), alias in names.items()] + [exp.alias_(exp.Literal.number(1), "_is_row")])
    for part in ("joins", "where"):
        inner.set(part, select.args.get(part))
        select.set(part, None)
    for column in [c for e in select.expressions for c in e.find_all(exp.Column)]:
        column.replace(exp.column(names[column.table, column.name], table="_rows"))
    for aggregate in aggregates(select):
        if isinstance(aggregate.this, exp.Star):
            aggregate.set("this", exp.column("_is_row", table="_rows"))
        elif isinstance(aggregate.parent, exp.Filter):
            where = aggregate.parent.expression
            where.set("this", exp.and_(where.this, exp.column("_is_row", table="_rows").is_(exp.null()).not_()))
    add_machine(inner)
    select.set("from_", exp.From(this=exp.to_table(MACHINES)))
    select.join(exp.Subquery(this=inner, alias=exp.TableAlias(this=exp.to_identifier("_rows"))), join_type="left", copy=False)


def add_machine(query):
    """Makes a query give what each machine's own warehouse would."""
    for cte in query.ctes:
        add_machine(cte.this)
        if cte.args["alias"].columns:
            cte.args["alias"].set("columns", [exp.to_identifier(MACHINE), *cte.args["alias"].columns])
    if isinstance(query, exp.Subquery):
        return add_machine(query.this)
    if isinstance(query, exp.SetOperation):
        add_machine(query.left)
        return add_machine(query.right)
    for source in [s.this for s in [query.args.get("from_")] + (query.args.get("joins") or []) if s]:
        if has_machine(source) and isinstance(source, exp.Subquery):
            add_machine(source.this)
    if not query.args.get("group") and aggregates(query):
        row_for_each_machine(query)
        query.set("group", exp.Group())
    subqueries_to_joins(query)
    join_machines(query)
    machine = machine_of(query)
    for window in [w for w in query.find_all(exp.Window) if w.parent_select is query]:
        if not window.alias or isinstance(window.this, exp.Expression) and not isinstance(window.this, exp.Identifier):
            window.set("partition_by", [machine.copy(), *(window.args.get("partition_by") or [])])
    if group := query.args.get("group"):
        group.set("expressions", [machine.copy(), *group.expressions])
    kept = [e for e in query.expressions if e.alias_or_name != MACHINE]
    query.set("expressions", [exp.alias_(machine, MACHINE), *kept])


# What has no translation is said otherwise first, and means the same: old text, new text.

REWRITES = {
    "edit_loops": [("row_number() OVER ()", "row_number() OVER (ORDER BY source_id, conversation_id)")],
    "todo_progress": [("END AS todos", "END AS todos, coalesce(json_type(t.result, '$.finalTodos') = 'ARRAY' OR json_type(t.params, '$.todos') = 'ARRAY', false) AS is_read"),
                      ("count(todos)", "count(*) FILTER (WHERE is_read)")],
    "reprompt_loops": [("repeat(' ', 30)", "repeat(' ', 28)")],
    "linter_errors": [("ASOF JOIN prompts p", "JOIN prompts p"), ("AND t.position >= p.prompt", "AND t.position >= p.prompt AND t.position < coalesce(p.next_prompt, t.position + 1)")],
}


def rewritten(name, text):
    for old, new in REWRITES.get(name, []):
        if old not in text:
            sys.exit(f"{name} has no {old} any more")
        text = text.replace(old, new)
    return text


# What is said more than one way is said in one, which every engine knows.

def union_by_name(tree):
    """UNION ALL BY NAME: each part gets all columns, NULL where it has none, in one order."""
    for union in [u for u in tree.find_all(exp.SetOperation) if u.args.get("by_name")]:
        if isinstance(union.parent, exp.SetOperation):
            continue
        parts = []
        def collect(u):
            for side in (u.left, u.right):
                side = side.unnest()
                collect(side) if isinstance(side, exp.SetOperation) and side.args.get("by_name") else parts.append(side)
        collect(union)
        types = {e.alias_or_name: e.type for p in parts for e in p.expressions}
        for p in parts:
            have = {e.alias_or_name: e for e in p.expressions}
            p.set("expressions", [have.get(n) or exp.alias_(exp.cast(exp.null(), t), n) for n, t in types.items()])
        for u in [union, *union.find_all(exp.SetOperation)]:
            u.set("by_name", False)


def lateral_values(tree):
    """LATERAL (VALUES ...): a list of what is constant; the other values are chosen by the first one."""
    for join in [j for j in tree.find_all(exp.Join) if isinstance(j.this, exp.Lateral) and isinstance(j.this.this.this, exp.Values)]:
        rows, alias = [t.expressions for t in join.this.this.this.expressions], join.this.args["alias"]
        constant = [all(isinstance(r[i], exp.Literal) for r in rows) for i in range(len(alias.columns))]
        for i, name in enumerate(c.name for c in alias.columns):
            for column in [c for c in join.parent.find_all(exp.Column) if c.table == alias.name and c.name == name and not constant[i]]:
                whens = [exp.If(this=r[0].copy(), true=r[i].copy()) for r in rows]
                column.replace(exp.Case(this=exp.column(alias.columns[0].name, table=alias.name), ifs=whens))
        lists = [exp.Tuple(expressions=[v.copy() for v, c in zip(r, constant) if c]) for r in rows]
        names = [n.copy() for n, c in zip(alias.columns, constant) if c]
        join.set("this", exp.Values(expressions=lists, alias=exp.TableAlias(this=alias.this.copy(), columns=names)))


def epochs(tree):
    """epoch_ms of a time are its milliseconds; sqlglot takes it for the time of milliseconds."""
    for node in list(tree.find_all(exp.UnixToTime)):
        node.replace(exp.UnixMillis(this=node.this))


def named_windows(tree):
    """OVER name is spelled out."""
    for select in tree.find_all(exp.Select):
        defined = {w.name: w for w in select.args.get("windows") or []}
        for window in [w for w in select.find_all(exp.Window) if w.parent_select is select and w.alias in defined and not isinstance(w.parent, exp.Select) or w.args.get("alias")]:
            pattern = defined.get(window.args["alias"].name) if window.args.get("alias") else None
            if pattern is None or window is pattern:
                continue
            window.set("alias", None)
            for part in ("partition_by", "order", "spec"):
                value = pattern.args.get(part)
                window.set(part, [v.copy() for v in value] if isinstance(value, list) else value and value.copy())
        select.set("windows", None)


def group_by_all(tree):
    """GROUP BY ALL is by all that is no aggregate."""
    for select in tree.find_all(exp.Select):
        if (group := select.args.get("group")) and group.args.get("all"):
            keys = [e.unalias().copy() for e in select.expressions if not any(True for _ in e.find_all(exp.AggFunc))]
            select.set("group", exp.Group(expressions=keys))


def qualified(tree, schema):
    """Columns get their table, and stars their columns; then names that SELECT gives are replaced by what they stand for."""
    options = dict(schema=schema, dialect="duckdb", quote_identifiers=False, validate_qualify_columns=False, qualify_columns=True)
    tree = qualify(tree, expand_alias_refs=False, **options)
    return qualify(tree, expand_alias_refs=True, **options)


SCHEMA = re.compile(r"\b((?:FROM|JOIN|VIEW)\s+)(?:main|answers|internal)\.")  # a lake has one


def query_of(create):
    """The query of a CREATE VIEW. len is the length of a list, and length that of a text: sqlglot takes both for the same."""
    text = SCHEMA.sub(r"\1", create)
    text = re.sub(r"\blen\(", "array_length(", re.sub(r"--[^\n]*", "", text)).strip().rstrip(";")
    return parse_one(text, dialect="duckdb").expression


def machine_aware(create, schema):
    query = query_of(create)
    query.set("order", None)
    epochs(query)
    lateral_values(query)
    named_windows(query)
    query = qualified(query, schema)
    union_by_name(annotate_types(query, schema=schema, dialect="duckdb"))
    group_by_all(query)
    add_machine(query)
    for node in query.walk():
        node.comments = None
    return query


class Lake:
    """What there is in a lake: tables and views, with their columns and types, as an empty DuckDB has them."""

    def __init__(self):
        self.db = duckdb.connect()
        self.schema = {}
        shared = re.findall(r'CREATE OR REPLACE TEMP VIEW "(\w+)" AS', run("push", "--to", "lake", "--views", "duckdb"))
        tables = json.loads(run("schema", "--json"))["tables"]
        for table in tables:
            if table["name"] in shared:
                columns = [(MACHINE, "VARCHAR")] + [(c["name"], c["type"].replace("JSON", "VARCHAR")) for c in table["columns"]]
                self.make(table["name"], f"CREATE TABLE {table['name']} ({', '.join(f'{n} {t}' for n, t in columns)})")
        self.make(MACHINES, f"CREATE TABLE {MACHINES} ({MACHINE} VARCHAR)")

    def make(self, name, statement):
        self.db.execute(statement)
        self.schema[name] = {r[0]: r[1] for r in self.db.execute(f"DESCRIBE {name}").fetchall()}

    def lacks(self, create):
        """What a view reads that is not in the lake."""
        query = query_of(create)
        return {t.name for t in query.find_all(exp.Table)} - {c.alias for c in query.find_all(exp.CTE)} - set(self.schema)


def main(wanted):
    lake = Lake()
    for path, name in sources():
        text = path.read_text()
        create, _, _ = text.partition("COMMENT ON VIEW")
        if missing := lake.lacks(create):
            print(f"{name} is not in a lake: it reads {', '.join(sorted(missing))}")
            continue
        query = machine_aware(rewritten(name, create), lake.schema)
        lake.make(name, f"CREATE VIEW {name} AS {query.sql('duckdb')}")
        if wanted and name not in wanted:
            continue
        about = re.search(r"COMMENT ON VIEW [\w.]+ IS '(.*)';", text).group(1).replace("''", "'")
        for engine in dialects.ENGINES:
            kept = HERE / engine / f"{name}.sql"
            if kept.exists() and "by hand" in kept.read_text().partition("\n")[0]:
                continue
            head = f"-- Made by translate.py from sql/{path.parent.name}/{path.name}, sha256 {hashlib.sha256(text.encode()).hexdigest()}\n-- {about}\n"
            kept.parent.mkdir(exist_ok=True)
            kept.write_text(head + dialects.create(engine, name, query.copy(), lake.schema) + "\n")


if __name__ == "__main__":
    main(sys.argv[1:])
