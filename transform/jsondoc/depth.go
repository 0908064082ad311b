package jsondoc

// Depth is how deep brackets nest outside strings; of valid JSON it is the document's depth. It is measured before
// parsing: a parser that follows deep documents down would use up its stack.
func Depth(json []byte) (deepest int) {
	depth, inString := 0, false
	for i := 0; i < len(json); i++ {
		switch c := json[i]; {
		case inString && c == '\\':
			i++
		case c == '"':
			inString = !inString
		case inString:
		case c == '{' || c == '[':
			depth++
			deepest = max(deepest, depth)
		case c == '}' || c == ']':
			depth--
		}
	}
	return deepest
}
