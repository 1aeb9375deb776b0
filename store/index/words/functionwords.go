package words

import "strings"

// longestFunctionWord is the length of the longest function word in bytes.
const longestFunctionWord = 16

// functionWords are for each of the commonest articles, pronouns, prepositions, conjunctions, auxiliary verbs and question words of some
// languages the languages that have it, one bit each. By them a language is told; in a question of that language they ask for nothing.
var functionWords = func() map[string]uint16 {
	m := map[string]uint16{}
	for l, list := range map[Language]string{
		germanWords: `der die das den dem des ein eine einen einem einer eines und oder aber denn sondern ich du er sie es wir ihr mich dich sich uns euch
mir dir ihm ihn ihnen mein dein sein seine seinen seiner ihre ihren ihrer unser unsere ist sind war waren bin bist wird werden wurde wurden worden
hat haben hatte hatten habe kann können konnte muss müssen soll sollen sollte will wollen darf nicht kein keine keinen auch noch nur schon sehr
so wie wer was wo wann warum wieso welche welcher welches welchen welchem wessen wem wen wohin woher wofür womit wodurch in im an am auf aus bei beim
mit nach von vom vor zu zum zur über unter durch für gegen ohne um bis seit während zwischen neben als wenn weil dass daß ob damit diese dieser
dieses diesen diesem jene jeder jede jedes alle man hier dort dann da doch mehr etwa`,
		spanishWords: `el la los las lo un una unos unas de del al a y e o u ni que qué quién quiénes cuál cuáles cómo cuándo cuánto cuánta cuántos cuántas dónde
por para con sin sobre entre hasta desde hacia según durante en es son era eran fue fueron ser sido está están estaba estar ha han había haber hay
tiene tienen tenía se su sus mi mis tu tus le les me te nos yo él ella ellos ellas nosotros usted ustedes este esta estos estas ese esa esos esas
aquel esto eso no sí ya más menos muy pero sino porque como cuando donde si también tan todo toda todos todas otro otra otros otras qual cual cuyo`,
		frenchWords: `le la les l un une des du de d au aux et ou où mais donc or ni car que qu qui quoi quel quelle quels quelles comment quand pourquoi combien
dans en sur sous avec sans pour par chez vers entre depuis pendant avant après contre est sont était étaient être été a ont avait avaient avoir
sera seront fut furent je tu il elle on nous vous ils elles me te se lui leur leurs mon ma mes ton ta tes son sa ses notre nos votre vos ce cet cette ces
c s n ne pas plus moins très aussi si comme tout toute tous toutes même autre autres dont y cela ça peut fait`,
		italianWords: `il lo la i gli le un uno una di del dello della dei degli delle a al allo alla ai agli alle da dal dalla dai dalle in nel nello nella nei
nelle su sul sulla sui sulle con per tra fra e ed o ma se che chi cosa quale quali quanto quanta quanti quante come dove quando perché non più meno
molto anche ancora già è sono era erano essere stato stata stati state ha hanno aveva avevano avere fu furono io tu lui lei noi voi loro mi ti si ci vi ne
mio tuo suo sua suoi sue nostro questo questa questi queste quello quella quelli quelle tutto tutti tutte altro altri dopo prima durante senza sotto`,
		portugueseWords: `o a os as um uma uns umas de do da dos das em no na nos nas por pelo pela pelos pelas para com sem sob sobre entre até desde ao aos à às e ou
mas nem que quem qual quais quanto quanta quantos quantas como quando onde porque é são era eram foi foram ser sido está estão estava estar tem têm
tinha ter há havia se seu sua seus suas meu minha teu lhe lhes me te nos eu ele ela eles elas nós você vocês este esta estes estas esse essa esses essas
aquele aquela isto isso não sim já mais menos muito também só todo toda todos todas outro outra outros outras durante depois`,
		dutchWords: `de het een en of maar want dat die dit deze wie wat waar wanneer waarom hoe welke welk hoeveel ik jij je u hij zij ze wij we jullie hen hun mij me
mijn jouw zijn haar ons onze is was waren ben bent wordt worden werd werden heeft hebben had hadden kan kunnen moet moeten zal zullen wil in op aan
van voor met door bij naar uit over onder tussen tegen zonder tot tijdens na om te als dan toen niet geen ook nog wel al er daar hier zo meer veel
alle andere door sinds`,
		swedishWords: `den det en ett och eller men att som vad vem vilka vilken vilket var när varför hur jag du han hon vi ni de dem mig dig sig oss er min
din sin sitt sina hans hennes deras är var vara varit blir blev har hade kan kunde ska skulle måste vill i på av för med till från om under över
mellan mot utan efter vid hos genom inte ingen inget också ännu redan så än då där här denna detta dessa alla andra mer mycket många`,
		danishWords: `den det en et og eller men at som hvad hvem hvilken hvilket hvilke hvor hvornår hvorfor hvordan jeg du han hun vi i de dem mig dig sig
os jer min din sin sit sine hans hendes deres er var være været bliver blev har havde kan kunne skal skulle må vil på af for med til fra om under
over mellem mod uden efter ved hos gennem ikke ingen intet også endnu allerede så end da der her denne dette disse alle andre mere meget mange`,
		norwegianWords: `den det en et ei og eller men at som hva hvem hvilken hvilket hvilke hvor når hvorfor hvordan jeg du han hun vi dere de dem meg deg seg oss
min din sin sitt sine hans hennes deres er var være vært blir ble har hadde kan kunne skal skulle må vil i på av for med til fra om under over mellom
mot uten etter ved hos gjennom ikke ingen intet også ennå allerede så enn da der her denne dette disse alle andre mer mye mange`,
		finnishWords: `ja tai mutta että joka jotka jonka mikä mitä kuka ketkä kenen missä mistä mihin milloin miksi miten kuinka mitkä minkä montako minä sinä hän me te he
se ne tämä tuo nämä sen sitä niiden hänen heidän on ovat oli olivat olla ollut ei eivät en voi voivat kun jos niin kuin myös vain vielä jo nyt
sekä kanssa jälkeen ennen aikana välillä mukaan yli alle ilman kautta hyvin enemmän kaikki muut muun`,
		hungarianWords: `a az egy és vagy de hogy aki ami amely amelyek mi ki kik mit kit hol hova honnan mikor miért hogyan hány mennyi melyik melyek milyen én te ő
ők nem sem is már még csak meg el ez ezt ezek azt azok volt voltak van vannak lesz lett lenni kell lehet ha mint mert után előtt alatt között
szerint nélkül által felé minden más több nagyon így úgy itt ott`,
		romanianWords: `un o unui unei al a ai ale lui cel cea cei cele și sau dar că care ce cine cui unde când cum câți câte cât de la în din pe cu fără pentru
prin peste sub între după până despre este sunt era erau fi fost are au avea am ai nu mai foarte se își sa sale său săi ei ele el ea noi voi eu tu
acest această acești aceste acel acea tot toate toți alt alte dacă fiind`,
		turkishWords: `ve veya ya da de ki bir bu şu o bunu şunu onu bunun onun ben sen biz siz onlar ne neden niçin nasıl nerede nereye nereden hangi
hangisi kim kimi kimin kime kaç zaman için ile ama fakat ancak çünkü eğer gibi kadar göre sonra önce beri doğru karşı üzere olarak olan oldu
olduğu olduğunu olduğuna olmak olur olmuştur idi ise değil var yok mi mı mu mü çok daha en her hiç bazı tüm bütün diğer kendi tarafından arasında üzerinde
içinde altında şekilde`,
	} {
		for _, w := range strings.Fields(list) {
			m[w] |= 1 << l
		}
	}
	return m
}()
