// Package report is what the commands of akx say: one struct a command, printed
// as text for people or as one Agent-First Data v1 event for programs. Foreign
// strings stand in the structs as they were signed; they leave only through
// package clean.
package report

// Report is what one command found. Its exported fields, by their json tags, are
// the members of its event; Text prints the same facts for people.
type Report interface {
	Text(p *Printer)
}
