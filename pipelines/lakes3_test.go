package pipelines_test

import (
	"fmt"
	"net/url"
	"os/exec"
	"strings"
	"testing"

	"pipeline/load/engine"
	"pipeline/load/objects/s3test"
	"pipeline/load/push"
)

// TestTeamS3: what two machines have pushed to a real S3 server is read from there: by the views, and into tables. Each
// engine takes what it must know of the server as its documentation says.
func TestTeamS3(t *testing.T) {
	long(t)
	server := s3test.Start(t)
	s3test.Setenv(t, server.Key, server.Secret)
	m := newTeam(t)
	m.dir, m.place = server.Dir+"/team", push.Place{Target: "s3://" + server.Bucket + "/team",
		Endpoint: server.Endpoint}
	m.push(m.a, baseUserDir())
	m.push(m.b, baseUserDir().without(keyA3))
	keeper := &keeper{m, t.TempDir()}
	m.in(t, "clickhouse keeps night 1", func() { keeper.load("night 1", keeper.statements()) })
	m.push(m.a, baseUserDir().without(keyBeta, keyB1, keyB2))
	m.in(t, "clickhouse", func() {
		views, err := push.Views("clickhouse", m.place)
		must(m.t, err)
		m.readsFrom("ClickHouse by views", inEngine(m.t, "clickhouse", views, allOf(""), "")+"/%s.parquet")
	})
	m.in(t, "clickhouse keeps night 2", func() {
		needs(m.t, "clickhouse")
		keeper.damage()
		keeper.load("night 2", keeper.statements())
	})
	m.in(t, "duckdb", func() {
		needs(m.t, "duckdb")
		out, err := exec.Command("python3", "-c",
			"import duckdb, duckdb_extension_httpfs as e; "+
				"print(f'{e.__path__[0]}/extensions/v{duckdb.__version__}/httpfs.duckdb_extension', end='')").Output()
		if err != nil {
			m.t.Skip("python3 has no duckdb_extension_httpfs, by which DuckDB reads S3 servers")
		}
		at, err := url.Parse(server.Endpoint)
		must(m.t, err)
		setup := fmt.Sprintf("LOAD %s;\nCREATE SECRET (TYPE s3, KEY_ID %s, SECRET %s, ENDPOINT %s, REGION "+
			"'us-east-1', USE_SSL false, URL_STYLE path);\n", engine.Literal(strings.TrimSpace(string(out))),
			engine.Literal(server.Key), engine.Literal(server.Secret), engine.Literal(at.Host))
		tables, err := push.Tables("duckdb", "s3://"+server.Bucket+"/tables/1", m.place)
		must(m.t, err)
		inEngine(m.t, "duckdb", setup+tables, nil, "")
		m.readsFrom("DuckDB", server.Dir+"/tables/1/%s/*.parquet")
	})
}
