module akx

go 1.26.0

require (
	github.com/charmbracelet/bubbles v1.0.0
	github.com/charmbracelet/bubbletea v1.3.10
	github.com/charmbracelet/glamour v1.0.0
	github.com/charmbracelet/lipgloss v1.1.1-0.20250404203927-76690c660834
	github.com/gowebpki/jcs v1.0.2
	go.etcd.io/bbolt v1.5.0
	golang.org/x/crypto v0.59.0
)
