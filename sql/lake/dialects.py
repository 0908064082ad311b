"""How ClickHouse and Spark say what DuckDB says, where sqlglot does not know it or where they count, round or compare otherwise."""
import re

from sqlglot import exp, parse_one

UTC = re.compile(r"(?<=^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d)\+00$")
ENGINES = ("duckdb", "clickhouse", "spark")


def fn(name, *arguments):
    return exp.Anonymous(this=name, expressions=[exp.convert(a) if not isinstance(a, exp.Expression) else a for a in arguments])


def is_null(value):
    return exp.Is(this=value.copy(), expression=exp.null())


def case(condition, value):
    return exp.Case(ifs=[exp.If(this=condition.copy(), true=value)])


# Both.

def filtered(node):
    """sum(x) FILTER (WHERE c) is sum(CASE WHEN c THEN x END): aggregates pass over NULL."""
    aggregate, condition = node.this, node.expression.this
    inner = aggregate.this if isinstance(aggregate, exp.IgnoreNulls) else aggregate
    if isinstance(inner.this, (exp.Star, type(None))):
        inner.set("this", case(condition, exp.Literal.number(1)))
    elif isinstance(inner, (exp.ArgMax, exp.ArgMin)):
        inner.set("condition", condition)
    elif isinstance(inner.this, exp.Order):
        inner.this.set("this", case(condition, inner.this.this))
    elif isinstance(inner.this, exp.Distinct):
        inner.this.set("expressions", [case(condition, e) for e in inner.this.expressions])
    else:
        inner.set("this", case(condition, inner.this))
    return aggregate


def nulls_last(key):
    """NULL is above all values where DuckDB compares tuples."""
    if not isinstance(key, exp.Tuple):
        return key
    return exp.Tuple(expressions=[part for e in key.expressions for part in ([is_null(e), e] if isinstance(e, exp.Column) else [e])])


def json_key(path):
    """The key of $.key and of $.key[*]; None: the whole."""
    if path is None:
        return None
    if isinstance(path, exp.JSONPath):
        return path.expressions[1].name
    return path.name.removeprefix("$.")


def struct_fields(query):
    """The place of each field in the structs that struct_pack makes."""
    return {e.name: i + 1 for s in query.find_all(exp.Struct) for i, e in enumerate(s.expressions)}


def struct_names(query):
    return {a.alias for a in query.find_all(exp.Alias) if a.find(exp.Struct) and not isinstance(a.this, exp.Dot)}


# ClickHouse.

def half_away(node):
    """ClickHouse rounds halves to even."""
    value, power = node.this, 10 ** int(node.args["decimals"].name) if node.args.get("decimals") else 1
    halves = f"trunc(value * {power} + 0.5 * sign(value)) / {power}" if power > 1 else "trunc(value + 0.5 * sign(value))"
    return parse_one(halves, dialect="clickhouse").transform(lambda n: exp.paren(value.copy()) if isinstance(n, exp.Column) and n.name == "value" else n)


def sorted_array(order, value_only):
    """groupArray in an order; descending numbers by their negative, NULL last."""
    keys = []
    for o in order.expressions:
        keys += [is_null(o.this), exp.Neg(this=o.this.copy())] if o.args.get("desc") else [o.this.copy()]
    value = fn("assumeNotNull", order.this.copy()) if value_only else order.this.copy()
    pairs = fn("groupArrayIf", exp.Tuple(expressions=[*keys, value]), exp.Not(this=is_null(order.this)))
    return fn("arrayMap", exp.Lambda(this=fn("tupleElement", exp.column("t"), len(keys) + 1), expressions=[exp.to_identifier("t")]), fn("arraySort", pairs))


def click_concat(node):
    order, separator = node.this, node.args["separator"]
    values = fn("arraySort", fn("groupUniqArray", order.this.expressions[0])) if isinstance(order.this, exp.Distinct) else sorted_array(order, True)
    return fn("nullIf", fn("arrayStringConcat", values, separator), "")


