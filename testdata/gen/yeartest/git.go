package yeartest

import (
	"bytes"
	"compress/zlib"
	"crypto/sha1" // git names objects so
	"encoding/binary"
	"encoding/hex"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"pipeline/testdata/gen/storetest"
)

// This file writes a repository without git, so that a year has its commits on every machine, and the same ones.

// A repository is written object by object.
type repository struct {
	dir   string
	files map[string][20]byte // blobs of the latest commit, by path
	err   error
}

// writeRepository makes a repository in a folder, and returns its commits. The files themselves are not written: tools
// for their languages would find them, and they are no programs.
func writeRepository(dir string, commits []storetest.Commit) (written []scoredCommit, err error) {
	r := &repository{dir: dir, files: map[string][20]byte{}}
	sizes := map[string]uint32{}
	head, lines := "", map[string][]string{}
	slices.SortStableFunc(commits, func(a, b storetest.Commit) int { return int((a.At - b.At) / 1000) })
	for _, c := range commits {
		s := scoredCommit{Commit: c}
		for path, text := range c.Files {
			r.files[path] = r.object("blob", []byte(text))
			sizes[path] = uint32(len(text))
			now := strings.Split(strings.TrimSuffix(text, "\n"), "\n")
			s.added, s.removed = s.added+without(now, lines[path]), s.removed+without(lines[path], now)
			lines[path] = now
		}
		head = r.commit(c, head)
		s.hash = head
		written = append(written, s)
	}
	r.write(".git/HEAD", []byte("ref: refs/heads/main\n"))
	r.write(".git/refs/heads/main", []byte(head+"\n"))
	r.write(".git/config", []byte("[core]\n\trepositoryformatversion = 0\n\tfilemode = true\n\tbare = false\n"))
	r.write(".git/index", r.index(sizes))
	return written, r.err
}

// without is how many of some lines are not among others.
func without(lines, others []string) (n int) {
	left := map[string]int{}
	for _, line := range others {
		left[line]++
	}
	for _, line := range lines {
		if left[line]--; left[line] < 0 {
			n++
		}
	}
	return n
}

// write writes a file, unless something failed before.
func (r *repository) write(name string, b []byte) {
	path := filepath.Join(r.dir, filepath.FromSlash(name))
	if r.err == nil {
		r.err = os.MkdirAll(filepath.Dir(path), 0o777)
	}
	if r.err == nil {
		r.err = os.WriteFile(path, b, 0o666)
	}
}

// object writes an object, and returns its name.
func (r *repository) object(kind string, body []byte) [20]byte {
	whole := append(fmt.Appendf(nil, "%s %d\x00", kind, len(body)), body...)
	name := sha1.Sum(whole)
	var b bytes.Buffer
	w := zlib.NewWriter(&b)
	_, _ = w.Write(whole) // a buffer takes everything
	_ = w.Close()
	text := hex.EncodeToString(name[:])
	r.write(".git/objects/"+text[:2]+"/"+text[2:], b.Bytes())
	return name
}

// commit writes a commit of the files, and returns its name.
func (r *repository) commit(c storetest.Commit, parent string) string {
	tree := r.tree("")
	who := fmt.Sprintf("%s <%s> %d +0100", c.Author, c.Email, c.At/1000)
	text := fmt.Sprintf("tree %x\n", tree)
	if parent != "" {
		text += "parent " + parent + "\n"
	}
	name := r.object("commit", []byte(text+"author "+who+"\ncommitter "+who+"\n\n"+c.Message+"\n"))
	return hex.EncodeToString(name[:])
}

// tree writes the tree of a folder, whose path ends in a slash, and returns its name.
func (r *repository) tree(folder string) [20]byte {
	entries := map[string][]byte{} // by the name that git sorts by: that of a folder ends in a slash
	for path, blob := range r.files {
		rest, ok := strings.CutPrefix(path, folder)
		if !ok {
			continue
		}
		name, _, isFolder := strings.Cut(rest, "/")
		switch {
		case !isFolder:
			entries[name] = append([]byte("100644 "+name+"\x00"), blob[:]...)
		case entries[name+"/"] == nil:
			below := r.tree(folder + name + "/")
			entries[name+"/"] = append([]byte("40000 "+name+"\x00"), below[:]...)
		}
	}
	var body []byte
	for _, name := range slices.Sorted(maps.Keys(entries)) {
		body = append(body, entries[name]...)
	}
	return r.object("tree", body)
}

// index lists the files and asks git to take each for unchanged (0x8000), so that it misses none.
func (r *repository) index(sizes map[string]uint32) []byte {
	b := binary.BigEndian.AppendUint32([]byte("DIRC\x00\x00\x00\x02"), uint32(len(r.files)))
	for _, path := range slices.Sorted(maps.Keys(r.files)) {
		from := len(b)
		for _, field := range []uint32{0, 0, 0, 0, 0, 0, 0o100644, 0, 0, sizes[path]} {
			b = binary.BigEndian.AppendUint32(b, field)
		}
		blob := r.files[path]
		b = append(b, blob[:]...)
		b = binary.BigEndian.AppendUint16(b, 0x8000|uint16(len(path)))
		b = append(b, path...)
		b = append(b, make([]byte, 8-(len(b)-from)%8)...)
	}
	sum := sha1.Sum(b)
	return append(b, sum[:]...)
}
