package browse

import (
	"time"

	"akx/view/capsule"
)

// chosen reports whether a filter keeps only this value of a facet.
func chosen(f capsule.Filter, facet, value string) bool {
	if facet == "month" {
		from, before := month(value)
		return f.CreatedFrom == from && f.CreatedBefore == before
	}
	return f.FilterText(facet) == value
}

// choose sets a facet to a value, or drops it.
func choose(f capsule.Filter, facet, value string, on bool) (capsule.Filter, error) {
	if facet == "month" {
		f.CreatedFrom, f.CreatedBefore = capsule.Bound{}, capsule.Bound{}
		if on {
			f.CreatedFrom, f.CreatedBefore = month(value)
		}
		return f, nil
	}
	var out capsule.Filter
	for _, name := range capsule.FilterNames() {
		text := f.FilterText(name)
		if name == facet {
			text = ""
			if on {
				text = value
			}
		}
		if text == "" {
			continue
		}
		if _, err := out.ParseFilter(name, text); err != nil {
			return f, err
		}
	}
	return out, nil
}

// month gives the bounds of a year and month such as "2026-03".
func month(value string) (from, before capsule.Bound) {
	t, err := time.Parse("2006-01", value)
	if err != nil {
		return capsule.Bound{}, capsule.Bound{}
	}
	return capsule.Bound{Set: true, MS: t.UnixMilli()}, capsule.Bound{Set: true, MS: t.AddDate(0, 1, 0).UnixMilli()}
}
