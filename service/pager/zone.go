package pager

// Zone is how near a conversation is to the end of the model's window.
type Zone uint8

// The zones of pressure, and what each does.
const (
	Normal    Zone = iota // what is worth it is shortened at its age
	Caution               // ages count double
	Warning               // ages count four times, and first reads of files are not spared while there is room
	Critical              // whatever is older than the last two messages goes, also where it breaks the cache
	Emergency             // and what is short already goes to almost nothing, oldest first
)

var zoneNames = [...]string{"normal", "caution", "warning", "critical", "emergency"}

// String is the zone's name.
func (z Zone) String() string { return zoneNames[z] }

// zone is the pressure of a request of so many bytes.
func (o Options) zone(bytes int) Zone {
	if o.Budget == 0 {
		return Normal
	}
	z, share := Normal, float64(bytes)/float64(o.Budget)
	for i, from := range o.Zones {
		if share >= from {
			z = Zone(i + 1) //nolint:gosec // of four zones
		}
	}
	return z
}

// protected are the last messages of the user's side that are never touched.
const protected = 2

// aged is the age from which something is shortened in a zone, where it is wait in the normal one. The last two messages of the
// user's side are never touched.
func (z Zone) aged(wait int) int {
	switch z {
	case Caution:
		wait /= 2
	case Warning:
		wait /= 4
	case Critical, Emergency:
		wait = protected
	}
	return max(protected, wait)
}
