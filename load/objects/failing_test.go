package objects_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"pipeline/load/objects"
	"pipeline/load/objects/s3test"
)

// failing starts a server behind a proxy, and opens its bucket.
func failing(t *testing.T) (*s3test.Server, *s3test.Proxy, objects.Store) {
	t.Helper()
	server := s3test.Start(t)
	proxy := s3test.NewProxy(t, server.Endpoint)
	s3test.Setenv(t, server.Key, server.Secret)
	return server, proxy, open(t, "s3://"+server.Bucket+"/v1", proxy.URL)
}

// says checks an error's kind and text, and that no secret is in it.
func says(t *testing.T, err, kind error, secrets []string, parts ...string) {
	t.Helper()
	if !errors.Is(err, kind) {
		t.Errorf("%v, want %v", err, kind)
	}
	text := fmt.Sprint(err)
	for _, part := range parts {
		if !strings.Contains(text, part) {
			t.Errorf("%q does not say %q", text, part)
		}
	}
	for _, secret := range secrets {
		if strings.Contains(text, secret) || strings.Contains(fmt.Sprintf("%+v", err), secret) {
			t.Errorf("%q has the secret %q", text, secret)
		}
	}
	t.Log(text)
}

// TestStoreOverFailingNetwork: a request that fails is sent again, and then its error says what to do.
func TestStoreOverFailingNetwork(t *testing.T) {
	if testing.Short() {
		t.Skip("it waits between tries: make test-all runs it")
	}
	server, proxy, s := failing(t)
	secrets := []string{server.Secret, server.Key}
	data := bytes.Repeat([]byte("x"), 300_000)
	write := func(key string) error { return s.PutNew(t.Context(), key, inFile(t, data), sum(data)) }
	const tries = 5
	for i, test := range []struct {
		name  string
		fault s3test.Fault
		nth   int // 0: each
		kind  error
		sent  int
		parts []string
	}{
		{"503 once", s3test.Fault{Status: 503, Code: "SlowDown"}, 1, nil, 2, nil},
		{"503 for ever", s3test.Fault{Status: 503, Code: "SlowDown"}, 0, objects.ErrUnreachable, tries,
			[]string{"s3://lake/v1/", "503 SlowDown", "tries: 5", "do it again"}},
		{"500 for ever", s3test.Fault{Status: 500, Code: "InternalError"}, 0, objects.ErrUnreachable, tries,
			[]string{"500 InternalError", "tries: 5"}},
		{"full", s3test.Fault{Status: 507, Code: "XMinioStorageFull"}, 0, objects.ErrFull, 1,
			[]string{"507", "make room"}},
		{"quota", s3test.Fault{Status: 400, Code: "QuotaExceeded"}, 0, objects.ErrFull, 1,
			[]string{"QuotaExceeded", "make room"}},
		{"403", s3test.Fault{Status: 403, Code: "AccessDenied"}, 0, objects.ErrRefused, 1,
			[]string{"s3:PutObject", "v1/f5/*"}},
		{"another region", s3test.Fault{Status: 301, Code: "PermanentRedirect"}, 0, objects.ErrNoStore, 1,
			[]string{"AWS_REGION"}},
		{"wrong clock", s3test.Fault{Status: 403, Code: "RequestTimeTooSkewed"}, 0, objects.ErrCredentials, 1,
			[]string{"clock"}},
		{"lent keys have ended", s3test.Fault{Status: 400, Code: "ExpiredToken"}, 0, objects.ErrCredentials, tries,
			[]string{"ExpiredToken"}},
		{"another writer is at it", s3test.Fault{Status: 409, Code: "ConditionalRequestConflict"}, 1, nil, 2, nil},
		{"another writer is at it for ever", s3test.Fault{Status: 409, Code: "ConditionalRequestConflict"}, 0,
			objects.ErrUnreachable, tries, []string{"409"}},
		{"not known", s3test.Fault{Status: 400, Code: "Odd",
			Message: "your key " + server.Key + " and secret " + server.Secret}, 0, objects.ErrServer, 1,
			[]string{"400 Odd: your key [hidden] and secret [hidden]"}},
		{"cut before the server has it", s3test.Fault{Cut: s3test.Before}, 1, nil, 2, nil},
		{"cut for ever", s3test.Fault{Cut: s3test.Before}, 0, objects.ErrUnreachable, tries,
			[]string{"tries: 5", "do it again"}},
		{"slow", s3test.Fault{Delay: 300 * time.Millisecond}, 0, nil, 1, nil},
	} {
		t.Run(test.name, func(t *testing.T) {
			dir := fmt.Sprintf("f%d", i)
			proxy.OnNth("PUT", test.nth, test.fault)
			before := s.Stats().Puts
			err := write(dir + "/x")
			if test.kind == nil && err != nil {
				t.Error(err)
			} else if test.kind != nil {
				says(t, err, test.kind, secrets, test.parts...)
			}
			if n, m := proxy.Count("PUT"), s.Stats().Puts-before; n != test.sent || m != int64(n) {
				t.Errorf("%d requests came, %d were counted, want %d", n, m, test.sent)
			}
			proxy.On(nil)
			o, err := s.Head(t.Context(), dir+"/x")
			if test.kind == nil && (err != nil || o.SHA256 != sum(data)) {
				t.Errorf("%+v, %v", o, err)
			} else if test.kind != nil && !errors.Is(err, objects.ErrMissing) {
				t.Errorf("%+v, %v: it was not written", o, err)
			}
		})
	}
}

