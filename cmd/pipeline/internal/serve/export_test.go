package serve

// Look has the server look once, as its loop does.
func (s *Server) Look() { s.look() }
