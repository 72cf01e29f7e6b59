// Package fetch is the guarded HTTPS transport of akx: every request to a service
// goes through it.
//
// The rules, in one place:
//   - A Client speaks to one origin and to nowhere else. HTTPS only, HTTP/1.1 only.
//   - The address is checked at every dial, and the checked address is the one that
//     is dialled: loopback, private and other special ranges are refused unless the
//     user allowed that very origin. An answer of the resolver is never kept.
//   - Redirects are reported, not followed. No cookies, no credentials, no Referer.
//   - Proxies of the environment (HTTPS_PROXY and the like) are ignored: behind one
//     the address that is reached could not be checked.
//   - Deadlines for name and connect, TLS, answer, pauses in the body, and the whole;
//     caps on header bytes and on body bytes before and after decompression.
//   - Requests keep the pace that they are given, as the service publishes it.
//   - Only reads are tried again, and only after failures that may pass by themselves.
//
// Errors are *fault.Unavailable with a *Failure inside, or the context's own.
package fetch
