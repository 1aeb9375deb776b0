package memory

// RunDevices is the kind of a run that is no sleep and decides nothing: it tells of machines.
const RunDevices = "devices"

// DeviceNote says, in a run, what a machine is called and whether it is retired. Of several about one machine that counts which comes
// last in the order of the fold.
type DeviceNote struct {
	ID      string `json:"id"`
	Name    string `json:"name"`
	Retired bool   `json:"retired,omitempty"`
}

// KnownLog is what a machine had of another one's log when it wrote a run.
type KnownLog struct {
	Decisions int   `json:"decisions"`
	At        int64 `json:"at"` // when its newest run ended, by that machine's clock, in Unix seconds
}

// DeviceNotes are the notes that count among runs in the order of CompareRuns, by machine.
func DeviceNotes(runs []Run) map[string]DeviceNote {
	out := map[string]DeviceNote{}
	for i := range runs {
		if n := runs[i].Device; n != nil {
			out[n.ID] = *n
		}
	}
	return out
}
