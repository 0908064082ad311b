package pipelines

import (
	"context"
	"path"

	"pipeline/extract"
	"pipeline/load/versions"
	"pipeline/pipelines/raw"
	"pipeline/sql/schema"
)

// keptNodes gives nodes of the agent's graph that a store has lost and the raw layer has: Cursor removes old ones, and
// so do people. A conversation that still leads to such a node keeps what earlier loads have made of it.
type keptNodes struct {
	r     *reading
	owner schema.OwnerKey // whose nodes are held
	nodes map[string]*extract.Document
}

// node is an extract.Kept.
func (k *keptNodes) node(ctx context.Context, own []*extract.Document, name string) (*extract.Document, error) {
	if k.r.layer == nil || k.r.src.replay != nil || len(own) == 0 {
		return nil, nil
	}
	id := extract.ConversationOf(own[0].Key)
	if extract.IsChatStore(own[0].Store) {
		id = path.Base(own[0].Store)
	}
	if owner := k.r.plan.Key(schema.KindConversation, own[0].Store, id); owner != k.owner {
		if err := k.hold(ctx, owner); err != nil {
			return nil, err
		}
	}
	return k.nodes[name], nil
}

// hold reads the nodes that the layer has of a conversation.
func (k *keptNodes) hold(ctx context.Context, owner schema.OwnerKey) error {
	k.owner, k.nodes = owner, map[string]*extract.Document{}
	known, err := k.r.layer.Known(ctx, []schema.OwnerKey{owner})
	if err != nil {
		return err
	}
	wanted := map[versions.Key]string{} // of every version
	for key, v := range known[owner] {
		if v.Latest != "" && extract.IsNodeKey(key.Table, key.Key) {
			wanted[key] = ""
		}
	}
	if len(wanted) == 0 {
		return nil
	}
	rows, err := k.r.layer.Versions(ctx, owner, wanted)
	for _, versions := range rows {
		if d := raw.Document(versions[0]); d.Problem == "" {
			k.nodes[d.ID] = d
		}
	}
	return err
}
