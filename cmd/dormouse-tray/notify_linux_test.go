package main

import (
	"fmt"
	"strings"
	"testing"

	"dormouse/app/model"
)

func TestANotificationArrivesEscapedWithAnActionThatOpensTheWindow(t *testing.T) {
	desktop := newNotifications(t, privateBus(t), "body", "body-markup", "actions")
	opened := make(chan string, 9)
	n := newNotifier(func(page string) { opened <- page })
	t.Cleanup(n.Close)
	m := model.TrayMessage{Key: "sleep", Title: "Dormouse <slept>", Body: "12 learned & <b>3</b> superseded"}
	if err := n.Notify(t.Context(), m); err != nil {
		t.Fatal(err)
	}
	first := desktop.all()[0]
	if first.App != "Dormouse" || first.Title != "Dormouse <slept>" || first.Body != "12 learned &amp; &lt;b&gt;3&lt;/b&gt; superseded" ||
		first.Replaces != 0 || first.Expire != -1 || strings.Join(first.Actions, "|") != "default|Open Dormouse" {
		t.Errorf("%+v", first)
	}
	image, _ := first.Hints["image-data"].Value().([]any)
	if len(image) != 7 || fmt.Sprint(image[:6]) != "[48 48 192 true 8 4]" || len(image[6].([]byte)) != 48*48*4 {
		t.Errorf("its picture has %d parts", len(image))
	}
	if got := first.Hints["urgency"].Value(); got != byte(1) {
		t.Errorf("its urgency is %v", got)
	}
	m.Body = "again"
	if err := n.Notify(t.Context(), m); err != nil {
		t.Fatal(err)
	}
	if err := n.Notify(t.Context(), model.TrayMessage{Key: "trouble:x", Title: "x", Body: "y", Urgent: true, Page: "sync"}); err != nil {
		t.Fatal(err)
	}
	all := desktop.all()
	if all[1].Replaces != first.ID {
		t.Errorf("a later one of the same key does not take its place: %+v", all[1])
	}
	if all[2].Replaces != 0 || all[2].Expire != 0 {
		t.Errorf("trouble goes away by itself, or in the place of another: %+v", all[2])
	}

	desktop.emit(t, "ActionInvoked", uint32(4711), "default") // somebody else's
	desktop.emit(t, "ActionInvoked", first.ID, "dismiss")
	desktop.emit(t, "ActionInvoked", all[2].ID, "default")
	if page := <-opened; page != "sync" || len(opened) != 0 {
		t.Errorf("a click elsewhere opened the window, or one here another page: %q", page)
	}
	desktop.emit(t, "NotificationClosed", first.ID, uint32(2))
	desktop.emit(t, "ActionInvoked", all[2].ID, "default") // comes after: signals keep their order
	<-opened
	if err := n.Notify(t.Context(), m); err != nil {
		t.Fatal(err)
	}
	if last := desktop.all()[3]; last.Replaces != 0 {
		t.Errorf("it replaces a notification that is gone: %+v", last)
	}
}

func TestADesktopThatKnowsNoMarkupAndNoActionsGetsNone(t *testing.T) {
	desktop := newNotifications(t, privateBus(t), "body")
	n := newNotifier(func(string) {})
	t.Cleanup(n.Close)
	if err := n.Notify(t.Context(), model.TrayMessage{Title: "x", Body: "a & <b>"}); err != nil {
		t.Fatal(err)
	}
	if got := desktop.all()[0]; got.Body != "a & <b>" || len(got.Actions) != 0 {
		t.Errorf("%+v", got)
	}
}

func TestItIsSaidWhenNothingShowsNotificationsAndTriedAgain(t *testing.T) {
	t.Setenv("DBUS_SESSION_BUS_ADDRESS", "unix:path=/nowhere/bus")
	n := newNotifier(func(string) {})
	t.Cleanup(n.Close)
	if err := n.Notify(t.Context(), model.TrayMessage{Title: "x"}); err == nil || !strings.Contains(err.Error(), "no session bus") {
		t.Errorf("%v", err)
	}
	address := privateBus(t)
	if err := n.Notify(t.Context(), model.TrayMessage{Title: "x"}); err == nil || !strings.Contains(err.Error(), "no notification service") {
		t.Errorf("%v", err)
	}
	desktop := newNotifications(t, address, "body")
	if err := n.Notify(t.Context(), model.TrayMessage{Title: "x"}); err != nil || len(desktop.all()) != 1 {
		t.Errorf("%v", err)
	}
}
