package words

import (
	"slices"
	"strings"
	"testing"
)

func TestLanguageIsToldByFunctionWords(t *testing.T) {
	for _, c := range []struct {
		want Language
		text string
	}{
		{germanWords, "Welche Datenbank nutzen wir?"},
		{germanWords, "Der Index wird nach jedem Start neu gebaut, weil die Version nicht passt."},
		{spanishWords, "¿Qué base de datos usamos para las sesiones?"},
		{frenchWords, "Pourquoi est-ce que le serveur ne répond pas dans les délais ?"},
		{italianWords, "Perché il servizio non è partito dopo l'aggiornamento?"},
		{portugueseWords, "Qual é o banco de dados que nós usamos para as sessões?"},
		{dutchWords, "Waarom is de index niet opnieuw gebouwd?"},
		{swedishWords, "Varför har indexet inte byggts om och vilken version är det?"},
		{danishWords, "Hvorfor blev indekset ikke bygget, og hvad er det for en version af filen?"},
		{norwegianWords, "Hvorfor ble ikke indeksen bygget, og hva er det for en versjon av filen?"},
		{finnishWords, "Miksi palvelin ei vastaa, kun se on käynnissä?"},
		{hungarianWords, "Miért nem indult el a szolgáltatás, és melyik verzió volt ez?"},
		{romanianWords, "De ce nu a pornit serviciul după actualizare și care este versiunea?"},
		{turkishWords, "Hangi veritabanını kullanıyoruz?"},
		{turkishWords, "Sunucu neden yanıt vermiyor ve bu ne zaman oldu?"},
		{unknown, ""},
		{unknown, "Which database do we use for the sessions?"},
		{unknown, "What did Caroline do in May and how long did it last?"},
		{unknown, "die casting in Los Angeles"},
		{unknown, "retry budget"},
		{unknown, "welche hangi"},
		{unknown, "The note of Dr. von der Leyen is in the folder that was there before it"},
		{unknown, "der nicht " + strings.Repeat("retryBudget parser index token ", 10)},
		{unknown, "func (ix *Index) Search(ctx context.Context, q Query) ([]Hit, error) { return ix.answer(ctx, q) }"},
		{unknown, "SELECT a.id, b.id FROM a JOIN b ON a.id = b.id WHERE a.de IS NOT NULL"},
		{unknown, "почему сервер не отвечает"},
		{unknown, "昨天修复了缓存失效的问题"},
	} {
		if got := New().LanguageOf(c.text); got != c.want {
			t.Errorf("%q is told to be of language %d, it is of %d", c.text, got, c.want)
		}
	}
}

// TestWordsAreFoundInAnotherForm asks for a word of a language in another form than it is written in.
func TestWordsAreFoundInAnotherForm(t *testing.T) {
	for _, c := range []struct{ query, text string }{
		{"Welche Häuser wurden verkauft?", "Das Haus war nicht teuer und wurde verkauft."},
		{"Was wurde in den Datenbanken gespeichert?", "In der Datenbank wird alles gespeichert."},
		{"¿Quién guardó los archivos?", "Hay que guardar este archivo en la carpeta."},
		{"Quels sont les chevaux dans le pré ?", "Le cheval est dans le pré avec les autres."},
		{"Quali sono le decisioni che abbiamo preso?", "La decisione è stata presa dopo il voto."},
		{"Hangi sunucular yanıt vermiyor?", "Bu sunucu çok hızlı ve daha küçük."},
		{"Vilka filerna är det som har sparats?", "Det var en fil som inte har sparats."},
	} {
		a := New()
		have := map[string]bool{}
		a.Text(c.text, func(term string, _ bool) { have[term] = true })
		stems := 0
		for _, term := range a.Terms(c.query) {
			if term.Stem && have[term.Text] {
				stems++
			}
		}
		if stems == 0 {
			t.Errorf("of %q no stem is in %q", c.query, c.text)
		}
	}
}

// TestAQuestionWhoseLanguageIsNotToldFindsWhatItDid holds that a text of a known language keeps the terms that it has without it.
func TestAQuestionWhoseLanguageIsNotToldFindsWhatItDid(t *testing.T) {
	for _, text := range []string{
		"Die Häuser wurden nach dem Krieg wieder aufgebaut, so wie sie vorher waren.", "Bu veritabanlarını çok daha hızlı yapan şey nedir?",
		"Les chevaux sont dans le pré, mais où est la retryBudget de ses versions 1.2.3 ?",
	} {
		a := New()
		l := a.LanguageOf(text)
		if l == unknown {
			t.Fatalf("the language of %q is not told", text)
		}
		var with, without []string
		base := [2]int{}
		count := func(i int, list *[]string) Emit {
			return func(term string, b bool) {
				*list = append(*list, term)
				if b {
					base[i]++
				}
			}
		}
		a.TextIn(l, text, count(0, &with))
		a.TextIn(unknown, text, count(1, &without))
		for _, term := range without {
			if !slices.Contains(with, term) {
				t.Errorf("%q has lost the term %q", text, term)
			}
		}
		if base[0] != base[1] {
			t.Errorf("%q is %d words long, and was %d", text, base[0], base[1])
		}
		if slices.Contains(with, "") || slices.Contains(without, "") {
			t.Errorf("%q has an empty term", text)
		}
		if len(with) <= len(without) {
			t.Errorf("%q has no stem of its language", text)
		}
	}
}

func TestFunctionWordsOfAQuestionAskForNothing(t *testing.T) {
	for query, want := range map[string][]string{
		"Wie heißt der Server, auf dem die Datenbank liegt?": {"heisst", "server", "datenbank", "liegt"},
		"Wo ist das?": nil,
	} {
		var got []string
		for _, term := range New().Terms(query) {
			if !term.Stem {
				got = append(got, term.Text)
			}
		}
		if !slices.Equal(got, want) {
			t.Errorf("%q asks for %q, want %q", query, got, want)
		}
	}
}

// TestFormsOfAWordHaveItsNumber holds that the terms of a word are known to be forms of it, and those of other words not.
func TestFormsOfAWordHaveItsNumber(t *testing.T) {
	byWord := map[int][]string{}
	for _, term := range New().Terms("Welche Häuser und welche Brücken wurden verkauft?") {
		byWord[term.Word] = append(byWord[term.Word], term.Text)
		if len(byWord[term.Word]) > 1 != term.Form {
			t.Errorf("%q is a form of another: %v", term.Text, term.Form)
		}
	}
	var got []string
	for _, forms := range byWord {
		got = append(got, forms[0]+" "+forms[len(forms)-1])
	}
	slices.Sort(got)
	if want := []string{"brucken bruck", "hauser haus", "verkauft verkauft"}; !slices.Equal(got, want) {
		t.Errorf("the words are %q, want %q", got, want)
	}
}

func BenchmarkTextOfALanguage(b *testing.B) {
	const text = "Der Index wird nach jedem Start neu gebaut, weil die Version der Regeln nicht zu dem passt, was in der Datei steht. "
	a := New()
	b.SetBytes(int64(len(text)))
	for b.Loop() {
		a.Text(text, func(string, bool) {})
	}
}
