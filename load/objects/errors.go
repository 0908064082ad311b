package objects

import (
	"context"
	"encoding/xml"
	"errors"
	"fmt"
	"net/http"
	"path"
	"slices"
	"strings"
)

// Kinds of errors, for errors.Is. The text of an error says more: what was done where, what the store said, and what to
// do about it.
var (
	ErrExists      = errors.New("there is an object with this key already")
	ErrMissing     = errors.New("there is no such object")
	ErrRefused     = errors.New("permission denied")
	ErrCredentials = errors.New("no valid credentials")
	ErrNoStore     = errors.New("there is no such bucket or folder")
	ErrFull        = errors.New("the store is full")
	ErrUnreachable = errors.New("the store cannot be reached")
	ErrTooLarge    = errors.New("the object is too large")
	ErrDamaged     = errors.New("the content is not what its sum says")
	ErrServer      = errors.New("the server does not do what it should")
	ErrTarget      = errors.New("this cannot be a target or a key")
)

// Error is every error of a store.
type Error struct {
	Kind  error  // one of those above
	Doing string // "write"
	Place string // the object, or the beginning of keys
	Why   string // what the store said; "": the kind says it all
	Do    string // what to do about it; may be ""
	cause error  // for errors.Is, if it is an error of a context or of the system
}

func (e *Error) Error() string {
	why := e.Why
	if why == "" {
		why = e.Kind.Error()
	}
	text := why
	if e.Doing != "" {
		text = e.Doing + " " + e.Place + ": " + why
	}
	if e.Do != "" {
		text += ". " + strings.ToUpper(e.Do[:1]) + e.Do[1:]
	}
	return text
}

func (e *Error) Unwrap() []error { return []error{e.Kind, e.cause} }

// An answer is what a server said to the last try of a request. Status 0: it said nothing.
type answer struct {
	status        int
	code, message string
	region        string // where the bucket is, if the server says so
	err           error  // what is known without an answer
}

// An action is a kind of request, and the permission that it takes.
type action struct{ doing, permission string }

var (
	listing  = action{"list", "s3:ListBucket"}
	reading  = action{"read", "s3:GetObject"}
	looking  = action{"look at", "s3:GetObject"}
	writing  = action{"write", "s3:PutObject"}
	deleting = action{"delete", "s3:DeleteObject"}
)

// Codes of S3 servers whose status says too little.
var (
	unknownKeys = []string{"InvalidAccessKeyId", "SignatureDoesNotMatch", "ExpiredToken", "ExpiredTokenException",
		"InvalidToken", "TokenRefreshRequired", "InvalidClientTokenId"}
	skewedClock = []string{"RequestTimeTooSkewed", "RequestExpired"}
	otherRegion = []string{"PermanentRedirect", "AuthorizationHeaderMalformed", "InvalidRegion",
		"IllegalLocationConstraintException"}
	full = []string{"XMinioStorageFull", "QuotaExceeded", "XMinioAdminBucketQuotaExceeded",
		"InsufficientCapacity", "InsufficientStorage", "EntityTooLargeForQuota"}
	badSum = []string{"XAmzContentSHA256Mismatch", "XAmzContentChecksumMismatch", "BadDigest"}
)

