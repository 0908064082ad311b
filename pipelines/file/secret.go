package file

import (
	"net/url"
	"regexp"
	"strings"
	"unicode/utf8"
)

// This file reads the URL of a ping, and keeps it out of all output: anyone who has it can ping too.

// readPing parses the URL of a ping. Its errors do not contain it.
func readPing(text string) (*url.URL, error) {
	u, err := url.Parse(text)
	switch {
	case err != nil || u.Scheme == "" && u.Host == "":
		return nil, usage("is no URL; write https://hc-ping.com/..., as your monitor shows it")
	case u.Scheme != "https" && u.Scheme != "http":
		return nil, usage("begins with %s:, and a ping goes over https: or http:", u.Scheme)
	case u.Hostname() == "":
		return nil, usage("names no host; write https://hc-ping.com/..., as your monitor shows it")
	}
	return u, nil
}

// MaskedPing is the part of a ping's URL that may be shown: its host.
func MaskedPing(u *url.URL) string { return u.Scheme + "://" + u.Host + "/..." }

// Masked is a value of the setting in a form that may be shown.
func (s Setting) Masked(value string) string {
	if !s.Secret || value == "" {
		return value
	}
	u, err := readPing(value)
	if err != nil {
		return "..."
	}
	return MaskedPing(u)
}

// maskedURLs puts stars over the text before and after the host in each URL of a line, without changing the line's
// length.
func maskedURLs(line string) string {
	parts := regexp.MustCompile(`(?i)(https?://)([^\s'"/?#]*)([/?#][^\s'"]*)?`)
	return parts.ReplaceAllStringFunc(line, func(at string) string {
		p := parts.FindStringSubmatch(at)
		host, path := p[2], p[3]
		if i := strings.LastIndexByte(host, '@'); i >= 0 {
			host = stars(host[:i]) + host[i:]
		}
		if path != "" {
			path = path[:1] + stars(path[1:])
		}
		return p[1] + host + path
	})
}

func stars(text string) string { return strings.Repeat("*", utf8.RuneCountInString(text)) }
