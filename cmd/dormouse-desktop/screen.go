package main

import (
	"errors"
	"time"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/driver"
)

// graphicsAdvice is what helps where no window can be drawn.
const graphicsAdvice = "the window cannot be drawn: the screen has no OpenGL. Install the drivers of your graphics card, or " +
	"software drawing (Debian and Ubuntu: libgl1-mesa-dri; Fedora: mesa-dri-drivers; Arch: mesa), or set LIBGL_ALWAYS_SOFTWARE=1. " +
	"The command line works without: dormouse status"

// blindAfter is how long a window may take to come up.
const blindAfter = 5 * time.Second

// watch reports a window that never came up: without OpenGL, the library goes on running without one.
func watch(win fyne.Window, blind func(error)) {
	time.AfterFunc(blindAfter, func() {
		fyne.Do(func() {
			native, ok := win.(driver.NativeWindow)
			if !ok {
				return
			}
			native.RunNative(func(c any) {
				if x, ok := c.(driver.X11WindowContext); ok && x.WindowHandle == 0 {
					blind(errors.New(graphicsAdvice))
				}
			})
		})
	})
}
