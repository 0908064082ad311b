package redact_test

import (
	"encoding/base64"
	"math/rand/v2"
	"strings"
)

// Secrets are made here, out of parts and by chance: none is real, and none is in this repository.

const (
	digits = "0123456789"
	hex    = digits + "abcdef"
	upper  = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
	lowers = "abcdefghijklmnopqrstuvwxyz"
	alnum  = digits + upper + lowers
)

type dice struct{ *rand.Rand }

func newDice(seed uint64) dice { return dice{rand.New(rand.NewPCG(seed, 1))} }

func (d dice) of(alphabet string, n int) string {
	var out strings.Builder
	for range n {
		out.WriteByte(alphabet[d.IntN(len(alphabet))])
	}
	return out.String()
}

// value is what no word list knows: generic rules pass over values with words in them.
func (d dice) value(n int) string {
	var out strings.Builder
	for i := range n {
		out.WriteByte([]string{"bcdfghjkqvwxz", "23456789", "BDFHJKQVWXZ"}[i%3][d.IntN(8)])
	}
	return out.String()
}

func (d dice) pem(kind string) string {
	lines := []string{"-----BEGIN " + kind + "PRIVATE" + " KEY-----"}
	for range 24 {
		lines = append(lines, d.of(alnum+"+/", 64))
	}
	return strings.Join(append(lines, d.of(alnum, 20)+"=", "-----END "+kind+"PRIVATE"+" KEY-----"), "\n")
}

// planted is a kind of secret: a text with it, and the part that must be gone.
type planted struct{ kind, text, secret string }

func alone(kind, secret string) planted { return planted{kind, secret, secret} }

func within(kind, before, secret, after string) planted {
	return planted{kind, before + secret + after, secret}
}

func part(d dice, claims string) string {
	return strings.TrimRight(base64.URLEncoding.EncodeToString([]byte(claims+`"`+d.of(alnum, 24)+`"}`)), "=")
}

// plant is one secret of each kind.
func plant(seed uint64) []planted {
	d := newDice(seed)
	pem, rsa := d.pem(""), d.pem("RSA ")
	cut := rsa[:strings.LastIndex(rsa, "\n-----END")]
	return []planted{
		alone("AWS key id", "AK"+"IA"+d.of("ABCDEFGHIJKLMNOPQRSTUVWXYZ234567", 16)),
		within("AWS secret", "aws_secret_access_key = ", d.of(alnum, 20)+"/"+d.of(alnum, 19), ""),
		within("AWS secret in code", `secretAccessKey: "`, "/"+d.of(alnum, 39), `"`),
		alone("GitHub classic", "gh"+"p_"+d.of(alnum, 36)),
		alone("GitHub server", "gh"+"s_"+d.of(alnum, 36)),
		alone("GitHub fine-grained", "github"+"_pat_"+d.of(alnum, 22)+"_"+d.of(alnum, 59)),
		alone("GitLab", "gl"+"pat-"+d.of(alnum, 20)),
		alone("Slack bot", "xo"+"xb-"+d.of(digits, 12)+"-"+d.of(digits, 12)+"-"+d.of(alnum, 24)),
		alone("Slack webhook", "https://hooks.slack"+".com/services/T"+d.of(upper, 8)+"/B"+d.of(upper, 8)+"/"+d.of(alnum, 24)),
		alone("Stripe", "sk_"+"live_"+d.of(alnum, 24)),
		alone("npm", "np"+"m_"+d.of(digits+lowers, 36)),
		alone("PyPI", "py"+"pi-AgEIcHlwaS5vcmc"+d.of(alnum+"_-", 120)+"x"),
		alone("Google", "AI"+"za"+d.of(alnum, 35)),
		alone("OpenAI", "sk-"+"proj-"+d.of(alnum, 74)+"T3Blbk"+"FJ"+d.of(alnum, 74)),
		alone("Anthropic", "sk-"+"ant-api03-"+d.of(alnum, 93)+"AA"),
		alone("PEM", pem),
		alone("PEM of RSA", rsa),
		alone("PEM that was cut", cut),
		alone("JWT", part(d, `{"alg":"HS256","typ":`)+"."+part(d, `{"sub":`)+"."+d.of(alnum, 43)),
		alone("JWT of 6 KB", part(d, `{"alg":"HS256","typ":`)+"."+part(d, `{"sub":"`+d.of(alnum, 4000)+`","x":`)+"."+d.of(alnum, 512)),
		alone("Twilio key", "S"+"K"+d.of(hex, 32)),
		within("Twilio token", "TWILIO_AUTH_TOKEN=", d.of(hex, 32), ""),
		alone("SendGrid", "S"+"G."+d.of(alnum, 22)+"."+d.of(alnum, 43)),
		alone("Hugging Face", "h"+"f_"+d.of(upper+lowers, 34)),
		within("database", "postgres://app:", d.value(12)+"!", "@db.internal:5432/app"),
		within("database in mongo", "mongodb+srv://app:", d.value(9), "@c0.example.net/?w=1"),
		within("bearer", "Authorization: Bearer ", d.value(40), ""),
		within("basic", "Authorization: Basic ", base64.StdEncoding.EncodeToString([]byte("app:"+d.value(15))), ""),
		within("bearer alone", "the header was Bearer ", d.value(32), ""),
		within("env word", "\nDB_PASSWORD=", "correct"+"horse"+d.of(lowers, 6), "\nNEXT=1"),
		within("env", "\nexport SMTP_PASSWD='", d.value(8)+"#!", "'\n"),
		within("password in code", `password: "`, d.value(7)+"$", `"`),
		within("YAML", "db:\n  password: ", d.value(8)+"!", "\n  port: 1"),
		within("properties", "\nspring.datasource.password=", d.value(7), "\n"),
		within("generic", "client_secret = ", d.value(32), ""),
		within("curl", `curl -u "admin:`, d.value(12), `" https://example.com`),
		alone("Cursor", "crs"+"r_"+d.of(hex, 64)),
		alone("OpenRouter", "sk-"+"or-v1-"+d.of(hex, 64)),
	}
}
