package load

import "github.com/klauspost/compress/zstd"

// Hold sets the most messages of a conversation that are held.
func (r *Reader) Hold(messages int) { r.held = messages }

// TemplateOf says what the template was made of; TemplateFor what it would be made of now.
var TemplateOf = templateOf

func TemplateFor(engine string) string { return madeBy(engine) }

// WithoutTemplate has warehouses made by statements until the function that it returns is called.
func WithoutTemplate() (undo func()) {
	before := templateOf
	templateOf = ""
	return func() { templateOf = before }
}

// PackTemplate is a file as the template has it.
func PackTemplate(file []byte) ([]byte, error) {
	encoder, err := zstd.NewWriter(nil, zstd.WithEncoderLevel(zstd.SpeedBestCompression))
	if err != nil {
		return nil, err
	}
	return encoder.EncodeAll(file, nil), encoder.Close()
}

// Templated reports that a warehouse was made out of the template.
func Templated(w Rebuild) bool { return w.(*warehouse).templated }
