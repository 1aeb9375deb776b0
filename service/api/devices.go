package api

// The paths of the machines that share the memory.
const (
	PathDevices      = "/v1/devices"        // all of them
	PathDeviceInvite = "/v1/devices/invite" // POST: a code that lets one new machine into an encrypted memory
	PathDeviceChange = "/v1/devices/change" // POST ?device=&action=&name=: rename a machine, retire it or have it back
	PathDeviceRevoke = "/v1/devices/revoke" // POST ?device=: take a machine out of an encrypted memory
)

// Devices are the machines that share the memory.
type Devices struct {
	// Encrypted says that the remote cannot read the memory.
	Encrypted bool     `json:"encrypted"`
	Devices   []Device `json:"devices"`
}

// Device is a machine.
type Device struct {
	ID   string `json:"id"`
	Name string `json:"name"` // empty where it is not known
	This bool   `json:"this"`
	// Seen is when it wrote to its log last, by its own clock, in Unix seconds; 0 where nothing of it is here.
	Seen    int64 `json:"seen"`
	Entries int   `json:"entries"` // of its log that are here: decisions and runs
	// Lacks counts the decisions of others that are here and that it has not confirmed to have. Told is when it last said what it has, by
	// its own clock; 0 where it never did. Both are 0 for this machine, and for one that is retired or revoked.
	Lacks int   `json:"lacks"`
	Told  int64 `json:"told"`
	// Ahead and Behind are by how many seconds at least its clock goes before or after this machine's; 0 where nothing shows that.
	Ahead  int64 `json:"ahead"`
	Behind int64 `json:"behind"`
	// Retired says that nobody waits for it any more; what it learned stays.
	Retired bool `json:"retired"`
	// Reads says that it may read an encrypted memory, and Revoked that it no longer may.
	Reads   bool `json:"reads"`
	Revoked bool `json:"revoked"`
}

// What can be done with a machine.
const (
	DeviceRename = "rename"
	DeviceRetire = "retire"
	DeviceReturn = "return" // a retired one is in use again
)

// DeviceChange is a change to what is known of a machine, which travels to all others.
type DeviceChange struct {
	Device string // its id or name
	Action string
	Name   string // for a rename
}

// Invite is a code that lets one new machine in.
type Invite struct {
	Code  string `json:"code"`
	Until int64  `json:"until"`
}

// Revoked is what became of a revoked machine.
type Revoked struct {
	Device Device `json:"device"`
	// Kept says that the remote did not let its history be replaced: what the machine could read there, it can go on to read.
	Kept bool `json:"kept"`
}
