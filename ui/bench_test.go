package ui_test

import "testing"

// BenchmarkKeyToFrame is a step down a list and the frame after it, preview and all.
func BenchmarkKeyToFrame(b *testing.B) {
	x := newExplorer(b)
	keys := []string{"j", "k"}
	for i := 0; b.Loop(); i++ {
		x.Press(keys[i%2])
		if x.Output() == "" {
			b.Fatal("no frame")
		}
	}
}

// BenchmarkFrame is one whole frame of a page with both panes.
func BenchmarkFrame(b *testing.B) {
	x := newExplorer(b, page(b, hub))
	for b.Loop() {
		if x.Output() == "" {
			b.Fatal("no frame")
		}
	}
}

// BenchmarkOpenPage is from the list to a page's first whole frame, and back.
func BenchmarkOpenPage(b *testing.B) {
	x := newExplorer(b)
	for b.Loop() {
		x.Press("enter")
		if x.Output() == "" {
			b.Fatal("no frame")
		}
		x.Press("[")
	}
}
