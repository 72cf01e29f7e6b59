package report

import "akx/view/clean"

// Digests are the digests of files, in the order of the command line.
type Digests struct {
	Files []FileDigest `json:"files"`
}

// FileDigest is the SHA3-256 of one file, as evidence and profiles name it.
type FileDigest struct {
	File   string `json:"file"`
	Digest string `json:"digest"`
	Bytes  int64  `json:"file_bytes"`
}

// Text prints a row a file, the digest first.
func (r *Digests) Text(p *Printer) {
	var table [][]Cell
	for _, f := range r.Files {
		table = append(table, []Cell{words(f.Digest), plainCell(clean.Line(f.File))})
	}
	p.Table(nil, table)
}
