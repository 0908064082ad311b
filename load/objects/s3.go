package objects

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"iter"
	"net/http"
	"net/url"
	"os"
	"strings"
	"sync"
	"time"

	"github.com/minio/minio-go/v7"
	"github.com/minio/minio-go/v7/pkg/credentials"
)

// tries is how often a request is sent before its error is told. The pauses between them grow to a second.
const tries = 5

// sumName is the name of the user metadata that holds the sum of an object.
const sumName = "sha256"

// sumHeader is the header with the sum by which a server compares what arrives.
const sumHeader = "X-Amz-Checksum-Sha256"

// bucket is a store on a server that speaks S3.
type bucket struct {
	*counter
	client *minio.Core
	keys   *keys
	name   string
	root   string // "" or a prefix that ends in a slash
}

func openS3(rest, endpoint, region string) (Store, error) {
	// A secret may have slashes, so that what is before the @ need not look like a user. It is not repeated.
	if strings.ContainsAny(rest, "@?#") {
		return nil, badTarget("a target is s3://BUCKET[/PREFIX], without @, ? and #. Credentials are never part of " +
			"it: they come from the environment or from a profile")
	}
	b := &bucket{counter: &counter{}, keys: &keys{}}
	var root string
	b.name, root, _ = strings.Cut(rest, "/")
	if root = strings.Trim(root, "/"); root != "" {
		if err := checkKey(root); err != nil {
			return nil, err
		}
		b.root = root + "/"
	}
	server, err := endpointURL(endpoint)
	if err != nil {
		return nil, err
	}
	if region, err = regionOf(region); err != nil {
		return nil, err
	}
	plain, err := minio.DefaultTransport(server.Scheme == "https")
	if err != nil {
		return nil, badTarget("the certificates of this machine cannot be read: " + err.Error())
	}
	b.client, err = minio.NewCore(server.Host,
		&minio.Options{Creds: credentials.New(b.keys), Secure: server.Scheme == "https", Region: region,
			Transport: counted{b.counter, plain}, MaxRetries: tries})
	if err != nil {
		return nil, badTarget(fmt.Sprintf("%q cannot be the endpoint of a server: %v", server.Host, err))
	}
	b.client.SetS3EnableDualstack(false) // firewalls know the plain names
	if err := validBucket(b.name); err != nil {
		return nil, err
	}
	return b, nil
}

// validBucket checks the name of a bucket where it becomes part of a host or a path.
func validBucket(name string) error {
	odd := func(r rune) bool { return !strings.ContainsRune("abcdefghijklmnopqrstuvwxyz0123456789-.", r) }
	if len(name) < 3 || len(name) > 63 || strings.ContainsFunc(name, odd) || strings.Contains(name, "..") ||
		strings.Trim(name, "-.") != name {
		return badTarget("a target is s3://BUCKET[/PREFIX]; the name of a bucket has 3 to 63 small letters, digits, " +
			"dots and dashes")
	}
	return nil
}

// endpointURL returns where the server is.
func endpointURL(endpoint string) (*url.URL, error) {
	for _, name := range []string{"AWS_ENDPOINT_URL_S3", "AWS_ENDPOINT_URL"} {
		if endpoint == "" {
			endpoint = os.Getenv(name)
		}
	}
	if endpoint == "" {
		endpoint = "https://s3.amazonaws.com"
	}
	if !strings.Contains(endpoint, "://") {
		endpoint = "https://" + endpoint
	}
	u, err := url.Parse(endpoint)
	if err != nil || u.User != nil || u.Host == "" || u.Scheme != "http" && u.Scheme != "https" ||
		strings.Trim(u.Path, "/") != "" || u.RawQuery != "" || u.Fragment != "" {
		return nil, badTarget("an endpoint is https://HOST[:PORT] or http://HOST[:PORT], without a path and without " +
			"credentials")
	}
	if strings.HasSuffix(u.Hostname(), ".googleapis.com") {
		return nil, badTarget("Google's server ignores If-None-Match when it writes, so that two writers would lose " +
			"each other's work: it cannot be used")
	}
	return u, nil
}

// CheckEndpoint returns an error for a text that names no server.
func CheckEndpoint(endpoint string) error {
	_, err := endpointURL(endpoint)
	return err
}

func (b *bucket) String() string { return strings.TrimSuffix("s3://"+b.name+"/"+b.root, "/") }

func (b *bucket) List(ctx context.Context, prefix, startAfter string) iter.Seq2[Object, error] {
	return func(yield func(Object, error) bool) {
		ctx, n := withTries(ctx)
		last := ""
		if startAfter != "" {
			last = b.root + startAfter
		}
		for attempt := 1; ; attempt++ {
			more, err := b.listAfter(ctx, prefix, &last, yield)
			switch {
			case err == nil && ctx.Err() != nil && more: // the library ends without a word
				err = ctx.Err()
			case err == nil:
				return
			case cutShort(err) && attempt < tries: // the library tries until the first byte of a page
				continue
			}
			yield(Object{}, b.explain(listing, prefix, err, n.Load()))
			return
		}
	}
}

