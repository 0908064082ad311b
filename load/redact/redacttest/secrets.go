// Package redacttest makes secrets for tests: of each kind one, put together out of parts and by chance. None is real,
// and none is in this repository.
//
// It knows what secrets look like, never how they are found.
package redacttest

import (
	"encoding/base64"
	"math/rand/v2"
	"strings"
)

// Alphabets that tokens are made of.
const (
	Digits = "0123456789"
	Hex    = Digits + "abcdef"
	Upper  = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
	Lowers = "abcdefghijklmnopqrstuvwxyz"
	Alnum  = Digits + Upper + Lowers
)

// Dice are a source of chance: a seed gives the same secrets everywhere.
type Dice struct{ *rand.Rand }

// NewDice are those of a seed.
func NewDice(seed uint64) Dice { return Dice{rand.New(rand.NewPCG(seed, 1))} }

// Of is n characters of an alphabet.
func (d Dice) Of(alphabet string, n int) string {
	var out strings.Builder
	for range n {
		out.WriteByte(alphabet[d.IntN(len(alphabet))])
	}
	return out.String()
}

// Value is what no word list knows: generic rules pass over values with words in them.
func (d Dice) Value(n int) string {
	var out strings.Builder
	for i := range n {
		out.WriteByte([]string{"bcdfghjkqvwxz", "23456789", "BDFHJKQVWXZ"}[i%3][d.IntN(8)])
	}
	return out.String()
}

// PEM is a private key of a kind, such as "RSA ".
func (d Dice) PEM(kind string) string {
	lines := []string{"-----BEGIN " + kind + "PRIVATE" + " KEY-----"}
	for range 24 {
		lines = append(lines, d.Of(Alnum+"+/", 64))
	}
	return strings.Join(append(lines, d.Of(Alnum, 20)+"=", "-----END "+kind+"PRIVATE"+" KEY-----"), "\n")
}

// A Secret is a text of some kind with a secret in it, and the part of the text that must be gone.
type Secret struct{ Kind, Text, Secret string }

func alone(kind, secret string) Secret { return Secret{kind, secret, secret} }

func within(kind, before, secret, after string) Secret {
	return Secret{kind, before + secret + after, secret}
}

// Part is one of the first two parts of a JWT: claims, up to the value of the last one, which is made here.
func (d Dice) Part(claims string) string {
	return strings.TrimRight(base64.URLEncoding.EncodeToString([]byte(claims+`"`+d.Of(Alnum, 24)+`"}`)), "=")
}

