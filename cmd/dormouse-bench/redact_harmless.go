package main

import "strings"

// harmlessForms are texts without a secret that look as if they had one, by kind. Forms are those of fill.
var harmlessForms = map[string][]string{
	"hash": {"commit {h40}", "HEAD is now at {h7} Fix the key", "sha256:{h64}", "{h32}  file.tar.gz", "ETag: W/\"{h32}\"", "  checksum: {h128}\n",
		"\"integrity\": \"sha512-{B86}==\"", "golang.org/x/text v0.21.0 h1:{B43}=", "FROM node@sha256:{h64}", "cache key: {h64}", "digest: {h40}",
		"token_hash: {h64}", "fingerprint: SHA256:{B43}", "key_checksum = \"{h64}\"", "Cache restored from key: Linux-go-{h64}",
		"index {h7}..{h7} 100644", "the cache key {h40} is stale"},
	"id": {"\"session_id\": \"{U}\"", "request_token: {U}", "credentialsId: '{U}'", "\"id\":\"msg_01{A22}\"", "\"tool_use_id\":\"toolu_01{A22}\"",
		"key_id: {U}", "\"tokenId\": {d12}", "access_key_id_ref: {w}-{w}", "trace={h32} span={h16}", "x-amz-request-id: {u16}", "client_id: {w}-{w}-{d4}"},
	"path": {"/home/dev/.cache/go-build/{h2}/{h64}-d", "SSH_KEY_PATH=/home/dev/.ssh/id_{w}", "token_file = C:\\Users\\dev\\{w}\\token2.txt",
		"secret: ./secrets/{w}.json", "https://cdn.acme.io/assets/{w}-{h20}.js", "key: s3://{w}-{w}/{h32}/data.bin", "PASSWORD_FILE=/run/secrets/{w}_password",
		"src/{w}/{W}TokenProvider.ts", "node_modules/.pnpm/{w}@1.2.3_{h32}/node_modules"},
	"image": {"data:image/png;base64,iVBORw0KGgo{B400}", "![shot](data:image/jpeg;base64,/9j/4AAQSkZJRg{B300})", "{\"type\":\"base64\",\"media_type\":\"image/png\",\"data\":\"iVBORw0KGgo{B600}\"}",
		"{B64}\n{B64}\n{B64}\n{B30}==", "\"mappings\":\"AAAA;CAAC,{L40};{L60}\""},
	"public key": {"ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAI{B43} dev@host", "-----BEGIN PUBLIC KEY-----\n{B64}\n-----END PUBLIC KEY-----", "publicKey: {B44}",
		"-----BEGIN CERTIFICATE-----\n{B64}\n{B64}\n-----END CERTIFICATE-----", "PUBLIC_KEY={B44}", "age1{a58}", "\"x\":\"{b43}\",\"y\":\"{b43}\",\"kty\":\"EC\""},
	"placeholder": {"ACME_API_KEY=your_api_key_here", "ACME_API_KEY=<your-api-key>", "api_key: \"xxxxxxxxxxxxxxxxxxxxxxxx\"", "password: changeme", "DB_PASSWORD=****************",
		"token: ${ACME_TOKEN}", "token: ${{ secrets.{u8} }}", "password: {{ vault.{w}_password }}", "password: \"%s\"", "OPENAI_API_KEY=sk-...{A4}", "export TOKEN=$(cat {w})",
		"aws_access_key_id = AKIAIOSFODNN7EXAMPLE", "secret = \"REPLACE_ME_WITH_{w}\"", "\"password\": \"string\"", "api_key=abcdefghijklmnopqrstuvwxyz123456", "token: TODO",
		"POSTGRES_PASSWORD=postgres", "postgres://user:password@localhost:5432/{w}", "key: 00000000000000000000000000000000", "Authorization: Bearer <token>",
		"curl -u \"$USER:$PASS\" https://{w}.io", "apiKey: 'test-api-key'", "secret: \"[redacted]\"", "API_KEY=none"},
	"code": {"token := {w}.Next{W}(ctx)", "apiKey: config.{w}{W}Key,", "password = get{W}{W}()", "const apiKey = process.env.{W}_API_KEY;", "self.secret = secret or {w}_{w}2",
		"if token.Type == token{W}{W}2 { return }", "privateKey: test{W}2048PrivateKey,", "secrets = {w}.Append{W}16(secrets, 0)", "password = os.Args[4]",
		"token = os.environ['{W}_TOKEN_2']", "type Token{W} struct {\n\tKey {W}\n}", "var key{W} = []byte{0x{h2}, 0x{h2}}", "key := fmt.Sprintf(\"%s-%d\", {w}, {w}2)",
		"privateKey: Uint8Array;\npassword: string;\n", "authorization = {W}2{W}.with{W}({w}2);", "import { {w}Token } from './{w}'", "def {w}(password=default_{w}):",
		"this.accessToken = {w}{W}Token;", "KEY_{u4} = 0x{h8}", "password: {w}{W}.password,", "return {w}.secretFor({w}, \"{w}-{w}\")", "secret_key_base: Rails.{w}.{w}",
		"new {W}Token(\"user\", \"password\", \"ROLE_{u6}\")", "token?: {W}{W} | undefined"},
	"setting": {"max_tokens={d5}, temperature=0.3", "TOKEN_TTL={d4}", "key_bindings: {w}", "auth_model: {w}-4o-mini-2024-07-18", "password_min_length: 12", "token usage: input_tokens={d5}",
		"\"usage\":{\"input_tokens\":{d4},\"cache_creation_input_tokens\":{d5}}", "primary_key: {w}_id", "foreign key ({w}_id) references {w}(id)", "sort-key: {w}#{w}", "session: {w}-{d2}",
		"secretName: {w}-tls-cert2", "secretKeyRef:\n  name: {w}-credentials\n  key: password", "auth: basic", "token_type: bearer", "keyring: {w}", "key: {w}.{w}.title",
		"version: v0.0.0-20250123031827-{h12}", "passwordPolicy: strong", "nextPageToken: {A32}", "\"csrf_token\" value=\"{A40}\""},
	"prose": {"The token is {d2} characters long and expires after an hour.", "The password is required, your password was changed.", "Set the API key of the {w} in the settings of the {w}.",
		"Use --password when the {w} asks for one.", "What is the key of this {w}? It must be unique.", "--- PASS: Test{W}{W}2 (0.00s)", "pass: {d2} of {d2}", "author = \"{w}@{w}.io\"",
		"密码长度至少十二位，令牌每小时刷新一次", "APIキーは環境変数に保存してください", "Passwort: mindestens zwölf Zeichen", "\"password\": \"Contraseña\"", "The secret of a good {w} is its {w}.",
		"see https://docs.acme.io/{w}/tokens#{w}-{w}", "2026-01-14T09:12:44Z token refreshed for {w}-{d4}"},
}

// harmlessKinds are the kinds, in the order in which they are drawn.
var harmlessKinds = strings.Split("hash,id,path,image,public key,placeholder,code,setting,prose", ",")
