package main

import "golang.org/x/sys/unix"

// The requests by which a terminal's settings are read and written.
const (
	getTermios = unix.TCGETS
	setTermios = unix.TCSETS
)
