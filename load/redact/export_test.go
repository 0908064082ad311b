package redact

// Load reads files of rules, and compiles all that is in them.
func Load(files ...string) (count int, err error) {
	r, err := load(files...)
	if err != nil {
		return 0, err
	}
	for _, rule := range r.list {
		rule.expression()
	}
	return len(r.list), nil
}

// GitleaksRules and OwnRules are the files that are part of the program.
func GitleaksRules() string { return gitleaksRules }
func OwnRules() string      { return ownRules }

// Skipped is how many rules are not used.
func Skipped() int { return len(skipped) }

// Work is how many bytes expressions read to find what is in a text.
func Work(s string) int {
	c := scanners.New().(*scanner)
	c.all(s, nil, maxViews)
	return c.work
}

// Entropy is what the thresholds of rules are held against.
func Entropy(s string) float64 { return entropy(s) }