// listAfter yields what is behind last, and moves last along. It reports whether more is wanted.
func (b *bucket) listAfter(ctx context.Context, prefix string, last *string, yield func(Object, error) bool) (more bool,
	err error) {
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	asked := &pages{asked: map[string]int{}, stop: cancel, place: b.String() + "/" + prefix}
	ctx = context.WithValue(ctx, pagesKey{}, asked)
	opts := minio.ListObjectsOptions{Prefix: b.root + prefix, Recursive: true, FetchOwner: new(bool), StartAfter: *last}
	for o := range b.client.ListObjectsIter(ctx, b.name, opts) {
		if o.Err != nil {
			return true, cmp.Or(context.Cause(ctx), o.Err)
		}
		if o.Key <= *last || !strings.HasPrefix(o.Key, opts.Prefix) {
			// what is asked for next time would not be what is new
			return true, &Error{Kind: ErrServer, Doing: listing.doing, Place: b.String() + "/" + prefix,
				Why: fmt.Sprintf("the server lists %q behind %q, which is not in order", o.Key, *last)}
		}
		*last = o.Key
		asked.empty.Store(0)
		if strings.HasSuffix(o.Key, "/") { // a mark of a folder, which some programs make
			continue
		}
		if !yield(Object{Key: strings.TrimPrefix(o.Key, b.root), Size: o.Size}, nil) {
			return false, nil
		}
	}
	return true, context.Cause(ctx)
}

// cutShort reports whether an answer has ended before its end.
func cutShort(err error) bool {
	syntax := (*xml.SyntaxError)(nil)
	return errors.Is(err, io.ErrUnexpectedEOF) || errors.As(err, &syntax)
}

func (b *bucket) Get(ctx context.Context, key string) (data []byte, err error) {
	if err := checkKey(key); err != nil {
		return nil, err
	}
	ctx, n := withTries(ctx)
	for range tries { // the library tries until the first byte
		body, info, _, err := b.client.GetObject(ctx, b.name, b.root+key, minio.GetObjectOptions{})
		if err != nil {
			return nil, b.explain(reading, key, err, n.Load())
		}
		if data, err = readBody(body, info.Size); err == nil {
			return data, b.compare(key, sumOf(info), data)
		} else if errors.Is(err, ErrTooLarge) || ctx.Err() != nil {
			return nil, b.explain(reading, key, err, n.Load())
		}
	}
	return nil, b.explain(reading, key, errors.New("the connection was lost within the object"), n.Load())
}

// readBody reads a whole object, and no more than MaxGet.
func readBody(body io.ReadCloser, size int64) (data []byte, err error) {
	defer func() { _ = body.Close() }() // what counts was read
	if size > MaxGet {
		return nil, ErrTooLarge
	}
	data, err = io.ReadAll(io.LimitReader(body, MaxGet+1))
	switch {
	case err != nil:
		return nil, err
	case len(data) > MaxGet:
		return nil, ErrTooLarge
	case size >= 0 && int64(len(data)) != size:
		return nil, io.ErrUnexpectedEOF
	}
	return data, nil
}

func (b *bucket) compare(key, want string, data []byte) error {
	if sum := sha256.Sum256(data); want != "" && hex.EncodeToString(sum[:]) != want {
		return &Error{Kind: ErrDamaged, Doing: reading.doing, Place: b.String() + "/" + key,
			Do: "something has altered it: remove it, so that it can be written again"}
	}
	return nil
}

// sumOf returns the sum in an object's user metadata.
func sumOf(info minio.ObjectInfo) string {
	for name, value := range info.UserMetadata { // servers change the case of names
		if strings.EqualFold(name, sumName) {
			return value
		}
	}
	return ""
}

func (b *bucket) Head(ctx context.Context, key string) (Object, error) {
	if err := checkKey(key); err != nil {
		return Object{}, err
	}
	ctx, n := withTries(ctx)
	info, err := b.client.StatObject(ctx, b.name, b.root+key, minio.StatObjectOptions{})
	if err != nil {
		return Object{}, b.explain(looking, key, err, n.Load())
	}
	return Object{Key: key, Size: info.Size, SHA256: sumOf(info)}, nil
}

func (b *bucket) PutNew(ctx context.Context, key, path, sha256 string) error {
	if err := errors.Join(checkKey(key), checkSum(sha256)); err != nil {
		return err
	}
	content, size, err := openContent(path)
	if err != nil {
		return err
	}
	defer func() { _ = content.Close() }() // nothing was written to it
	if size > MaxObject {
		return b.explain(writing, key, ErrTooLarge, 0)
	}
	// With its sum in the signed header the server compares what arrives, also without TLS. Otherwise the library would
	// sign a stream of pieces. A bucket with object lock wants a sum in a header of its own.
	raw, err := hex.DecodeString(sha256)
	if err != nil {
		return err
	}
	opts := minio.PutObjectOptions{UserMetadata: map[string]string{sumName: sha256,
		sumHeader: base64.StdEncoding.EncodeToString(raw)}, DisableContentSha256: true,
		ContentType: "application/octet-stream"}
	opts.SetMatchETagExcept("*")
	ctx, n := withTries(ctx)
	for pause := 100 * time.Millisecond; ; pause *= 2 {
		_, err = b.client.PutObject(ctx, b.name, b.root+key, io.NewSectionReader(content, 0, size), size, "", sha256,
			opts)
		if err == nil {
			return nil
		}
		// Amazon answers 409 while another writer is at the key: who has won is not known yet.
		if minio.ToErrorResponse(err).StatusCode != http.StatusConflict || n.Load() >= tries {
			return b.explain(writing, key, err, n.Load())
		}
		select {
		case <-time.After(pause):
		case <-ctx.Done():
			return b.explain(writing, key, ctx.Err(), n.Load())
		}
	}
}

