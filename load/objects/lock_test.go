package objects_test

import (
	"crypto/sha256"
	"encoding/base64"
	"io"
	"net/http"
	"net/http/httptest"
	"testing"

	"pipeline/load/objects"
	"pipeline/load/objects/s3test"
)

// TestStoreLocked: a bucket that locks its objects wants their sum in a header, as Amazon says. A server that knows no
// such header is told of.
func TestStoreLocked(t *testing.T) {
	s3test.Setenv(t, "key", "secret")
	knows := true
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		sum := sha256.Sum256(body)
		if have := r.Header.Get("X-Amz-Checksum-Sha256"); !knows || have != base64.StdEncoding.EncodeToString(sum[:]) {
			w.WriteHeader(http.StatusBadRequest)
			_, _ = io.WriteString(w,
				`<Error><Code>InvalidRequest</Code><Message>Content-MD5 OR x-amz-checksum- HTTP header is required for Put Object requests with Object Lock parameters</Message></Error>`)
		}
	}))
	defer server.Close()
	s := open(t, "s3://lake", server.URL)
	put(t, s, "a/1", "content")
	put(t, s, "a/2", "")
	knows = false
	says(t, s.PutNew(t.Context(), "a/3", inFile(t, nil), sum(nil)), objects.ErrServer, []string{"secret"},
		"400 InvalidRequest: Content-MD5", "without object lock")
}
