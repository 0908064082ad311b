package pages

import (
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
)

// TestKey: a page is read with the token, and after that with the cookie alone; a token for once is taken once.
func TestKey(t *testing.T) {
	t.Parallel()
	k := NewKey()
	guarded := http.StripPrefix("/read/nightly", k.Guard(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		_, _ = w.Write([]byte("secret " + r.URL.String()))
	})))
	ask := func(address string, cookies ...*http.Cookie) *http.Response {
		t.Helper()
		r := httptest.NewRequest(http.MethodGet, address, nil)
		for _, c := range cookies {
			r.AddCookie(c)
		}
		w := httptest.NewRecorder()
		guarded.ServeHTTP(w, r)
		if w.Code != http.StatusOK && strings.Contains(w.Body.String(), "secret") {
			t.Errorf("%s shows the page with status %d", address, w.Code)
		}
		return w.Result()
	}
	const page = "http://127.0.0.1:8788/read/nightly/chat/a%2Fb"
	entered := ask(k.Address(page) + "&message=m1")
	if to := entered.Header.Get("Location"); entered.StatusCode != http.StatusSeeOther || to != "./a%2Fb?message=m1" {
		t.Errorf("the token leads to %q, status %d", to, entered.StatusCode)
	}
	cookie := entered.Cookies()[0]
	if !cookie.HttpOnly || cookie.SameSite != http.SameSiteStrictMode || cookie.Domain != "" {
		t.Errorf("the cookie is %v", cookie)
	}
	once := k.Once(page)
	for _, test := range []struct {
		name, address string
		cookies       []*http.Cookie
		status        int
	}{
		{"with the cookie", page, []*http.Cookie{cookie}, http.StatusOK},
		{"without", page, nil, http.StatusForbidden},
		{"an empty token", page + "?token=", nil, http.StatusForbidden},
		{"another token", page + "?token=" + strings.Repeat("A", 26), nil, http.StatusForbidden},
		{"another server's token", NewKey().Address(page), nil, http.StatusForbidden},
		{"the cookie of another port", strings.Replace(page, "8788", "8789", 1), []*http.Cookie{cookie},
			http.StatusForbidden},
		{"the token again", k.Address(page), nil, http.StatusSeeOther},
		{"once", once, nil, http.StatusSeeOther},
		{"once, again", once, nil, http.StatusForbidden},
	} {
		if got := ask(test.address, test.cookies...).StatusCode; got != test.status {
			t.Errorf("%s: status %d, want %d", test.name, got, test.status)
		}
	}
}
