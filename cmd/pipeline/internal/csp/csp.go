// Package csp names what a page's content security policy allows. It must never know a page.
package csp

import (
	"crypto/sha256"
	"encoding/base64"
)

// Source is the name of a script or a style that stands in a page: 'sha256-...', of its text
// (https://www.w3.org/TR/CSP3/#source-list-syntax). A policy that has it allows no other text.
func Source(text string) string {
	sum := sha256.Sum256([]byte(text))
	return "'sha256-" + base64.StdEncoding.EncodeToString(sum[:]) + "'"
}
