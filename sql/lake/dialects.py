"""How each engine says what DuckDB says."""
ENGINES = ("duckdb",)


def create(engine, name, query, schema):
    return f"CREATE OR REPLACE TEMP VIEW {name} AS\n" + query.sql(engine, pretty=True, max_text_width=140) + ";"
