"""Runs SQL in another engine, all times in UTC:

    python3 engines.py ENGINE SETUP.sql QUERIES_DIR OUT_DIR [STATE_DIR]

The statements of SETUP.sql run in one session of ENGINE (duckdb, clickhouse in the process by chdb, or spark), then each QUERIES_DIR/NAME.sql, whose rows go to
OUT_DIR/NAME.parquet. With STATE_DIR, tables of duckdb and clickhouse are kept there for the next call. What each statement took goes to the file that ENGINES_TIMES names. A statement that fails is said on stderr with the engine's words, and ends the program with 1.
"""

import glob
import json
import os
import pathlib
import re
import sys
import tempfile
import time


def duckdb(scratch):
    import duckdb

    session = duckdb.connect(os.path.join(scratch, "lake.duckdb"))
    session.execute("SET TimeZone = 'UTC'")
    return session.execute, lambda query, out: session.execute(f"COPY ({query}\n) TO '{out}' (FORMAT parquet)")


def clickhouse(scratch):
    from chdb.session import Session

    session = Session(os.path.join(scratch, "clickhouse"))
    session.query("CREATE DATABASE IF NOT EXISTS lake ENGINE = Atomic")
    session.query("USE lake")
    session.query("SET session_timezone = 'UTC'")
    return session.query, lambda query, out: pathlib.Path(out).write_bytes(session.query(query, "Parquet").bytes())


def spark(scratch):
    from pyspark.sql import SparkSession

    builder = SparkSession.builder.master("local[2]")
    for key, value in {
        "spark.ui.enabled": "false",
        "spark.ui.showConsoleProgress": "false",
        "spark.sql.session.timeZone": "UTC",
        "spark.sql.parquet.outputTimestampType": "TIMESTAMP_MICROS",
        "spark.sql.shuffle.partitions": "2",
        "spark.sql.warehouse.dir": os.path.join(scratch, "warehouse"),
        "spark.local.dir": scratch,
        "spark.driver.extraJavaOptions": f"-Dderby.system.home={scratch}",
    }.items():
        builder = builder.config(key, value)
    session = builder.getOrCreate()
    session.sparkContext.setLogLevel("ERROR")

    def write(query, out):
        folder = os.path.join(scratch, "out")
        session.sql(query).coalesce(1).write.mode("overwrite").parquet(folder)
        os.replace(glob.glob(os.path.join(glob.escape(folder), "part-*.parquet"))[0], out)

    return session.sql, write


def statements(text, engine):
    """The statements between semicolons that are neither quoted nor in a comment."""
    inside = r"(?:''|[^'])*" if engine == "duckdb" else r"(?:''|\\.|[^'\\])*"
    part = re.compile(rf"""'{inside}'|"[^"]*"|`[^`]*`|--[^\n]*|/\*.*?\*/|;|.""", re.DOTALL)
    parts = [[]]
    for match in part.finditer(text):
        if match[0] == ";":
            parts.append([])
        else:
            parts[-1].append(match[0])
    for each in parts:
        said = [p.strip() != "" and not p.startswith(("--", "/*")) for p in each]
        if any(said):
            yield "".join(each[said.index(True) :]).rstrip()


def attempt(what, statement, call, *arguments):
    wall, cpu = time.perf_counter(), time.process_time()
    try:
        call(statement, *arguments)
    except Exception as error:
        start = "\n".join(statement.splitlines()[:5])
        sys.exit(f"{what}: this statement failed:\n{start}\n{error}")
    if "ENGINES_TIMES" in os.environ:
        took = {"query": bool(arguments), "wall": time.perf_counter() - wall, "cpu": time.process_time() - cpu}
        with open(os.environ["ENGINES_TIMES"], "a") as times:
            print(json.dumps(took), file=times)


def main(engine, setup, queries, out, state=None):
    os.environ["TZ"] = "UTC"
    time.tzset()
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as scratch:
        run, write = {"duckdb": duckdb, "clickhouse": clickhouse, "spark": spark}[engine](state or scratch)
        for statement in statements(pathlib.Path(setup).read_text(), engine):
            attempt(setup, statement, run)
        pathlib.Path(out).mkdir(parents=True, exist_ok=True)
        for path in sorted(pathlib.Path(queries).glob("*.sql")):
            found = list(statements(path.read_text(), engine))
            if len(found) != 1:
                sys.exit(f"{path}: {len(found)} statements, not one")
            attempt(path, found[0], write, os.path.join(out, path.stem + ".parquet"))


if __name__ == "__main__":
    if len(sys.argv) not in (5, 6) or sys.argv[1] not in ("duckdb", "clickhouse", "spark"):
        sys.exit(__doc__)
    main(*sys.argv[1:])
