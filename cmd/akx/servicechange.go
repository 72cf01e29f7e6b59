package main

import (
	"context"
	"path/filepath"

	"github.com/spf13/cobra"

	"akx/cache/keyring"
	"akx/cmd/akx/report"
	"akx/view/desk"
	"akx/view/fault"
	"akx/view/identity"
)

// serviceFlags are the settings of one service.
type serviceFlags struct {
	name, caFile, ask, token *once
	allowPrivate             bool
}

const privateAbout = "let this one service be at a loopback, private or other special address; no other service may"

func addServiceFlags(cmd *cobra.Command) *serviceFlags {
	f := &serviceFlags{name: &once{}, caFile: &once{}, ask: &once{check: oneOf("key", "open", "never")}, token: &once{check: keyring.CheckName}}
	cmd.Flags().Var(f.name, "name", "your short name for it: 1 to 32 of a-z, 0-9, dot, dash and underscore (default from the host)")
	cmd.Flags().Var(f.caFile, "ca-file", "certificates (PEM) that are trusted for this one service, beside the system's")
	cmd.Flags().Var(f.ask, "ask", "when it is asked about an event on screen while it is not followed: key, open or never (default key)")
	cmd.Flags().Var(f.token, "token-key", "show it request tokens of this key with what is submitted to it, made for it alone; none stops that (default none)")
	cmd.Flags().BoolVar(&f.allowPrivate, "allow-private", false, privateAbout)
	return f
}

// apply puts the flags that were given into a service.
func (f *serviceFlags) apply(a *app, cmd *cobra.Command, s *desk.Service) error {
	if f.name.given {
		if err := desk.CheckServiceName(f.name.value); err != nil {
			return err
		}
		s.Name = f.name.value
	}
	if f.caFile.given {
		path, err := caPath(f.caFile.value)
		if err != nil {
			return err
		}
		if path != "" {
			if _, err := readCA(path); err != nil {
				return &fault.Usage{Detail: "--ca-file: " + err.Error(), Hint: "name a file of certificates in PEM form"}
			}
		}
		s.CAFile = path
	}
	if f.ask.given {
		s.Ask, _ = desk.ParseAsk(f.ask.value) // checked when it was given
	}
	if f.token.given {
		var err error
		if s.Token, err = a.tokenKey(cmd.Context(), f.token.value); err != nil {
			return err
		}
	}
	if cmd.Flags().Changed("allow-private") {
		s.AllowPrivate = f.allowPrivate
	}
	return nil
}

func (a *app) serviceAddCommand() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "add ORIGIN",
		Short: "Add a service by its HTTPS origin, and enable it",
		Long: `Add a service by its canonical HTTPS origin: https://, the host in lower case, a port
where it is not 443, and nothing behind it. Nothing is asked of it by this command;
akx service check NAME asks whether it is there, akx sync NAME follows it.

A service at a loopback, private or other special address is refused at every
connection, whatever its name resolves to, unless it was added with --allow-private.
That holds for this service alone: only use it for one that you run or trust.`,
		Example: `  akx service add https://hub.example
  akx service add https://hub.example --name hub --ask never
  akx service add https://hub.lan:8443 --name lan --allow-private --ca-file ca.pem`,
		Args: oneArg("origin"),
	}
	f := addServiceFlags(cmd)
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		service := desk.Service{Origin: identity.Origin(args[0])}
		if _, err := desk.ServiceOrigin(args[0]); err != nil {
			return err
		}
		if err := f.apply(a, cmd, &service); err != nil {
			return err
		}
		return a.changeServices(cmd.Context(), "service add", "added", func(h *held) (desk.Service, error) {
			if _, err := a.reach(service); err != nil {
				return desk.Service{}, err
			}
			return h.session.AddService(cmd.Context(), service)
		})
	}
	return cmd
}

