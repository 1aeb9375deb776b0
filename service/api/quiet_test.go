package api

import (
	"testing"
	"time"
)

func TestQuietHours(t *testing.T) {
	at := func(h, m int) time.Time { return time.Date(2026, 11, 1, h, m, 0, 0, time.UTC) }
	for _, c := range []struct {
		q    Quiet
		t    time.Time
		want time.Duration
	}{
		{Quiet{}, at(3, 0), 0},
		{Quiet{600, 600}, at(10, 0), 0},
		{Quiet{12 * 60, 13 * 60}, at(11, 59), 0},
		{Quiet{12 * 60, 13 * 60}, at(12, 0), time.Hour},
		{Quiet{12 * 60, 13 * 60}, at(12, 59), time.Minute},
		{Quiet{12 * 60, 13 * 60}, at(13, 0), 0},
		{Quiet{22 * 60, 7 * 60}, at(21, 59), 0},
		{Quiet{22 * 60, 7 * 60}, at(22, 0), 9 * time.Hour},
		{Quiet{22 * 60, 7 * 60}, at(0, 0), 7 * time.Hour},
		{Quiet{22 * 60, 7 * 60}, at(6, 30), 30 * time.Minute},
		{Quiet{22 * 60, 7 * 60}, at(7, 0), 0},
	} {
		if got := c.q.Until(c.t); got != c.want {
			t.Errorf("%+v at %s: %v, want %v", c.q, c.t.Format(time.TimeOnly), got, c.want)
		}
	}
}