// Secrets is one of each kind.
func Secrets(seed uint64) []Secret {
	d := NewDice(seed)
	pem, rsa := d.PEM(""), d.PEM("RSA ")
	cut := rsa[:strings.LastIndex(rsa, "\n-----END")]
	return append([]Secret{
		alone("AWS key id", "AK"+"IA"+d.Of("ABCDEFGHIJKLMNOPQRSTUVWXYZ234567", 16)),
		within("AWS secret", "aws_secret_access_key = ", d.Of(Alnum, 20)+"/"+d.Of(Alnum, 19), ""),
		within("AWS secret in code", `secretAccessKey: "`, "/"+d.Of(Alnum, 39), `"`),
		alone("GitHub classic", "gh"+"p_"+d.Of(Alnum, 36)),
		alone("GitHub server", "gh"+"s_"+d.Of(Alnum, 36)),
		alone("GitHub fine-grained", "github"+"_pat_"+d.Of(Alnum, 22)+"_"+d.Of(Alnum, 59)),
		alone("GitLab", "gl"+"pat-"+d.Of(Alnum, 20)),
		alone("Slack bot", "xo"+"xb-"+d.Of(Digits, 12)+"-"+d.Of(Digits, 12)+"-"+d.Of(Alnum, 24)),
		alone("Slack webhook", "https://hooks.slack"+".com/services/T"+d.Of(Upper, 8)+"/B"+d.Of(Upper, 8)+"/"+
			d.Of(Alnum, 24)),
		alone("Stripe", "sk_"+"live_"+d.Of(Alnum, 24)),
		alone("npm", "np"+"m_"+d.Of(Digits+Lowers, 36)),
		alone("PyPI", "py"+"pi-AgEIcHlwaS5vcmc"+d.Of(Alnum+"_-", 120)+"x"),
		alone("Google", "AI"+"za"+d.Of(Alnum, 35)),
		alone("OpenAI", "sk-"+"proj-"+d.Of(Alnum, 74)+"T3Blbk"+"FJ"+d.Of(Alnum, 74)),
		alone("Anthropic", "sk-"+"ant-api03-"+d.Of(Alnum, 93)+"AA"),
		alone("PEM", pem),
		alone("PEM of RSA", rsa),
		alone("PEM that was cut", cut),
		alone("JWT", d.Part(`{"alg":"HS256","typ":`)+"."+d.Part(`{"sub":`)+"."+d.Of(Alnum, 43)),
		alone("JWT of 6 KB", d.Part(`{"alg":"HS256","typ":`)+"."+d.Part(`{"sub":"`+d.Of(Alnum, 4000)+`","x":`)+"."+
			d.Of(Alnum, 512)),
		alone("Twilio key", "S"+"K"+d.Of(Hex, 32)),
		within("Twilio token", "TWILIO_AUTH_TOKEN=", d.Of(Hex, 32), ""),
		alone("SendGrid", "S"+"G."+d.Of(Alnum, 22)+"."+d.Of(Alnum, 43)),
		alone("Hugging Face", "h"+"f_"+d.Of(Upper+Lowers, 34)),
		within("database", "postgres://app:", d.Value(12)+"!", "@db.internal:5432/app"),
		within("database in mongo", "mongodb+srv://app:", d.Value(9), "@c0.example.net/?w=1"),
		within("bearer", "Authorization: Bearer ", d.Value(40), ""),
		within("basic", "Authorization: Basic ", base64.StdEncoding.EncodeToString([]byte("app:"+d.Value(15))), ""),
		within("bearer alone", "the header was Bearer ", d.Value(32), ""),
		within("env word", "\nDB_PASSWORD=", "correct"+"horse"+d.Of(Lowers, 6), "\nNEXT=1"),
		within("env", "\nexport SMTP_PASSWD='", d.Value(8)+"#!", "'\n"),
		within("password in code", `password: "`, d.Value(7)+"$", `"`),
		within("YAML", "db:\n  password: ", d.Value(8)+"!", "\n  port: 1"),
		within("properties", "\nspring.datasource.password=", d.Value(7), "\n"),
		within("generic", "client_secret = ", d.Value(32), ""),
		within("curl", `curl -u "admin:`, d.Value(12), `" https://example.com`),
		alone("Cursor", "crs"+"r_"+d.Of(Hex, 64)),
		within("Azure storage", "DefaultEndpointsProtocol=https;AccountName=app;AccountKey=", d.Of(Alnum+"+/", 86)+"==",
			";EndpointSuffix=core.windows.net"),
		alone("Azure", d.Of(Alnum, 3)+"7Q"+"~"+d.Of(Alnum, 31)),
		alone("Heroku", "HRK"+"U-AA"+d.Of(Alnum, 58)),
		alone("Telegram", d.Of("123456789", 9)+":A"+"A"+d.Of(Alnum, 33)),
		alone("age", "AGE-SEC"+"RET-KEY-1"+d.Of("QPZRY9X8GF2TVDW0S3JN54KHCE6MUA7L", 58)),
		alone("SSH", d.PEM("OPENSSH ")),
		alone("Slack app", "xa"+"pp-1-A"+d.Of(Upper, 10)+"-"+d.Of(Digits, 13)+"-"+d.Of(Hex, 64)),
		alone("DigitalOcean", "do"+"p_v1_"+d.Of(Hex, 64)),
		alone("Google OAuth", "GOC"+"SPX-"+d.Of(Alnum, 28)),
		alone("Groq", "gs"+"k_"+d.Of(Alnum, 52)),
		alone("xAI", "xa"+"i-"+d.Of(Alnum, 80)),
		alone("Replicate", "r8"+"_"+d.Of(Alnum, 37)),
		alone("Supabase", "sb"+"p_"+d.Of(Hex, 40)),
		within("Discord", "DISCORD_TOKEN=", "MT"+d.Of(Alnum, 24)+"."+d.Of(Alnum, 6)+"."+d.Of(Alnum, 38), ""),
		alone("OpenRouter", "sk-"+"or-v1-"+d.Of(Hex, 64)),
	}, d.logins()...)
}

