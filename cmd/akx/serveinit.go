package main

import (
	"context"

	"github.com/spf13/cobra"

	"akx/cache"
	"akx/cmd/akx/report"
	"akx/view/desk"
	"akx/view/fault"
)

func (a *app) serveInitCommand() *cobra.Command {
	var origin string
	cmd := &cobra.Command{
		Use:   "init",
		Short: "Make a home for a service",
		Long: `Make a home for a service in a folder that is empty or not there. The origin is what
others know the service by; it stays with the home, with its sequence of events.`,
		Example: "  akx serve init --home /srv/hub --origin https://hub.example",
		Args:    a.noArgs,
		RunE:    func(cmd *cobra.Command, _ []string) error { return a.serveInit(cmd.Context(), origin) },
	}
	cmd.Flags().StringVar(&origin, "origin", "", "canonical HTTPS origin of the service, such as https://hub.example")
	return cmd
}

func (a *app) serveInit(ctx context.Context, text string) error {
	if err := a.writable("serve init"); err != nil {
		return err
	}
	if a.flags.home == "" {
		return &fault.Usage{Detail: "serve init needs --home DIR: a service has a home of its own"}
	}
	origin, err := desk.ServiceOrigin(text)
	if err != nil {
		return err
	}
	dir, _, err := a.homeDir()
	if err != nil {
		return err
	}
	if err := a.makeService(ctx, dir, origin); err != nil {
		return err
	}
	return a.emit(&report.ServiceMade{Home: dir, Origin: string(origin)}, nil)
}

func (a *app) serveRestoredCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "restored",
		Short: "Say that a service's home was restored from an older copy",
		Long: `Give up every sequence number that the service may have given since the copy was
made, so that none is given twice: the next event gets a larger one. Events that were
lost can be imported or submitted again.`,
		Example: "  akx serve restored --home /srv/hub",
		Args:    a.noArgs,
		RunE:    func(cmd *cobra.Command, _ []string) error { return a.serveRestored(cmd.Context()) },
	}
}

func (a *app) serveRestored(ctx context.Context) error {
	if err := a.writable("serve restored"); err != nil {
		return err
	}
	dir, origin, err := a.ownService("serve restored")
	if err != nil {
		return err
	}
	store, err := cache.Open(ctx, dir, a.serviceOptions(origin))
	if err != nil {
		return err
	}
	defer store.Close()
	after, err := store.Restored(ctx)
	if err != nil {
		return err
	}
	return a.emit(&report.Resumed{Home: dir, After: after}, nil)
}