// TestStoreLostAnswer: the server has stored the object, and its answer is lost. The next try finds the object there,
// and its sum tells whose it is.
func TestStoreLostAnswer(t *testing.T) {
	_, proxy, s := failing(t)
	data := []byte("mine")
	proxy.OnNth("PUT", 1, s3test.Fault{Cut: s3test.Between})
	wants(t, "put", s.PutNew(t.Context(), "commit/1", inFile(t, data), sum(data)), objects.ErrExists)
	if n := proxy.Count("PUT"); n != 2 {
		t.Errorf("%d requests came", n)
	}
	if o, err := s.Head(t.Context(), "commit/1"); err != nil || o.SHA256 != sum(data) || o.Size != 4 {
		t.Errorf("%+v, %v: it is not known as the writer's own", o, err)
	}
	proxy.On(nil)
	put(t, s, "commit/2", "theirs")
	wants(t, "put", s.PutNew(t.Context(), "commit/2", inFile(t, data), sum(data)), objects.ErrExists)
	if o, err := s.Head(t.Context(), "commit/2"); err != nil || o.SHA256 == sum(data) {
		t.Errorf("%+v, %v: another's is taken for the writer's own", o, err)
	}
}

// TestStoreReadsOverFailingNetwork: what is read is whole, or there is an error.
func TestStoreReadsOverFailingNetwork(t *testing.T) {
	if testing.Short() {
		t.Skip("it waits between tries: make test-all runs it")
	}
	server, proxy, s := failing(t)
	text := strings.Repeat("0123456789", 100_000)
	put(t, s, "a/1", text)
	put(t, s, "a/2", text)
	for _, cut := range []s3test.Cut{s3test.Before, s3test.Between, s3test.Within} {
		proxy.OnNth("GET", 1, s3test.Fault{Cut: cut})
		if got, err := s.Get(t.Context(), "a/1"); err != nil || string(got) != text || proxy.Count("GET") != 2 {
			t.Errorf("cut %d: %d bytes, %v, %d requests", cut, len(got), err, proxy.Count("GET"))
		}
		proxy.OnNth("GET", 0, s3test.Fault{Cut: cut})
		_, err := s.Get(t.Context(), "a/1")
		says(t, err, objects.ErrUnreachable, []string{server.Secret}, "read s3://lake/v1/a/1", "tries: 5")
		if n := proxy.Count("GET"); n != 5 && n != 6 {
			// net/http tries once more on its own where a connection was used before
			t.Errorf("cut %d: %d requests", cut, n)
		}
	}
	for _, fault := range []s3test.Fault{{Cut: s3test.Before}, {Status: 503, Code: "SlowDown"}, {Cut: s3test.Within}} {
		proxy.OnNth("GET", 1, fault)
		if got := keysOf(t, s, "a/", ""); len(got) != 2 || proxy.Count("GET") != 2 {
			t.Errorf("%+v: %q, %d requests", fault, got, proxy.Count("GET"))
		}
		proxy.OnNth("GET", 0, fault)
		var last error
		for _, err := range s.List(t.Context(), "a/", "") {
			last = err
		}
		says(t, last, objects.ErrUnreachable, []string{server.Secret}, "list s3://lake/v1/a/")
	}
	proxy.On(nil)
	// What lies there was altered behind the server's back.
	path := filepath.Join(server.Dir, "v1", "a", "1")
	if err := errors.Join(os.Truncate(path, 10)); err != nil {
		t.Fatal(err)
	}
	_, err := s.Get(t.Context(), "a/1")
	wants(t, "altered", err, objects.ErrDamaged)
}

