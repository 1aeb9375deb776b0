package tagging

import "strings"

// generic are names that every project has, and that tell one subject from another in none.
var generic = wordSet(`src source lib internal pkg package cmd command app core common shared main index mod util misc general test
testdata fixture mock spec e2e integration unit asset static public dist build bin script tool config docs example internal api
type model module component service server client file directory code project repo go python javascript typescript java rust
cli tmp temp new old user home work data base default helper function method class`)

// plainWords are words of English in which people speak of work: they name no subject.
var plainWords = wordSet(`about above across after again against all almost along already also although always among another any anything
around ask back because become been before begin behind being below better between both bring call came can cannot change chose choose
clean come commit could cover create current cut deal decide default delegate deliver different does done down drop during each
edit either else emit end enough ensure even every exist expect explain extra fail false fetch few find first fix follow for force
found four from full further gave get give given goe good got great guard had handle happen hard has have having helper here high
hold how however implement implementation import improve include instead into issue its itself just keep kept kind know last late later least leave
left less let like line list little load long look lose made main make many match may mean merge might missing more most move much
must name near necessary need never next none nor not note nothing now number off often old once one only open opened order
other otherwise our out over own part pass past path per place plan point post prefer present prevent previous print problem
produce properly pull pushed put question quite raise rather reach read real really reason record reference relevant remain
remove rename repeat replace report require reset rest result return review right run safe same save say see seem send separate set several
shall share short should show silently similar simple since single skip small some something start state stay step still stop
support sure switch take task team tell ten text than that the their them then there these they thing think this those though three
through time together too total track true try turn two under until update upgrade upon use used using value very via view wait want
was way were what when where whether which while who whole why will with within without word work would wrap write written wrong
yes yet you your add added adding avoid based both break case cause check clear close complete correct count date detail direct
directly enable exact existing extract field fine flag format group helper ignore level likely limit local loop manual matching
multiple non null object old only operation option output pair patch pattern pick prior proper provide pure range raw redundant
refer related release remote resolve restore rule scope second section selected set shape simply size sort specific split stale
standard status store string structure sub summary table target template third throw top type unused upstream usage valid warning
test error message function parameter argument file command line push request pr comment feedback approach behavior behaviour
correctly automatically currently actually finally never clearly completely entirely fully explicitly`)

func wordSet(s string) map[string]bool {
	m := map[string]bool{}
	for w := range strings.FieldsSeq(s) {
		m[w] = true
	}
	return m
}
