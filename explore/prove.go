package explore

import (
	"cmp"
	"context"
	"errors"
	"io"
	"runtime"
	"sync"
	"sync/atomic"

	"akx/view/wire"
)

// Bounds of what is in flight between reading and storing.
const (
	chunkPieces  = 64 // pieces that one worker proves in a row
	chunkBytes   = 256 << 10
	flightBytes  = 2 << 20 // text that is read and not yet proven and handed on
	flightChunks = 256
)

// chunk is a run of pieces in the order of the input, and their proofs once ready
// is closed.
type chunk struct {
	pieces []wire.Piece // with texts of their own
	items  []wire.Item
	bytes  int
	read   int64 // bytes of the input up to here
	ready  chan struct{}
}

// proveAll splits r and proves each piece on all cores; take gets the chunks in the
// order of the input, in the caller's goroutine. It returns the first error of r,
// of take or of ctx. When it returns early, a goroutine may stay until a Read of r
// that is under way has returned.
func proveAll(parent context.Context, r io.Reader, maxBytes int, take func(*chunk) error) error {
	ctx, cancel := context.WithCancel(parent)
	defer cancel()
	p := &prover{
		budget: newBudget(flightBytes),
		work:   make(chan *chunk, flightChunks),
		order:  make(chan *chunk, flightChunks),
	}
	var workers sync.WaitGroup
	for range runtime.GOMAXPROCS(0) {
		workers.Go(func() { p.prove(ctx) })
	}
	failed := make(chan error, 1)
	go func() {
		defer close(p.order)
		defer close(p.work)
		failed <- p.split(ctx, r, maxBytes)
	}()
	err := p.collect(ctx, take)
	if err == nil {
		err = <-failed
	}
	if err == nil {
		workers.Wait()
	}
	// An input may end because ctx did; then that is the reason.
	return cmp.Or(parent.Err(), err)
}

type prover struct {
	budget *budget
	work   chan *chunk
	order  chan *chunk
}

// split cuts r into chunks and hands each to the workers and to the collector.
func (p *prover) split(ctx context.Context, r io.Reader, maxBytes int) error {
	counted := &countingReader{r: r}
	splitter := wire.NewSplitter(counted, maxBytes)
	c := newChunk()
	for {
		piece, err := splitter.Next()
		if err != nil {
			if !errors.Is(err, io.EOF) || len(c.pieces) > 0 {
				if sent := p.send(ctx, c, counted.n.Load()); sent != nil {
					return sent
				}
			}
			if errors.Is(err, io.EOF) {
				return nil
			}
			return err
		}
		if !p.budget.try(len(piece.Text)) {
			// What is collected goes on first: room is made only behind it.
			if err := p.send(ctx, c, counted.n.Load()); err != nil {
				return err
			}
			c = newChunk()
			if err := p.budget.take(ctx, len(piece.Text)); err != nil {
				return err
			}
		}
		piece.Text = append([]byte(nil), piece.Text...)
		c.pieces = append(c.pieces, piece)
		c.bytes += len(piece.Text)
		if len(c.pieces) == chunkPieces || c.bytes >= chunkBytes {
			if err := p.send(ctx, c, counted.n.Load()); err != nil {
				return err
			}
			c = newChunk()
		}
	}
}

func newChunk() *chunk { return &chunk{ready: make(chan struct{})} }

func (p *prover) send(ctx context.Context, c *chunk, read int64) error {
	c.read = read
	for _, to := range []chan *chunk{p.work, p.order} {
		select {
		case to <- c:
		case <-ctx.Done():
			return ctx.Err()
		}
	}
	return nil
}

// prove works until there are no more chunks. It yields after each proof, so that
// a screen beside it stays quick.
func (p *prover) prove(ctx context.Context) {
	for c := range p.work {
		c.items = make([]wire.Item, len(c.pieces))
		for i, piece := range c.pieces {
			if ctx.Err() != nil {
				return
			}
			c.items[i] = wire.OpenPiece(piece)
			c.pieces[i].Text = nil // the item has a text of its own
			runtime.Gosched()
		}
		close(c.ready)
	}
}

func (p *prover) collect(ctx context.Context, take func(*chunk) error) error {
	for {
		select {
		case c, ok := <-p.order:
			if !ok {
				return ctx.Err()
			}
			select {
			case <-c.ready:
			case <-ctx.Done():
				return ctx.Err()
			}
			if err := take(c); err != nil {
				return err
			}
			p.budget.give(c.bytes)
		case <-ctx.Done():
			return ctx.Err()
		}
	}
}

// countingReader counts what was read; the count may be read at any time.
type countingReader struct {
	r io.Reader
	n atomic.Int64
}

func (c *countingReader) Read(p []byte) (int, error) {
	n, err := c.r.Read(p)
	c.n.Add(int64(n))
	return n, err
}

// budget bounds bytes in flight. One object larger than the whole of it passes
// when nothing else is in flight.
type budget struct {
	mu    sync.Mutex
	used  int
	limit int
	freed chan struct{} // closed and made anew when bytes come back
}

func newBudget(limit int) *budget { return &budget{limit: limit, freed: make(chan struct{})} }

// try takes n bytes where there is room for them.
func (b *budget) try(n int) bool {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.used != 0 && b.used+n > b.limit {
		return false
	}
	b.used += n
	return true
}

// take waits for room.
func (b *budget) take(ctx context.Context, n int) error {
	for {
		b.mu.Lock()
		freed := b.freed
		b.mu.Unlock()
		if b.try(n) {
			return nil
		}
		select {
		case <-freed:
		case <-ctx.Done():
			return ctx.Err()
		}
	}
}

func (b *budget) give(n int) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.used -= n
	close(b.freed)
	b.freed = make(chan struct{})
}
