package main

import (
	"fmt"

	"github.com/jezek/xgb"
	"github.com/jezek/xgb/xproto"
)

// display is the screen that is looked at.
type display struct {
	c    *xgb.Conn
	root xproto.Window
}

func open() (*display, error) {
	c, err := xgb.NewConn()
	if err != nil {
		return nil, fmt.Errorf("reach the X display: %w", err)
	}
	return &display{c, xproto.Setup(c).DefaultScreen(c).Root}, nil
}

// colours counts the colours in the area. A window that is being made has one or two, letters and cards many.
func (d *display) colours(m measurer) (int, error) {
	img, err := xproto.GetImage(d.c, xproto.ImageFormatZPixmap, xproto.Drawable(d.root), int16(m.x), int16(m.y), uint16(m.width), uint16(m.height), ^uint32(0)).Reply()
	if err != nil {
		return 0, fmt.Errorf("look at the display: %w", err)
	}
	seen := map[[3]byte]bool{}
	for i := 0; i+3 < len(img.Data); i += 4 {
		seen[[3]byte(img.Data[i:i+3])] = true
	}
	return len(seen), nil
}
