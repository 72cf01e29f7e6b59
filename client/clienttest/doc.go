// Package clienttest is for tests only: a small network of TLS services on
// loopback that answer honestly or lie, by kind, and a clock that waits for nobody.
//
// A Network hands out names and public addresses of its own and maps them to
// loopback behind the client's address check, so that the check stays on. It
// remembers every name that was asked for and every address that was dialled.
package clienttest
