package redact_test

import (
	"encoding/base64"
	"fmt"
	"strings"
	"testing"

	"pipeline/load/redact"
	"pipeline/load/redact/redacttest"
)

// ordinary are texts without secrets, one a line, as chats have them: rules must leave them alone.
const ordinary = `The key of the map is the name of the file, and the value is how often it was read.
Please add a token counter to the status bar; it should count tokens per request.
How do I set the password of a user in Postgres without writing it into the history of my shell?
The secret of good tests is that they fail for one reason only.
Use the API key from the environment, never from the code.
We store the access token in memory and refresh it after 55 minutes.
My password manager does not fill in this form, as the field has no name.
The author of this commit is not the person who pushed it.
Authentication fails with 401 when the clock of the machine is wrong by more than five minutes.
The keyboard shortcut is Ctrl+Shift+P, and then "Reload Window".
Let us rename apiKeyProvider to credentialsProvider everywhere.
The primary key is (machine_id, seq), the foreign key points to conversations.conversation_id.
key=value pairs are split at the first sign.
It took 1234567890 nanoseconds, and the result was 0x7ffee4c8b9a0.
Error: connect ECONNREFUSED 127.0.0.1:5432
Listening on http://localhost:3000/auth/callback?code=abc&state=xyz
Open https://github.com/owner/repo/pull/1234/files#diff-0123456789abcdef0123456789abcdef01234567
["renderChart(value: string): number {"],"path":"src/post.go","scheme":"file","originalModelDiffWrtV0":[{"original":4}]
["renderChart(value: string): number {"], "scheme": "file", "originalModelDiffWrtV0" : [{"original": 4}]
Commit 9427eec4582028b0dfaf5cd9ea5255f3cd2e0dfa fixed it.
git checkout 4582028
commit 6f9b1c7a4e0d2f8b3c5a7e9d1f0b2c4e6a8d0f1b
Merge: 9427eec 4582028
index 3a7b9c1..f4e2d8a 100644
sha256:9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08
md5: d41d8cd98f00b204e9800998ecf8427e
integrity sha512-z4PhNX7vuL3xVChQ1m2AB9Yg5AULVxXcg/SpIdNs6c5H0NE8XYXysP+DGNKHfuwvY7kxvUdBeoGlODJ6+SfaPg==
"request_id": "3f2504e0-4f89-11d3-9a0c-0305e82c3301"
conversation 7b1e9a52-3c4d-4f6e-8a90-b1c2d3e4f506 has 12 messages
"composerId":"c56a4180-65aa-42ec-a945-5c21dec0538a"
const key = keyFor(row)
const token = await getToken({ audience })
const { token, error } = useSession();
if (token === null) return unauthorized();
let apiKey: string | undefined = process.env.API_KEY;
password: string;
password = getpass.getpass()
password=password, user=user
PASSWORD = os.environ["PASSWORD"]
DB_PASSWORD=${DB_PASSWORD}
DB_PASSWORD=
API_KEY=your_api_key_here
API_KEY=<your key>
OPENAI_API_KEY=$OPENAI_API_KEY
OLDPWD=/usr/src/app
export const SECRET_NAME = "prod/db/secret-name";
func (s *Server) authenticate(token string) error {
for key, value := range headers { fmt.Println(key, value) }
SELECT key, value FROM ItemTable WHERE key LIKE 'composerData:%'
CREATE TABLE tokens (id BIGINT PRIMARY KEY, access_token VARCHAR NOT NULL)
ALTER TABLE users ADD COLUMN password_hash VARCHAR(255);
INSERT INTO settings (key, value) VALUES ('theme', 'dark');
<input type="password" name="password" id="password" placeholder="Your password">
<label for="api-key">API key</label>
{"type":"object","required":["token"],"properties":{"token":{"type":"string"}}}
{"key":"value","nested":{"token_count":128,"max_tokens":4096}}
{"usage":{"input_tokens":1234,"output_tokens":567,"cache_read_input_tokens":89012}}
{"name":"read_file","arguments":"{\"path\":\"src/auth/token.go\",\"limit\":200}"}
{"password":"string","token":"string"}
"password": "The password must have at least 8 characters"
"auth": "optional", "secret": "optional"
"publicKey": "ssh-ed25519"
ssh-keygen -t ed25519 -C "work"
kubectl get secret my-secret -o yaml
kind: Secret
apiVersion: v1
curl -H "Accept: application/json" https://api.example.com/v1/items
curl -fsSL https://example.com/install.sh | sh
docker run -e API_KEY -p 8080:8080 image:latest
docker build --mount=type=secret,id=token .
npm install --save-dev typescript@5.4.2 @types/node@20.11.30
go get github.com/klauspost/compress@v1.18.0
github.com/klauspost/compress v1.18.0 h1:c/Cqfb0r+Yi+JtIEq73FWXVkRonBlf0CRNYc8Zttxdo=
pip install requests==2.31.0
import { keyBy, groupBy } from "lodash";
import accessControl from './access-control-2024'
from cryptography.hazmat.primitives import hashes
The header is Authorization: Bearer <token>
Authorization: Bearer ${token}
headers: { Authorization: "Bearer " + token }
The bearer of this letter is my friend.
postgres://user:password@localhost:5432/db
postgres://localhost/db
redis://localhost:6379/0
amqp://guest@localhost
postgres://${USER}:${PASSWORD}@${HOST}/db
https://example.com:8443/path@2x.png
mailto:bob@example.com
See foo@bar.example and http://example.com/@scope/name.
handleCursorKey(7) and onKeyDown("Enter")
"keybindings": [{ "key": "ctrl+k", "command": "x" }]
cacheKey: "conversation-list-v2"
sortKey = "created_at"
primaryKey: ['id', 'version']
tokenType: "access_token"
grant_type=refresh_token
xoxb is the prefix of a token of Slack, ghp_ one of GitHub, sk_live_ one of Stripe.
AKIA is how the id of an AWS key begins.
-----BEGIN CERTIFICATE-----
a JWT begins with eyJ and has two dots
The TODO in line 1234567890 of they_key.go
lorem ipsum dolor sit amet, consectetur adipiscing elit, sed do eiusmod tempor
2024-05-17T08:15:30.123456Z level=info msg="token refreshed" duration=1.2345s
goroutine 1 [running]: main.main() main.go:12 +0x1d
panic: runtime error: index out of range [5] with length 3
0: 7f1c3a2b4d5e6f70 1: 8091a2b3c4d5e6f7
#ff8800 #1a2b3c rgba(12, 34, 56, 0.7)
1f600 U+1F600 \u00e9 \u2026
monkey=donkey
The turkey: 12345678901234567890
sequence_key=12345678901234567890
csrf_token: 12345678901234567890
key_length = 2048
tokenizer = "o200k_base"
"secretName": "tls-certificate-2024"
$ echo $PATH
PWD=/srv/app
user:pass
passphrase: none
password: string;
  password: z.string().min(8),
  password: req.body.password1,
password: 8 to 20 characters
password: ${DB_PASSWORD}
password=secret
    password=password1,
api_key: 1111111111111111
"token": "0000-0000-0000-0001"
password: "111111"
-P 5432 -U postgres -W
"node_modules/acorn": { "version": "8.11.3", "resolved": "https://registry.example.org/acorn/-/acorn-8.11.3.tgz", "integrity": "sha512-Y9rRfJG5jcKOE0CLisYbojUjIrIEE7AGMzA/Sm4BslANhbS+cDMpgBdcPT91oJ7OuJ9hYJBx59RjbhxVnrF8Xg==" }
checksum = "5f9180138db3d4adf4a82c9e8e7b2e5a6c0a1f3d7b9e8c6a4f2d0b8e6c4a2f01"
{file = "requests-2.31.0-py3-none-any.whl", hash = "sha256:58cd2187c01e70e6e26505bca751777aa9f2ee0b7f4300988b709f44e013003f"}
"contentHash": "kQzGyBpUQvZ7oJrJ0gZ8m1QyV7u8o2F5kT3p9x4cD6s="
!function(e,t){"object"==typeof exports&&"undefined"!=typeof module?t(exports):(e=e||self).x={}}(this,function(e){"use strict";var t="3.7.1",n=Array.isArray;e.key=function(r){return r.token||t},e.secret=n});
var a=e.createElement("input");a.type="password",a.value=t.password1,n.token=r?.access_token;
Set-Cookie: name=value; Path=/; HttpOnly; SameSite=Lax
document.cookie = "theme=dark"
const cookie = req.headers.cookie;
response.cookies.set("session", value, { httpOnly: true })
usage: tool --password string   password of the user
tool --token "$TOKEN" --password "$PASSWORD"
docker login -u "$USER" --password-stdin registry.example.com
mysql -u root -p app < dump.sql
mysqldump --single-transaction --quick app
sshpass -e ssh host
The password is sent in the body, and the password was changed on 2024-05-17.
Password: at least 8 characters
password: "must be 8-20 characters"
self.password = password2
  password = form.password1
passwd = getpass.getpass("Password: ")
<password></password>
<token>{{ token }}</token>
<PasswordInput password={password1} />
login: alice, machine: devbox
machine learning needs no login and no password at all
jdbc:postgresql://localhost:5432/app?user=app&password=${PASSWORD}
https://example.com/reset?token=abc&code=42
https://example.com/search?q=a%20b%3Dc&key=title&sort=desc
GET /v1/items?key=created_at&session=12 200 12ms
https://user@example.com/path and https://some-very-long-host-name-of-a-company.example.com/
auth: "required", "auth": "none", {"auth":{"type":"oauth2"}}
Authorization: Basic <credentials>
headers["Authorization"] = "Basic " + base64Credentials
signature = hmac.new(key, body, hashlib.sha256).hexdigest()
func signature(a, b string) (string, error)
"kty" is the type of a key, such as EC
SECRET_KEY = os.environ["SECRET_KEY"]
app.config["SECRET_KEY"] = settings.SECRET_KEY_2
-----BEGIN PGP SIGNED MESSAGE-----
const chunk = "QUJDREVGR0hJSktMTU5PUFFSU1RVVldYWVphYmNkZWZnaGlqa2xtbm9wcXJzdHV2d3h5eg==";
src/components/navigation/sidebar/header/title/index/default/view
data:text/plain;base64,SGVsbG8sIHRoaXMgaXMgYSBsb25nIGFuZCBvcmRpbmFyeSB0ZXh0IHdpdGhvdXQgYW55IHNlY3JldHMgaW4gaXQu
file:///srv/My%20Project/a%2Bb.ts and vscode-remote://wsl%2Bubuntu/srv/app
drwxr-xr-x 2 root root 4096 May 17 09:00 src
[32m✓[0m 12 tests passed
git clone git@github.com:owner/repo.git
2024-05-17 08:15:30,123 INFO [main] request_id=6f1d2c3b4a5e6f7081920a1b2c3d4e5f status=200
trace_id: 4bf92f3577b34da6a3ce929d0e0e4736 span_id: 00f067aa0ba902b7
@@ -1,7 +1,7 @@ func tokenFor(name string) string {
+	password := r.FormValue("password")
-  password: process.env.DB_PASSWORD_2,
-  "password.repeat" = "Повторите пароль 2";
-  "password" = "Пароль";
-  "ServerAuth-Enforced": "PASS",
-  password: config.Password1,
- sha256sum dist/app-2.1.0.tar.gz
 42| const token = useToken();
> export PASSWORD
| key | value | token_count |
img.src = "/static/app.3f2a9b1c8d7e6f5a.js?v=20240517"
etag: W/"5e15153d-120f"
`

