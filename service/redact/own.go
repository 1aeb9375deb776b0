package redact

// ownRule is a rule of our own: find is called where one of the keywords, in lower case, is at p.s[start:end]. It looks at a
// bounded part of the text around it and emits what it finds.
type ownRule struct {
	keywords []string
	find     func(p *pass, start, end int)
}

// pass is one look at one text.
type pass struct {
	s    string
	emit func(finding)
	// nameEnd is the end of the last name that was judged, so that a name with two keywords is judged once.
	nameEnd int
	// What was looked at already, for each kind of look that can be long: a keyword inside is not looked at again, so that the
	// work is linear in the text whatever the text is.
	bare, token, cookie, private, manifest, key stretch
}

// stretch is a part of the text.
type stretch struct{ from, to int }

// longStretch is how long a stretch must be, in bytes, to be remembered where shorter ones may nest.
const longStretch = 1024

// inside reports whether i is in the stretch but not its beginning.
func (t stretch) inside(i int) bool { return i > t.from && i < t.to }

// insideLong is inside for a long stretch.
func (t stretch) insideLong(i int) bool { return t.to-t.from > longStretch && t.inside(i) }

func (p *pass) found(from, to int, family string) {
	if from < to {
		p.emit(finding{from: from, to: to, family: family})
	}
}

// ownRules are the rules of our own, in no order.
func ownRules() []ownRule {
	rules := []ownRule{
		{keywords: nameKeywords, find: findAssigned},
		{keywords: shortNames, find: findShortNamed},
		{keywords: foreignNames, find: findForeign},
		{keywords: []string{"${"}, find: findDefault},
		{keywords: []string{`"kty"`}, find: findJWK},
		{keywords: []string{"authorization", "bearer "}, find: findAuthorization},
		{keywords: []string{"cookie:"}, find: findCookie},
		{keywords: []string{"://"}, find: findURL},
		{keywords: []string{"-----begin"}, find: findKeyBlock},
		{keywords: []string{"-----end"}, find: findKeyTail},
		{keywords: []string{":_auth"}, find: findNpmrc},
		{keywords: crypted, find: findCrypted},
		{keywords: phraseNames, find: findSeedPhrase},
		{keywords: codeNames, find: findCodes},
		{keywords: otpNames, find: findOTP},
		{keywords: slashLogins, find: findSlashLogin},
		{keywords: []string{"client-key-data"}, find: findKeyData},
		{keywords: []string{"setx "}, find: findSetx},
		{keywords: []string{"here it is:", "here you go:", "here's the token:", "token:", "key:"}, find: findBare},
		{keywords: []string{"eyj"}, find: findJWT},
		{keywords: []string{"<private>"}, find: findPrivate},
		{keywords: []string{"=", ":"}, find: findOpaque},
		{keywords: []string{"nral"}, find: findLicense},
		{keywords: []string{"!"}, find: findSalesforce},
		{keywords: hookPaths, find: findHook},
		{keywords: []string{"identified by", "identified with"}, find: findSQL},
		{keywords: loginPrograms(), find: findFlag},
		{keywords: stdinReaders, find: findPiped},
		{keywords: placed, find: findPlaced},
		{keywords: []string{`send "`, `send -- "`}, find: findSent},
		{keywords: sqlPasswords, find: findSQLPassword},
		{keywords: loginFunctions(), find: findLogin},
		{keywords: []string{"unseal"}, find: findUnseal},
		{keywords: []string{"azdo"}, find: findAzureDevOps},
		{keywords: []string{`variable "`}, find: findTerraform},
		{keywords: []string{":5432:", ":6432:", ":*:"}, find: findPgpass},
		{keywords: []string{"kind:"}, find: findKubernetes},
		{keywords: selfDescribing, find: findSelfDescribed},
	}
	for i := range tokenShapes {
		shape := &tokenShapes[i]
		rules = append(rules, ownRule{keywords: shape.keywords(), find: shape.find})
	}
	return rules
}