def click_quantile(node):
    """The smallest value that so many are not above."""
    percent = round(float(node.expression.name) * 100)
    value = node.this
    place = parse_one(f"greatest(intDiv(count(value) * {percent} + 99, 100), 1)", dialect="clickhouse").transform(lambda n: value.copy() if isinstance(n, exp.Column) else n)
    return fn("arrayElementOrNull", fn("arraySort", fn("groupArray", value)), place)


def click_arg(node):
    name = "argMax" if isinstance(node, exp.ArgMax) else "argMin"
    if condition := node.args.get("condition"):
        return fn(name + "If", node.this, nulls_last(node.expression), condition)
    return fn(name, node.this, nulls_last(node.expression))


def click_json(node):
    text, key = fn("ifNull", node.this.copy(), ""), json_key(node.args.get("expression"))
    at = [text] + ([exp.Literal.string(key)] if key else [])
    if isinstance(node, exp.JSONType):
        return fn("upper", fn("toString", fn("JSONType", *at)))
    if isinstance(node, exp.JSONExtract):
        return fn("JSONExtractArrayRaw", *at)
    return exp.Case(ifs=[exp.If(this=exp.EQ(this=fn("toString", fn("JSONType", *at)), expression=exp.Literal.string("String")), true=fn("JSONExtractString", *at)),
                         exp.If(this=exp.NEQ(this=fn("toString", fn("JSONType", *at)), expression=exp.Literal.string("Null")), true=fn("JSONExtractRaw", *at))])


def click_days(node):
    days = parse_one("range(toUInt64(greatest(dateDiff('day', start, stop), 0)))", dialect="clickhouse")
    list_ = fn("arrayMap", exp.Lambda(this=fn("addDays", fn("assumeNotNull", node.args["start"].copy()), exp.column("n")), expressions=[exp.to_identifier("n")]), days)
    return list_.transform(lambda n: fn("assumeNotNull", node.args[{"start": "start", "stop": "end"}[n.name]].copy()) if isinstance(n, exp.Column) and n.name in ("start", "stop") else n)


CLICKHOUSE = {
    exp.Round: half_away,
    exp.GroupConcat: click_concat,
    exp.ArrayAgg: lambda n: sorted_array(n.this, False) if isinstance(n.this, exp.Order) else fn("groupArray", n.this),
    exp.PercentileDisc: click_quantile,
    exp.Median: lambda n: fn("quantileExactInclusive", n.this),
    exp.ArgMax: click_arg,
    exp.ArgMin: click_arg,
    exp.IgnoreNulls: lambda n: fn("any", n.this.this) if isinstance(n.this, exp.AnyValue) else n,
    exp.LogicalOr: lambda n: fn("max", n.this),
    exp.UnixMillis: lambda n: fn("toUnixTimestamp64Milli", n.this),
    exp.JSONType: click_json,
    exp.JSONExtract: click_json,
    exp.JSONExtractScalar: click_json,
    exp.Explode: lambda n: fn("arrayJoin", n.this),
    exp.TryCast: lambda n: fn("accurateCastOrNull", n.this, n.to.sql("clickhouse").removeprefix("Nullable(").removesuffix(")")),
    exp.GenerateSeries: click_days,
    exp.Length: lambda n: fn("lengthUTF8", n.this),
    exp.Lower: lambda n: fn("lowerUTF8", n.this),
    exp.Left: lambda n: fn("leftUTF8", n.this, n.expression),
    exp.Substring: lambda n: fn("substringUTF8", n.this, n.args["start"], *([n.args["length"]] if n.args.get("length") else [])),
    exp.Split: lambda n: fn("splitByChar", n.expression, fn("ifNull", n.this, "")),
    exp.SplitPart: lambda n: case(exp.Not(this=is_null(n.this)), fn("arrayElement", fn("splitByString", n.args["delimiter"], n.this), n.args["part_index"])),
    exp.Translate: lambda n: fn("translate", n.this, n.args["from_"], n.args["to"]),
    exp.ArrayDistinct: lambda n: fn("arrayDistinct", n.this),
    exp.ArraySize: lambda n: fn("length", n.this),
    exp.TimestampTrunc: lambda n: parse_one("subtractDays(toDate32(day), toDayOfWeek(toDate32(day)) - 1)", dialect="clickhouse").transform(
        lambda c: n.this.copy() if isinstance(c, exp.Column) else c),
}
CLICKHOUSE_NAMES = {"json_exists": "JSONHas", "json_array_length": "JSONLength", "list_intersect": "arrayIntersect"}


