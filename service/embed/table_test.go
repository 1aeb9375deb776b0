package embed

import (
	"context"
	"encoding/binary"
	"errors"
	"hash/crc32"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// small is a table that can be checked by hand: two words, and three buckets.
func small(t testing.TB) []byte {
	t.Helper()
	raw, err := Build([]string{"red", "green"}, [][]float32{{3, 0}, {0, 4}, {1, 1}, {1, -1}, {0, 0.5}})
	if err != nil {
		t.Fatal(err)
	}
	return raw
}

func shipped(t testing.TB) *Table {
	t.Helper()
	raw, err := os.ReadFile(filepath.Join("..", "..", "assets", "model", "table.bin"))
	if err != nil {
		t.Fatal(err)
	}
	table, err := NewTable(raw)
	if err != nil {
		t.Fatal(err)
	}
	return table
}

func TestAVectorIsTheDirectionOfTheSumOfItsWords(t *testing.T) {
	table, err := NewTable(small(t))
	if err != nil {
		t.Fatal(err)
	}
	for text, want := range map[string][2]float64{
		"red": {1, 0}, "Green!": {0, 1}, "red green": {.6, .8}, "redGreen": {.6, .8}, "red red green": {6 / math.Sqrt(52), 4 / math.Sqrt(52)},
	} {
		v := table.Vector(text)
		for i := range want {
			if math.Abs(float64(v[i])-want[i]) > 1e-6 {
				t.Errorf("%q: %v, not %v", text, v, want)
			}
		}
	}
	if v := table.Vector("reddish"); length(v) < .999 || slices.Equal(v, table.Vector("red")) {
		t.Errorf("of a word's pieces: %v", v)
	}
	for _, text := range []string{"", "  ", "設計", "12345", "xy"} {
		if v := table.Vector(text); len(v) != 2 || length(v) != 0 {
			t.Errorf("%q: %v, and nothing in it is known", text, v)
		}
	}
}

func length(v []float32) float64 {
	sum := 0.0
	for _, x := range v {
		sum += float64(x) * float64(x)
	}
	return math.Sqrt(sum)
}

func TestAModelIsNamedByItsContent(t *testing.T) {
	a, _ := NewTable(small(t))
	other, err := Build([]string{"red", "green"}, [][]float32{{3, 0}, {0, 5}})
	if err != nil {
		t.Fatal(err)
	}
	b, err := NewTable(other)
	if err != nil {
		t.Fatal(err)
	}
	m := a.Model()
	if m.Name == b.Model().Name || m.Dims != 2 || !strings.HasPrefix(m.Name, "dormouse-static-") {
		t.Errorf("%q and %q", m.Name, b.Model().Name)
	}
	got, err := m.Embed(context.Background(), []string{"green", "red"})
	if err != nil || !slices.Equal(got[0], a.Vector("green")) || !slices.Equal(got[1], a.Vector("red")) {
		t.Errorf("%v, %v", got, err)
	}
	ended, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := m.Query(ended, []string{"red"}); !errors.Is(err, context.Canceled) {
		t.Errorf("after the end: %v", err)
	}
}

// seal puts the right checksum under changed bytes.
func seal(raw []byte) []byte {
	binary.LittleEndian.PutUint32(raw[len(raw)-4:], crc32.Checksum(raw[:len(raw)-4], castagnoli))
	return raw
}

func TestADamagedTableIsRefused(t *testing.T) {
	for name, c := range map[string]struct {
		harm func([]byte) []byte
		want string
	}{
		"empty":           {func([]byte) []byte { return nil }, "does not begin with"},
		"another version": {func(b []byte) []byte { b[7] = '9'; return b }, "does not begin with"},
		"cut off":         {func(b []byte) []byte { return b[:len(b)-9] }, "bytes and should have"},
		"cut off early":   {func(b []byte) []byte { return b[:headerSize+10] }, "cut off"},
		"one bit":         {func(b []byte) []byte { b[len(b)-6] ^= 4; return b }, "checksum"},
		"no dims":         {func(b []byte) []byte { b[8] = 0; return seal(b) }, "head is damaged"},
		"slots":           {func(b []byte) []byte { b[20] = 3; return seal(b) }, "head is damaged"},
		"slot":            {func(b []byte) []byte { b[headerSize+4*5] = 9; return seal(b) }, "names the word"},
		"full": {func(b []byte) []byte {
			for i := range 4 {
				b[headerSize+4*5+4*i] = 1
			}
			return seal(b)
		}, "no free slot"},
		"word":  {func(b []byte) []byte { b[headerSize+4*5+4*4+4] = 99; return seal(b) }, "ends before it begins"},
		"scale": {func(b []byte) []byte { b[headerSize+3] = 0xff; return seal(b) }, "the scale"},
	} {
		_, err := NewTable(c.harm(small(t)))
		if err == nil || !strings.Contains(err.Error(), c.want) || !strings.Contains(err.Error(), "install the program anew") {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func FuzzTable(f *testing.F) {
	f.Add(small(f), "red reddish")
	f.Fuzz(func(t *testing.T, raw []byte, text string) {
		if len(raw) >= 4 {
			raw = seal(slices.Clone(raw))
		}
		if table, err := NewTable(raw); err == nil {
			table.Vector(text)
		}
	})
}

func TestBuildRefusesWhatIsNoTable(t *testing.T) {
	for name, err := range map[string]error{
		"no words":   second(Build(nil, nil)),
		"few rows":   second(Build([]string{"a", "b"}, [][]float32{{1}})),
		"uneven":     second(Build([]string{"a", "b"}, [][]float32{{1}, {1, 2}})),
		"word twice": second(Build([]string{"a", "a"}, [][]float32{{1}, {2}})),
	} {
		if err == nil {
			t.Errorf("%s: taken", name)
		}
	}
}

func second(_ []byte, err error) error { return err }

// TestTheShippedTableKnowsWhatIsNear holds the table against pairs of texts that share no word, each beside one that is not meant.
func TestTheShippedTableKnowsWhatIsNear(t *testing.T) {
	table := shipped(t)
	for _, c := range [][3]string{
		{"delete a file", "os.Remove unlinks the path", "parse an IPv6 address"},
		{"a physician", "doctor", "bicycle"},
		{"buy a car", "purchase an automobile", "the colour of the sky"},
		{"fetchUserProfile", "retrieve the account of a person", "matrix multiplication"},
		{"wait until all goroutines finish", "sync.WaitGroup", "strings.ToUpper"},
		{"encrypt the message", "AES cipher block", "sort the slice"},
	} {
		a, near, far := table.Vector(c[0]), table.Vector(c[1]), table.Vector(c[2])
		if dot(a, near) <= dot(a, far) {
			t.Errorf("%q is nearer to %q (%.3f) than to %q (%.3f)", c[0], c[2], dot(a, far), c[1], dot(a, near))
		}
		if l := length(a); math.Abs(l-1) > 1e-6 {
			t.Errorf("%q has the length %v", c[0], l)
		}
	}
}

func dot(a, b []float32) float64 {
	sum := 0.0
	for i := range a {
		sum += float64(a[i]) * float64(b[i])
	}
	return sum
}

func BenchmarkVector(b *testing.B) {
	table := shipped(b)
	for name, text := range map[string]string{
		"10 words":  "Fix the race in sessionStore.Append when two turns commit",
		"190 words": strings.Repeat("The service reads every transcript once and keeps it as a git repository, so that nothing is lost. ", 10),
	} {
		b.Run(name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				table.Vector(text)
			}
		})
	}
}

func BenchmarkNewTable(b *testing.B) {
	raw := shipped(b).raw
	b.ReportAllocs()
	for b.Loop() {
		if _, err := NewTable(raw); err != nil {
			b.Fatal(err)
		}
	}
}

// TestVectorsHaveTheSameBitsEverywhere holds them against those of one machine: a processor that rounds otherwise shows here.
func TestVectorsHaveTheSameBitsEverywhere(t *testing.T) {
	table, err := NewTable(small(t))
	if err != nil {
		t.Fatal(err)
	}
	for text, want := range map[string][2]uint32{
		"red green reddish green": {0x3ecd8e62, 0x3f6a7666},
		"greenish reds":           {0x3f5b84a8, 0x3f03b5fe},
	} {
		v := table.Vector(text)
		if got := [2]uint32{math.Float32bits(v[0]), math.Float32bits(v[1])}; got != want {
			t.Errorf("%q: %#x, not %#x", text, got, want)
		}
	}
}
