// Package s3test starts a real S3 server for tests, and a proxy before it that fails when it is told to.
package s3test

import (
	"context"
	"crypto/rand"
	"fmt"
	"net"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/minio/minio-go/v7"
	"github.com/minio/minio-go/v7/pkg/credentials"
)

// Server is a running server. It ends with the test.
type Server struct {
	Endpoint    string // http://127.0.0.1:PORT
	Key, Secret string // of the administrator
	Bucket      string
	Dir         string // the bucket's folder: an object is the file at its key

	program string
	client  *minio.Client
}

// A User may do what the bucket's policy says.
type User struct{ Key, Secret string }

// program returns the path of the server's program. Without it the test skips.
func program(t testing.TB) string {
	t.Helper()
	if path := os.Getenv("PIPELINE_VERSITYGW"); path != "" {
		return path
	}
	path, err := exec.LookPath("versitygw")
	if err != nil {
		t.Skip("versitygw is not installed; .ci/servers builds it. With it on the PATH, or named by " +
			"PIPELINE_VERSITYGW, this test starts an S3 server")
	}
	return path
}

// Start starts a server with an empty bucket.
func Start(t testing.TB) *Server {
	t.Helper()
	return StartIn(t, t.TempDir())
}

// StartIn is like Start; the folder of the bucket is made in root.
func StartIn(t testing.TB, root string) *Server {
	t.Helper()
	iam := t.TempDir()
	s := &Server{Key: "key" + rand.Text()[:17], Secret: rand.Text() + rand.Text(), Bucket: "lake", program: program(t)}
	s.Dir = filepath.Join(root, s.Bucket)
	const ports = 5 // another program may take one before the server does
	for range ports {
		if s.start(t, root, iam) {
			return s
		}
	}
	t.Fatal("the server does not start")
	return nil
}

// start starts the server on some port, and reports whether it is ready.
func (s *Server) start(t testing.TB, root, iam string) bool {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	address := l.Addr().String()
	if err := l.Close(); err != nil {
		t.Fatal(err)
	}
	log, err := os.Create(filepath.Join(iam, "log"))
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = log.Close() }() // the server has its own
	ctx, stop := context.WithCancel(context.Background())
	cmd := exec.CommandContext(ctx, s.program, "--port", address, "--iam-dir", iam, "posix", root)
	cmd.Env = append(os.Environ(), "ROOT_ACCESS_KEY="+s.Key, "ROOT_SECRET_KEY="+s.Secret)
	cmd.Stdout, cmd.Stderr = log, log
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	ended := make(chan struct{})
	go func() {
		_ = cmd.Wait() // it is killed
		close(ended)
	}()
	s.client, err = minio.New(address, &minio.Options{Creds: credentials.NewStaticV4(s.Key, s.Secret, ""),
		Region: "us-east-1", MaxRetries: 1})
	if err != nil {
		t.Fatal(err)
	}
	for deadline := time.Now().Add(30 * time.Second); time.Now().Before(deadline); {
		select {
		case <-ended:
			stop()
			text, err := os.ReadFile(log.Name())
			t.Logf("the server has ended: %s %v", text, err)
			return false
		case <-time.After(50 * time.Millisecond):
		}
		if err = s.client.MakeBucket(ctx, s.Bucket, minio.MakeBucketOptions{}); err == nil {
			// with our keys: it is our server
			s.Endpoint = "http://" + address
			t.Cleanup(func() { stop(); <-ended })
			return true
		}
	}
	stop()
	t.Logf("the server does not answer: %v", err)
	return false
}

// NewUser makes a user, who may do nothing yet.
func (s *Server) NewUser(t testing.TB) User {
	t.Helper()
	u := User{"user" + rand.Text()[:16], rand.Text() + rand.Text()}
	cmd := exec.Command(s.program, "admin", "--endpoint-url", s.Endpoint, "create-user", "--access", u.Key, "--secret",
		u.Secret, "--role", "user")
	cmd.Env = append(os.Environ(), "ADMIN_ACCESS_KEY="+s.Key, "ADMIN_SECRET_KEY="+s.Secret)
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	return u
}

// Policy sets the policy of the bucket.
func (s *Server) Policy(t testing.TB, policy string) {
	t.Helper()
	if err := s.client.SetBucketPolicy(t.Context(), s.Bucket, policy); err != nil {
		t.Fatalf("%v: %s", err, policy)
	}
}

// OwnPrefix is the policy for users who write below a prefix of their own, as documents recommend it: no right to
// delete.
func (s *Server) OwnPrefix(users map[string]User) string {
	var statements []string
	for prefix, u := range users {
		statements = append(statements,
			fmt.Sprintf(
				`{"Effect": "Allow", "Principal": {"AWS": [%q]}, "Action": ["s3:PutObject", "s3:GetObject"], "Resource": ["arn:aws:s3:::%s/%s*"]}`, u.Key, s.Bucket, prefix),
			fmt.Sprintf(
				`{"Effect": "Allow", "Principal": {"AWS": [%q]}, "Action": ["s3:ListBucket"], "Resource": ["arn:aws:s3:::%s"]}`, u.Key, s.Bucket))
	}
	return `{"Version": "2012-10-17", "Statement": [` + strings.Join(statements, ", ") + `]}`
}

// Setenv makes credentials those of the environment, and takes all others out of it.
func Setenv(t testing.TB, key, secret string) {
	t.Helper()
	for name, value := range environment(t, key, secret) {
		t.Setenv(name, value)
	}
}

// Environ is the environment of a program that has these credentials and no others.
func Environ(t testing.TB, key, secret string) []string {
	t.Helper()
	out := os.Environ()
	for name, value := range environment(t, key, secret) {
		out = append(out, name+"="+value) // the last one counts
	}
	return out
}

func environment(t testing.TB, key, secret string) map[string]string {
	t.Helper()
	none := filepath.Join(t.TempDir(), "none")
	out := map[string]string{"AWS_CONFIG_FILE": none, "AWS_SHARED_CREDENTIALS_FILE": none,
		"AWS_EC2_METADATA_DISABLED": "true", "AWS_ACCESS_KEY_ID": key, "AWS_SECRET_ACCESS_KEY": secret}
	for _, name := range []string{"AWS_SESSION_TOKEN", "AWS_PROFILE", "AWS_REGION", "AWS_DEFAULT_REGION",
		"AWS_ENDPOINT_URL", "AWS_ENDPOINT_URL_S3", "AWS_WEB_IDENTITY_TOKEN_FILE",
		"AWS_CONTAINER_CREDENTIALS_RELATIVE_URI", "AWS_CONTAINER_CREDENTIALS_FULL_URI", "AWS_ACCESS_KEY",
		"AWS_SECRET_KEY"} {
		out[name] = ""
	}
	return out
}

// host is the server's address.
func host(endpoint string) string {
	u, err := url.Parse(endpoint)
	if err != nil {
		return ""
	}
	return u.Host
}