// logins is one of each kind that is known by what is beside it.
func (d Dice) logins() []Secret {
	return []Secret{
		within("netrc", "machine api.example.com login app password ", d.Value(12), "\n"),
		within("kubeconfig", "    client-key-data: ", base64.StdEncoding.EncodeToString([]byte(d.PEM("EC "))), "\n"),
		within("Docker", `{"auths":{"registry.example.com":{"auth":"`,
			base64.StdEncoding.EncodeToString([]byte("app:"+d.Value(11))), `"}}}`),
		within("npmrc", "//registry.example.com/:_password=", base64.StdEncoding.EncodeToString([]byte(d.Value(15))),
			"\n"),
		within("pypirc", "\nusername = app\npassword = ", d.Value(11)+"!", "\n"),
		within("cookie", "Cookie: theme=dark; sessionid=", d.Of(Alnum, 32), "; lang=en"),
		within("set-cookie", "Set-Cookie: session=", d.Of(Alnum, 32)+"."+d.Of(Alnum, 27), "; Path=/; HttpOnly"),
		within("curl's cookie", "curl -b sid=", d.Of(Alnum, 32), " https://example.com"),
		within("short basic", "Authorization: Basic ", base64.StdEncoding.EncodeToString([]byte("a:"+d.Value(7))), ""),
		within("signed address", "https://a.example.net/c?sv=2022&sig=", d.Of(Alnum, 43)+"%3D", "&se=2025"),
		within("signed request", "X-Amz-Signature=", d.Of(Hex, 64), "&x=1"),
		within("address with a token", "https://", d.Of(Alnum, 40), "@git.example.com/x.git"),
		within("JDBC", "jdbc:postgresql://db/app?user=app&password=", d.Of(Lowers, 9), "&ssl=true"),
		within("ADO", "Server=db;Database=app;User Id=app;Password=", d.Of(Lowers, 9), ";Encrypt=yes"),
		within("libpq", "host=db user=app password=", d.Value(9), " dbname=app"),
		within("sshpass", "sshpass -p '", d.Value(9)+"!", "' ssh db"),
		within("mysql", "mysql -u root -p", d.Value(9), " app"),
		within("password of a command", "tool --password ", d.Value(9), " run"),
		within("token of a command", "tool --token ", d.Of(Alnum, 30), " run"),
		within("pgpass", "\ndb.example.com:5432:app:app:", d.Value(9), "\n"),
		alone("bcrypt", "$2"+"b$12$"+d.Of(Alnum, 53)),
		alone("shadow", "$6"+"$"+d.Of(Alnum, 8)+"$"+d.Of(Alnum, 86)),
		within("element", "<password>", d.Value(10)+"!", "</password>"),
		within("Django", "SECRET_KEY = 'django-insecure-", d.Value(30)+"#%!", "'"),
		within("said", "my password is ", d.Value(10)+"!", " as I said"),
		within("asked for", "Enter password: ", d.Value(10)+"!", "\n"),
		within("PuTTY", "Private-Lines: 1\n", d.Of(Alnum, 48), "\nPrivate-MAC: 00"),
		within("JWK", `{"kty":"EC","crv":"P-256","d":"`, d.Of(Alnum, 43), `"}`),
		within("Discord webhook", "https://discord"+".com/api/webhooks/"+d.Of("123456789", 18)+"/", d.Of(Alnum, 68),
			""),
		alone("Mailgun", "ke"+"y-"+d.Of(Hex, 32)),
		within("login by address", "https://example.com/cb?code=", d.Of(Alnum, 40), "&state=1"),
	}
}

// Leaks are secrets of which 12 bytes are in a text (or all of a shorter one), by their kind, with what is around one
// place. In JSON a text is looked at as it is written.
func Leaks(text string, secrets []Secret) map[string]string {
	const length = 12
	pieces, found := map[string]string{}, map[string]string{}
	tell := func(kind string, at int) {
		if found[kind] == "" {
			found[kind] = text[max(0, at-100):min(len(text), at+60)]
		}
	}
	for _, s := range secrets {
		if i := strings.Index(text, s.Secret); i >= 0 {
			tell(s.Kind, i)
		}
		for i := 0; i+length <= len(s.Secret); i++ {
			if piece := s.Secret[i : i+length]; !strings.ContainsAny(piece, "\n -") || s.Secret[0] != '-' {
				// the lines around a key are no secret
				pieces[piece] = s.Kind
			}
		}
	}
	for i := 0; i+length <= len(text); i++ {
		if kind, ok := pieces[text[i:i+length]]; ok {
			tell(kind, i)
		}
	}
	return found
}
