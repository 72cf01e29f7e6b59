package term

// stepString swallows a terminal's answer. No answer holds a control
// character, so one that is typed ends it: ctrl-c and Enter always arrive.
func (d *decoder) stepString(dst []byte, b byte) ([]byte, bool) {
	switch {
	case b == bel:
		return d.endString(dst), false
	case b == esc:
		d.state = stateStringST
		return dst, false
	case b < 0x20 || b == del:
		return d.breakString(dst), true
	}
	if len(d.reply) < maxReply {
		d.reply = append(d.reply, b)
	}
	return dst, false
}

func (d *decoder) stepStringST(dst []byte, b byte) ([]byte, bool) {
	if b == '\\' {
		return d.endString(dst), false
	}
	dst = d.breakString(dst)
	d.begin(stateEscape, esc)
	return dst, true
}

// breakString ends a string that something else broke into. When nothing had
// followed its introducer, that was a key with alt.
func (d *decoder) breakString(dst []byte) []byte {
	if len(d.reply) == 0 {
		return d.emit(dst)
	}
	d.drop()
	return dst
}

func (d *decoder) endString(dst []byte) []byte {
	var item any
	if d.seq[len(d.seq)-1] == ']' {
		if dark, ok := parseBackground(string(d.reply)); ok {
			item = Background{Dark: dark}
		}
	}
	d.drop()
	if item == nil {
		return dst
	}
	return d.items.put(dst, item)
}