func (a *app) serviceSetCommand() *cobra.Command {
	cmd := &cobra.Command{
		Use:     "set NAME",
		Short:   "Change the settings of a service",
		Long:    "Change settings of a service; those that are not given stay. Its origin stays too: another\norigin is another service.",
		Example: "  akx service set hub --name home\n  akx service set hub --ask never\n  akx service set hub --token-key main\n  akx service set lan --allow-private=false --ca-file ''",
		Args:    oneArg("service"),
	}
	f := addServiceFlags(cmd)
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		if !f.name.given && !f.caFile.given && !f.ask.given && !f.token.given && !cmd.Flags().Changed("allow-private") {
			return &fault.Usage{Detail: "nothing to set", Hint: "see akx service set --help"}
		}
		return a.changeServices(cmd.Context(), "service set", "set", func(h *held) (desk.Service, error) {
			service, err := h.session.Service(cmd.Context(), args[0])
			if err == nil {
				err = f.apply(a, cmd, &service)
			}
			if err == nil {
				_, err = a.reach(service)
			}
			if err != nil {
				return desk.Service{}, err
			}
			return h.session.ChangeService(cmd.Context(), args[0], func(s *desk.Service) { *s = service })
		})
	}
	return cmd
}

func (a *app) serviceRemoveCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "remove NAME",
		Short: "Forget a service and how far it was followed",
		Long: `Forget a service, how far it was followed, and its exceptions. The events that it gave
stay in the cache, and so does what it said of them. To follow a service from the
start again, with its settings as they are, akx service refollow NAME.`,
		Example: "  akx service remove hub",
		Args:    oneArg("service"),
		RunE: func(cmd *cobra.Command, args []string) error {
			return a.changeServices(cmd.Context(), "service remove", "removed", func(h *held) (desk.Service, error) {
				return h.session.RemoveService(cmd.Context(), args[0])
			})
		},
	}
}

func (a *app) serviceRefollowCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "refollow NAME",
		Short: "Forget how far a service was followed, to follow it from the start",
		Long: `Forget how far a service was followed, its exceptions, and that it contradicted itself.
Its name and settings stay, and so do the events that it gave; the next akx sync NAME
takes all of it from the start. That is the way on with a service that was reset or
restored from a copy: it is not followed, and asked live, until that sync is complete.`,
		Example: "  akx service refollow hub\n  akx sync hub",
		Args:    oneArg("service"),
		RunE: func(cmd *cobra.Command, args []string) error {
			return a.changeServices(cmd.Context(), "service refollow", "reset", func(h *held) (desk.Service, error) {
				return h.session.RefollowService(cmd.Context(), args[0])
			})
		},
	}
}

func (a *app) serviceSwitchCommand(use, short string, on bool) *cobra.Command {
	return &cobra.Command{
		Use:     use + " NAME",
		Short:   short,
		Long:    short + ". How far it was followed stays, and what it gave answers\nfrom the cache as before.",
		Example: "  akx service " + use + " hub",
		Args:    oneArg("service"),
		RunE: func(cmd *cobra.Command, args []string) error {
			return a.changeServices(cmd.Context(), "service "+use, use+"d", func(h *held) (desk.Service, error) {
				return h.session.EnableService(cmd.Context(), args[0], on)
			})
		},
	}
}

// changeServices runs one change of the user's services and reports the service.
func (a *app) changeServices(ctx context.Context, what, done string, change func(*held) (desk.Service, error)) error {
	if err := a.writable(what); err != nil {
		return err
	}
	h, err := a.open(ctx)
	if err != nil {
		return err
	}
	defer h.close()
	service, err := change(h)
	if err != nil {
		return err
	}
	r := report.ServiceOf(service, desk.Follow{}, 0)
	r.TokenKey = a.keyNames(ctx)[r.TokenActor]
	return a.emit(&report.ServiceChanged{Done: done, Service: r}, nil)
}

// caPath makes a CA file's path one that holds from every directory.
func caPath(path string) (string, error) {
	if path == "" {
		return "", nil
	}
	full, err := filepath.Abs(path)
	if err != nil {
		return "", &fault.Unavailable{Code: fault.UnavailableCode, What: path, Detail: "the path cannot be made absolute", Err: err}
	}
	return full, nil
}
