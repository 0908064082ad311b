"""Reads a publication as notebooks do, and compares it with what the warehouse says.

    python check.py FOLDER < expected.json

expected.json is {table: {"rows": n, "columns": {column: type}, "figures": {column: [not null, sum]}}}. A sum is of integers, of milliseconds
since 1970 of times, of days of dates, of the true, of thousandths of fractions, of the characters of texts.
A line is printed for each reader.
"""
import datetime
import decimal
import json
import pathlib
import sys

EPOCH = datetime.datetime(1970, 1, 1, tzinfo=datetime.timezone.utc)
PARTITIONED = ("messages", "tool_calls")
folder = pathlib.Path(sys.argv[1])
expected = json.load(sys.stdin)


def fail(*what):
    sys.exit("check.py: " + " ".join(str(w) for w in what))


def figure(values, kind):
    """What a column's values come to. pandas has integers with gaps as floats."""
    known, total = 0, 0
    for v in values:
        if v is None:
            continue
        known += 1
        if isinstance(v, datetime.datetime):
            if v.utcoffset() != datetime.timedelta(0):
                fail("a time is not UTC:", v)
            total += (v - EPOCH) // datetime.timedelta(milliseconds=1)
        elif isinstance(v, datetime.date):
            total += (v - EPOCH.date()).days
        elif isinstance(v, str):
            total += len(v)
        elif kind == "DOUBLE":
            total += int((decimal.Decimal(repr(float(v))) * 1000).to_integral_value())
        else:
            total += int(v)
    return [known, total]


def compare(reader, table, columns):
    """Compares columns, lists of values by name, with the warehouse."""
    want = expected[table]
    names = list(want["columns"]) + (["month"] if table in PARTITIONED else [])
    if sorted(columns) != sorted(names):
        fail(reader, table, "has the columns", sorted(columns), "want", sorted(names))
    for name, figures in want["figures"].items():
        if len(columns[name]) != want["rows"]:
            fail(reader, table, "has", len(columns[name]), "rows, want", want["rows"])
        got = figure(columns[name], want["columns"][name])
        if got != figures:
            fail(reader, table, name, "comes to", got, "want", figures)
        if want["columns"][name] == "JSON":
            for v in columns[name]:
                if v is not None:
                    json.loads(v)


def place(table):
    return folder / table if table in PARTITIONED else folder / (table + ".parquet")


def with_pyarrow():
    import pyarrow as pa
    import pyarrow.dataset as ds
    import pyarrow.parquet as pq

    types = {"VARCHAR": pa.string(), "JSON": pa.string(), "BIGINT": pa.int64(), "DOUBLE": pa.float64(), "BOOLEAN": pa.bool_(),
             "DATE": pa.date32(), "TIMESTAMPTZ": pa.timestamp("us", tz="UTC")}
    for table, want in expected.items():
        data = ds.dataset(place(table), partitioning="hive")
        for column, kind in want["columns"].items():
            if data.schema.field(column).type != types[kind]:
                fail("pyarrow", table, column, "is", data.schema.field(column).type, "want", types[kind])
        compare("pyarrow", table, data.to_table().to_pydict())
        for path in data.files:
            file = pq.ParquetFile(path)
            said = {k.decode(): v.decode() for k, v in file.schema_arrow.metadata.items()}
            if said["table"] != table or not said["comment"] or not said["schema_version"].isdigit() or not said["tool_version"]:
                fail("pyarrow", path, "says of itself", said)
            if sorted(json.loads(said["column_comments"])) != sorted(want["columns"]):
                fail("pyarrow", path, "comments on", said["column_comments"])
            for group in range(file.metadata.num_row_groups):
                chunks = [file.metadata.row_group(group).column(i) for i in range(file.metadata.num_columns)]
                for chunk in chunks:
                    numbers = chunk.physical_type in ("INT64", "DOUBLE") and chunk.statistics.null_count < chunk.num_values
                    if chunk.statistics is None or numbers and not chunk.statistics.has_min_max:
                        fail("pyarrow", path, "has no statistics of", chunk.path_in_schema)
    for table in PARTITIONED:
        data = ds.dataset(folder / table, partitioning="hive")
        months = sorted({ds.get_partition_keys(f.partition_expression)["month"] for f in data.get_fragments()})
        one = [f.path for f in data.get_fragments(filter=ds.field("month") == months[0])]
        if len(months) < 2 or len(one) != 1 or "month=" + months[0] not in one[0]:
            fail("pyarrow reads", one, "for the month", months[0], "of", months)
    return pa.__version__


