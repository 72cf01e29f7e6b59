// Package cache is this machine's disk: proven events with their indexes, what
// sources said about them, and events that wait for others, in one bbolt file;
// and beside it own.db with what cannot be had again. What followed services gave
// stands with the events, the user's services stand in own.db. A service's home also
// has the file sequence (sequence.go).
//
// A Cache is the library that a session reads and imports into, and the record
// store of a service. Any number of processes share one home: see lease.go for
// the locks, file.go for how a process opens and gives up a file. Accept and
// Submit are the only writers of events; both go through capsule.Accept.
//
// What is read is proven again: identity.Reopen recomputes the hash of each text,
// rows, states and what services gave carry check sums, and pages that make no sense end in a
// *fault.Damaged instead of a crash. Nothing is ever rebuilt over a damaged file.
//
// # Format 1
//
// Local numbers count arrivals from 1, are never reused, and are the keys of what is
// kept of events. Keys are big-endian.
//
//	text     packs of envelopes with what identity.Reopen needs (pack.go)
//	row      packs of index facts: all that lists, filters and links show (row.go)
//	find     packs of folded search texts, each with a trigram hint (find.go)
//	id       event ID -> number
//	in       target number | relation | source number: the reverse links
//	state    what changes later, in blocks (block.go): retracted, withheld, successors
//	claim    number | source number -> seq, accepted_at, a check sum
//	source   the sources by name and by number
//	pend     43 characters of an ID -> an event that waits (pending.go)
//	miss     waiting ID | missing ID;  wait: missing ID | waiting ID
//	follow   a source -> how far it was followed, its faults (service.go) and how
//	         it described itself (described.go); in a service's home a number -> when
//	         it was withheld (withheld.go)
//	except   source | seq -> a record that is not an event here
//	given    source | block -> under which seq the source gave each number
//	seq      source | block -> which event each seq stood for
//	early    ID | source -> what given will hold once the event arrives
//	meta     format, role, counts
//
// Three layouts were measured with 2 KB events, 1.5 links each, 5,000 a
// transaction (2 cores; indexing and writing alone, search text included):
//
//	                                   100,000                1,000,000
//	one key an event in each bucket:   24,600/s, 2.95 x
//	packs of texts, a key a row,
//	 links by 32-byte target:          30,600-35,200/s, 1.92 x
//	packs throughout, links by number: 35,800-37,000/s, 1.86 x  13,200/s, 1.80 x
//
// The last is format 1: a scan of all rows takes 3 ms instead of 6 at 100,000, a
// hub of 14,000 links with its facts 1.6 ms instead of 7. What costs at 1,000,000
// is the one bucket with random keys, id. A search for a rare word read all search
// text, in 75 ms at 100,000 but 0.8 to 3 s at 1,000,000; with hints it takes 13 ms
// and 150 ms of a core.
package cache