// TestStoreCut: of two writers one of which loses its connection at every point exactly one object comes to be, and it
// is one of theirs.
func TestStoreCut(t *testing.T) {
	_, proxy, s := failing(t)
	for i, cut := range []s3test.Cut{s3test.Before, s3test.Between} {
		for nth := 1; nth <= 3; nth++ {
			proxy.OnNth("PUT", nth, s3test.Fault{Cut: cut})
			key := fmt.Sprintf("cut/%d-%d", i, nth)
			errs := make(chan error, 2)
			for _, text := range []string{"one", "two"} {
				go func() {
					errs <- s.PutNew(context.WithoutCancel(t.Context()), key, inFile(t, []byte(text)),
						sum([]byte(text)))
				}()
			}
			first, second := <-errs, <-errs
			for _, err := range []error{first, second} {
				if err != nil && !errors.Is(err, objects.ErrExists) {
					t.Error(err)
				}
			}
			if first == nil && second == nil {
				t.Errorf("%s: both have won", key)
			}
			if got, err := s.Get(t.Context(), key); err != nil || string(got) != "one" && string(got) != "two" {
				t.Errorf("%s: %q, %v", key, got, err)
			}
		}
	}
}

// TestStorePermissions: a machine writes and reads below its own prefix only.
func TestStorePermissions(t *testing.T) {
	server := s3test.Start(t)
	mine, theirs := server.NewUser(t), server.NewUser(t)
	server.Policy(t, server.OwnPrefix(map[string]s3test.User{"v1/machine=aa/": mine, "v1/machine=bb/": theirs}))
	secrets := []string{mine.Secret, theirs.Secret, server.Secret}
	at := func(u s3test.User) objects.Store {
		s3test.Setenv(t, u.Key, u.Secret)
		s := open(t, "s3://lake/v1", server.Endpoint)
		_ = keysOf(t, s, "machine=", "") // takes the keys of the environment
		return s
	}
	a, b := at(mine), at(theirs)
	put(t, a, "machine=aa/push=1/x", "a")
	put(t, b, "machine=bb/push=1/x", "b")
	write := func(s objects.Store, key string) error {
		return s.PutNew(t.Context(), key, inFile(t, nil), sum(nil))
	}
	wants(t, "own again", write(a, "machine=aa/push=1/x"), objects.ErrExists)
	if got, err := a.Get(t.Context(), "machine=aa/push=1/x"); err != nil || string(got) != "a" {
		t.Errorf("%q, %v", got, err)
	}
	says(t, write(a, "machine=bb/push=1/y"), objects.ErrRefused, secrets, "write s3://lake/v1/machine=bb/push=1/y",
		"s3:PutObject on v1/machine=bb/push=1/*")
	says(t, write(a, "machine=bb/push=1/x"), objects.ErrRefused, secrets, "s3:PutObject")
	_, err := a.Get(t.Context(), "machine=bb/push=1/x")
	says(t, err, objects.ErrRefused, secrets, "s3:GetObject on v1/machine=bb/push=1/*")
	_, err = a.Head(t.Context(), "machine=bb/push=1/x")
	says(t, err, objects.ErrRefused, secrets, "look at", "s3:GetObject")
	says(t, a.Delete(t.Context(), "machine=aa/push=1/x"), objects.ErrRefused, secrets, "delete",
		"s3:DeleteObject on v1/machine=aa/push=1/*")

	stranger := server.NewUser(t)
	s3test.Setenv(t, stranger.Key, stranger.Secret)
	for _, err := range open(t, "s3://lake/v1", server.Endpoint).List(t.Context(), "machine=aa/", "") {
		says(t, err, objects.ErrRefused, append(secrets, stranger.Secret), "list",
			"s3:ListBucket with the prefix v1/machine=aa")
	}
}

