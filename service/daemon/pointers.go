package daemon

import (
	"dormouse/service/api"
	"dormouse/store/memory"
)

// pointers are the turns that records come from.
func (d *Daemon) pointers(sources []memory.Provenance) []api.Pointer {
	out := make([]api.Pointer, len(sources))
	for i, s := range sources {
		out[i].SessionID = s.SessionID
		if len(s.NodeIDs) > 0 {
			out[i].Turn = d.turnOf(s.SessionID, s.NodeIDs[0])
		}
	}
	return out
}
