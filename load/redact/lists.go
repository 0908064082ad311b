package redact

import (
	_ "embed" // a list is part of the program
	"slices"
	"strings"
)

// seedWords are the words that wallets make seeds of (BIP-39, English).
//
//go:embed seedwords.txt
var seedWords string

// names are the lists of words that have a secret beside them, by their kinds.
var names = [...]string{ofPassword: "passwords", ofToken: "tokens", ofLogin: "logins", ofVendor: "vendors",
	ofCommand: "commands"}

// lists reads the lists of a file, and asks for the words that have a secret beside them.
func (r *rules) lists(words map[string][]string, ask func(word string, asked int)) {
	if len(words) == 0 {
		return
	}
	r.ids, r.verbs, r.fillers, r.harmless, r.algorithms, r.coded = set(words["ids"]), set(words["verbs"]),
		set(append(words["fillers"], words["verbs"]...)), set(words["harmless"]), set(words["algorithms"]),
		set(words["coded"])
	for _, verb := range words["verbs"] {
		if verb[0] >= 0x80 {
			r.wideVerbs = append(r.wideVerbs, verb)
		}
	}
	r.seeds = set(strings.Fields(seedWords))
	r.commands, r.prefixes = newCommands(words["commands"]), map[string]int{}
	for list, least := range map[string]int{"prefixes": leastCut, "short": leastToken} {
		for _, word := range words[list] {
			r.prefixes[word] = least
			ask(word, asksPrefix)
		}
	}
	for kind, name := range names {
		var asked []string
		for _, word := range words[name] {
			if kind == ofCommand {
				word, _ = cutFlag(word)
			}
			forms := []string{word, strings.ToUpper(word), title(word)}
			if kind == ofPassword {
				forms = append(forms, strings.ReplaceAll(word, " ", "_"), strings.ReplaceAll(word, " ", "-"))
			}
			for _, form := range forms {
				if form = lower(form); !slices.Contains(asked, form) {
					asked = append(asked, form)
					ask(form, asksName-kind)
				}
			}
		}
	}
}

func set(words []string) map[string]bool {
	out := map[string]bool{}
	for _, w := range words {
		out[w] = true
	}
	return out
}

// title has a capital at its beginning.
func title(word string) string {
	for i := range word {
		if i > 0 {
			return strings.ToUpper(word[:i]) + word[i:]
		}
	}
	return word
}