// TestStoreWithoutStore: what cannot work says why.
func TestStoreWithoutStore(t *testing.T) {
	server := s3test.Start(t)
	first := func(s objects.Store) (err error) {
		for _, err = range s.List(t.Context(), "a/", "") {
		}
		return err
	}
	write := func(s objects.Store) error { return s.PutNew(t.Context(), "a/b", inFile(t, nil), sum(nil)) }
	each := func(name string, s objects.Store, kind error, secrets []string, parts ...string) {
		t.Run(name, func(t *testing.T) {
			says(t, first(s), kind, secrets, parts...)
			says(t, write(s), kind, secrets, parts...)
		})
	}
	s3test.Setenv(t, server.Key, server.Secret)
	each("no such bucket", open(t, "s3://another", server.Endpoint), objects.ErrNoStore, []string{server.Secret},
		"s3://another/a/", "name of the bucket")
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	nobody := "http://" + l.Addr().String()
	if err := l.Close(); err != nil {
		t.Fatal(err)
	}
	each("nobody there", open(t, "s3://lake", nobody), objects.ErrUnreachable, []string{server.Secret}, "refused",
		"tries: 5", "check the endpoint")
	each("TLS to a server without", open(t, "s3://lake", strings.Replace(server.Endpoint, "http:", "https:", 1)),
		objects.ErrUnreachable, []string{server.Secret}, "HTTP")
	s3test.Setenv(t, server.Key, "wrongwrongwrong")
	each("wrong secret", open(t, "s3://lake", server.Endpoint), objects.ErrCredentials,
		[]string{server.Secret, "wrongwrongwrong"}, "Check the key and the secret")
	s3test.Setenv(t, "nokeylikethis", server.Secret)
	each("wrong key", open(t, "s3://lake", server.Endpoint), objects.ErrCredentials, []string{server.Secret},
		"Check the key and the secret")
	s3test.Setenv(t, "", "")
	each("no credentials", open(t, "s3://lake", server.Endpoint), objects.ErrCredentials, nil, "the environment",
		"the shared profile", "AWS_ACCESS_KEY_ID")
}

// TestStoreProfile: keys come from a profile, and from a program that the profile names. A profile that was asked for
// and fails is not passed over.
func TestStoreProfile(t *testing.T) {
	server := s3test.Start(t)
	s3test.Setenv(t, "", "")
	dir := t.TempDir()
	program := filepath.Join(dir, "keys.sh")
	config := filepath.Join(dir, "config")
	write := func(path, text string, mode os.FileMode) {
		if err := os.WriteFile(path, []byte(text), mode); err != nil {
			t.Fatal(err)
		}
	}
	write(program,
		fmt.Sprintf("#!/bin/sh\necho '{\"Version\": 1, \"AccessKeyId\": %q, \"SecretAccessKey\": %q, \"Expiration\": "+
			"\"2999-01-01T00:00:00Z\"}'\n", server.Key, server.Secret), 0o700)
	write(config,
		fmt.Sprintf("[profile static]\naws_access_key_id = %s\naws_secret_access_key = %s\n"+
			"[profile asked]\ncredential_process = sh %s\n[profile broken]\ncredential_process = sh %s/none\n",
			server.Key, server.Secret, program, dir), 0o600)
	t.Setenv("AWS_CONFIG_FILE", config)
	for _, profile := range []string{"static", "asked"} {
		t.Setenv("AWS_PROFILE", profile)
		put(t, open(t, "s3://lake/"+profile, server.Endpoint), "x", "x")
	}
	for _, profile := range []string{"broken", "none"} {
		t.Setenv("AWS_PROFILE", profile)
		err := open(t, "s3://lake", server.Endpoint).PutNew(t.Context(), "y", inFile(t, nil), sum(nil))
		// nothing else was asked
		says(t, err, objects.ErrCredentials, []string{server.Secret, "the role of this machine"}, "the shared profile")
	}
}