def clickhouse(query, fields, structs):
    def rewrite(node):
        if isinstance(node, exp.Dot) and node.name in fields:
            return fn("tupleElement", node.this, fields[node.name])
        if isinstance(node, exp.Struct):
            return fn("tuple", *[e.expression if isinstance(e, exp.PropertyEQ) else e for e in node.expressions])
        if isinstance(node, exp.Bracket) and isinstance(node.this, exp.Max):
            return fn("tupleElement", node.this, int(node.expressions[0].name) + 1)
        if isinstance(node, exp.Is) and isinstance(node.this, exp.Column) and node.this.name in structs:
            return exp.Is(this=fn("tupleElement", node.this, 1), expression=node.expression)
        if isinstance(node, exp.Anonymous) and node.name.lower() in CLICKHOUSE_NAMES:
            path = [exp.Literal.string(json_key(a)) if isinstance(a, exp.Literal) else a for a in node.expressions[1:]]
            first = node.expressions[0] if node.name.lower().startswith("list") else fn("ifNull", node.expressions[0], "")
            return fn(CLICKHOUSE_NAMES[node.name.lower()], first, *path)
        if isinstance(node, exp.DataType) and node.this == exp.DataType.Type.DATE:
            return exp.DataType.build("Nullable(Date32)", dialect="clickhouse")
        if isinstance(node, exp.DataType) and node.this == exp.DataType.Type.TIMESTAMPTZ:
            return exp.DataType.build("Nullable(DateTime64(6, 'UTC'))", dialect="clickhouse")
        if isinstance(node, exp.Literal) and node.is_string and UTC.search(node.name):
            return exp.Literal.string(UTC.sub("", node.name))
        if isinstance(node, exp.Case) and any(str(i.args["true"].this) == "JSONExtractArrayRaw" for i in node.args["ifs"]):
            node.set("default", exp.Array())  # no array is NULL
        change = CLICKHOUSE.get(type(node))
        return change(node) if change else node

    for node in list(query.find_all(exp.Filter)):
        node.replace(filtered(node))
    query = bottom_up(query, rewrite)
    for count in [c for c in query.find_all(exp.Count, exp.RowNumber)]:
        outer = count.parent if isinstance(count.parent, exp.Window) else count
        if not isinstance(outer.parent, exp.Cast):
            outer.replace(exp.cast(outer.copy(), "BIGINT"))
    return query


# Spark.

def spark_sorted(order):
    keys = []
    for i, o in enumerate(order.expressions):
        keys += [exp.alias_(is_null(o.this), f"n{i}"), exp.alias_(exp.Neg(this=o.this.copy()) if o.args.get("desc") else o.this.copy(), f"k{i}")]
    pairs = fn("collect_list", case(exp.Not(this=is_null(order.this)), exp.Struct(expressions=[*keys, exp.alias_(order.this.copy(), "v")])))
    return fn("transform", fn("array_sort", pairs), exp.Lambda(this=exp.column("v", table="t"), expressions=[exp.to_identifier("t")]))


def spark_concat(node):
    order = node.this
    values = fn("array_sort", fn("collect_set", order.this.expressions[0])) if isinstance(order.this, exp.Distinct) else spark_sorted(order)
    return fn("nullif", fn("array_join", values, node.args["separator"]), "")


def spark_arg(node):
    """Spark does not pass over rows without a value."""
    there = exp.Not(this=is_null(node.this))
    if condition := node.args.get("condition"):
        there = exp.and_(condition, there)
    return fn("max_by" if isinstance(node, exp.ArgMax) else "min_by", node.this, case(there, nulls_last(node.expression)))


