// Package objects keeps objects in a store that several machines share: a bucket of an S3 server, or a folder.
//
// It knows objects by their keys, and must never know what is in them. Both stores give the same promises: an object is
// written whole or not at all, it never replaces another, and what arrives is compared with the SHA-256 that the caller
// expects.
package objects

import (
	"context"
	"encoding/hex"
	"errors"
	"fmt"
	"iter"
	"os"
	"path/filepath"
	"strings"
	"unicode"
	"unicode/utf8"
)

const (
	// MaxObject is how large an object may be. Up to this size one request writes it on every server, and no parts of
	// an unfinished one are left behind.
	MaxObject = 256 << 20
	// MaxGet is how large an object may be that Get returns: it is held in memory, and a key may have been written by
	// anybody.
	MaxGet = 64 << 20
	// maxKey is what S3 allows for a key with the prefix of the store before it, less some room for that.
	maxKey = 900
	// maxName is what file systems allow for a name, less some room for what its unfinished file is called.
	maxName = 200
	// UmaskVariable is the variable that has the umask with which a folder's objects are made, in octal. Without it, it
	// is the one that the program was started with.
	UmaskVariable = "PIPELINE_UMASK"
)

// Object is what a store says of an object.
type Object struct {
	Key    string // from the root of the store
	Size   int64
	SHA256 string // hex, by Head only; "" if the store does not know it, as something else has written the object
}

// Store is a place for objects. Its methods may be called at the same time.
type Store interface {
	// List yields the objects whose keys begin with prefix and are greater than startAfter, in the order of the bytes
	// of their keys. It ends after an error.
	List(ctx context.Context, prefix, startAfter string) iter.Seq2[Object, error]
	// Get returns an object of at most MaxGet bytes.
	Get(ctx context.Context, key string) ([]byte, error)
	// Head says what the store knows of an object without reading it. A folder reads it, to know its sum.
	Head(ctx context.Context, key string) (Object, error)
	// PutNew writes a file as an object unless the key has one: then the error is ErrExists. The file must not change
	// meanwhile. As an answer may be lost on the way, the object that is there may be the caller's own: Head tells by
	// size and sum. The sum of what is written must be sha256 (hex).
	PutNew(ctx context.Context, key, path, sha256 string) error
	// Delete removes an object that may be missing. A bucket with versions keeps the old one.
	Delete(ctx context.Context, key string) error
	// Stats says what was done so far.
	Stats() Stats
	// String is the target that was opened, for messages.
	String() string
}

// openContent opens a file that is to be written, and says how large it is.
func openContent(path string) (*os.File, int64, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, 0, err
	}
	info, err := f.Stat()
	if err == nil && !info.Mode().IsRegular() {
		err = fmt.Errorf("%s is no file", path)
	}
	if err != nil {
		return nil, 0, errors.Join(err, f.Close())
	}
	return f, info.Size(), nil
}

// Open opens the store that a target names: s3://BUCKET[/PREFIX], file:///FOLDER or the path of a folder. The bucket or
// the folder must exist: a share that is not mounted must not become a folder of this machine. Nothing is asked of a
// server yet.
//
// The endpoint is the URL of an S3 server; "" is the variables AWS_ENDPOINT_URL_S3 and AWS_ENDPOINT_URL, else Amazon's.
// It may begin with http:// for a server on this machine or in a network that is trusted: everybody on the way can read
// what is sent. The region "" is AWS_REGION, AWS_DEFAULT_REGION, that of the shared profile, else us-east-1.
// Credentials come from the environment, the shared profile (keys, SSO, credential_process), web identity, or the role
// of the container or the machine. They are never part of a target, as targets are in logs and in lists of processes.
func Open(target, endpoint, region string) (Store, error) {
	scheme, rest, found := strings.Cut(target, "://")
	switch {
	case !found || scheme == "file":
		if endpoint+region != "" {
			return nil, badTarget("an endpoint and a region are for s3:// only: this target is a folder")
		}
		return openFolder(target)
	case scheme == "s3":
		return openS3(rest, endpoint, region)
	default: // the rest is not repeated, it may hold a password
		return nil, badTarget("a target is s3://BUCKET[/PREFIX], or a folder")
	}
}

func badTarget(why string) error { return &Error{Kind: ErrTarget, Why: why} }

// Folder is the absolute path of the folder that a target names; "" if it names none.
func Folder(target string) string {
	if strings.Contains(target, "://") && !strings.HasPrefix(target, "file://") {
		return ""
	}
	path, err := folderOf(target)
	if err != nil {
		return ""
	}
	return path
}

// folderOf returns the path of a folder that a target names.
func folderOf(target string) (string, error) {
	path, isURL := strings.CutPrefix(target, "file://")
	if isURL {
		path = strings.TrimPrefix(path, "localhost")
		if !strings.HasPrefix(path, "/") {
			return "", badTarget("file:// has an absolute path: file:///FOLDER")
		}
		if filepath.Separator == '\\' { // file:///C:/x
			path = strings.TrimPrefix(path, "/")
		}
	}
	if path == "" {
		return "", badTarget("a target is s3://BUCKET[/PREFIX], or a folder")
	}
	return filepath.Abs(filepath.FromSlash(path))
}

// checkKey says what is wrong with a key that not every store can hold.
func checkKey(key string) error {
	bad := func(why string) error {
		return &Error{Kind: ErrTarget, Why: fmt.Sprintf("%q cannot be the key of an object: %s", key, why)}
	}
	switch {
	case len(key) > maxKey:
		return bad(fmt.Sprintf("it is longer than %d bytes", maxKey))
	case !utf8.ValidString(key) || strings.ContainsFunc(key, unicode.IsControl) || strings.Contains(key, `\`):
		return bad("it has characters that no file's name may have everywhere")
	}
	for _, name := range strings.Split(key, "/") {
		switch {
		case name == "" || name == "." || name == "..":
			return bad("a name between its slashes is empty or made of dots")
		case len(name) > maxName:
			return bad(fmt.Sprintf("a name in it is longer than %d bytes", maxName))
		case isUnfinished(name):
			return bad("a name in it is one of unfinished files")
		}
	}
	return nil
}

// checkSum says whether a text can be a SHA-256.
func checkSum(sum string) error {
	if raw, err := hex.DecodeString(sum); err != nil || len(raw) != 32 || strings.ToLower(sum) != sum {
		return &Error{Kind: ErrTarget, Why: fmt.Sprintf("%q is no SHA-256 in hex", sum)}
	}
	return nil
}

// CheckNew proves that a store keeps what PutNew promises: some servers that speak S3 ignore the condition, and replace
// what is there. It writes an object, or finds it there, and tries again: the second must be refused. The key should be
// one whose content does not matter.
func CheckNew(ctx context.Context, s Store, key, path, sha256 string) error {
	if err := s.PutNew(ctx, key, path, sha256); err != nil && !errors.Is(err, ErrExists) {
		return err
	}
	switch err := s.PutNew(ctx, key, path, sha256); {
	case errors.Is(err, ErrExists):
		return nil
	case err != nil:
		return err
	}
	return &Error{Kind: ErrServer, Doing: "write", Place: s.String() + "/" + key,
		Why: "the server has replaced an object that was there",
		Do: "it does not know If-None-Match, so two writers would lose each other's work: use another server, or a " +
			"newer version of it"}
}
