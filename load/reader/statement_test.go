package reader

import (
	"testing"
)

// TestFirstStatement: a semicolon ends a statement only where the engine sees one.
func TestFirstStatement(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		text, first string
		more        bool
	}{
		{"", "", false}, {" ;; \n", "", false}, {"-- nothing", "", false}, {"/* a /* b */ ; */", "", false},
		{"SELECT 1", "SELECT 1", false}, {";SELECT 1;;\n-- end;\n/* ; */", "SELECT 1", false},
		{"-- why\nSELECT 1 -- end", "SELECT 1 -- end", false},
		{"SELECT 1; SELECT 2", "SELECT 1", true}, {"SELECT 1;-- a\nx", "SELECT 1", true},
		{"SELECT ';' AS \"a;\"\"b\"", "SELECT ';' AS \"a;\"\"b\"", false},
		{"SELECT 'it''s; ' ; x", "SELECT 'it''s; ' ", true}, {`SELECT 'a\'; x`, `SELECT 'a\'`, true},
		{`SELECT e'a\'; x'`, `SELECT e'a\'; x'`, false}, {`SELECT typE'a\'; x`, `SELECT typE'a\'`, true},
		{"SELECT $$;$$; x", "SELECT $$;$$", true}, {"SELECT $a$;$$;$a$", "SELECT $a$;$$;$a$", false},
		{"SELECT a$b; c$d", "SELECT a$b", true}, {"SELECT $1; $1", "SELECT $1", true},
		{"SELECT 'open; x", "SELECT 'open; x", false}, {"SELECT /* open; x", "SELECT /* open; x", false},
		{"SELECT $$ open; x", "SELECT $$ open; x", false}, {"SELECT 1 - 2 / 3; é", "SELECT 1 - 2 / 3", true},
	} {
		if first, more := firstStatement(test.text); first != test.first || more != test.more {
			t.Errorf("%q: %q, more %v; want %q, %v", test.text, first, more, test.first, test.more)
		}
	}
}

// FuzzFirstStatement: any text is read to its end, and what is cut off as the first statement is one.
func FuzzFirstStatement(f *testing.F) {
	for _, seed := range []string{"SELECT 1; SELECT 2", "e'\\", "$a$ $a", "/* /* */", "--\n;x", "\"", "é$;$"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		first, _ := firstStatement(text)
		if again, more := firstStatement(first); more || again != first {
			t.Errorf("%q: of %q the first is %q, more %v", text, first, again, more)
		}
	})
}
