// Package keyring keeps signing keys: one encrypted file a key in one folder, and
// unlocked keys in memory for a while. No key, and nothing from which one could be
// made, ever stands in an error, in printed values or in JSON.
//
// # Format 1
//
// NAME.key is a text of eight lines, each a word and its value:
//
//	akx-key 1
//	name ann
//	actor did:agent:…
//	created 1748000000000
//	kdf argon2id time=3 memory=65536 threads=2 salt=…
//	cipher xchacha20-poly1305 nonce=…
//	data …
//	sum …
//
// Binary values are unpadded base64url, memory is in KiB, created in Unix ms. data
// is the 32-byte seed, sealed under the key that the passphrase derives; all lines
// above it are authenticated with it. sum is SHA3-256 over all lines above it, in
// every format: a file that fell over fails it, whatever the passphrase, and a file
// that passes it and does not open was tried with a wrong passphrase. sum is no
// protection against people; the seal is.
//
// There is one spelling: what is read must be what would be written.
package keyring
