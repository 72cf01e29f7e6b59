package compose

import (
	"context"
	"crypto/sha3"
	"errors"
	"io"
	"strings"

	tea "github.com/charmbracelet/bubbletea"

	"akx/ui/draw"
	"akx/ui/kit"
	"akx/ui/slot"
	"akx/view/clean"
	"akx/view/identity"
)

// digester computes the digest of a file of this machine for a field. Nothing of the
// file but its digest goes into the draft, its name neither.
type digester struct {
	kit.Form
	screen *Screen
	path   string // of the field
	work   *hashing
	asking *slot.Slot[*hashing]
}

// hashing is a file that is read piece by piece.
type hashing struct {
	file       io.ReadCloser
	sum        *sha3.SHA3
	done, size int64
	ended      bool
}

// Bounds of a file and its name.
const (
	maxPath = 4096
	piece   = 16 << 20 // bytes that are read before the progress is drawn again
)

// digestFile asks which file the digest of an evidence item or a profile is of.
func (s *Screen) digestFile() tea.Cmd {
	d := &digester{screen: s, path: s.path(), asking: slot.New[*hashing](s.options.Work)}
	d.Form = kit.Form{
		Options: s.options, Title: "Digest of a file", Accept: d.accept,
		Lines: []*kit.FormLine{{Label: "file", Field: draw.NewField(maxPath, ""), Note: draw.Line{
			draw.Own(draw.Quiet, "its SHA3-256 is computed here; neither the file nor its name goes anywhere"),
		}}},
	}
	return s.options.Now(kit.Open{Overlay: d})
}

func (d *digester) accept() tea.Cmd {
	if d.asking.Waiting() {
		return nil
	}
	open, name := d.screen.shared.OpenFile, d.Lines[0].Field.Value()
	return d.asking.Ask(func(ctx context.Context) (*hashing, error) {
		file, size, err := open(name)
		if err != nil {
			return nil, err
		}
		return (&hashing{file: file, sum: sha3.New256(), size: size}).next(ctx)
	})
}

// next reads one more piece; at the end, after an error, or where nobody waits any
// more, the file is closed.
func (h *hashing) next(ctx context.Context) (*hashing, error) {
	n, err := io.CopyN(h.sum, h.file, piece)
	h.done += n
	h.ended = errors.Is(err, io.EOF)
	if h.ended {
		err = nil
	}
	if err == nil {
		err = ctx.Err()
	}
	if h.ended || err != nil {
		err = errors.Join(err, h.file.Close())
	}
	return h, err
}

// Close ends the reading; the file is closed where its last piece was waited for.
func (d *digester) Close() {
	waiting := d.asking.Waiting()
	d.asking.Cancel()
	if d.work != nil && !d.work.ended && !waiting {
		d.work.file.Close()
	}
}

// Update takes pieces, else what the form takes.
func (d *digester) Update(msg tea.Msg) tea.Cmd {
	work, err, ok := d.asking.Take(msg)
	if !ok {
		return d.Form.Update(msg)
	}
	if d.work, d.Failed = work, err; err != nil {
		d.work = nil
		return nil
	}
	if !work.ended {
		return d.asking.Ask(work.next)
	}
	var sum identity.Digest
	work.sum.Sum(sum[:0])
	d.Options.Now(kit.Shut{})
	return tea.Batch(d.screen.put(d.path, sum.String()), kit.Send(kit.Notice{Line: draw.Line{
		draw.Own(draw.Normal, "the digest of "), draw.Say(draw.Strong, draw.Int(work.done)), draw.Own(draw.Normal, " bytes"),
	}}))
}

// barColumns is the width of the progress bar.
const barColumns = 40

// Draw draws the form, and while a file is read how far that is.
func (d *digester) Draw(f *draw.Frame, area draw.Rect) {
	d.Form.Draw(f, area)
	if d.work == nil || d.work.size <= 0 {
		return
	}
	full := int(barColumns * min(d.work.done, d.work.size) / d.work.size)
	bar := strings.Repeat("#", full) + strings.Repeat(".", barColumns-full)
	row := draw.Rect{X: area.X, Y: area.Y + area.H - 2, W: area.W, H: 1}
	f.Clear(row)
	f.Put(row, 2, 0, draw.Line{
		draw.Say(draw.Normal, clean.Line(bar)), draw.Gap(1), draw.Say(draw.Normal, draw.Int(d.work.done)),
		draw.Own(draw.Quiet, " of "), draw.Say(draw.Normal, draw.Int(d.work.size)), draw.Own(draw.Quiet, " bytes"),
	})
}
