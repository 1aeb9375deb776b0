package kit

import (
	"testing"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/test"
)

func TestLanesAreDrawnFromRowToRow(t *testing.T) {
	app(t)
	l := NewLanes()
	l.Set(Knot{Lane: 1, Above: []int{1, 2}, Past: []int{0}, Below: []int{1}}, 3)
	w := test.NewTempWindow(t, l)
	w.Resize(fyne.NewSize(100, 40))
	if n := len(test.WidgetRenderer(l).Objects()); n != 5 {
		t.Errorf("%d objects: four lines and a dot are wanted", n)
	}
	wide := l.MinSize().Width
	if l.Set(Knot{}, 1); l.MinSize().Width >= wide {
		t.Errorf("one lane takes %v, three took %v", l.MinSize().Width, wide)
	}
}
