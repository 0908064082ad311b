package extract

import (
	"fmt"
	"strings"
	"testing"
)

// TestPatternOf: the name of an unknown family says what it is, and nothing of what its keys say.
func TestPatternOf(t *testing.T) {
	t.Parallel()
	const uuid, hash = "550e8400-e29b-41d4-a716-446655440000",
		"9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08"
	for key, want := range map[string]string{
		"brandNewFamily:" + uuid:                        "brandNewFamily:<uuid>",
		"brandNewFamily:" + strings.ToUpper(uuid):       "brandNewFamily:<uuid>",
		"brandNewFamily:" + uuid + ":" + uuid:           "brandNewFamily:<uuid>:<uuid>",
		"brandNewFamily:" + uuid + ":3":                 "brandNewFamily:<uuid>:<number>",
		"brandNewFamily:" + uuid + "x":                  "brandNewFamily:*",
		"brandNewFamily:task-call_Qm1\nfc_2":            "brandNewFamily:*",
		"brandNewFamily:" + uuid + ":file:///home/me/x": "brandNewFamily:<uuid>:*:*",
		"brandNewFamily:a:b:c:d:e:f:g":                  "brandNewFamily:*:*:*:*",
		"brandNewFamily:secret-project":                 "brandNewFamily:*",
		"brandNewFamily:":                               "brandNewFamily:*",
		uuid + ":brandNew:metadata":                     "<uuid>:brandNew:*",
		"bc-" + uuid + ":brandNew":                      "bc-<uuid>:*",
		"brand.new.2026-01-05":                          "brand.new.<date>",
		"brand_new-" + hash:                             "brand_new-<hex>",
		"brandNew-v2-" + uuid:                           "brandNew-v2-<uuid>",
		"brandNew.1737000000000":                        "brandNew.<number>",
		"brandNew":                                      "brandNew",
		"brandNew/home/me/secret":                       "brandNew/*",
		"file:///home/me/secret":                        "file:*",
		"/home/me/secret":                               FamilyUnknown,
		`c:\Users\me\secret`:                            "c:*",
		uuid:                                            FamilyUnknown,
		"42":                                            FamilyUnknown,
		"":                                              FamilyUnknown,
		"me@example.com":                                FamilyUnknown,
		"two words":                                     FamilyUnknown,
		"caf\xe9:1":                                     FamilyUnknown,
		"ghp_16C7e42F292c6912E7710c838347Ae178B4a":      "ghp_<hex>",
		"sk-proj-Tm9ib2R5IHJlYWRzIHRoaXM1Nzg5MDEyMzQ1Njc": FamilyUnknown,
		"eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0NTY3OD":     FamilyUnknown,
		"x:ghp_16C7e42F292c6912E7710c838347Ae178B4a":      "x:*",
		strings.Repeat("long.", 20):                       FamilyUnknown,
		strings.Repeat("l", 41):                           FamilyUnknown,
	} {
		if got := PatternOf(key); got != want {
			t.Errorf("%q is of the pattern %s, want %s", key, got, want)
		}
	}
}

// TestUnknownFamilies: patterns of unknown keys are counted apart up to a limit, and the rest together.
func TestUnknownFamilies(t *testing.T) {
	t.Parallel()
	s := &store{families: map[string]*FamilyCount{}}
	for i := range 3 * maxPatterns {
		s.unknownFamily(fmt.Sprintf("%s:%d", strings.Repeat("a", i%40+1)+"."+strings.Repeat("b", i/40+1), i)).Rows++
	}
	s.unknownFamily("a.b:7").Rows++
	s.unknownFamily("12").Rows++
	rows := int64(0)
	for _, f := range s.families {
		rows += f.Rows
	}
	if n := len(s.families); n != maxPatterns+1 || rows != 3*maxPatterns+2 {
		t.Errorf("%d rows in %d families, want %d in %d", rows, n, 3*maxPatterns+2, maxPatterns+1)
	}
	if f := s.families["a.b:<number>"]; f == nil || f.Rows != 2 {
		t.Errorf("a pattern that was met twice has %v", f)
	}
	if f := s.families[FamilyUnknown]; f == nil || f.Rows != 2*maxPatterns+1 {
		t.Errorf("what is over the limit has %v", f)
	}
}

// TestRefusedKeys: a key that is refused by its name is refused in any table, and never named.
func TestRefusedKeys(t *testing.T) {
	t.Parallel()
	for key, want := range map[string]string{"cursorAuth/accessToken": "cursorAuth", "secret://x": "secret",
		"brandNew:myTokenStore:1": "token"} {
		if p := classifyKey(key); p.family != want || p.handling != Refused {
			t.Errorf("%s is of the family %s, %s, want %s, refused", key, p.family, p.handling, want)
		}
	}
}