def with_pandas():
    import pandas

    for table in expected:
        data = pandas.read_parquet(place(table))
        for column, kind in expected[table]["columns"].items():
            if kind == "TIMESTAMPTZ" and str(data[column].dtype) != "datetime64[us, UTC]":
                fail("pandas", table, column, "is", data[column].dtype)
        columns = {}
        for column in data.columns:
            values = [None if pandas.isna(v) else v for v in data[column].tolist()]
            columns[column] = [v.to_pydatetime() if isinstance(v, pandas.Timestamp) else v for v in values]
        compare("pandas", table, columns)
    everything = pandas.read_parquet(folder / "messages")
    month = str(everything["month"].tolist()[0])
    part = pandas.read_parquet(folder / "messages", filters=[("month", "==", month)])
    if len(part) != (everything["month"] == month).sum() or len(part) == len(everything):
        fail("pandas reads", len(part), "messages of the month", month)
    return pandas.__version__


def with_polars():
    import polars

    types = {"VARCHAR": polars.String, "JSON": polars.String, "BIGINT": polars.Int64, "DOUBLE": polars.Float64, "BOOLEAN": polars.Boolean,
             "DATE": polars.Date, "TIMESTAMPTZ": polars.Datetime("us", "UTC")}
    for table, want in expected.items():
        data = polars.scan_parquet(place(table), hive_partitioning=table in PARTITIONED).collect()
        for column, kind in want["columns"].items():
            if data.schema[column] != types[kind]:
                fail("polars", table, column, "is", data.schema[column], "want", types[kind])
        compare("polars", table, data.to_dict(as_series=False))
    data = polars.scan_parquet(folder / "messages", hive_partitioning=True)
    months = data.select("month").unique().collect()["month"].to_list()
    plan = data.filter(polars.col("month") == months[0]).explain()
    if len(months) < 2 or plan.count("month=") > 1 or "other sources" in plan and str(len(months) - 1) + " other" in plan:
        fail("polars plans", plan)
    return polars.__version__


def with_duckdb():
    import duckdb

    types = {"JSON": "VARCHAR", "TIMESTAMPTZ": "TIMESTAMP WITH TIME ZONE"}
    connection = duckdb.connect()
    for table, want in expected.items():
        source = [f"{place(table)}{'/*/*.parquet' if table in PARTITIONED else ''}"]
        described = connection.execute("DESCRIBE FROM read_parquet(?)", source).fetchall()
        for column, kind in [(d[0], d[1]) for d in described if d[0] != "month"]:
            if kind != types.get(want["columns"][column], want["columns"][column]):
                fail("duckdb", table, column, "is", kind, "want", want["columns"][column])
        # as milliseconds: to hand out such times, this reader needs another module
        names = [d[0] for d in described]
        cells = [f'epoch_ms("{d[0]}")' if d[1] == types["TIMESTAMPTZ"] else f'"{d[0]}"' for d in described]
        rows = connection.execute(f"SELECT {', '.join(cells)} FROM read_parquet(?)", source).fetchall()
        compare("duckdb", table, {name: [row[i] for row in rows] for i, name in enumerate(names)})
    return duckdb.__version__


if __name__ == "__main__":
    read = 0
    for reader in (with_pyarrow, with_pandas, with_polars, with_duckdb):
        try:
            version = reader()
        except ModuleNotFoundError as missing:
            print(reader.__name__, "skipped:", missing)
            continue
        read += 1
        print(reader.__name__, version, "reads", len(expected), "tables as the warehouse has them")
    sys.exit(0 if read else 3)