// TestStoreProfileOfARole: a profile whose keys cannot be had says in which other way they can.
func TestStoreProfileOfARole(t *testing.T) {
	s3test.Setenv(t, "", "")
	config := filepath.Join(t.TempDir(), "config")
	if err := os.WriteFile(config, []byte("[profile role]\nrole_arn = arn:aws:iam::1:role/x\nsource_profile = base\n"+
		"[profile alone]\ncredential_process = /bin/keys\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	t.Setenv("AWS_CONFIG_FILE", config)
	for profile, says := range map[string]string{"role": "takes a role (role_arn), which is not done here: 'aws " +
		"configure export-credentials", "alone": "is called only with an argument"} {
		t.Setenv("AWS_PROFILE", profile)
		err := open(t, "s3://lake", "http://127.0.0.1:1").PutNew(t.Context(), "y", inFile(t, nil), sum(nil))
		if !errors.Is(err, objects.ErrCredentials) || !strings.Contains(fmt.Sprint(err), says) {
			t.Errorf("%s: %v", profile, err)
		}
	}
}

// TestStoreAnswersOfOthers: what no store answers says what may be in the way.
func TestStoreAnswersOfOthers(t *testing.T) {
	s3test.Setenv(t, "key", "secret")
	const page = "<!DOCTYPE html><html><head><title>Log in<br></head></html>"
	for name, c := range map[string]struct {
		answer           func(w http.ResponseWriter)
		write, get, list string
		kind             error
	}{
		"not implemented": {func(w http.ResponseWriter) { w.WriteHeader(http.StatusNotImplemented) },
			"does not take the header If-None-Match", "", "", objects.ErrServer},
		"not modified": {func(w http.ResponseWriter) { w.WriteHeader(http.StatusNotModified) },
			"does not take the header If-None-Match", "", "", objects.ErrServer},
		"found": {func(w http.ResponseWriter) {
			w.Header().Set("Location", "http://127.0.0.1:1/login")
			w.WriteHeader(http.StatusFound)
		}, "log in to the network", "log in to the network", "log in to the network", objects.ErrUnreachable},
		"proxy": {func(w http.ResponseWriter) { w.WriteHeader(http.StatusProxyAuthRequired) }, "wants a login",
			"wants a login", "wants a login", objects.ErrUnreachable},
		"page": {func(w http.ResponseWriter) {
			w.Header().Set("Content-Type", "text/html")
			_, _ = io.WriteString(w, page)
		}, "", "log in to the network", "log in to the network", objects.ErrUnreachable},
	} {
		server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { c.answer(w) }))
		s := open(t, "s3://lake", server.URL)
		_, got := s.Get(t.Context(), "a/b")
		var listed error
		for _, listed = range s.List(t.Context(), "a/", "") {
		}
		for want, err := range map[*string]error{&c.get: got, &c.list: listed,
			&c.write: s.PutNew(t.Context(), "a/b", inFile(t, nil), sum(nil))} {
			if t.Logf("%s: %v", name, err); *want != "" && (!errors.Is(err, c.kind) ||
				!strings.Contains(fmt.Sprint(err), *want)) {
				t.Errorf("%s: %v; it does not say %q", name, err, *want)
			}
		}
		server.Close()
	}
}

// TestOpenObjects: what is no target, and that nothing of it is repeated: it may be a password.
func TestOpenObjects(t *testing.T) {
	s3test.Setenv(t, "key", "secret")
	dir := t.TempDir()
	for _, test := range []struct {
		target, endpoint string
		kind             error
	}{
		{"s3://key:hidden@lake/x", "", objects.ErrTarget}, {"s3://key:hid/den@lake", "", objects.ErrTarget},
		{"s3://key/hidden@lake", "", objects.ErrTarget}, {"s3://lake?X-Amz-Signature=hidden", "", objects.ErrTarget},
		{"s3://", "", objects.ErrTarget}, {"s3://La", "", objects.ErrTarget}, {"s3://LAKE", "", objects.ErrTarget},
		{"s3://lake/a/../b", "", objects.ErrTarget}, {"s3://key:hidden/lake", "", objects.ErrTarget},
		{"https://key:hidden@lake", "", objects.ErrTarget}, {"gs://hidden", "", objects.ErrTarget},
		{"", "", objects.ErrTarget}, {"file://server/share", "", objects.ErrTarget},
		{"s3://lake", "http://key:hidden@host", objects.ErrTarget}, {"s3://lake", "ftp://hidden", objects.ErrTarget},
		{"s3://lake", "http://host/hidden", objects.ErrTarget}, {"s3://lake", "::hidden", objects.ErrTarget},
		{"s3://lake", "https://storage.googleapis.com", objects.ErrTarget},
		{dir, "http://127.0.0.1", objects.ErrTarget}, {filepath.Join(dir, "none"), "", objects.ErrNoStore},
		{"s3://lake", "127.0.0.1:1", nil}, {"s3://lake/a/b/", "", nil}, {"file://" + filepath.ToSlash(dir), "", nil},
		{dir, "", nil},
	} {
		s, err := objects.Open(test.target, test.endpoint, "")
		switch {
		case test.kind == nil && err != nil:
			t.Errorf("%s %s: %v", test.target, test.endpoint, err)
		case test.kind == nil && s.String() != strings.TrimSuffix(strings.TrimPrefix(test.target, "file://"), "/"):
			t.Errorf("%s is called %s", test.target, s)
		case test.kind != nil:
			says(t, err, test.kind, []string{"hidden", "hid/den"})
		}
	}
}

