package draw

import "akx/view/clean"

// Glyphs are akx's own marks, in box characters or in plain ASCII.
type Glyphs struct {
	TopLeft, TopRight, BottomLeft, BottomRight clean.Words
	Horizontal, Vertical                       clean.Words
	Gutter                                     clean.Words // before author text, and nowhere else
	Ellipsis, Crumb, Open, Closed, Dot, Enter  clean.Words
	Tree                                       TreeGlyphs
}

// TreeGlyphs draw version trees: nodes, and lines by the directions in which they
// leave a column (a sum of up 1, down 2, left 4, right 8).
type TreeGlyphs struct {
	Node, Here clean.Words
	Lines      [16]clean.Words
}

// Unicode uses box characters.
func Unicode() Glyphs {
	return Glyphs{
		TopLeft: "┌", TopRight: "┐", BottomLeft: "└", BottomRight: "┘",
		Horizontal: "─", Vertical: "│",
		Gutter: "▌", Ellipsis: "…", Crumb: "▸", Open: "▾", Closed: "▸", Dot: "·", Enter: "⏎",
		Tree: TreeGlyphs{Node: "●", Here: "◆", Lines: [16]clean.Words{
			" ", "│", "│", "│", "─", "╯", "╮", "┤", "─", "╰", "╭", "├", "─", "┴", "┬", "┼",
		}},
	}
}

// ASCII uses nothing above U+007F.
func ASCII() Glyphs {
	return Glyphs{
		TopLeft: "+", TopRight: "+", BottomLeft: "+", BottomRight: "+",
		Horizontal: "-", Vertical: "|",
		Gutter: "|", Ellipsis: "...", Crumb: ">", Open: "v", Closed: ">", Dot: "-", Enter: "enter",
		Tree: TreeGlyphs{Node: "*", Here: "@", Lines: [16]clean.Words{
			" ", "|", "|", "|", "-", "/", "\\", "+", "-", "\\", "/", "+", "-", "+", "+", "+",
		}},
	}
}
