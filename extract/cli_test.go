package extract

import (
	"errors"
	"path/filepath"
	"strings"
	"testing"

	"pipeline/testdata/gen/clitest"
)

// TestCLIOptions: what a caller has learned of the store of a chat counts when the home is opened again: it is left
// out, or read from a private copy.
func TestCLIOptions(t *testing.T) {
	t.Parallel()
	dot := filepath.Join(t.TempDir(), ".cursor")
	home := &clitest.Home{Chats: []*clitest.Chat{clitest.Cases().Chat("modern"), clitest.Cases().Chat("acp")}}
	if err := home.Write(dot); err != nil {
		t.Fatal(err)
	}
	found, err := Resolve(dot, Env{OS: "linux"})
	if err != nil {
		t.Fatal(err)
	}
	chat := "acp-sessions/" + home.Chats[1].ID
	busy := errors.New("it is busy")
	read := func(how OpenOptions) (stores, methods []string, reports []StoreReport) {
		s, err := found[0].Open(t.Context(), how)
		if err != nil {
			t.Fatal(err)
		}
		defer s.Close()
		for conv, err := range s.Conversations(t.Context()) {
			if err != nil || conv.LoadHead() != nil || conv.Head == nil {
				t.Errorf("%s was not read: %v", conv.Store, err)
			}
			stores, methods = append(stores, conv.Store), append(methods, s.Stores()[0].Info.Method)
		}
		return stores, methods, s.Stores()
	}
	if stores, methods, _ := read(OpenOptions{}); len(stores) != 2 || stores[1] != chat || methods[1] != MethodInPlace {
		t.Errorf("as usual: %q by %q", stores, methods)
	}
	if stores, methods, _ := read(OpenOptions{Copy: map[string]bool{chat: true}}); len(stores) != 2 ||
		strings.Join(methods, " ") != MethodInPlace+" "+MethodCopy {
		t.Errorf("from a copy: %q by %q", stores, methods)
	}
	stores, _, reports := read(OpenOptions{Skip: map[string]error{chat: busy}})
	if len(stores) != 1 || len(reports) != 2 || reports[1].Store != chat || !errors.Is(reports[1].Err, busy) {
		t.Errorf("left out: read %q, reports %+v", stores, reports)
	}
}