// explain makes an error of an answer. The key is relative to the store's root, as rules about keys are written for the
// whole bucket root is its prefix there.
func (a answer) explain(did action, store, root, key string, tries int64) error {
	e := &Error{Doing: did.doing, Place: store + "/" + key, Why: a.said()}
	of := func(kind error, do string) error {
		e.Kind, e.Do = kind, do
		return e
	}
	is := func(codes []string) bool { return slices.Contains(codes, a.code) }
	switch {
	case errors.Is(a.err, context.Canceled), errors.Is(a.err, context.DeadlineExceeded):
		e.cause = a.err
		return of(ErrUnreachable, "")
	case a.status == http.StatusPreconditionFailed:
		e.Why = ""
		return of(ErrExists, "")
	case is(badSum):
		return of(ErrDamaged, "the content has changed since its sum was taken, or on the way: do it again")
	case is(unknownKeys), a.status == http.StatusUnauthorized:
		return of(ErrCredentials, "check the key and the secret of the environment or of the profile; keys that were "+
			"lent for some hours have to be fetched again")
	case is(skewedClock):
		return of(ErrCredentials, "set the clock of this machine")
	case a.code == "NoSuchBucket":
		return of(ErrNoStore, "check the name of the bucket, the endpoint and the region")
	case is(otherRegion), a.status == http.StatusMovedPermanently, a.status == http.StatusTemporaryRedirect:
		return of(ErrNoStore, a.move())
	case is(full), a.status == http.StatusInsufficientStorage:
		return of(ErrFull, "nothing has to be undone: make room in the store, then do it again")
	case a.status == http.StatusForbidden:
		return of(ErrRefused, did.allow(root, key))
	case a.status == http.StatusNotFound && key != "":
		e.Why = ""
		return of(ErrMissing, "")
	case a.status == http.StatusRequestEntityTooLarge, a.code == "EntityTooLarge":
		return of(ErrTooLarge, "")
	case did == writing && (a.status == http.StatusNotImplemented || a.status == http.StatusNotModified):
		return of(ErrServer, "the server does not take the header If-None-Match of a write, without which two writers "+
			"would lose each other's work: use a newer version of it, or another store")
	case a.status == http.StatusProxyAuthRequired, a.err != nil &&
		strings.Contains(a.err.Error(), http.StatusText(http.StatusProxyAuthRequired)):
		return of(ErrUnreachable, "the proxy of HTTPS_PROXY wants a login: ask who runs it, or name the store's host "+
			"in NO_PROXY")
	case a.isForeign():
		return of(ErrUnreachable, "what answered is no store, but perhaps the login page of a network, or a web page: "+
			"log in to the network, and check the endpoint and the proxy")
	case a.status == 0 || a.status >= 500 || a.status == http.StatusTooManyRequests ||
		a.status == http.StatusRequestTimeout || a.status == http.StatusConflict:
		e.Why += fmt.Sprintf(" (tries: %d)", tries)
		if strings.Contains(e.Why, "x509: ") {
			return of(ErrUnreachable, "name a file with the certificate of the server's authority in SSL_CERT_FILE")
		}
		return of(ErrUnreachable, "nothing has to be undone: do it again when the store answers; if it never did, "+
			"check the endpoint, the network and its proxy")
	}
	if did == writing && a.status == http.StatusBadRequest && strings.Contains(a.message, "Content-MD5") {
		return of(ErrServer, "the bucket locks its objects, and its server does not take "+sumHeader+
			" for their sum: use a newer version of the server, or a bucket without object lock")
	}
	return of(ErrServer, "")
}

// isForeign reports whether an answer is none of a store: another place, or a page.
func (a answer) isForeign() bool {
	page := (*xml.SyntaxError)(nil)
	return a.status >= 300 && a.status < 400 || errors.As(a.err, &page) ||
		strings.HasPrefix(a.said(), "Last-Modified time format is invalid") // what the library makes of a page
}

// said is what the server said.
func (a answer) said() string {
	switch {
	case a.status == 0 && a.err != nil:
		return a.err.Error()
	case a.status == 0:
		return "there was no answer"
	}
	text := fmt.Sprintf("the server answered %d", a.status)
	if a.code != "" && !strings.HasPrefix(a.code, fmt.Sprint(a.status)) {
		text += " " + a.code
	}
	if message := strings.Join(strings.Fields(a.message), " "); message != "" {
		const enough = 200
		if len(message) > enough {
			message = strings.ToValidUTF8(message[:enough], "") + "..."
		}
		text += ": " + strings.TrimSuffix(message, ".")
	}
	return text
}

func (a answer) move() string {
	if a.region != "" {
		return "the bucket is in another region: set AWS_REGION, or the region of the push, to " + a.region
	}
	return "the bucket is in another region, or behind another endpoint: set AWS_REGION, or the region of the push"
}

// allow says which permission is missing.
func (did action) allow(root, key string) string {
	switch did {
	case listing:
		return fmt.Sprintf("the credentials need %s with the prefix %s", did.permission, path.Join(root, key))
	case reading, looking: // without the permission to list, a store does not even say that an object is missing
		return fmt.Sprintf("the credentials need %s on %s, and s3:ListBucket to be told that an object is missing",
			did.permission, path.Join(root, path.Dir(key), "*"))
	}
	return fmt.Sprintf("the credentials need %s on %s", did.permission, path.Join(root, path.Dir(key), "*"))
}

func tooLarge(did action) string {
	if did == reading {
		return fmt.Sprintf("the object is larger than the %d bytes that are read into memory", MaxGet)
	}
	return fmt.Sprintf("the content is larger than the %d bytes that an object may have", MaxObject)
}
