package kit

import (
	"fyne.io/fyne/v2"
	base "fyne.io/fyne/v2/theme"
)

// Side puts an object at the left, as wide as it needs to be and as high as the line, before another one that takes what is left.
func Side(gap float32, left, rest fyne.CanvasObject) *fyne.Container {
	return &fyne.Container{Layout: side(gap), Objects: []fyne.CanvasObject{left, rest}}
}

type side float32

func (s side) Layout(objects []fyne.CanvasObject, size fyne.Size) {
	width := objects[0].MinSize().Width
	objects[0].Resize(fyne.NewSize(width, size.Height))
	objects[1].Move(fyne.NewPos(width+float32(s), 0))
	objects[1].Resize(fyne.NewSize(max(0, size.Width-width-float32(s)), size.Height))
}

func (s side) MinSize(objects []fyne.CanvasObject) fyne.Size {
	a, b := objects[0].MinSize(), objects[1].MinSize()
	return fyne.NewSize(a.Width+float32(s)+b.Width, max(a.Height, b.Height))
}

// Column puts objects below each other, each as wide as the column and as high as it needs to be at that width, which is
// what wrapped text asks for.
func Column(gap float32, objects ...fyne.CanvasObject) *fyne.Container {
	return &fyne.Container{Layout: &column{gap: gap}, Objects: objects}
}

type column struct{ gap float32 }

func (c *column) Layout(objects []fyne.CanvasObject, size fyne.Size) {
	y := float32(0)
	for _, o := range objects {
		if !o.Visible() {
			continue
		}
		y += place(o, fyne.NewPos(0, y), size.Width) + c.gap
	}
}

// place gives an object a place and a width, and returns the height that it takes there.
func place(o fyne.CanvasObject, at fyne.Position, width float32) float32 {
	o.Move(at)
	for range 2 { // what wraps knows its height only once it has its width
		if want := fyne.NewSize(width, o.MinSize().Height); o.Size() != want {
			o.Resize(want)
		}
	}
	return o.Size().Height
}

func (c *column) MinSize(objects []fyne.CanvasObject) fyne.Size {
	var size fyne.Size
	shown := 0
	for _, o := range objects {
		if !o.Visible() {
			continue
		}
		m := o.MinSize()
		size.Width = max(size.Width, m.Width)
		size.Height += m.Height
		shown++
	}
	size.Height += c.gap * float32(max(0, shown-1))
	return size
}

// Below puts a head, which may wrap, above a body, which takes the height that is left.
func Below(head, body fyne.CanvasObject) *fyne.Container {
	return &fyne.Container{Layout: below{}, Objects: []fyne.CanvasObject{head, body}}
}

type below struct{}

func (below) Layout(objects []fyne.CanvasObject, size fyne.Size) {
	height := place(objects[0], fyne.Position{}, size.Width)
	objects[1].Move(fyne.NewPos(0, height))
	objects[1].Resize(fyne.NewSize(size.Width, max(0, size.Height-height)))
}

func (below) MinSize(objects []fyne.CanvasObject) fyne.Size {
	a, b := objects[0].MinSize(), objects[1].MinSize()
	return fyne.NewSize(max(a.Width, b.Width), a.Height+b.Height)
}

// Above puts a body, which takes the height that is left, above a foot, which may wrap.
func Above(body, foot fyne.CanvasObject) *fyne.Container {
	return &fyne.Container{Layout: above{}, Objects: []fyne.CanvasObject{body, foot}}
}

type above struct{}

func (above) Layout(objects []fyne.CanvasObject, size fyne.Size) {
	height := place(objects[1], fyne.Position{}, size.Width)
	objects[1].Move(fyne.NewPos(0, max(0, size.Height-height)))
	objects[0].Move(fyne.Position{})
	objects[0].Resize(fyne.NewSize(size.Width, max(0, size.Height-height)))
}

func (above) MinSize(objects []fyne.CanvasObject) fyne.Size { return below{}.MinSize(objects) }

// Flow puts objects beside each other, and below each other where there is no room.
func Flow(gap float32, objects ...fyne.CanvasObject) *fyne.Container {
	return &fyne.Container{Layout: &flow{gap: gap}, Objects: objects}
}

type flow struct{ gap, height float32 }

func (f *flow) Layout(objects []fyne.CanvasObject, size fyne.Size) {
	var x, y, row float32
	for _, o := range objects {
		if !o.Visible() {
			continue
		}
		want := o.MinSize()
		want.Width = min(want.Width, size.Width)
		if x > 0 && x+want.Width > size.Width {
			x, y, row = 0, y+row+f.gap, 0
		}
		o.Move(fyne.NewPos(x, y))
		o.Resize(want)
		x, row = x+want.Width+f.gap, max(row, want.Height)
	}
	f.height = y + row
}

func (f *flow) MinSize(objects []fyne.CanvasObject) fyne.Size {
	var size fyne.Size
	for _, o := range objects {
		if o.Visible() {
			size = size.Max(o.MinSize())
		}
	}
	size.Height = max(size.Height, f.height)
	return size
}

// Columns puts objects beside each other, equally wide and each as high as the highest.
func Columns(gap float32, objects ...fyne.CanvasObject) *fyne.Container {
	return &fyne.Container{Layout: &columns{gap: gap}, Objects: objects}
}

