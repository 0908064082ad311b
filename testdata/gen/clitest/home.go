package clitest

import (
	"crypto/md5" // Cursor names folders so
	"crypto/sha256"
	"encoding/hex"
	"path/filepath"

	"pipeline/testdata/gen/graphtest"
)

// Home describes a folder `.cursor`.
type Home struct {
	Chats       []*Chat
	Transcripts []*Transcript
	// ids of conversations that an editor of the same home has in its store; Write does not write it
	Editor map[string]bool
}

// Chat describes a chat. What is empty or 0 is not written. Times are milliseconds since 1970.
type Chat struct {
	Name string // of the case
	ID   string // name of the folder
	ACP  bool   // it is below acp-sessions; else it is below chats
	CWD  string // working directory, whose md5 is the name of the folder around

	Graph graphtest.Chat
	Stale []graphtest.Chat // earlier states: their blobs stay in the store
	Loose [][]byte         // blobs that nothing names
	Lost  []string         // labels of blobs that are not in the store (graphtest.Graph.Named): steps and turns
	Meta  Meta
	File  *File // meta.json; nil: there is none

	Sealed  bool // the bytes of blobs are not what their names say
	NoRoot  bool // latestRootBlobId is ""
	NoStore bool // there is no store.db
	WAL     bool // what is in the store is in store.db-wal only
	Keep    bool // Night leaves it as it is
}

// Meta is row 0 of the table meta.
type Meta struct {
	AgentID   string // "" for the folder's name
	Title     string // member name
	Created   int64
	Mode      string
	Model     string      // lastUsedModel
	More      [][2]string // further members, with values as JSON
	Plain     bool        // the value is JSON, not hex of it
	OtherRows [][2]string // further rows
}

// File is meta.json.
type File struct {
	CWD, Title       string
	Created, Updated int64
	Empty            bool // hasConversation is false
	Subagent         bool
}

// dir is the chat's folder, from the home.
func (c *Chat) dir() string {
	if c.ACP {
		return filepath.Join("acp-sessions", c.ID)
	}
	return filepath.Join("chats", folderOf(c.CWD), c.ID)
}

// folderOf is the name of the folder with the chats of a working directory.
func folderOf(cwd string) string {
	sum := md5.Sum([]byte(cwd))
	return hex.EncodeToString(sum[:])
}

// idOf is an id like Cursor's that a name gives.
func idOf(name string) string {
	sum := sha256.Sum256([]byte(name))
	s := hex.EncodeToString(sum[:])
	return s[:8] + "-" + s[8:12] + "-4" + s[13:16] + "-8" + s[17:20] + "-" + s[20:32]
}

// rootBlob is the hash of the current root, in hex; "" for none.
func (c *Chat) rootBlob() string {
	if c.NoRoot {
		return ""
	}
	h := c.Graph.Build().Hash()
	return hex.EncodeToString(h[:])
}

// blobs are all rows of the table blobs.
func (c *Chat) blobs() map[[32]byte][]byte {
	all := map[[32]byte][]byte{}
	for _, b := range c.Loose {
		all[sha256.Sum256(b)] = b
	}
	graphs := c.Stale
	if !c.NoRoot {
		graphs = append(graphs[:len(graphs):len(graphs)], c.Graph)
	}
	for i, g := range graphs {
		built := g.Build()
		if i == len(c.Stale) {
			for _, label := range c.Lost {
				delete(built.Blobs, built.Named(label))
			}
		}
		for h, b := range built.Blobs {
			all[h] = b
		}
	}
	if c.Sealed {
		for h, b := range all {
			all[h] = seal(h, b)
		}
	}
	return all
}

// seal is what a key makes of bytes: noise, 28 bytes longer.
func seal(name [32]byte, b []byte) []byte {
	out := []byte{}
	for block := name; len(out) < len(b)+28; block = sha256.Sum256(append(block[:], "noise"...)) {
		out = append(out, block[:]...)
	}
	out = out[:len(b)+28]
	out[0] = 0xff // no message begins so
	return out
}
