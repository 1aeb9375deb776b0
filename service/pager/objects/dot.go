package objects

import (
	"fmt"
	"strings"
)

// colours of the types in a drawing, and styles of the relations.
var (
	colours = map[Type]string{FileContext: "#cfe3f5", ToolResult: "#e8e8e8", ErrorContext: "#f5cfcf", Plan: "#d9ead3", DesignDecision: "#fff2cc", DebuggingSession: "#f9d9b8",
		ConversationPhase: "#ffffff", ExternalReference: "#e0d5f0"}
	styles = map[Kind]string{References: "dashed", DependsOn: "solid", ParentOf: "dotted", Supersedes: "bold"}
)

// DOT draws a view in Graphviz's language: an object is a box with its type, level, size and title, a relation an arrow.
func (v *View) DOT(name string) string {
	var b strings.Builder
	fmt.Fprintf(&b, "digraph %s {\n  rankdir=LR;\n  node [shape=box, style=filled, fontname=\"sans-serif\", fontsize=10];\n  edge [fontname=\"sans-serif\", fontsize=8];\n", dotText(name))
	for _, o := range v.Objects {
		style := ""
		if o.Superseded != "" {
			style = ", style=\"filled,dashed\""
		}
		fmt.Fprintf(&b, "  %s [label=%s, fillcolor=%q%s];\n", dotText(o.ID), dotText(fmt.Sprintf("%s %s %d tokens\n%s", o.Type, o.Level, o.Tokens, head(o.Title, 60))), colours[o.Type], style)
	}
	for _, r := range v.Relations {
		fmt.Fprintf(&b, "  %s -> %s [label=%q, style=%s];\n", dotText(r.From), dotText(r.To), r.Kind, styles[r.Kind])
	}
	b.WriteString("}\n")
	return b.String()
}

// dotText is a text in quotes, as Graphviz reads it.
func dotText(s string) string {
	s = strings.Map(func(r rune) rune {
		if r < ' ' && r != '\n' || r == 0x7f {
			return ' '
		}
		return r
	}, strings.ToValidUTF8(s, "\uFFFD"))
	return `"` + strings.NewReplacer(`\`, `\\`, `"`, `\"`, "\n", `\n`).Replace(s) + `"`
}
