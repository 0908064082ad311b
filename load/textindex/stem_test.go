package textindex

import (
	"slices"
	"strings"
	"testing"
)

// TestBeginnings: the plural finds the singular, and the other way round, in ten languages; and a verb its forms.
func TestBeginnings(t *testing.T) {
	t.Parallel()
	for _, forms := range [][]string{
		{"query", "queries"}, {"limit", "limits", "limiting", "limited"}, {"migration", "migrations"}, // English
		{"fehler", "fehlern"}, {"tabelle", "tabellen"}, {"test", "tests"}, // German
		{"erreur", "erreurs"}, {"requete", "requetes"}, // French
		{"error", "errores"}, {"prueba", "pruebas"}, // Spanish
		{"erro", "erros"}, {"arquivo", "arquivos"}, // Portuguese
		{"errore", "errori"}, {"tabella", "tabelle"}, // Italian
		{"fout", "fouten"}, {"tabel", "tabellen"}, // Dutch
		{"tabell", "tabeller"}, {"fil", "filer"}, // Swedish, Danish
		{"ошибка", "ошибки"}, {"файл", "файлы"}, // Russian
	} {
		for _, typed := range forms {
			for _, stands := range forms {
				found := func(beginning string) bool { return strings.HasPrefix(stands, beginning) }
				if !slices.ContainsFunc(beginnings(typed), found) {
					t.Errorf("%s does not find %s: its beginnings are %q", typed, stands, beginnings(typed))
				}
			}
		}
	}
	for _, typed := range []string{"接続", "id", "go"} {
		if got := beginnings(typed); !slices.Equal(got, []string{typed}) {
			t.Errorf("%s: %q", typed, got)
		}
	}
}
