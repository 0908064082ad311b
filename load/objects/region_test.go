package objects_test

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"regexp"
	"testing"

	"pipeline/load/objects"
	"pipeline/load/objects/s3test"
)

// TestStoreRegion: requests are signed for the region that was asked for, else that of the environment, else that of
// the profile.
func TestStoreRegion(t *testing.T) {
	signed := ""
	server := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		if m := regexp.MustCompile(`Credential=[^/]+/[0-9]+/([^/]+)/s3/`).
			FindStringSubmatch(r.Header.Get("Authorization")); m != nil {
			signed = m[1]
		}
	}))
	defer server.Close()
	s3test.Setenv(t, "key", "secret")
	write := func(name, text string) string {
		path := filepath.Join(t.TempDir(), name)
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		return path
	}
	config := write("config", "[default]\nregion = eu-north-1\n[profile team]\nregion=eu-central-1\n"+
		"output = json\n[profile both]\nregion = eu-west-1\n[team]\nregion = no-such-1\n[profile empty]\n")
	keys := write("credentials", "[both]\nregion = eu-west-2\n")
	for i, test := range []struct{ asked, region, byDefault, profile, want string }{
		{"ap-south-1", "us-west-1", "us-west-2", "team", "ap-south-1"},
		{"", "us-west-1", "us-west-2", "team", "us-west-1"}, {"", "", "us-west-2", "team", "us-west-2"},
		{"", "", "", "team", "eu-central-1"}, {"", "", "", "", "eu-north-1"}, {"", "", "", "default", "eu-north-1"},
		{"", "", "", "both", "eu-west-2"}, {"", "", "", "empty", "us-east-1"}, {"", "", "", "none", "us-east-1"},
	} {
		for name, value := range map[string]string{"AWS_CONFIG_FILE": config, "AWS_SHARED_CREDENTIALS_FILE": keys,
			"AWS_REGION": test.region, "AWS_DEFAULT_REGION": test.byDefault, "AWS_PROFILE": test.profile} {
			t.Setenv(name, value)
		}
		s, err := objects.Open("s3://lake", server.URL, test.asked)
		if err != nil {
			t.Fatal(err)
		}
		put(t, s, fmt.Sprint(i), "x")
		if signed != test.want {
			t.Errorf("%+v: signed for %s", test, signed)
		}
	}
	_, err := objects.Open("s3://lake", server.URL, "eu/hidden")
	says(t, err, objects.ErrTarget, []string{"hidden"}, "region")
}
