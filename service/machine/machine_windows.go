package machine

import (
	"context"
	"runtime"
	"syscall"
	"time"
	"unsafe"

	"golang.org/x/sys/windows"
)

// system is what a probe keeps open on Windows: nothing.
type system struct{}

func (*system) close() {}

var (
	user32             = windows.NewLazySystemDLL("user32.dll")
	kernel32           = windows.NewLazySystemDLL("kernel32.dll")
	ole32              = windows.NewLazySystemDLL("ole32.dll")
	getLastInputInfo   = user32.NewProc("GetLastInputInfo")
	getTickCount       = kernel32.NewProc("GetTickCount")
	getPowerStatus     = kernel32.NewProc("GetSystemPowerStatus")
	getSystemTimes     = kernel32.NewProc("GetSystemTimes")
	coInitializeEx     = ole32.NewProc("CoInitializeEx")
	coUninitialize     = ole32.NewProc("CoUninitialize")
	coCreateInstance   = ole32.NewProc("CoCreateInstance")
	networkListManager = windows.GUID{Data1: 0xDCB00C01, Data2: 0x570F, Data3: 0x4A9B, Data4: [8]byte{0x8D, 0x69, 0x19, 0x9F, 0xDB, 0xA5, 0x72, 0x3B}}
	networkCostManager = windows.GUID{Data1: 0xDCB00008, Data2: 0x570F, Data3: 0x4A9B, Data4: [8]byte{0x8D, 0x69, 0x19, 0x9F, 0xDB, 0xA5, 0x72, 0x3B}}
)

// input asks GetLastInputInfo, in milliseconds since the start of the system; the count wraps around every 49 days. It tells of the
// session that the service runs in. Whether the screen is locked is not asked: nobody touches a locked machine for long.
func (p *Probe) input(context.Context) (*time.Duration, string, Known) {
	var info struct{ size, time uint32 }
	info.size = uint32(unsafe.Sizeof(info))
	if r, _, _ := getLastInputInfo.Call(uintptr(unsafe.Pointer(&info))); r == 0 {
		return nil, "", Unknown
	}
	now, _, _ := getTickCount.Call()
	d := time.Duration(uint32(now)-info.time) * time.Millisecond
	return &d, "windows", Unknown
}

// cpuTimes asks GetSystemTimes, whose kernel time holds the idle time.
func (p *Probe) cpuTimes() (times, bool) {
	var idle, kernel, user windows.Filetime
	r, _, _ := getSystemTimes.Call(uintptr(unsafe.Pointer(&idle)), uintptr(unsafe.Pointer(&kernel)), uintptr(unsafe.Pointer(&user)))
	if r == 0 {
		return times{}, false
	}
	var created, exited, ownKernel, ownUser windows.Filetime
	if err := windows.GetProcessTimes(windows.CurrentProcess(), &created, &exited, &ownKernel, &ownUser); err != nil {
		return times{}, false
	}
	all := span(kernel) + span(user)
	return times{all: all, busy: all - span(idle), own: span(ownKernel) + span(ownUser)}, true
}

// span is a length of time in a FILETIME, which counts 100 nanoseconds.
func span(f windows.Filetime) time.Duration {
	return time.Duration(int64(f.HighDateTime)<<32|int64(f.LowDateTime)) * 100
}

// average is not known: Windows keeps none.
func (p *Probe) average() *float64 { return nil }

// battery asks GetSystemPowerStatus (SYSTEM_POWER_STATUS).
func (p *Probe) battery(context.Context) (Known, *int) {
	var s struct {
		line, flag, percent, saver byte
		life, full                 uint32
	}
	if r, _, _ := getPowerStatus.Call(uintptr(unsafe.Pointer(&s))); r == 0 {
		return Unknown, nil
	}
	const noBattery, unknown = 128, 255
	switch {
	case s.line == 1, s.flag != unknown && s.flag&noBattery != 0:
		return No, nil
	case s.line != 0:
		return Unknown, nil
	case s.percent > 100:
		return Yes, nil
	}
	charge := int(s.percent)
	return Yes, &charge
}

// metered asks INetworkCostManager::GetCost (netlistmgr.h), which tells what the person or the provider set for the network.
func (p *Probe) metered(context.Context) Known {
	runtime.LockOSThread() // COM is set up for a thread
	defer runtime.UnlockOSThread()
	if hr, _, _ := coInitializeEx.Call(0, 0); int32(hr) >= 0 {
		defer coUninitialize.Call() //nolint:errcheck // it returns nothing
	}
	const everywhere = 23 // CLSCTX_ALL
	var object unsafe.Pointer
	hr, _, _ := coCreateInstance.Call(uintptr(unsafe.Pointer(&networkListManager)), 0, everywhere,
		uintptr(unsafe.Pointer(&networkCostManager)), uintptr(unsafe.Pointer(&object)))
	if int32(hr) < 0 || object == nil {
		return Unknown
	}
	// IUnknown's QueryInterface, AddRef and Release, then GetCost.
	methods := *(**[4]uintptr)(object)
	defer syscall.SyscallN(methods[2], uintptr(object)) //nolint:errcheck // the count of references
	var cost uint32
	if hr, _, _ := syscall.SyscallN(methods[3], uintptr(object), uintptr(unsafe.Pointer(&cost)), 0); int32(hr) < 0 {
		return Unknown
	}
	return costOf(cost)
}
