// Package desk holds the values of what a user writes: drafts with their fields,
// checks and text form, entries of the outbox, and what a scan for secrets found.
// It is pure: times are arguments, in Unix ms, and nothing here stores or sends.
//
// Places in a payload are named by JSON pointers from the payload on, such as
// /evidence/0/url.
package desk
