package sample

// Seeds are the bytes that fill the published test seeds of the sample's authors:
// anybody can sign with them, so what they sign says nothing about who did.
func Seeds() []byte { return []byte{0x34, 0x21, 0x22, 0x31, 0x32, 0x33, 0x35, 0x36} }
