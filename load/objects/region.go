package objects

import (
	"cmp"
	"fmt"
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

// profileRegion is the region of the shared profile, "" if it has none. What is wrong with the files is told where
// credentials are looked for.
func profileRegion() string { return inProfile("region") }

// ofProfile is an error of the shared profile, with what to do if the profile gets its keys in a way that is not known
// here.
func ofProfile(err error) error {
	switch {
	case inProfile("role_arn") != "":
		return fmt.Errorf("%w; the profile takes a role (role_arn), which is not done here: "+
			"'aws configure export-credentials --format env' gives keys of it for the environment, or a "+
			"credential_process does", err)
	case len(strings.Fields(inProfile("credential_process"))) == 1:
		return fmt.Errorf("%w; its credential_process is called only with an argument: write one behind the program",
			err)
	}
	return err
}

// inProfile is a value of the shared profile, "" if it has none. The file with credentials goes before the other, as
// with Amazon's own programs.
func inProfile(key string) string {
	home, _ := os.UserHomeDir()
	name := cmp.Or(os.Getenv("AWS_PROFILE"), "default")
	sections := []string{"profile " + name}
	if name == "default" {
		sections = append(sections, name)
	}
	return cmp.Or(inSections(cmp.Or(os.Getenv("AWS_SHARED_CREDENTIALS_FILE"), filepath.Join(home, ".aws",
		"credentials")), key, name),
		inSections(cmp.Or(os.Getenv("AWS_CONFIG_FILE"), filepath.Join(home, ".aws", "config")), key, sections...))
}

func inSections(file, key string, sections ...string) string {
	profiles, err := ini.Load(file)
	if err != nil {
		return ""
	}
	for _, section := range sections {
		if s, err := profiles.GetSection(section); err == nil && s.Key(key).String() != "" {
			return s.Key(key).String()
		}
	}
	return ""
}
