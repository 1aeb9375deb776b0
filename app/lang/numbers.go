package lang

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/dustin/go-humanize"
)

// marks are the signs between groups of digits and before a fraction.
func marks() (group, point string) {
	if Is("de") {
		return ".", ","
	}
	return ",", "."
}

// Number groups digits: 1,204.
func Number[N int | int64](n N) string {
	if n > -1000 && n < 1000 {
		return strconv.FormatInt(int64(n), 10)
	}
	group, _ := marks()
	return strings.ReplaceAll(humanize.Comma(int64(n)), ",", group)
}

// Decimal is a number with digits behind the point, at most so many.
func Decimal(v float64, digits int) string {
	text := strconv.FormatFloat(v, 'f', digits, 64)
	if strings.Contains(text, ".") {
		text = strings.TrimRight(strings.TrimRight(text, "0"), ".")
	}
	return pointed(text)
}

func pointed(text string) string {
	_, point := marks()
	return strings.ReplaceAll(text, ".", point)
}

// Size is a number of bytes: "3.1 kB".
func Size[N int | int64](n N) string { return pointed(humanize.Bytes(uint64(max(0, n)))) }

// Percent is a whole number of hundredths: "12 %".
func Percent[N int | int64](n N) string { return Say("{n} %", Number(n)) }

// Money is millionths of a US dollar: "$0.04". What is less than a cent is said to be.
func Money(micros int64) string {
	switch {
	case micros == 0:
		return Say("${amount}", "0")
	case micros < 10_000:
		return Say("under {amount}", Say("${amount}", pointed("0.01")))
	}
	return Cents(micros)
}

// Cents is millionths of a US dollar, rounded to cents.
func Cents(micros int64) string {
	cents := (micros + 5_000) / 10_000
	_, point := marks()
	return Say("${amount}", Number(cents/100)+point+fmt.Sprintf("%02d", cents%100))
}
