package main

import (
	"slices"

	"github.com/spf13/cobra"

	"akx/view/desk"
	"akx/view/fault"
	"akx/view/identity"
)

// serveFlags are the flags of akx serve.
type serveFlags struct {
	listen, cert, key      string
	noSubmit, requireToken bool
	logQueries             bool
	peers, licenses        []string
	rate                   int
	conns, connsEach       int
}

func (a *app) serveCommand() *cobra.Command {
	f := &serveFlags{}
	cmd := &cobra.Command{
		Use:   "serve",
		Short: "Serve a home of its own to others over HTTPS",
		Long: `Serve the events of a service's home over HTTPS as Agent Knowledge 1.0 says, with
lexical ranked search. 'akx serve init' makes such a home; it is never the one that
you read with. While it runs, 'akx import --home DIR' adds events, 'akx withhold ID
--home DIR' hides one, and commands that only read the cache, such as akx list, show
and search, show what it has.

Everybody can read. Everybody can submit signed events of anybody, unless --no-submit
is given; with --require-token submissions need a request token of any Agent ID. Any
licence is taken, unless --license lists those that are; retractions have none. The
discovery document tells which, and the limits below.

Whoever asks is told apart by address, of IPv6 by the /64. Behind a reverse proxy all
of them have its address: give it --rate 0 and as many connections as it needs, and
let it bound each of those who ask.

One process at a time serves a home: another is refused at once, and told which one
does. SIGINT or SIGTERM ends it when the requests under way are answered, after 10
seconds at the latest.

What is kept of those who ask: one log event a request, on the error stream or in
the file of --log, with the time, operation, status, size and duration, and the ID
of an event that was accepted. No address, no header, and not what was asked for;
--log-queries adds the questions. akx keeps nothing else and deletes no log: how
long it is kept is up to you, and those who ask may want to know. The rate of an
address is held in memory only.

Back up the home while it is served by no one. A restored database must not come
with an older file 'sequence'; if it does, or if akx says that the database is older
than its numbers, run 'akx serve restored' before anything else.`,
		Example: `  akx serve init --home /srv/hub --origin https://hub.example
  akx serve --home /srv/hub --listen :443 --tls-cert hub.pem --tls-key hub.key
  akx serve --home /srv/hub --listen :443 --tls-cert hub.pem --tls-key hub.key --no-submit`,
		Args: a.noArgs,
		RunE: func(cmd *cobra.Command, _ []string) error { return a.serve(cmd.Context(), f) },
	}
	flags := cmd.Flags()
	flags.StringVar(&f.listen, "listen", "", "address and port to listen on, such as :443 or 127.0.0.1:8443")
	flags.StringVar(&f.cert, "tls-cert", "", "file with the certificate chain, PEM")
	flags.StringVar(&f.key, "tls-key", "", "file with its private key, PEM")
	flags.BoolVar(&f.noSubmit, "no-submit", false, "refuse submissions; --read-only does the same")
	flags.BoolVar(&f.requireToken, "require-token", false, "submissions need a request token")
	flags.BoolVar(&f.logQueries, "log-queries", false, "write into the log what was asked for")
	flags.StringArrayVar(&f.peers, "peer", nil, "origin of another service to name as a hint (again for more, at most 32)")
	flags.StringArrayVar(&f.licenses, "license", nil, "take only submissions under this licence URL (again for more)")
	flags.IntVar(&f.rate, "rate", 20, "requests a second of one address in the long run, 5 seconds' worth at once; 0 for no limit")
	flags.IntVar(&f.conns, "connections", 256, "connections at the same time; others wait")
	flags.IntVar(&f.connsEach, "connections-per-address", 64, "of these, those of one address; others are closed")
	cmd.AddCommand(a.serveInitCommand(), a.serveRestoredCommand())
	return cmd
}

// maxPeers is the most that a discovery document may name (9.2).
const maxPeers = 32

// peersOf reads the peers of a service at origin.
func peersOf(texts []string, origin identity.Origin) ([]identity.Origin, error) {
	var peers []identity.Origin
	for _, text := range texts {
		peer, err := desk.ServiceOrigin(text)
		switch {
		case err != nil:
			return nil, err
		case peer == origin:
			return nil, &fault.Usage{Detail: "a service is no peer of its own: " + text}
		case slices.Contains(peers, peer):
			return nil, &fault.Usage{Detail: "--peer names " + text + " twice"}
		}
		peers = append(peers, peer)
	}
	if len(peers) > maxPeers {
		return nil, &fault.Usage{Detail: "--peer can be given 32 times"}
	}
	return peers, nil
}
