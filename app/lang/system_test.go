package lang

import "runtime"

// onUnix says that the system's language is told by variables.
const onUnix = runtime.GOOS != "windows" && runtime.GOOS != "darwin"
