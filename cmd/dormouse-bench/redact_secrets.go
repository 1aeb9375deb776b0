package main

// maker is a kind of secret: whose it is, the form that its maker publishes, and whether the form alone tells it. Forms are those of
// fill.
type maker struct {
	family string
	form   string
	bare   bool // it is told without a name, in the middle of prose
}

// makers are the secrets that are generated. The last ones are of nobody: no rule can have been written for them.
var makers = []maker{
	{"anthropic", "sk-ant-api03-{b93}AA", true}, {"openai", "sk-proj-{b48}T3BlbkFJ{b48}", true}, {"openai", "sk-{A48}", true},
	{"openrouter", "sk-or-v1-{h64}", true}, {"groq", "gsk_{A52}", true}, {"huggingface", "hf_{L34}", true}, {"xai", "xai-{A80}", true},
	{"replicate", "r8_{A37}", true}, {"perplexity", "pplx-{A48}", true}, {"langchain", "lsv2_pt_{h32}_{h10}", true},
	{"github", "ghp_{A36}", true}, {"github", "gho_{A36}", true}, {"github", "ghs_{A36}", true}, {"github", "github_pat_{A22}_{A59}", true},
	{"gitlab", "glpat-{b20}", true}, {"gitlab", "gldt-{b20}", true}, {"gitlab", "glrt-{b20}", true}, {"npm", "npm_{A36}", true},
	{"pypi", "pypi-AgEIcHlwaS5vcmc{b90}", true}, {"rubygems", "rubygems_{h48}", true}, {"docker", "dckr_pat_{b27}", true},
	{"nuget", "oy2{a43}", true}, {"crates", "cio{A32}", true}, {"circleci", "CCIPAT_{A22}_{h40}", true}, {"postman", "PMAK-{h24}-{h34}", true},
	{"sonar", "squ_{h40}", true}, {"figma", "figd_{b40}", true}, {"atlassian", "ATATT3xFfGF0{b180}={H8}", true},
	{"aws", "AKIA{v16}", true}, {"google", "AIza{b35}", true}, {"google", "GOCSPX-{b28}", true}, {"google", "ya29.{b120}", true},
	{"digitalocean", "dop_v1_{h64}", true}, {"heroku", "HRKU-{b58}", true}, {"fly", "fm2_lJPECAAAAAAAA{B120}", true},
	{"databricks", "dapi{h32}", true}, {"supabase", "sbp_{h40}", true}, {"planetscale", "pscale_tkn_{b43}", true},
	{"vault", "hvs.{A24}", true}, {"vault", "hvs.CAESI{b86}", true}, {"doppler", "dp.pt.{A43}", true}, {"pulumi", "pul-{h40}", true},
	{"alibaba", "LTAI{A20}", true}, {"azure", "{A3}8Q~{b34}", false}, {"age", "AGE-SECRET-KEY-1{u58}", true},
	{"stripe", "sk_live_{A24}", true}, {"stripe", "whsec_{A32}", true}, {"square", "sq0atp-{b22}", true}, {"shopify", "shpat_{h32}", true},
	{"razorpay", "rzp_live_{A14}", true}, {"flutterwave", "FLWSECK-{h32}-X", true}, {"sendgrid", "SG.{b22}.{b43}", true},
	{"brevo", "xkeysib-{h64}-{A16}", true}, {"mailgun", "key-{h32}", false}, {"mailchimp", "{h32}-us12", false},
	{"slack", "xoxb-{d12}-{d13}-{A24}", true}, {"slack", "xapp-1-A{u10}-{d13}-{h64}", true}, {"telegram", "{d10}:AA{b33}", true},
	{"discord", "M{A23}.G{b5}.{b38}", false}, {"twilio", "{h32}", false}, {"linear", "lin_api_{A40}", true}, {"notion", "ntn_{A46}", true},
	{"airtable", "pat{A14}.{h64}", true}, {"hubspot", "pat-na1-{U}", true}, {"grafana", "glsa_{A32}_{h8}", true},
	{"sentry", "sntryu_{h64}", true}, {"newrelic", "NRAK-{u27}", true}, {"dynatrace", "dt0c01.{u24}.{u64}", true}, {"datadog", "{h32}", false},
	{"cloudflare", "{b40}", false}, {"jwt", "eyJhbGciOiJIUzI1NiIsInR5cCI6IkpXVCJ9.eyJzdWIiOiI{A40}.{b43}", true},
	{"nobody's, with a mark", "acme_live_{A32}", true}, {"nobody's, with a mark", "zq-{A40}", false}, {"nobody's, with a mark", "orbit.{A40}", false},
	{"nobody's", "{A32}", false}, {"nobody's", "{a40}", false}, {"nobody's", "{h64}", false}, {"nobody's", "{B44}", false}, {"nobody's", "{L32}", false},
	{"nobody's", "{b24}.{b32}", false},
}