// TestFolderStoreWithoutPermission: a folder says who may not do what.
func TestFolderStoreWithoutPermission(t *testing.T) {
	if os.Getuid() == 0 {
		t.Skip("root may do everything")
	}
	dir := t.TempDir()
	s := open(t, dir, "")
	put(t, s, "a/b", "x")
	if err := os.Chmod(filepath.Join(dir, "a"), 0o500); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = os.Chmod(filepath.Join(dir, "a"), 0o700) })
	says(t, s.PutNew(t.Context(), "a/c", inFile(t, nil), sum(nil)), objects.ErrRefused, nil, "write", "permission")
	says(t, s.Delete(t.Context(), "a/b"), objects.ErrRefused, nil, "delete", "permission")
}

// TestStoreOutOfOrder: a server that lists out of order is found out: what is behind the last key would not be what is
// new.
func TestStoreOutOfOrder(t *testing.T) {
	s3test.Setenv(t, "key", "secret")
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		_, _ = io.WriteString(w,
			`<ListBucketResult><Contents><Key>a/2</Key></Contents><Contents><Key>a/1</Key></Contents></ListBucketResult>`)
	}))
	defer server.Close()
	var got []string
	var last error
	for o, err := range open(t, "s3://lake", server.URL).List(t.Context(), "a/", "") {
		got, last = append(got, o.Key), err
	}
	says(t, last, objects.ErrServer, nil, `"a/1" behind "a/2"`)
	if !slices.Equal(got, []string{"a/2", ""}) {
		t.Errorf("%q", got)
	}
}

// TestStoreListsForEver: a server whose listing never ends is found out after some requests, whether its pages have
// keys or not.
func TestStoreListsForEver(t *testing.T) {
	s3test.Setenv(t, "key", "secret")
	for _, c := range []struct {
		contents, token, says string
		most                  int
	}{
		{"", "next", "names the same page", 10},
		{"<Contents><Key>a/1</Key></Contents>", "next", `"a/1" behind "a/1"`, 10},
		{"", "next-%d", "lists nothing", 210},
	} {
		requests := 0
		server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
			if requests++; requests > 500 {
				w.WriteHeader(http.StatusNotFound)
			}
			token := strings.ReplaceAll(c.token, "%d", strconv.Itoa(requests))
			_, _ = io.WriteString(w, `<ListBucketResult><IsTruncated>true</IsTruncated><NextContinuationToken>`+token+
				`</NextContinuationToken>`+c.contents+`</ListBucketResult>`)
		}))
		s := open(t, "s3://lake", server.URL)
		var last error
		for _, err := range s.List(t.Context(), "a/", "") {
			last = err
		}
		server.Close()
		if !errors.Is(last, objects.ErrServer) || !strings.Contains(last.Error(), c.says) || requests > c.most ||
			s.Stats().Lists != int64(requests) {
			t.Errorf("%q, %s: %v; %d requests came, %d were counted", c.contents, c.token, last, requests,
				s.Stats().Lists)
		}
	}
}

// TestStoreOfServerThatReplaces: a server that replaces objects is found out.
func TestStoreOfServerThatReplaces(t *testing.T) {
	s := forgetful{open(t, t.TempDir(), "")}
	wants(t, "check", objects.CheckNew(t.Context(), s, "probe", inFile(t, nil), sum(nil)), objects.ErrServer)
	if got := keysOf(t, s, "", ""); !slices.Equal(got, []string{"probe"}) {
		t.Errorf("%q", got)
	}
}

type forgetful struct{ objects.Store }

func (f forgetful) PutNew(ctx context.Context, key, path, sum string) error {
	return errors.Join(f.Delete(ctx, key), f.Store.PutNew(ctx, key, path, sum))
}
