package machine

import (
	"time"

	"github.com/jezek/xgb"
	"github.com/jezek/xgb/screensaver"
	"github.com/jezek/xgb/xproto"
)

// xConn is a connection to an X server. It is kept, because connecting costs more than asking.
type xConn struct {
	conn    *xgb.Conn
	display string
	failed  time.Time
}

// again is how long somebody who did not answer is left alone.
const again = time.Minute

// xWait bounds one question to an X server.
const xWait = 250 * time.Millisecond

// idle asks the MIT-SCREEN-SAVER extension for how long the server has seen no input.
func (x *xConn) idle(display string) (time.Duration, bool) {
	if display == "" || !x.failed.IsZero() && time.Since(x.failed) < again {
		return 0, false
	}
	if x.conn != nil && x.display != display {
		x.close()
	}
	type answer struct {
		conn *xgb.Conn
		idle time.Duration
		err  error
	}
	got := make(chan answer, 1)
	conn := x.conn
	go func() { // a server that hangs answers nothing at all
		var a answer
		if a.conn = conn; a.conn == nil {
			a.conn, a.err = openX(display)
		}
		if a.err == nil {
			var r *screensaver.QueryInfoReply
			root := xproto.Setup(a.conn).DefaultScreen(a.conn).Root
			if r, a.err = screensaver.QueryInfo(a.conn, xproto.Drawable(root)).Reply(); a.err == nil {
				a.idle = time.Duration(r.MsSinceUserInput) * time.Millisecond
			}
		}
		got <- a
	}()
	select {
	case a := <-got:
		x.conn, x.display = a.conn, display
		if a.err != nil {
			x.close()
			x.failed = time.Now()
			return 0, false
		}
		x.failed = time.Time{}
		return a.idle, true
	case <-time.After(xWait):
		x.conn, x.failed = nil, time.Now()
		go func() { // what comes too late is put away
			if a := <-got; a.conn != nil {
				a.conn.Close()
			}
		}()
		return 0, false
	}
}

func openX(display string) (*xgb.Conn, error) {
	conn, err := xgb.NewConnDisplay(display)
	if err != nil {
		return nil, err
	}
	if err := screensaver.Init(conn); err != nil {
		conn.Close()
		return nil, err
	}
	return conn, nil
}

func (x *xConn) close() {
	if x.conn != nil {
		x.conn.Close()
	}
	x.conn = nil
}
