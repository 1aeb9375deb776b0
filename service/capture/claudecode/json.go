package claudecode

import "github.com/tidwall/gjson"

// jsonType is the type of objects and arrays, stringType that of texts.
const (
	jsonType   = gjson.JSON
	stringType = gjson.String
)

func parseJSON(raw []byte) result { return gjson.ParseBytes(raw) }
