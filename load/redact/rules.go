package redact

import (
	_ "embed" // the rules are part of the program
	"fmt"
	"regexp"
	"strings"
	"sync"

	"github.com/BurntSushi/toml"
)

// The rules of gitleaks are as its release v8.30.1 has them (licence: LICENSE-gitleaks). Ours have the same format.
var (
	//go:embed gitleaks.toml
	gitleaksRules string
	//go:embed own.toml
	ownRules string
)

// Home is the rule that finds home folders, without an expression.
const Home Rule = "home"

// Of a text, a rule reads so many bytes before a keyword and behind it. A private key is long.
const (
	before     = 128
	behind     = 512
	keyBehind  = 16 << 10
	farAway    = 2 << 10
	assignment = `(?:=|>|:{1,3}=|\|\||:|=>|\?=|,)[\x60'"\s=]{0,5}`
)

// In code a quote or white space ends a value, and the rules of gitleaks ask for one. In a sentence a comma, a bracket,
// or a sign that no code has does, too; a token that is known by itself is ended by whatever no token has, as in a path
// or an address.
const (
	endInCode  = `(?:[\x60'"\s;]|\\[nr]|$)`
	endOfToken = `(?:[^\w-]|$)`
	endInText  = `(?:[\x60'"\s;,.:!?()<>\[\]{}|&*]|[^\x00-\x7f]|\\[nr]|$)`
)

// ruleFile is what is read of a file of rules. Paths are not read: a text has none.
type ruleFile struct {
	Allowlist allowlistText
	Words     map[string][]string // lists by their names
	Rules     []struct {
		ID          string
		Regex       string
		SecretGroup int
		Entropy     float64
		Keywords    []string
		Allowlists  []allowlistText
	}
}

type allowlistText struct {
	Condition   string
	Paths       []string
	Regexes     []string
	RegexTarget string
	Stopwords   []string
}

// rule is one rule, ready.
type rule struct {
	id         Rule
	expression func() *regexp.Regexp // compiled when it is first needed: most never are
	group      int
	entropy    float64
	allowed    []allowlist
	traits
}

// traits are what the files do not say of a rule.
type traits struct {
	before, behind int
	keywords       []string // in place of those of the file
	whole          bool     // the secret is the whole match: its groups are parts of it
	// check looks at the keyword s[start:end]. It returns -1 if the expression cannot match there, else where a match
	// ends at the latest
	check func(s string, start, end int) int
}

// special are rules that differ from the others. Those of frequent keywords have a check.
var special = map[Rule]traits{
	"private-key":      {behind: keyBehind},
	"private-key-cut":  {behind: keyBehind},
	"private-key-tail": {before: keyBehind},
	// Their keyword is a name that may stand anywhere; the token does not have it.
	"airtable-personnal-access-token": {before: farAway, behind: farAway},
	"facebook-access-token":           {before: farAway, behind: farAway},
	"sourcegraph-access-token":        {before: farAway, behind: farAway},
	"curl-auth-header":                {behind: farAway},
	"curl-auth-user":                  {behind: farAway},
	"curl-user":                       {behind: farAway},
	"curl-cookie":                     {behind: farAway},
	"putty-private-key":               {behind: keyBehind},
	"jwk-private-key":                 {before: farAway, behind: farAway},
	"docker-auth":                     {before: 16},
	"cookie":                          {behind: farAway},
	"jwt-base64":                      {whole: true},
	"microsoft-teams-webhook":         {whole: true},

	// Their keywords are words of many texts, and the expression has a rare one.
	"intra42-client-secret":    {keywords: []string{"s-s4t2"}},
	"gocardless-api-token":     {keywords: []string{"gocardless"}, check: anyValue},
	"cloudflare-origin-ca-key": {keywords: []string{"v1.0-"}},

	"element-password":                   {check: elementEnds},
	"request-signature":                  {check: assigned},
	"url-token":                          {check: userToken},
	"netrc-password":                     {check: spaced},
	"password":                           {check: assigned},
	"config-password":                    {check: assigned},
	"ini-password":                       {check: assigned},
	"npmrc-password":                     {check: assigned},
	"said-password":                      {check: said},
	"generic-api-key":                    {check: genericValue},
	"kubernetes-secret-yaml":             {before: behind, check: kindBefore},
	"url-password":                       {check: userinfo},
	"hex-token":                          {check: hexValue},
	"jwt":                                {check: token("ey", 17)},
	"aws-access-token":                   {check: token("", 17)},
	"twilio-api-key":                     {check: exact("SK", 32)},
	"sendgrid-api-token":                 {check: token("SG.", 60)},
	"vault-service-token":                {check: token("", 24)},
	"authress-service-client-access-key": {check: token("", 50)},
	"huggingface-access-token":           {check: token("", 34)},
	"cursor-api-key":                     {check: token("", 64)},
	"groq-api-key":                       {check: token("", 53)},
	"xai-api-key":                        {check: token("", 71)},
	"replicate-api-token":                {check: token("", 38)},
	"jwt-token":                          {check: token("ey", 17)},
	"airtable-token":                     {check: token("pat", 18)},
	"hook-address":                       {check: inAddress},
	"digest-answer":                      {before: behind},
	"encrypted-token":                    {check: token("ey", 17), behind: farAway},
	"telegram-bot-token":                 {check: exact("", 20)},

	// Their keyword is in the value, or has the sign that is before a value.
	"lob-api-key":                 {check: exact("", 31)},
	"lob-pub-api-key":             {check: exact("", 31)},
	"new-relic-browser-api-token": {check: exact("", 19)},
	"new-relic-insert-key":        {check: exact("", 19)},
	"new-relic-user-api-key":      {check: exact("", 19)},
	"typeform-api-token":          {check: exact("", 50)},
	"mailchimp-api-key":           {check: always},
	"nytimes-access-token":        {check: always},
}