def spark_variant(text, key):
    variant = fn("try_parse_json", text)
    return fn("try_variant_get", variant, "$." + key, "variant") if key else variant


def spark_days(node):
    start, end = node.args["start"], node.args["end"]
    days = fn("sequence", start.copy(), exp.Sub(this=exp.paren(end.copy()), expression=exp.Literal.number(1)))
    return exp.Case(ifs=[exp.If(this=exp.GT(this=end.copy(), expression=start.copy()), true=days)], default=fn("array"))


SPARK = {
    exp.GroupConcat: spark_concat,
    exp.ArrayAgg: lambda n: spark_sorted(n.this) if isinstance(n.this, exp.Order) else fn("collect_list", n.this),
    exp.PercentileDisc: lambda n: exp.WithinGroup(this=fn("percentile_disc", n.expression), expression=exp.Order(expressions=[n.this])),
    exp.ArgMax: spark_arg,
    exp.ArgMin: spark_arg,
    exp.IgnoreNulls: lambda n: fn("any_value", n.this.this, exp.true()) if isinstance(n.this, exp.AnyValue) else n,
    exp.LogicalOr: lambda n: fn("bool_or", n.this),
    exp.JSONType: lambda n: fn("regexp_substr", fn("schema_of_variant", spark_variant(n.this, json_key(n.expression))), "^[A-Z]+"),
    exp.JSONExtract: lambda n: fn("from_json", fn("get_json_object", n.this, "$." + json_key(n.expression)), "array<string>"),
    exp.JSONExtractScalar: lambda n: fn("get_json_object", n.this, "$." + json_key(n.expression)),
    exp.GenerateSeries: spark_days,
}


def spark(query):
    def rewrite(node):
        if isinstance(node, exp.Cast) and isinstance(node.this, exp.Explode):
            return node.this
        if isinstance(node, exp.DataType) and node.this == exp.DataType.Type.INT128:
            return exp.DataType.build("DECIMAL(38, 0)")
        if isinstance(node, exp.Max) and isinstance(node.this, exp.Tuple):
            node.set("this", exp.Struct(expressions=[exp.alias_(e, f"col{i + 1}") for i, e in enumerate(node.this.expressions)]))
        if isinstance(node, exp.CTE):
            node.set("materialized", None)
        if isinstance(node, exp.Bracket) and isinstance(node.this, exp.Max):
            return exp.Dot(this=node.this, expression=exp.to_identifier(f"col{int(node.expressions[0].name) + 1}"))
        if isinstance(node, exp.Anonymous) and node.name.lower() == "json_exists":
            return exp.Not(this=is_null(spark_variant(node.expressions[0], json_key(node.expressions[1]))))
        if isinstance(node, exp.Anonymous) and node.name.lower() == "json_array_length":
            return fn("json_array_length", fn("get_json_object", *node.expressions))
        if isinstance(node, exp.Anonymous) and node.name.lower() == "list_intersect":
            return fn("array_intersect", *node.expressions)
        change = SPARK.get(type(node))
        return change(node) if change else node

    for node in list(query.find_all(exp.Filter)):
        node.replace(filtered(node))
    return bottom_up(query, rewrite)


def bottom_up(node, change):
    for child in list(node.iter_expressions()):
        new = bottom_up(child, change)
        if new is not child:
            child.replace(new)
    return change(node)


def create(engine, name, query, schema):
    head, tail = {"duckdb": ("TEMP VIEW", ""), "clickhouse": ("VIEW", "\nSETTINGS join_use_nulls = 1"), "spark": ("TEMPORARY VIEW", "")}[engine]
    if engine == "clickhouse":
        query = clickhouse(query, struct_fields(query), struct_names(query))
        for e in query.expressions:
            if isinstance(query, exp.Select) and schema[name][e.alias] == "BOOLEAN" and not isinstance(e.this, exp.Column):
                e.set("this", exp.cast(e.this, "BOOLEAN"))
    if engine == "spark":
        query = spark(query)
    return f"CREATE OR REPLACE {head} {name} AS\n" + query.sql(engine, pretty=True, max_text_width=140, normalize_functions=False) + tail + ";"
