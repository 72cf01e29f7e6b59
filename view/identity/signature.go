package identity

import (
	"crypto/ed25519"
	"encoding/hex"
	"slices"
)

// Verify checks one signature with the four extra rules of Agent Identity 3: A and
// R are canonical and not of small order, S < L, and the equation is the
// cofactorless one. crypto/ed25519 sees to the last two.
func Verify(a Actor, message []byte, s Signature) bool {
	return usablePoint(a) && usablePoint([32]byte(s[:32])) &&
		ed25519.Verify(a[:], message, s[:])
}

// smallOrder lists the encodings of the points of small order as Agent Identity 3
// prints them, their top bits cleared: orders 1, 2, 4, 8 and 8.
var smallOrder = [...][32]byte{
	fromHex("0100000000000000000000000000000000000000000000000000000000000000"),
	fromHex("ecffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f"),
	fromHex("0000000000000000000000000000000000000000000000000000000000000000"),
	fromHex("26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc05"),
	fromHex("c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac037a"),
}

func fromHex(s string) [32]byte {
	b, err := hex.DecodeString(s)
	if err != nil {
		panic(err)
	}
	return [32]byte(b)
}

// usablePoint reports whether b is a canonical encoding (y < p = 2^255-19) of a
// point that is not of small order. Whether it is a point on the curve at all is
// for the caller.
func usablePoint(b [32]byte) bool {
	b[31] &= 0x7f
	return !slices.Contains(smallOrder[:], b) && belowP(&b)
}

// belowP reports whether y < p. With the top bit clear only 19 values are not:
// those whose upper 31 bytes are all ones.
func belowP(y *[32]byte) bool {
	if y[31] != 0x7f || y[0] < 0xed {
		return true
	}
	for _, c := range y[1:31] {
		if c != 0xff {
			return true
		}
	}
	return false
}
