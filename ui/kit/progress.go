package kit

import (
	"strconv"
	"strings"
	"time"

	"akx/ui/draw"
	"akx/view/clean"
)

// SyncNow is how far a sync has come: from one seq of the service towards its
// checkpoint, both 0 until the first page.
type SyncNow struct {
	Pages, Records            int
	Bytes                     int64 // of the events' text
	From, Reached, Checkpoint uint64
	Began                     int64 // ms
}

// part is how much of the way is done, from 0 to 1; false where that is not known.
func (s SyncNow) part() (float64, bool) {
	if s.Pages == 0 || s.Checkpoint <= s.From {
		return 0, false
	}
	return min(float64(max(s.Reached, s.From)-s.From)/float64(s.Checkpoint-s.From), 1), true
}

func (s SyncNow) percent() draw.Line {
	part, ok := s.part()
	if !ok {
		return nil
	}
	return draw.Line{draw.Say(draw.Strong, draw.Int(int(part*100))), draw.Own(draw.Strong, "%")}
}

// brief is the progress in a word.
func (s SyncNow) brief() draw.Line {
	if percent := s.percent(); percent != nil {
		return percent
	}
	return draw.Line{draw.Say(draw.Normal, draw.Int(s.Records))}
}

// syncBar is the columns between the brackets of a bar.
const syncBar = 20

// words say the progress in the longest way that fits a number of columns: with a
// bar, events of the total, bytes and rate where there is room.
func (s SyncNow) words(now time.Time, columns int) draw.Line {
	start := draw.Line{draw.Own(draw.Strong, "syncing")}
	percent := s.percent()
	if percent == nil {
		return start
	}
	start = append(append(start, draw.Gap(1)), percent...)
	events := draw.Line{draw.Own(draw.Normal, ", "), draw.Say(draw.Normal, draw.Int(s.Records)), draw.Own(draw.Normal, plural(s.Records, " event", " events"))}
	upTo := draw.Line{draw.Own(draw.Normal, ", "), draw.Say(draw.Normal, seq(s.Reached)), draw.Own(draw.Normal, " of "), draw.Say(draw.Normal, seq(s.Checkpoint))}
	rest := draw.Line{draw.Own(draw.Normal, ", "), draw.Say(draw.Normal, clean.Line(size(s.Bytes)))}
	if took := now.UnixMilli() - s.Began; s.Began > 0 && took >= time.Second.Milliseconds() {
		rest = append(rest, draw.Own(draw.Normal, ", "), draw.Say(draw.Normal, draw.Int(int64(s.Records)*1000/took)), draw.Own(draw.Normal, "/s"))
	}
	part, _ := s.part()
	done := int(part * syncBar)
	bar := draw.Line{draw.Gap(1), draw.Say(draw.Normal, clean.Line("["+strings.Repeat("#", done)+strings.Repeat(".", syncBar-done)+"]"))}
	for _, form := range [][]draw.Line{{start, bar, events, upTo, rest}, {start, events, upTo, rest}, {start, events, upTo}, {start, events}, {start, upTo}} {
		var line draw.Line
		for _, piece := range form {
			line = append(line, piece...)
		}
		if line.Width() <= columns {
			return line
		}
	}
	return start
}

// seq writes a number of a service's own sequence, as everywhere: #4812.
func seq(n uint64) clean.Text { return clean.Line("#" + strconv.FormatUint(n, 10)) }

// size says bytes for people.
func size(n int64) string {
	units := []string{"B", "KiB", "MiB", "GiB"}
	f, u := float64(n), 0
	for f >= 1024 && u < len(units)-1 {
		f, u = f/1024, u+1
	}
	return strconv.FormatFloat(f, 'f', min(u, 1), 64) + " " + units[u]
}
