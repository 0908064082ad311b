package push

import (
	"context"
	"crypto/rand"
	"crypto/sha256"
	"database/sql"
	"encoding/hex"

	"pipeline/load/engine"
	"pipeline/load/warehouse"
)

// identity says which machine pushes, and of which warehouse. Neither is a name that says anything of the person or the
// machine.
type identity struct {
	Machine, Warehouse string
	Withdrawn          string // ids of conversations that never leave it, with spaces between them
}

// MetaPrefix begins the names of the settings in _meta that pushes keep. Whoever makes a warehouse anew must take them
// along: they say what may never leave it.
const MetaPrefix = "push_"

// These settings have the identity.
const (
	metaMachine   = MetaPrefix + "machine"
	metaWarehouse = MetaPrefix + "warehouse"
	metaWithdrawn = MetaPrefix + "withdrawn"
)

// identify reads the identity, or makes one at the first push, or a new one of the machine if asked. It notes which
// conversations are withdrawn from now on.
func identify(ctx context.Context, o Options) (id identity, err error) {
	if err := engine.Reading(ctx, o.Warehouse, func(conn *sql.Conn) (err error) {
		for key, value := range map[string]*string{metaMachine: &id.Machine, metaWarehouse: &id.Warehouse,
			metaWithdrawn: &id.Withdrawn} {
			if *value, err = engine.Setting(ctx, conn, key); err != nil {
				return err
			}
		}
		return nil
	}); err != nil {
		return id, err
	}
	was := id
	if id.Machine == "" || id.Warehouse == "" || o.NewMachine {
		id.Machine, id.Warehouse = random(), random()
	}
	id.Withdrawn = withdraw(id.Withdrawn, o.Withdraw)
	if id == was || o.DryRun {
		return id, nil
	}
	return id, warehouse.KeepSettings(ctx, o.Warehouse,
		map[string]string{metaMachine: id.Machine, metaWarehouse: id.Warehouse, metaWithdrawn: id.Withdrawn})
}

// random is 16 hex digits.
func random() string {
	b := make([]byte, 8)
	_, _ = rand.Read(b) // it never fails
	return hex.EncodeToString(b)
}

// targetName names the folder with what is known of a target: a second target has a series of commits of its own.
func targetName(target, machine string) string {
	sum := sha256.Sum256([]byte(target + "\n" + machine))
	return hex.EncodeToString(sum[:8])
}
