package api

// The paths of the machines that share the memory.
const (
	PathDevices      = "/v1/devices"        // all of them
	PathDeviceInvite = "/v1/devices/invite" // POST: a code that lets one new machine into an encrypted memory
	PathDeviceRevoke = "/v1/devices/revoke" // POST ?device=: take a machine out of an encrypted memory
)

// Devices are the machines that share the memory.
type Devices struct {
	// Encrypted says that the remote cannot read the memory; Devices that may read it have a name then.
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
	// Ahead is by how many seconds at least its clock goes before this machine's; 0 where nothing shows that.
	Ahead   int64 `json:"ahead"`
	Revoked bool  `json:"revoked"`
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
