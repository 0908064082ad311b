package pages

import (
	"crypto/rand"
	"crypto/subtle"
	"errors"
	"io/fs"
	"net/http"
	"os"
	"strings"

	"pipeline/load/tool/outpath"
)

// Token returns what addresses of a warehouse's pages begin with. The pages have what people wrote, and every user and
// program of a machine reaches its loopback addresses; only its user can read the token's file. It is made once, so
// that addresses stay the same. Where no file can be made, the token holds for this process alone.
func Token(warehouse string) string {
	file, made := warehouse+".token", rand.Text()
	f, err := os.OpenFile(file, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if err == nil {
		_, err = f.WriteString(made)
		err = errors.Join(err, f.Close())
	}
	if errors.Is(err, fs.ErrExist) {
		if text, err := outpath.Read(file, outpath.SmallFile); err == nil && len(text) == len(made) && isPlain(text) {
			return string(text)
		}
	}
	return made
}

// isPlain reports whether a text is one that rand.Text makes.
func isPlain(text []byte) bool {
	return strings.Trim(string(text), "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567") == ""
}

// Guard passes on requests whose path begins with the token, without it.
func Guard(token string, next http.Handler) http.Handler {
	inner := http.StripPrefix("/"+token, next)
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		given, _, below := strings.Cut(strings.TrimPrefix(r.URL.Path, "/"), "/")
		if !below || subtle.ConstantTimeCompare([]byte(given), []byte(token)) != 1 {
			http.Error(w, "This page has what you wrote, so it opens by an address with a token alone: 'pipeline "+
				"open' prints it.", http.StatusForbidden)
			return
		}
		inner.ServeHTTP(w, r)
	})
}
