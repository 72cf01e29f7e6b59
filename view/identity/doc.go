// Package identity implements Agent Identity 1.0: strict JSON, canonical form,
// Agent IDs, origins, signed envelopes, request tokens and nonces.
//
// Open is the only way from foreign bytes to an Envelope; Sign makes one from a
// key; Reopen takes back text that this machine proved before. The package is
// pure: time comes in as an argument, and it touches no disk and no network.
package identity