// TestRedactOrdinary: what has no secret stays, byte by byte.
func TestRedactOrdinary(t *testing.T) {
	t.Parallel()
	texts := strings.Split(strings.TrimSpace(ordinary), "\n")
	d := redacttest.NewDice(5)
	for n := range 20 {
		picture := make([]byte, 2000)
		for i := range picture {
			picture[i] = byte(d.IntN(256))
		}
		texts = append(texts, `<img src="data:image/png;base64,`+base64.StdEncoding.EncodeToString(picture)+`">`,
			`"blob":"`+base64.StdEncoding.EncodeToString(picture[:900])+`"`,
			fmt.Sprintf("%s %d", d.Of(redacttest.Hex, 40), n),
			d.Of(redacttest.Hex, 8)+"-"+d.Of(redacttest.Hex, 4)+"-4"+d.Of(redacttest.Hex, 3)+"-a"+
				d.Of(redacttest.Hex, 3)+"-"+d.Of(redacttest.Hex, 12))
	}
	if len(texts) < 190 {
		t.Errorf("only %d texts", len(texts))
	}
	wrong := 0
	for _, text := range texts {
		for name, in := range contexts {
			text := in(text)
			if got := redact.Text(text); got != text {
				wrong++
				t.Errorf("%s: %.200q became %.200q", name, text, got)
			}
		}
	}
	t.Logf("%d of %d texts changed", wrong, len(texts)*len(contexts))
	whole := strings.Join(texts, "\n")
	if got := redact.Text(whole); got != whole {
		t.Errorf("all together they change: %v", redact.Find(whole))
	}
}