type columns struct{ gap float32 }

func (c *columns) Layout(objects []fyne.CanvasObject, size fyne.Size) {
	if len(objects) == 0 {
		return
	}
	width := (size.Width - c.gap*float32(len(objects)-1)) / float32(len(objects))
	for i, o := range objects {
		place(o, fyne.NewPos(float32(i)*(width+c.gap), 0), width)
		if o.Size().Height < size.Height {
			o.Resize(fyne.NewSize(width, size.Height))
		}
	}
}

func (c *columns) MinSize(objects []fyne.CanvasObject) fyne.Size {
	var size fyne.Size
	for _, o := range objects {
		m := o.MinSize()
		size.Width = max(size.Width, m.Width)
		size.Height = max(size.Height, m.Height)
	}
	n := float32(len(objects))
	size.Width = size.Width*n + c.gap*max(0, n-1)
	return size
}

// Line puts objects beside each other, each as wide as it needs to be and in the middle of the height. The one at grow, if any,
// takes the width that is left.
func Line(gap float32, grow int, objects ...fyne.CanvasObject) *fyne.Container {
	return &fyne.Container{Layout: &line{gap: gap, grow: grow}, Objects: objects}
}

// NoGrow is a Line in which no object takes the width that is left.
const NoGrow = -1

type line struct {
	gap  float32
	grow int
	top  bool // objects stand at the top and not in the middle
}

// TopLine is a Line whose objects stand at the top; the one that grows may wrap.
func TopLine(gap float32, grow int, objects ...fyne.CanvasObject) *fyne.Container {
	return &fyne.Container{Layout: &line{gap: gap, grow: grow, top: true}, Objects: objects}
}

func (l *line) Layout(objects []fyne.CanvasObject, size fyne.Size) {
	left := size.Width - l.MinSize(objects).Width
	x := float32(0)
	for i, o := range objects {
		if !o.Visible() {
			continue
		}
		width := o.MinSize().Width
		if i == l.grow {
			width += max(0, left)
		}
		height := place(o, fyne.NewPos(x, 0), width)
		if !l.top {
			o.Move(fyne.NewPos(x, (size.Height-height)/2))
		}
		x += width + l.gap
	}
}

func (l *line) MinSize(objects []fyne.CanvasObject) fyne.Size {
	var size fyne.Size
	shown := 0
	for _, o := range objects {
		if !o.Visible() {
			continue
		}
		m := o.MinSize()
		size.Width += m.Width
		size.Height = max(size.Height, m.Height)
		shown++
	}
	size.Width += l.gap * float32(max(0, shown-1))
	return size
}

// Inset puts room around an object.
func Inset(o fyne.CanvasObject, top, right, bottom, left float32) *fyne.Container {
	return &fyne.Container{Layout: &inset{top, right, bottom, left}, Objects: []fyne.CanvasObject{o}}
}

// Unpad takes away the room that Fyne puts around its own texts.
func Unpad(o fyne.CanvasObject) *fyne.Container {
	p := -base.InnerPadding()
	return Inset(o, p, p, p, p)
}

type inset struct{ top, right, bottom, left float32 }

func (i *inset) Layout(objects []fyne.CanvasObject, size fyne.Size) {
	for _, o := range objects {
		o.Move(fyne.NewPos(i.left, i.top))
		o.Resize(size.SubtractWidthHeight(i.left+i.right, i.top+i.bottom))
	}
}

func (i *inset) MinSize(objects []fyne.CanvasObject) fyne.Size {
	var size fyne.Size
	for _, o := range objects {
		size = size.Max(o.MinSize())
	}
	size = size.AddWidthHeight(i.left+i.right, i.top+i.bottom)
	return size.Max(fyne.Size{})
}

// Narrow keeps an object from becoming wider than max, at the left.
func Narrow(o fyne.CanvasObject, max float32) *fyne.Container {
	return &fyne.Container{Layout: narrow(max), Objects: []fyne.CanvasObject{o}}
}

type narrow float32

func (n narrow) Layout(objects []fyne.CanvasObject, size fyne.Size) {
	for _, o := range objects {
		o.Move(fyne.Position{})
		o.Resize(fyne.NewSize(min(size.Width, float32(n)), size.Height))
	}
}

func (n narrow) MinSize(objects []fyne.CanvasObject) fyne.Size {
	var size fyne.Size
	for _, o := range objects {
		size = size.Max(o.MinSize())
	}
	return size
}

// Fixed gives an object one width.
func Fixed(o fyne.CanvasObject, width float32) *fyne.Container {
	return &fyne.Container{Layout: fixed(width), Objects: []fyne.CanvasObject{o}}
}

type fixed float32

func (f fixed) Layout(objects []fyne.CanvasObject, size fyne.Size) {
	for _, o := range objects {
		o.Move(fyne.Position{})
		o.Resize(size)
	}
}

func (f fixed) MinSize(objects []fyne.CanvasObject) fyne.Size {
	size := fyne.NewSize(float32(f), 0)
	for _, o := range objects {
		size.Height = max(size.Height, o.MinSize().Height)
	}
	return size
}
