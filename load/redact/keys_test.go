package redact_test

import (
	"crypto/ecdsa"
	"crypto/ed25519"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/rsa"
	"crypto/x509"
	"encoding/base64"
	"encoding/hex"
	"encoding/pem"
	mathrand "math/rand/v2"
	"strings"
	"testing"

	"pipeline/load/redact"
	"pipeline/load/redact/redacttest"
)

// keys are private keys as files have them, by their forms, and what of them may be seen: public keys.
func keys(t *testing.T) (private, public map[string][]byte) {
	t.Helper()
	private, public = map[string][]byte{}, map[string][]byte{}
	add := func(name string, der []byte, err error) {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
		private[name] = der
	}
	r, err := rsa.GenerateKey(rand.Reader, 2048)
	add("RSA", x509.MarshalPKCS1PrivateKey(r), err)
	der, err := x509.MarshalPKCS8PrivateKey(r)
	add("RSA in PKCS 8", der, err)
	e, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	der, err = x509.MarshalECPrivateKey(e)
	add("EC", der, err)
	der, err = x509.MarshalPKCS8PrivateKey(e)
	add("EC in PKCS 8", der, err)
	open, secret, err := ed25519.GenerateKey(rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	der, err = x509.MarshalPKCS8PrivateKey(secret)
	add("Ed25519", der, err)
	private["OpenSSH"] = append([]byte("openssh-key-v1\x00\x00\x00\x00\x04none"), secret...)
	for name, key := range map[string]any{"RSA": r.Public(), "EC": e.Public(), "Ed25519": open} {
		if public[name], err = x509.MarshalPKIXPublicKey(key); err != nil {
			t.Fatal(err)
		}
	}
	public["RSA alone"] = x509.MarshalPKCS1PublicKey(&r.PublicKey)
	for name, random := range map[string][2]int{
		"RSA": {33, -5}, "RSA alone": {9, -5}, "EC": {27, 0}, "Ed25519": {12, 0}} {
		fill(mathrand.NewChaCha8([32]byte{2}), public[name][random[0]:len(public[name])+random[1]])
	}
	return private, public
}

// TestRedactKeys: a private key goes without the lines around it, too; a public one stays.
func TestRedactKeys(t *testing.T) {
	t.Parallel()
	private, public := keys(t)
	forms := map[string]func([]byte) string{
		"base64":          base64.StdEncoding.EncodeToString,
		"base64 in lines": func(b []byte) string { return wrapped(base64.StdEncoding.EncodeToString(b), 64, "\n") },
		"digits":          hex.EncodeToString,
		"PEM in digits": func(b []byte) string {
			return hex.EncodeToString(pem.EncodeToMemory(&pem.Block{Type: "PRIVATE" + " KEY", Bytes: b}))
		},
		"PEM in base64": func(b []byte) string {
			return in64(string(pem.EncodeToMemory(&pem.Block{Type: "PRIVATE" + " KEY", Bytes: b})))
		},
	}
	for form, write := range forms {
		for name, in := range contexts {
			for kind, der := range private {
				text := write(der)
				out := holds(t, in("it is:\n"+text))
				if piece := text[len(text)/2 : len(text)/2+20]; strings.Contains(decoded(out), piece) {
					t.Errorf("%s, %s, %s: the key stays in %.200q", kind, form, name, out)
				}
			}
			if strings.HasPrefix(form, "PEM") {
				continue
			}
			for kind, der := range public {
				if text := in("it is:\n" + write(der)); redact.Text(text) != text {
					t.Errorf("public %s, %s, %s: %v in %.200q", kind, form, name, redact.Find(text), text)
				}
			}
		}
	}
}

// TestRedactPublicBytes: letters that chance makes in a public key are hardly ever taken for the name of a secret, or
// for the start of one; and what stands for one never makes the next line another.
func TestRedactPublicBytes(t *testing.T) {
	t.Parallel()
	_, public := keys(t)
	der, chance, taken := public["RSA"], mathrand.NewChaCha8([32]byte{1}), 0
	const texts = 20_000
	for range texts {
		fill(chance, der[33:len(der)-5])
		found := redact.Find("it is:\n" + wrapped(base64.StdEncoding.EncodeToString(der), 64, "\n"))
		if len(found) > 1 {
			t.Errorf("%v of one key", found)
		}
		taken += len(found)
	}
	if taken > texts/1000 {
		t.Errorf("of %d keys %d have a secret", texts, taken)
	}
	t.Log(taken)
}

// TestRedactBelowBytes: a name is one behind a line that chance made, too, and has its value before it without a space.
func TestRedactBelowBytes(t *testing.T) {
	t.Parallel()
	const line, secret = "wJalrXUtnFEMIK7MDENGbPxRfiCYzEXAMPLEKEY1", "K9!x#2dq"
	for _, text := range []string{line + "\npassword: " + secret, line + "\npassword " + secret, secret + "密码"} {
		if out := redact.Text(text); strings.Contains(out, secret) {
			t.Errorf("%q became %q", text, out)
		}
	}
}

// fill makes bytes of a key the same in each run.
func fill(chance *mathrand.ChaCha8, part []byte) { _, _ = chance.Read(part) }

// TestRedactSeeds: the words of a wallet go however they are listed; a text that has some of them stays.
func TestRedactSeeds(t *testing.T) {
	t.Parallel()
	seed := ""
	for _, s := range redacttest.Forms(8) {
		if strings.HasPrefix(s.Kind, "words") && strings.Count(s.Secret, " ") > 10 {
			seed = s.Secret
		}
	}
	words := strings.Fields(seed)
	for _, text := range []string{seed, strings.Join(words, "\n"), `["` + strings.Join(words, `","`) + `"]`,
		strings.Join(words, ", "), "1. " + strings.Join(words, "\n2. ")} {
		if out := holds(t, text); !strings.Contains(out, "[redacted:wallet-seed]") {
			t.Errorf("%q became %q", text, out)
		}
	}
	for _, text := range []string{strings.Join(words[:11], " "), strings.Repeat("float64, ", 20),
		strings.Repeat("true, false, ", 20), "you must have this word from that list of all the words that there are " +
			"in this world"} {
		if out := redact.Text(text); out != text {
			t.Errorf("%q became %q", text, out)
		}
	}
}