// skipped are rules for files of one name: elsewhere they find words of code. The second has no expression.
var skipped = map[Rule]bool{"hashicorp-tf-password": true, "pkcs12-file": true}

// rules are all rules, and which of them a keyword asks for.
type rules struct {
	list    []*rule
	words   keywords
	asked   [][]int // for each word, places in list, asksHome, asksName or asksNoise
	allowed []allowlist

	ids, verbs, fillers, harmless, algorithms, coded, seeds map[string]bool
	// those of verbs that begin with no letter of ASCII
	wideVerbs []string
	commands  map[string][]string
	prefixes  map[string]int // and how many characters follow
}

// What words ask for beside rules.
const (
	asksHome   = -1 // whether a home folder is there
	asksPrefix = -2 // whether a token begins there
	asksName   = -3 // what is beside a name: one of the first list of names; the others are below
	// that the text around is decoded and scanned again: a string of noise[0]; the other lists are below
	asksNoise = asksName - ofCommand - 1
)

// loaded is what the embedded files say. A test reads them, so at run time they are right.
var loaded = sync.OnceValue(func() *rules {
	r, err := load(gitleaksRules, ownRules)
	if err != nil {
		panic(err)
	}
	return r
})

// load reads files of rules. The allowlist for all rules is the first file's.
func load(files ...string) (*rules, error) {
	out, words, place := &rules{}, []string(nil), map[string]int{}
	ask := func(word string, asked int) {
		word = lower(word)
		at, known := place[word]
		if !known {
			at = len(words)
			place[word], words, out.asked = at, append(words, word), append(out.asked, nil)
		}
		out.asked[at] = append(out.asked[at], asked)
	}
	for n, text := range files {
		var file ruleFile
		if _, err := toml.Decode(text, &file); err != nil {
			return nil, fmt.Errorf("rules: %w", err)
		}
		if n == 0 {
			out.allowed = newAllowlists([]allowlistText{file.Allowlist})
		}
		out.lists(file.Words, ask)
		for _, t := range file.Rules {
			if skipped[t.ID] {
				continue
			}
			if t.Regex == "" || len(t.Keywords) == 0 {
				return nil, fmt.Errorf("rule %s has no expression or no keyword", t.ID)
			}
			if words := special[t.ID].keywords; words != nil {
				t.Keywords = words
			}
			for _, word := range t.Keywords {
				ask(word, len(out.list))
			}
			end := endOfToken
			if strings.Contains(t.Regex, assignment) {
				end = endInText
			}
			expression := sync.OnceValue(func() *regexp.Regexp {
				return regexp.MustCompile(strings.ReplaceAll(t.Regex, endInCode, end))
			})
			out.list = append(out.list, &rule{t.ID, expression, t.SecretGroup, t.Entropy, newAllowlists(t.Allowlists),
				traitsOf(t.ID, t.Regex)})
		}
	}
	for _, word := range homeWords {
		ask(word, asksHome)
	}
	for kind, words := range noise {
		for _, word := range words {
			ask(word, asksNoise-kind)
		}
	}
	out.words = newKeywords(words)
	return out, nil
}

// traitsOf completes what is special about a rule. Half of the rules are a name, a sign and a value: for them one check
// will do. A rule that has another form beside this one gets no check.
func traitsOf(id Rule, expression string) traits {
	t := special[id]
	if t.before == 0 {
		t.before = before
	}
	if t.behind == 0 {
		t.behind = behind
	}
	if t.check == nil && strings.Contains(expression, assignment) && !strings.Contains(expression, `|\b(`) {
		t.check = anyValue
	}
	return t
}

// trim takes line ends around it from a match: what ends a value is a part of it, and with a line end the next line
// would be.
func trim(found []int, text string) {
	for found[0] < found[1] && text[found[0]] == '\n' {
		found[0]++
	}
	for found[0] < found[1] && text[found[1]-1] == '\n' {
		found[1]--
	}
}

// secret is where the secret is in a match, as gitleaks says it: in the group that the rule names, else in the first
// group that is not empty, else it is the match.
func (r *rule) secret(found []int) (start, end int) {
	if r.group > 0 {
		return found[2*r.group], found[2*r.group+1]
	}
	for g := 2; g < len(found); g += 2 {
		if found[g] < found[g+1] {
			return found[g], found[g+1]
		}
	}
	return found[0], found[1]
}
