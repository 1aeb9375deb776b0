package main

import (
	"encoding/json"
	"flag"
	"fmt"
	"io"
	"os"
	"text/tabwriter"

	"dormouse/service/redact"
)

// redactFigures is what --json prints. Caught and FalsePositives are in percent of the secrets and of the harmless texts.
type redactFigures struct {
	Caught         float64               `json:"caught"`
	FalsePositives float64               `json:"false_positives"`
	Secrets        int                   `json:"secrets"`
	Harmless       int                   `json:"harmless"`
	Families       []redact.FamilyReport `json:"families"`
	Missed         []string              `json:"missed"`
	Wrong          []string              `json:"wrong"`
}

// redactBench redacts a labelled set with the product's default rules and prints what was caught and what was wrongly taken, by
// family of rules. With --out it writes each case's id and redacted text, for another scorer. With --generated the set is made instead of
// read, so that the figures are not those of one file.
func redactBench(args []string, stdout io.Writer) error {
	fs := flag.NewFlagSet("redact", flag.ContinueOnError)
	data := fs.String("data", "", "labelled set: secrets.tsv")
	asJSON := fs.Bool("json", false, "print the figures as JSON")
	generated := fs.Int("generated", 0, "make a set of so many secrets and as many harmless texts instead of reading one")
	seed := fs.Uint64("seed", 1, "of --generated")
	out := fs.String("out", "", "file for the redacted texts, one id and text a line")
	if err := fs.Parse(args); err != nil {
		return err
	}
	cases, err := redactCases(*data, *generated, *seed)
	if err != nil {
		return err
	}
	r, err := redact.New(redact.Options{Key: []byte("dormouse-bench")})
	if err != nil {
		return err
	}
	report, err := redact.Evaluate(r, cases)
	if err != nil {
		return err
	}
	if *out != "" {
		if err := writeRedacted(*out, r, cases); err != nil {
			return err
		}
	}
	if *asJSON {
		return json.NewEncoder(stdout).Encode(redactFigures{
			Caught: report.CaughtPercent(), FalsePositives: report.FalsePositivePercent(),
			Secrets: report.Total.Secrets, Harmless: report.Total.Harmless,
			Families: report.Families, Missed: report.Missed, Wrong: report.Wrong,
		})
	}
	return printRedactReport(stdout, report)
}

func redactCases(data string, generated int, seed uint64) ([]redact.Case, error) {
	switch {
	case data != "" && generated > 0:
		return nil, fmt.Errorf("redact: --data and --generated do not go together")
	case generated > 0:
		return generatedCases(generated, seed), nil
	case data == "":
		return nil, fmt.Errorf("redact: --data FILE or --generated N is needed")
	}
	return readRedactCases(data)
}

func readRedactCases(path string) ([]redact.Case, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, fmt.Errorf("redact: open the labelled set: %w", err)
	}
	defer f.Close()
	cases, err := redact.ReadCases(f)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	return cases, nil
}

// writeRedacted writes the redacted texts with the escapes that the set itself uses.
func writeRedacted(path string, r *redact.Redactor, cases []redact.Case) error {
	f, err := os.Create(path)
	if err != nil {
		return fmt.Errorf("redact: %w", err)
	}
	defer f.Close()
	for _, c := range cases {
		clean, _, err := r.Text(c.Text)
		if err != nil {
			return fmt.Errorf("redact case %s: %w", c.ID, err)
		}
		if _, err := fmt.Fprintf(f, "%s\t%s\n", c.ID, redact.Escape(clean)); err != nil {
			return fmt.Errorf("redact: write %s: %w", path, err)
		}
	}
	return f.Close()
}

func printRedactReport(stdout io.Writer, report redact.Report) error {
	w := tabwriter.NewWriter(stdout, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintln(w, "family\tcaught\tof\tfalse positives\tof\t")
	for _, f := range append(report.Families, report.Total) {
		if f.Family == "" {
			f.Family = "all"
		}
		fmt.Fprintf(w, "%s\t%d\t%d\t%d\t%d\t\n", f.Family, f.Caught, f.Secrets, f.FalsePositives, f.Harmless)
	}
	if err := w.Flush(); err != nil {
		return err
	}
	_, err := fmt.Fprintf(stdout, "caught %.1f %%, false positives %.1f %%\n", report.CaughtPercent(), report.FalsePositivePercent())
	return err
}
