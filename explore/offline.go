package explore

// Offline reports whether the session may ask no service anything.
func (s *Session) Offline() bool { return s.net.Offline }
