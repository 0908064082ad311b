package objects

import (
	"cmp"
	"os"
	"path/filepath"
	"strings"

	"gopkg.in/ini.v1"
)

// regionOf returns the region that requests are signed for.
func regionOf(asked string) (string, error) {
	region := cmp.Or(asked, os.Getenv("AWS_REGION"), os.Getenv("AWS_DEFAULT_REGION"))
	if region == "" {
		region = cmp.Or(profileRegion(), "us-east-1")
	}
	if strings.ContainsFunc(region, func(r rune) bool {
		return !strings.ContainsRune("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_.", r)
	}) {
		return "", badTarget("a region is a word such as eu-central-1")
	}
	return region, nil
}

// profileRegion is the region of the shared profile, "" if it has none. The file with credentials goes before the
// other, as with Amazon's own programs. What is wrong with the files is told where credentials are looked for.
func profileRegion() string {
	home, _ := os.UserHomeDir()
	name := cmp.Or(os.Getenv("AWS_PROFILE"), "default")
	sections := []string{"profile " + name}
	if name == "default" {
		sections = append(sections, name)
	}
	return cmp.Or(regionIn(cmp.Or(os.Getenv("AWS_SHARED_CREDENTIALS_FILE"), filepath.Join(home, ".aws", "credentials")),
		name),
		regionIn(cmp.Or(os.Getenv("AWS_CONFIG_FILE"), filepath.Join(home, ".aws", "config")), sections...))
}

func regionIn(file string, sections ...string) string {
	profiles, err := ini.Load(file)
	if err != nil {
		return ""
	}
	for _, section := range sections {
		if s, err := profiles.GetSection(section); err == nil && s.Key("region").String() != "" {
			return s.Key("region").String()
		}
	}
	return ""
}
