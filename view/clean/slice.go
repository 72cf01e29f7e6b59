package clean

// Slice gives bytes [from, to) of t. Callers cut between grapheme clusters; a part
// of harmless text is harmless. The count of hidden characters stays with the whole.
func (t Text) Slice(from, to int) Text { return Text{s: t.s[from:to]} }
