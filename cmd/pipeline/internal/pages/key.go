package pages

import (
	"crypto/rand"
	"crypto/subtle"
	"net"
	"net/http"
	"strings"
	"sync/atomic"
)

// A Key lets in browsers that were given a token: the pages have what people wrote, and every user and program of a
// machine reaches its loopback addresses. The token is in the first address that a browser asks for. After that the
// browser has it as a cookie, so the addresses of pages need none.
type Key struct {
	token string
	once  atomic.Pointer[string]
}

// NewKey makes a key with a token of its own.
func NewKey() *Key { return &Key{token: rand.Text()} }

// Address adds the token to an address.
func (k *Key) Address(address string) string { return address + "?" + tokenParameter + "=" + k.token }

// Once adds to an address a token that is taken once. It is for the command line of a browser, which other users of the
// machine can read.
func (k *Key) Once(address string) string {
	token := rand.Text()
	k.once.Store(&token)
	return address + "?" + tokenParameter + "=" + token
}

const tokenParameter = "token"

// Guard passes on requests that have the cookie, and gives it to those that have the token.
func (k *Key) Guard(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		q := r.URL.Query()
		given := q.Get(tokenParameter)
		cookie, err := r.Cookie(cookieName(r))
		switch {
		case given != "" && k.takes(given):
			http.SetCookie(w, &http.Cookie{Name: cookieName(r), Value: k.token, Path: "/", HttpOnly: true,
				SameSite: http.SameSiteStrictMode})
			q.Del(tokenParameter)
			last := r.URL.EscapedPath()
			to := "./" + last[strings.LastIndex(last, "/")+1:] // relative, wherever the pages are
			if len(q) > 0 {
				to += "?" + q.Encode()
			}
			w.Header().Set("Location", to)
			w.WriteHeader(http.StatusSeeOther)
		case err == nil && same(cookie.Value, k.token):
			next.ServeHTTP(w, r)
		default:
			http.Error(w, "This page has what you wrote, so it opens by the address with a token alone. The command "+
				"that serves it has printed that address; 'pipeline open' prints one, too.", http.StatusForbidden)
		}
	})
}

func (k *Key) takes(token string) bool {
	if same(token, k.token) {
		return true
	}
	once := k.once.Load()
	return once != nil && same(token, *once) && k.once.CompareAndSwap(once, nil)
}

func same(a, b string) bool { return subtle.ConstantTimeCompare([]byte(a), []byte(b)) == 1 }

// cookieName is another one for each port: browsers do not tell apart the ports of a host.
func cookieName(r *http.Request) string {
	_, port, _ := net.SplitHostPort(r.Host)
	return "pipeline-" + port
}
