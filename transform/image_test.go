package transform

import (
	"encoding/base64"
	"encoding/json"
	"strings"
	"testing"
)

// TestImagesOfCalls: what a tool was given and returns has each image's media type and size in place of its bytes, at
// any depth and in JSON inside texts; all else stays as it is.
func TestImagesOfCalls(t *testing.T) {
	t.Parallel()
	png := "\x89PNG" + strings.Repeat("x", 96)
	b64, about := base64.StdEncoding.EncodeToString([]byte(png)), `"mediaType":"image/png","sizeBytes":100`
	quoted := func(s string) string { b, _ := json.Marshal(s); return string(b) }
	for _, test := range []struct{ what, result, want string }{
		{"of a server", `{"content":[{"type":"text","text":"Seen"},{"type":"image","data":"` + b64 +
			`","mimeType":"image/png"}]}`,
			`{"content":[{"type":"text","text":"Seen"},{"type":"image","mimeType":"image/png",` + about + `}]}`},
		{"in a text", `{"result":` + quoted(`{"content":[{"type":"image","data":"`+b64+`"}]}`) + `}`,
			`{"result":` + quoted(`{"content":[{"type":"image",`+about+`}]}`) + `}`},
		{"a URL", `{"screenshot":"data:image/png;base64,` + b64 + `","images":2}`,
			`{"screenshot":{` + about + `},"images":2}`},
		{"by its name", `{"success":{"screenshot":"` + b64 + `","log":"none"}}`,
			`{"success":{"screenshot":{` + about + `},"log":"none"}}`},
		{"what was made", `{"imageData":"` + b64 + `"}`, `{"imageData":{` + about + `}}`},
		{"a long word", `{"screenshot":"` + strings.Repeat("shot", 20) + `"}`,
			`{"screenshot":"` + strings.Repeat("shot", 20) + `"}`},
		{"a name alone", `{"screenshot":"of the page","screenshots":["a"]}`,
			`{"screenshot":"of the page","screenshots":["a"]}`},
		{"a source", `[{"type":"image","source":{"type":"base64","media_type":"image/png","data":"` + b64 + `"}}]`,
			`[{"type":"image","source":{"type":"base64","media_type":"image/png"},` + about + `}]`},
		{"words alone", `{"type":"image","text":"an image/png of base64"}`,
			`{"type":"image","text":"an image/png of base64"}`},
		{"no image", `{"data":"` + b64 + `"}`, `{"data":"` + b64 + `"}`},
	} {
		t.Run(test.what, func(t *testing.T) {
			rows := normalized(t, conversationOf("c", `{}`,
				bubble("a", `{"type":2,"toolFormerData":{"tool":19,"name":"see","params":`+test.result+`,"result":`+
					quoted(test.result)+`}}`)))
			if call := rows.ToolCalls[0]; string(call.Result) != test.want || string(call.Params) != test.want {
				t.Errorf("result %s\nparams %s\nwant   %s", call.Result, call.Params, test.want)
			}
		})
	}
}

// TestImagesOfMessages: an image that a prompt shows has its media type and size in place of its bytes, whatever form
// they have.
func TestImagesOfMessages(t *testing.T) {
	t.Parallel()
	png := "\x89PNG" + strings.Repeat("x", 96)
	b64 := base64.StdEncoding.EncodeToString([]byte(png))
	const about = `"mediaType":"image/png","sizeBytes":100`
	for _, test := range []struct{ in, want string }{
		{`{"uuid":"u","data":"` + b64 + `","dimension":{"width":3,"height":2}}`,
			`{"uuid":"u","dimension":{"width":3,"height":2},` + about + `}`},
		{`{"dataUrl":"data:image/png;base64,` + b64 + `"}`, `{` + about + `}`},
		{`"data:image/png;base64,` + b64 + `"`, `{` + about + `}`},
		{`{"path":"/w/shot.png"}`, `{"path":"/w/shot.png"}`},
	} {
		rows := normalized(t, conversationOf("c", `{}`, bubble("a", `{"type":1,"text":"See","images":[`+test.in+`]}`)))
		if len(rows.Attachments) != 1 || string(rows.Attachments[0].Detail) != test.want ||
			rows.Attachments[0].Kind != "image" {
			t.Errorf("%s\n got %+v\nwant %s", test.in, rows.Attachments, test.want)
		}
	}
}
