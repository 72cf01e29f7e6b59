package cache

import (
	"encoding/binary"
	"errors"
	"hash/fnv"
	"io"
	"os"
)

// bbolt looks at the size of a file only after it has mapped it, and dies of a
// truncated one. So its two meta pages are read here first, as bbolt v1.5 writes
// them: magic, version, page size, flags, root, sequence, freelist, pages in use,
// transaction, check sum (FNV-1a of the fields before it), in the machine's order.
const (
	metaMagic   = 0xED0CDAED
	metaVersion = 2
	metaStart   = 16 // behind the page header
	metaBytes   = 64
	maxPage     = 16 << 20
)

// metaPage is what one valid meta page says.
type metaPage struct {
	pageSize    int64
	pages       int64 // in use: the file is at least pageSize times this
	transaction uint64
}

func parseMeta(b []byte) (m metaPage, ok bool) {
	if len(b) < metaStart+metaBytes {
		return metaPage{}, false
	}
	b = b[metaStart:]
	order := binary.NativeEndian
	sum := fnv.New64a()
	sum.Write(b[:metaBytes-8])
	if order.Uint32(b) != metaMagic || order.Uint32(b[4:]) != metaVersion || order.Uint64(b[56:]) != sum.Sum64() {
		return metaPage{}, false
	}
	m = metaPage{
		pageSize:    int64(order.Uint32(b[8:])),
		pages:       int64(order.Uint64(b[40:])),
		transaction: order.Uint64(b[48:]),
	}
	sane := m.pageSize >= 1024 && m.pageSize <= maxPage && m.pageSize&(m.pageSize-1) == 0 &&
		m.pages >= 4 && m.pages < 1<<40 && order.Uint64(b[16:]) < uint64(m.pages)
	return m, sane
}

// health is what can be known of a database file without mapping it.
type health struct {
	size  int64
	metas int // valid meta pages: 2 unless one is damaged
	meta  metaPage
}

// inspect reads the meta pages of a file that nobody writes now. Errors: those of
// the disk, *fault.Damaged where the file cannot be a whole database.
func inspect(path string) (health, error) {
	f, err := os.Open(path)
	if err != nil {
		return health{}, fail(path, err)
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		return health{}, fail(path, err)
	}
	switch {
	case info.IsDir():
		return health{}, damaged(path, "it is a folder, not a database", nil)
	case !info.Mode().IsRegular():
		return health{}, damaged(path, "it is not a regular file", nil)
	case info.Size() == 0:
		return health{}, damaged(path, "the file is empty", nil)
	}
	h := health{size: info.Size()}
	if err := h.readMetas(f); err != nil {
		return health{}, fail(path, err)
	}
	switch {
	case h.metas == 0:
		return h, damaged(path, "it is not a database of akx, or both its meta pages are damaged", nil)
	case h.size < h.meta.pages*h.meta.pageSize:
		return h, damaged(path, "the file was cut off: a part of it is missing", nil)
	}
	return h, nil
}

// readMetas finds both meta pages. The second stands one page behind the first,
// whose size only a valid meta page tells; so all sizes are tried.
func (h *health) readMetas(f *os.File) error {
	buf := make([]byte, metaStart+metaBytes)
	look := func(at int64) (metaPage, bool, error) {
		n, err := f.ReadAt(buf, at)
		if err != nil && !errors.Is(err, io.EOF) {
			return metaPage{}, false, err
		}
		m, ok := parseMeta(buf[:n])
		return m, ok, nil
	}
	first, ok, err := look(0)
	if err != nil {
		return err
	}
	if ok {
		h.metas, h.meta = 1, first
	}
	for size := int64(1024); size <= maxPage && size < h.size; size *= 2 {
		m, ok, err := look(size)
		if err != nil {
			return err
		}
		if !ok || m.pageSize != size || h.metas == 1 && first.pageSize != size {
			continue
		}
		if h.metas == 0 || m.transaction > h.meta.transaction {
			h.meta = m
		}
		h.metas++
		return nil
	}
	return nil
}
