package extract

import "github.com/zeebo/xxh3"

// This file handles chats of the command line that are in several folders: a workspace was moved, or a folder copied.
// The newest folder is read. Each other one is a row of the conversation, so that the raw layer knows of it, too.

// FamilyCLICopy is the family of the row that stands for another folder of a chat.
const FamilyCLICopy = "cli.copy"

// noteCopies gives each chat that is the first of its id the folders of the others. They count for its state.
func (s *cliSnapshot) noteCopies() {
	first := map[string]*chat{}
	for _, c := range s.chats {
		if first[c.id] == nil {
			first[c.id] = c
			continue
		}
		first[c.id].copies = append(first[c.id].copies, c.store)
	}
	for _, c := range first {
		c.dependOn(c.copies...)
	}
}

// dependOn has texts count for the state of a chat. One that is not certain stays so.
func (c *chat) dependOn(texts ...string) {
	if c.state == "" || len(texts) == 0 {
		return
	}
	h := xxh3.New()
	hashText(h, c.state)
	for _, text := range texts {
		hashText(h, text)
	}
	c.state = sumOf(h)
}

// copyRows are the rows that stand for the other folders of a chat.
func (c *chat) copyRows() (rows []*Document, err error) {
	for _, store := range c.copies {
		d, err := jsonRow(c.store, FileTable, FamilyCLICopy, store+"/store.db", struct{}{})
		if err != nil {
			return nil, err
		}
		rows = append(rows, d)
	}
	return rows, nil
}
