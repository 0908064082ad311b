package redacttest

import (
	_ "embed" // the forms are a table
	"encoding/base64"
	"encoding/hex"
	"fmt"
	"strconv"
	"strings"
)

// formTable has a secret of some form in each line, below the kind of these forms. What has a secret is between « and
// »; ⏎ ends a line; a middle dot is left out, so that no scanner takes a form for a secret; {A:20} is what Dice make of
// it.
//
//go:embed forms.txt
var formTable string

// Forms are the secrets of the table, each kind with its number.
func Forms(seed uint64) []Secret { return Made(formTable, seed) }

// Made are the secrets of a table.
func Made(table string, seed uint64) (all []Secret) {
	d, kind := NewDice(seed), ""
	for n, line := range strings.Split(table, "\n") {
		switch {
		case strings.HasPrefix(line, "# "):
			kind = line[2:]
		case line != "":
			text := strings.NewReplacer("·", "", "⏎", "\n").Replace(d.fill(line))
			_, rest, _ := strings.Cut(text, "«")
			secret, _, _ := strings.Cut(rest, "»")
			all = append(all, Secret{fmt.Sprintf("%s %d", kind, n+1),
				strings.NewReplacer("«", "", "»", "").Replace(text), secret})
		}
	}
	return all
}

// fill replaces what is in braces. Braces with anything else in them stay.
func (d Dice) fill(form string) string {
	var out strings.Builder
	for {
		before, rest, found := strings.Cut(form, "{")
		out.WriteString(before)
		if !found {
			return out.String()
		}
		what, behind, _ := strings.Cut(rest, "}")
		letter, length, _ := strings.Cut(what, ":")
		n, err := strconv.Atoi(length)
		if made := d.made(letter, n); err == nil && made != "" {
			out.WriteString(made)
			form = behind
			continue
		}
		out.WriteByte('{')
		form = rest
	}
}

// seedWords are some words of the list that seeds of wallets are made of.
var seedWords = strings.Fields("abandon ability absorb acoustic badge balance cabbage canyon dolphin dragon eagle " +
	"elbow fabric galaxy hammer idle jaguar kangaroo ladder magnet napkin oak paddle quantum rabbit saddle table " +
	"umbrella vacuum walnut yellow zebra")

func (d Dice) made(letter string, n int) string {
	bytes := []byte(d.Of(Alnum, n))
	for i := range bytes {
		bytes[i] = byte(d.IntN(256))
	}
	switch letter {
	case "A":
		return d.Of(Alnum, n)
	case "h":
		return d.Of(Hex, n)
	case "H":
		return strings.ToUpper(d.Of(Hex, n))
	case "u":
		return d.Of(Upper+Digits, n)
	case "l":
		return d.Of(Lowers, n)
	case "k":
		return d.Of(Lowers+Digits, n)
	case "d":
		return d.Of(Digits, n)
	case "B":
		return d.Of("123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz", n)
	case "w":
		return d.Of(Alnum+Alnum+"_-", n)
	case "b":
		return d.Of(Alnum+"+/", n)
	case "p": // a password that a person or a generator makes
		return d.Value(n-2) + string("!#%+*"[d.IntN(5)]) + d.Of(Digits, 1)
	case "r": // base64 of bytes
		return base64.StdEncoding.EncodeToString(bytes)
	case "x": // bytes in hexadecimal digits
		return hex.EncodeToString(bytes)
	case "U":
		return strings.Join([]string{d.Of(Hex, 8), d.Of(Hex, 4), "4" + d.Of(Hex, 3), "a" + d.Of(Hex, 3), d.Of(Hex, 12)},
			"-")
	case "s": // words of a seed
		var words []string
		for range n {
			words = append(words, seedWords[d.IntN(len(seedWords))])
		}
		return strings.Join(words, " ")
	case "n": // a list of bytes
		return strings.Trim(strings.ReplaceAll(fmt.Sprint(bytes), " ", ","), "[]")
	}
	return ""
}