func (b *bucket) Delete(ctx context.Context, key string) error {
	if err := checkKey(key); err != nil {
		return err
	}
	ctx, n := withTries(ctx)
	err := b.client.RemoveObject(ctx, b.name, b.root+key, minio.RemoveObjectOptions{})
	if err == nil {
		return nil
	}
	if err = b.explain(deleting, key, err, n.Load()); errors.Is(err, ErrMissing) {
		return nil
	}
	return err
}

// explain makes an error of one of the library's. No text of it holds a secret, whatever the server has repeated.
func (b *bucket) explain(did action, key string, err error, tries int64) error {
	if known := (*Error)(nil); errors.As(err, &known) {
		return known
	}
	if errors.Is(err, ErrTooLarge) {
		return &Error{Kind: ErrTooLarge, Doing: did.doing, Place: b.String() + "/" + key, Why: tooLarge(did)}
	}
	a := answer{err: err}
	if r := minio.ToErrorResponse(err); r.StatusCode != 0 {
		a = answer{status: r.StatusCode, code: r.Code, message: b.keys.hide(r.Message), region: r.Region}
	} else if inner := (*url.Error)(nil); errors.As(err, &inner) { // without its URL, which is the place
		a.err = inner.Err
		if strings.HasPrefix(a.err.Error(), "Connection closed by foreign host") {
			a.err = errors.New("the connection was closed before there was an answer")
		}
	}
	return a.explain(did, b.String(), b.root, key, tries)
}

// keys finds credentials. Unlike the library's own chain it says why there are none, and does not go on without.
type keys struct {
	mu    sync.Mutex
	found credentials.Value
	from  credentials.Provider
}

func (k *keys) Retrieve() (credentials.Value, error) { return k.RetrieveWithCredContext(nil) }

func (k *keys) RetrieveWithCredContext(cc *credentials.CredContext) (credentials.Value, error) {
	var reasons []string
	for _, place := range []struct {
		name     string
		provider credentials.Provider
		last     bool // who names a profile wants no other role
	}{
		{"the environment", &credentials.EnvAWS{}, false},
		{"the shared profile", &credentials.FileAWSCredentials{}, os.Getenv("AWS_PROFILE") != ""},
		{"the role of this machine", machineRole(), true},
	} {
		value, err := place.provider.RetrieveWithCredContext(cc)
		if err == nil && value.AccessKeyID != "" && value.SecretAccessKey != "" {
			k.mu.Lock()
			defer k.mu.Unlock()
			k.found, k.from = value, place.provider
			return value, nil
		}
		if err == nil {
			err = errors.New("no keys")
		}
		if _, is := place.provider.(*credentials.FileAWSCredentials); is {
			err = ofProfile(err)
		}
		reasons = append(reasons, place.name+": "+err.Error())
		if place.last {
			break
		}
	}
	return credentials.Value{}, &Error{Kind: ErrCredentials,
		Why: "there are no credentials for the store (" + strings.Join(reasons, "; ") + ")",
		Do:  "set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, or AWS_PROFILE"}
}

func (k *keys) IsExpired() bool {
	k.mu.Lock()
	defer k.mu.Unlock()
	return k.from == nil || k.from.IsExpired()
}

// hide takes the credentials out of a text.
func (k *keys) hide(text string) string {
	k.mu.Lock()
	defer k.mu.Unlock()
	for _, secret := range []string{k.found.SecretAccessKey, k.found.SessionToken, k.found.AccessKeyID} {
		if secret != "" {
			text = strings.ReplaceAll(text, secret, "[hidden]")
		}
	}
	return text
}

// machineRole asks for the role of the container or of the machine. Without one nothing may answer: then a laptop waits
// two seconds, not a minute.
func machineRole() credentials.Provider {
	limit := 30 * time.Second
	transport := &http.Transport{Proxy: http.ProxyFromEnvironment}
	if os.Getenv("AWS_WEB_IDENTITY_TOKEN_FILE")+os.Getenv("AWS_CONTAINER_CREDENTIALS_RELATIVE_URI")+
		os.Getenv("AWS_CONTAINER_CREDENTIALS_FULL_URI") == "" {
		if strings.EqualFold(os.Getenv("AWS_EC2_METADATA_DISABLED"), "true") {
			return &credentials.Static{}
		}
		limit, transport = 2*time.Second, &http.Transport{} // an address of the link has no proxy
	}
	return &credentials.IAM{Client: &http.Client{Timeout: limit, Transport: transport}}
}

var _ Store = (*bucket)(nil)
