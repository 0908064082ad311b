package serve

// Look has the server look once, as its loop does.
func (s *Server) Look() { s.look() }

// State is what the server knew at its last look.
func (s *Server) State() *State { return s.state.Load() }
