package index

import (
	"errors"
	"fmt"
	"slices"
	"testing"
)

func TestAreasKeepTheirKeysApartAndOverARestart(t *testing.T) {
	o := Options{Dir: t.TempDir()}
	ix := open(t, o)
	a, b := ix.Area("cursor"), ix.Area("cursors")
	for i, key := range []string{"x/2", "x/1", "y", ""} {
		if err := a.Put(key, []byte{byte(i)}); err != nil {
			t.Fatal(err)
		}
	}
	if err := errors.Join(b.Put("x/1", []byte("other")), a.Put("x/1", []byte("new")), a.Delete("y"), a.Delete("y")); err != nil {
		t.Fatal(err)
	}
	if err := ix.Close(); err != nil {
		t.Fatal(err)
	}
	a = open(t, o).Area("cursor")
	if v, ok, err := a.Get("x/1"); err != nil || !ok || string(v) != "new" {
		t.Errorf("%q %v %v", v, ok, err)
	}
	if _, ok, err := a.Get("y"); ok || err != nil {
		t.Errorf("a deleted key is there: %v %v", ok, err)
	}
	var got []string
	err := a.Each("x/", func(key string, val []byte) error {
		got = append(got, fmt.Sprintf("%s=%s", key, val))
		return nil
	})
	if err != nil || !slices.Equal(got, []string{"x/1=new", "x/2=\x00"}) {
		t.Errorf("%q %v", got, err)
	}
	stop := errors.New("enough")
	if err := a.Each("", func(string, []byte) error { return stop }); !errors.Is(err, stop) {
		t.Errorf("the error of the caller is lost: %v", err)
	}
}
