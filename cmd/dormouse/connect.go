package main

import (
	"context"
	"errors"
	"fmt"

	"dormouse/service/client"
	"dormouse/store/home"
)

// with connects to the running service and hands it to do: the service of the person's memory or, where only that one
// runs, the demo's, which is said.
func (a *app) with(ctx context.Context, do func(*client.Client) error) error {
	h, err := home.Default(a.Env)
	if err != nil {
		return err
	}
	c, err := a.choose(ctx, h)
	if err != nil {
		return err
	}
	defer c.Close()
	return a.held(ctx, home.At(c.Home()), do(c))
}

func (a *app) choose(ctx context.Context, h home.Home) (*client.Client, error) {
	own := client.New(client.Options{Home: h.Dir()})
	if on, err := own.Running(ctx); on || err != nil {
		return own, a.held(ctx, h, err)
	}
	demo := client.New(client.Options{Home: h.Demo().Dir()})
	on, err := demo.Running(ctx)
	if on {
		a.note("demo memory: %s", a.view().path(demo.Home()))
		return demo, err
	}
	notRunning := fmt.Errorf("%w (state folder %s)", client.ErrNotRunning, a.view().path(h.Dir()))
	if err != nil { // a demo that hangs is no reason to hide that the person's own service is off
		return nil, errors.Join(notRunning, fmt.Errorf("the demo's service: %w", err))
	}
	return nil, a.held(ctx, h, notRunning)
}

// ask is with for a command that prints one answer.
func ask[T any](ctx context.Context, a *app, call func(*client.Client) (T, error), format func(view, T) []string) error {
	return a.with(ctx, func(c *client.Client) error {
		v, err := call(c)
		if err != nil {
			return err
		}
		return a.answer(v, func(how view) []string { return format(how, v) })
	})
}
