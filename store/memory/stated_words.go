package memory

import "strings"

// nameClass is what the name of a secret lets one expect of its value.
type nameClass uint8

const (
	passName  nameClass = iota + 1 // a password: a person chose it, so that it may be any word
	shortPass                      // a password by a name that has other meanings
	pinName                        // a number
	keyName                        // a key or a token: a machine made it
	loginName                      // no secret's: a user and a password follow
)

// secretName is what a secret is called in a sentence. inner is set where it counts as the end of a longer word too.
type secretName struct {
	word  string
	class nameClass
	inner bool
}

// secretNames are the names of secrets in the languages of those who write them, in small letters.
var secretNames = []secretName{
	{"password", passName, true}, {"passwd", passName, true}, {"passphrase", passName, true}, {"pass phrase", passName, false},
	{"pass-phrase", passName, false}, {"passcode", passName, true}, {"passwort", passName, true}, {"kennwort", passName, true},
	{"mot de passe", passName, false}, {"contraseña", passName, false}, {"contrasena", passName, false}, {"senha", passName, false},
	{"wachtwoord", passName, true}, {"hasło", passName, false}, {"heslo", passName, false}, {"lösenord", passName, true},
	{"adgangskode", passName, true}, {"salasana", passName, true}, {"jelszó", passName, false}, {"şifre", passName, false},
	{"пароль", passName, false}, {"Пароль", passName, false}, {"密码", passName, true}, {"密碼", passName, true}, {"口令", passName, true},
	{"パスワード", passName, true}, {"비밀번호", passName, true}, {"패스워드", passName, true}, {"暗証番号", passName, true},
	{"pwd", shortPass, false}, {"pw", shortPass, false}, {"pass", shortPass, false}, {"mdp", shortPass, false}, {"clave", shortPass, false},
	{"parola", shortPass, false}, {"pin", pinName, false},
	{"api key", keyName, false}, {"api-key", keyName, false}, {"api_key", keyName, false}, {"apikey", keyName, true},
	{"access key", keyName, false}, {"secret key", keyName, false}, {"private key", keyName, false}, {"encryption key", keyName, false},
	{"license key", keyName, false}, {"licence key", keyName, false}, {"auth key", keyName, false}, {"signing key", keyName, false},
	{"token", keyName, true}, {"secret", keyName, true}, {"api-schlüssel", keyName, false}, {"schlüssel", keyName, true},
	{"clé api", keyName, false}, {"clé d'api", keyName, false}, {"clave de api", keyName, false}, {"chave de api", keyName, false},
	{"密钥", keyName, true}, {"密鑰", keyName, true}, {"秘钥", keyName, true}, {"令牌", keyName, true}, {"トークン", keyName, true},
}

// loginWords come before a user and a password that one sign parts: login: bob / x.
var loginWords = []secretName{
	{"login", loginName, false}, {"log in", loginName, false}, {"logon", loginName, false}, {"sign in", loginName, false},
	{"credential", loginName, false}, {"creds", loginName, false}, {"zugangsdaten", loginName, false}, {"anmeldedaten", loginName, false},
	{"identifiants", loginName, false}, {"credenciales", loginName, false}, {"credenciais", loginName, false}, {"credenziali", loginName, false},
	{"账号", loginName, true}, {"帐号", loginName, true},
}

// nameTable finds names by their first two bytes, of which ASCII letters are small: in one look, because it is asked at every byte of a text.
type nameTable struct {
	list [1 << 16]uint8 // index in all; 0 for none
	all  [][]secretName
}

func tableOf(tables ...[]secretName) *nameTable {
	t := &nameTable{all: make([][]secretName, 1)}
	for _, names := range tables {
		for _, n := range names {
			k := pairOf(n.word, 0)
			if t.list[k] == 0 {
				t.list[k] = uint8(len(t.all))
				t.all = append(t.all, nil)
			}
			t.all[t.list[k]] = append(t.all[t.list[k]], n)
		}
	}
	return t
}

func pairOf(s string, i int) int { return int(small[s[i]])<<8 | int(small[s[i+1]]) }

// small are the bytes with ASCII letters made small.
var small = func() (t [256]byte) {
	for i := range t {
		t[i] = lowered(byte(i))
	}
	return t
}()

func wordList(words string) map[string]bool {
	set := map[string]bool{}
	for _, w := range strings.Fields(words) {
		set[w] = true
	}
	return set
}

