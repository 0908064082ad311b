package pipelines_test

import (
	"path/filepath"
	"testing"

	"pipeline/extract"
	"pipeline/pipelines"
	"pipeline/testdata/gen/clitest"
)

// TestTranscriptsInAnotherFolder: CURSOR_CONFIG_DIR may lead to a folder that does not show whose it is. A transcript
// in it of a conversation that an editor has is a place of that conversation, and no other one, too.
func TestTranscriptsInAnotherFolder(t *testing.T) {
	t.Parallel()
	home, s := clitest.Spoken(), newSpokenHome(t)
	s.dot = filepath.Join(s.dir, "elsewhere")
	s.write(home)
	env := extract.Env{OS: "linux", Home: filepath.Join(s.dir, "home"), Getenv: func(name string) string {
		return map[string]string{"CURSOR_CONFIG_DIR": s.dot}[name]
	}}
	r := s.run(nil, func(o *pipelines.Options) {
		found, _, err := extract.Discover(env)
		must(t, err)
		o.Sources = found
	})
	same(t, "status", "ok", r.Status)
	same(t, "sources", 2, len(s.ask(`SELECT source_id FROM sources`)))
	wantCLI(t, s.fixture, home)
	same(t, "conversations that are told twice", [][]string(nil),
		s.ask(`SELECT conversation_id FROM conversations WHERE deleted_at IS NULL GROUP BY ALL HAVING count(*) > 1`))
}
