package claudecode

import "github.com/tidwall/gjson"

// jsonType is the type of objects and arrays.
const jsonType = gjson.JSON

func parseJSON(raw []byte) result { return gjson.ParseBytes(raw) }