// keyPlaces are where keys and tokens stand: %s is the secret, and its name is that of a key.
var keyPlaces = []string{
	"ACME_API_KEY=%s\n", "export ACME_API_TOKEN=%s\n", "HOST=db\nACME_SECRET_KEY=\"%s\"\nPORT=1\n", "acme:\n  api_key: %s\n  region: eu\n",
	"acme:\n  apiToken: '%s'\n", `{"region":"eu","apiKey":"%s"}`, `{"body":"{\"api_key\": \"%s\"}"}`, "[acme]\napi_token = \"%s\"\n",
	"[acme]\nsecret_key = %s\nregion = eu\n", "acme.api.key=%s\n", "const apiKey = \"%s\"\n", "client := acme.New(acme.Config{APIKey: \"%s\"})",
	"client = Acme(api_key='%s', timeout=3)", "headers = {\"X-Api-Key\": \"%s\"}", "os.environ[\"ACME_API_KEY\"] = \"%s\"",
	"const cfg = { clientSecret: `%s` };", "private static final String API_KEY = \"%s\";", "builder.setApiKey(\"%s\");",
	"var options = new Options { ApiKey = \"%s\" };", "'api_key' => '%s',", "  config.api_key = '%s'\n", "let api_key = \"%s\".to_string();",
	"setenv(\"ACME_API_KEY\", \"%s\", 1);", "val apiKey: String = \"%s\"", "api_key: \"%s\" # rotate\n", "acme deploy --token=%s",
	"acme deploy --api-key %s --verbose", "docker run -e ACME_SECRET_KEY=%s acme/app", "curl -H 'X-Api-Key: %s' https://api.acme.io/v1",
	`curl -H "Authorization: Bearer %s" https://api.acme.io/v1`, `{"command":"curl -H \"Authorization: Bearer %s\" https://api.acme.io"}`,
	"> Authorization: token %s\n> Accept: */*\n", "GET /v1/items?api_key=%s&limit=10 HTTP/1.1", "//registry.acme.io/:_authToken=%s\n",
	"env:\n  - name: ACME_TOKEN\n    value: \"%s\"\n", "  <add key=\"AcmeApiKey\" value=\"%s\" />\n", "<apiKey>%s</apiKey>",
	"git clone https://oauth2:%s@git.acme.io/acme/app.git", "-api_key: old\n+api_key: %s\n", "::add-mask::\nACME_TOKEN: %s\n",
	"variable \"api_key\" {\n  default = \"%s\"\n}\n", "  api_key = \"%s\"\n  region  = \"eu\"\n",
}

// barePlaces are where a secret stands without the name of one.
var barePlaces = []string{
	"I put %s in .env, can you check why it fails?", "use %s for now\n", "request failed with %s: 401", "> %s\n", "echo %s | acme login",
	"tool_result: $ cat .token\n%s\n", "[\"%s\", 3]", "(%s)", "The new one is `%s`.", "error: bad credentials '%s'\n",
}

// passwordForms are how passwords are made: by people, by generators, of letters alone, with signs.
var passwordForms = []maker{
	{family: "password, by a person", form: "{P}{d4}!"}, {family: "password, by a person", form: "{p}{d2}{p}"}, {family: "password, by a person", form: "{P}-{P}-{d2}"},
	{family: "password, small letters", form: "{l10}"}, {family: "password, small letters", form: "{l16}"}, {family: "password, letters", form: "{L12}"},
	{family: "password, letters", form: "{L20}"}, {family: "password, two words", form: "{p}{p}"}, {family: "password, letters and digits", form: "{A12}"},
	{family: "password, letters and digits", form: "{a16}"}, {family: "password, with signs", form: "{A3}{s12}"}, {family: "password, with signs", form: "{A5}{s18}"},
}

// passwordPlaces are where passwords stand.
var passwordPlaces = []string{
	"DB_PASSWORD=\"%s\"\n", "db:\n  user: app\n  password: '%s'\n", `{"user":"bob","password":"%s"}`, `{"body":"{\"password\": \"%s\"}"}`,
	"[db]\npassword = \"%s\"\n", "connect(host=\"db\", password=\"%s\", port=5432)", "Config{\n\tUser: \"bob\",\n\tPassword: \"%s\",\n}",
	"ds.setPassword(\"%s\");", "'password' => '%s',", "var c = new NetworkCredential(\"bob\", \"%s\");", "const password = '%s';",
	"sshpass -p '%s' ssh root@host", "CREATE USER app IDENTIFIED BY '%s';", "  administrator_login_password = \"%s\"\n",
	"  <add key=\"SmtpPassword\" value=\"%s\" />\n", "<password>%s</password>", "The admin password is \"%s\", please keep it.",
	"login --user bob --password '%s'",
}

// plainPlaces are where a password without signs can stand as it is.
var plainPlaces = []string{
	"DB_PASSWORD=%s\n", "export PGPASSWORD=%s\n", "PGPASSWORD=%s psql -h db app", "db:\n  user: app\n  password: %s\n",
	"[client]\nuser = root\npassword = %s\n", "spring.datasource.password=%s\n", "docker run -e POSTGRES_PASSWORD=%s postgres",
	"app login --user bob --password %s --verbose", "helm install x ./x --set auth.password=%s", "mysql -u root -p%s -h db app",
	"docker login -u bob -p %s registry.acme.io", "curl -u admin:%s https://api.acme.io/v1", "DATABASE_URL=postgres://app:%s@db:5432/app\n",
	"mongodb+srv://app:%s@cluster0.abcde.mongodb.net/test", "redis://:%s@cache:6379/0", "jdbc:mysql://db/app?user=app&password=%s&useSSL=true",
	"Server=db;Database=app;User Id=sa;Password=%s;Encrypt=yes", "machine git.acme.io login bob password %s\n", "db:5432:app:bob:%s\n",
	"ENV DB_PASSWORD=%s\nEXPOSE 80\n", "environment:\n  - MYSQL_PASSWORD=%s\n",
}
