package desk

import (
	"errors"

	"akx/view/fault"
)

func isDamaged(err error, code string) bool {
	var d *fault.Damaged
	return errors.As(err, &d) && string(d.FaultCode()) == code
}

func isRefusal(err error) bool {
	var r *fault.Refusal
	return errors.As(err, &r)
}

func isUsage(err error) bool {
	var u *fault.Usage
	return errors.As(err, &u)
}

// hostile holds texts that break what is careless.
var hostile = []string{
	"a\n", "\na", "  lead", "trail  ", "\ttab", "a\tb", "x\r\ny", "\u2028", "a\u0085b", "\ufeffx", "nul\x00", "\x1b[2J", "a \n b", "\n", " ", "---\nx", "...",
	"# no comment", "a: b", "a #b", "- x", "[1]", "{}", "{\"a\":1}", "null", "~", "true", "no", "007", "1e3", "0x1f", ".nan", "2026-03-14", "<<", "!!binary x",
	"&a", "*a", "|", ">-", "%YAML 1.1", "@x", "`x", "'", "\"", "\\", "\\u0041", "\u202edlrow", "\u200b", "\U000e0041", "\U0001f468\u200d\U0001f469", "\ufffe", "\ufffd",
	"\U0010ffff", "\u007f", "\u0080", "\u00a0", "e\u0301", "\u0301x", "两次请求返回同一种语言", "می\u200cخواهم", "/event/payload", "a\n\nb", "a\n \nb", "a\n\tb", "a\n  b\nc", "?",
	"? x", "key: |-\n  x", "a\\\nb", "\v\f",
}
