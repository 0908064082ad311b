package pages

import (
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
)

// TestToken: the token of a warehouse stays the same, only its user can read it, and what is no token is none.
func TestToken(t *testing.T) {
	t.Parallel()
	warehouse := filepath.Join(t.TempDir(), "w.duckdb")
	token := Token(warehouse)
	info, err := os.Stat(warehouse + ".token")
	if err != nil || len(token) < 26 || Token(warehouse) != token {
		t.Errorf("%q, then %q: %v", token, Token(warehouse), err)
	}
	if runtime.GOOS != "windows" && info.Mode().Perm() != 0o600 {
		t.Errorf("the file has the mode %v", info.Mode())
	}
	for _, text := range []string{"", "short", strings.Repeat("/", len(token))} {
		if err := os.WriteFile(warehouse+".token", []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		if got := Token(warehouse); len(got) != len(token) || got == text || got == token {
			t.Errorf("the file has %q, and the token is %q", text, got)
		}
	}
	if got := Token(filepath.Join(warehouse, "nowhere", "w.duckdb")); len(got) != len(token) {
		t.Errorf("without a file the token is %q", got)
	}
}

// TestGuard: only what is below the token is passed on.
func TestGuard(t *testing.T) {
	t.Parallel()
	const token = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
	guarded := Guard(token, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		_, _ = w.Write([]byte("secret " + r.URL.Path + " " + r.URL.String()))
	}))
	for path, want := range map[string]string{
		"/" + token + "/":                      "secret / /",
		"/" + token + "/chat/a%2Fb?message=m1": "secret /chat/a/b /chat/a%2Fb?message=m1",
		"/":                                    "", "/chat/a": "", "/" + token: "", "/" + token[:25] + "/": "",
		"/" + strings.ToLower(token) + "/": "", "//" + token + "/": "", "/x/" + token + "/": "",
	} {
		w := httptest.NewRecorder()
		guarded.ServeHTTP(w, httptest.NewRequest(http.MethodGet, path, nil))
		if got := w.Body.String(); want != "" && got != want || want == "" && w.Code != http.StatusForbidden {
			t.Errorf("%s: %d %q, want %q", path, w.Code, got, want)
		}
	}
}