var (
	// stateWords say in a sentence what a thing is.
	stateWords = wordList(`is was be are were equals now set changed reset becomes became will should must shall can could would has been
		ist war lautet lautete sei wird sind bleibt est était sera es era será é è sarà jest brzmi это är er
		to on`)
	// stateFillers may come between such a word and the value.
	stateFillers = wordList(`is was be been to now still currently just simply always actually again set changed reset
		jetzt nun noch weiterhin maintenant toujours ahora ancora zu auf à a:
		literally literal following string word value usual`)
	// ofWords begin what says which password is meant.
	ofWords = wordList(`for of on to at in from with für fuer von vom auf zu zum zur im bei der des pour de du del della para en per su sur na do da
		voor van op dla`)
	// cueWords come before a password that is named right before its value.
	cueWords = wordList(`use using with enter try type give gave pass passing mit nimm nutze verwende avec utilise con usa usando com met z`)
	// roleWords come between a value and what it is: x as the root password.
	roleWords = wordList(`as is was als ist war comme como est es come jako`)
	// andWords join a user and a password. articleWords may come before a name.
	andWords     = wordList(`and und et y e`)
	articleWords = wordList(`dem den einem the a an my your our his her their its this that new old das dein mein unser ein neues altes der die le la el il mon ma
		votre su tu mi o het admin administrator root default current temporary initial master database db sudo wifi staging prod
		production test login user account ssh api`)
)

// ordinaryWords are what a sentence about a secret goes on with, and no value: the password is wrong, the password: string.
var ordinaryWords = wordList(`a about absent accepted across active add added after again all already also always an and another any anyone
	anything are arg argument array as at authentication auth available bad base basic be because been before being better blank blob bool
	boolean both but by byte bytes can cannot changed char check checked checks class cleared client column command compared complete config
	configured confirmed const constant correct could created credential credentials current currently database default defined deleted
	deprecated derived described different disabled do documented does done easy either else email empty enabled encoded encrypted entered env
	environment error even every everywhere exactly exists expected expired exposed external false field file fine fixed flow for forgotten
	form found from function generated get given gone good got guessable had handled hard hardcoded has hash hashed hashes hashing have he
	help her here hidden his hook how i id if ignored immutable in incorrect initial input insecure inside instead int integer interface
	internal into invalid irrelevant is issued it its itself just kept key keys known later leaked left length less likely limited loaded
	local lock locked logged login long longer lost lower made mail manager mandatory manually masked may me merely min minimum mismatch
	missing module more most must my name needed needs never new nil no node non none nor normalized not nothing now null number object of
	off ok okay old on once one only open option optional or otherwise our out outdated over page parameter parsed part passed passing
	password passwords path permitted plain plaintext please policy possible present prevented previous printed private probably prompt
	prompted property protected provided public query rather raw read readable ready really received record redacted refresh refreshed
	rejected removed renamed required requires reset resolved response result returned revoked right rotated safe salt salted same saved
	secret secrets secure seen sensitive sent separate server service session set shared short shorter should shown signed simply so some
	something somewhere still storage stored string strong such supplied supported sure symbol table tag taken temporary test text than that
	the their them then there these they this those through to today together token tokens too true trimmed two type typed unchanged under
	undefined unknown unset unsupported until up updated url us usable use used user username uses using usually valid validated validation
	value variable vault verified version very via visible wait wanted was way we weak well were what when where whether which while who why
	will with within without working would wrong yes yet you your zero
	nicht falsch richtig leer ungültig gültig korrekt erforderlich optional nötig bekannt gesetzt abgelaufen geändert vergessen zu der die das
	ein eine im in noch schon auch nur sehr und oder ob wie was kein keine pflichtfeld
	incorrect incorrecte correct vide requis obligatoire pas trop que le la les un une dans en non faux
	incorrecta correcta vacía requerida obligatoria no muy el los de fundamental
	errata corretta sbagliata vazia inválida obrigatória não muito verkeerd fout leeg niet het een`)

// endings are those of words that say how something is. Behind "is" they are taken for such a word.
var endings = []string{"able", "ible", "ated", "ized", "ised", "pted", "ected", "ired", "ored"}

// nounsBehind are what a name is the first part of: password manager, token budget.
var nounsBehind = wordList(`attempt attempts auth authentication based box budget bucket cache change changes check checker complexity confirmation
	controller count cracker cracking criteria dialog dictionary encoder encryption endpoint entropy entry exchange expiration expiry field
	fields file files flow flows form format generation generator grant guard handler handling hasher hash hashes hashing helper hint history
	input inputs leak length less lifetime limit limits link list login logic lookup manager managers manipulation migration model module
	name names page parameter parameters parser policies policy prompt prompts property protection provider recovery refresh regex
	requirement requirements reset resets retrieval reuse rotation rule rules scanner scheme screen security service settings setup sharing
	source spraying stash storage store strategy strength stuffing support system test tests tool transmission type types update updates
	usage validation validator validators vault verification view zurücksetzen`)
