package model

import (
	"dormouse/app/lang"
	"dormouse/service/api"
)

// maxShownTalks is how many conversations the page shows.
const maxShownTalks = 6

// zones are how near a conversation is to the end of the model's window.
var zones = map[string]struct {
	word lang.Word
	tone Tone
}{
	"normal":    {lang.Mark("room enough"), Good},
	"caution":   {lang.Mark("filling up"), Good},
	"warning":   {lang.Mark("getting tight"), Warn},
	"critical":  {lang.Mark("nearly full"), Warn},
	"emergency": {lang.Mark("full"), Bad},
}

// talk is a conversation as it stands.
func (w style) talk(t api.ProxyTalk) TalkCard {
	c := TalkCard{Title: dots(AgentName(t.Client), Line(t.Model)), When: w.ago(t.At), Gauge: pressure(t)}
	add := func(label, text string, tone Tone) {
		c.Facts = append(c.Facts, Fact{Label: label, Text: text, Tone: tone})
	}
	if t.Whole {
		add(lang.Say("Shortened"), lang.Say("not any more: its provider did not take it"), Warn)
		return c
	}
	whole, short := 0, 0
	for level, n := range t.Levels {
		if level == 0 {
			whole = n
		} else {
			short += n
		}
	}
	add(lang.Say("Parts"), list([]string{lang.Count(whole, "{n} whole"), lang.Count(short, "{n} in short form")}), Plain)
	if t.Full > t.Bytes {
		add(lang.Say("Carries"), lang.Say("{size} instead of {full}", size(t.Bytes), size(t.Full)), Plain)
	}
	if short > 0 || t.Refetched > 0 {
		add(lang.Say("Asked again"), lang.Count(t.Refetched, "{n} of the short ones"), Plain)
	}
	switch {
	case t.SavedTokens > 0 && t.SavedMicros > 0:
		add(lang.Say("Saved"), dots(lang.Count(t.SavedTokens, "about {n} tokens"), money(t.SavedMicros)), Good)
	case t.SavedTokens > 0:
		add(lang.Say("Saved"), dots(lang.Count(t.SavedTokens, "about {n} tokens"), lang.Say("its price is not known: see [llm.prices]")), Good)
	case t.SavedTokens < 0:
		add(lang.Say("Saved"), lang.Count(-t.SavedTokens, "nothing yet: it cost about {n} tokens so far"), Plain)
	}
	return c
}

// pressure is how full the window of a conversation's model is.
func pressure(t api.ProxyTalk) Gauge {
	g := Gauge{Text: size(t.Bytes), Tone: Good}
	if t.Budget <= 0 {
		return g
	}
	z := zones[t.Zone]
	g.Share, g.Tone = min(1, float64(t.Bytes)/float64(t.Budget)), z.tone
	g.Text = dots(lang.Say("{n} of {all}", size(t.Bytes), size(t.Budget)), z.word.Text())
	return g
}

// noTalks says why no conversation is shown.
func noTalks(x api.Proxy) string {
	switch {
	case x.State != api.ProxyOn:
		return lang.Say("While the proxy is out of the path, nothing is known of what your agents' conversations carry.")
	case !x.Pages:
		return lang.Say("Conversations pass as they are, and none is held. To have old results of tools shortened, turn on “page” in the settings of the proxy.")
	}
	return lang.Say("No agent has asked through the proxy yet. As soon as one does, its conversation shows here how full the model's window is.")
}
