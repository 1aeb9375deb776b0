package sqlite

import (
	"database/sql"
	"strconv"
	"time"
)

// Row is one row of an answer.
type Row []any

func scan(rows *sql.Rows, columns int) (Row, error) {
	row, to := make(Row, columns), make([]any, columns)
	for i := range row {
		to[i] = &row[i]
	}
	return row, rows.Scan(to...)
}

// size is about how much memory the row takes, in bytes.
func (r Row) size() int {
	n := 64
	for _, v := range r {
		n += 16
		switch v := v.(type) {
		case string:
			n += len(v)
		case []byte:
			n += len(v)
		}
	}
	return n
}

// Text is a column as text; empty for null.
func (r Row) Text(i int) string {
	switch v := r[i].(type) {
	case string:
		return v
	case []byte:
		return string(v)
	case int64:
		return strconv.FormatInt(v, 10)
	case float64:
		return strconv.FormatFloat(v, 'g', -1, 64)
	case bool:
		return strconv.FormatBool(v)
	case time.Time:
		return v.UTC().Format(time.RFC3339Nano)
	default:
		return ""
	}
}

// Int is a column as a whole number; 0 for null and for what is none.
func (r Row) Int(i int) int64 {
	switch v := r[i].(type) {
	case int64:
		return v
	case float64:
		return int64(v)
	case bool:
		if v {
			return 1
		}
		return 0
	case time.Time:
		return v.Unix()
	case string:
		n, _ := strconv.ParseInt(v, 10, 64)
		return n
	default:
		return 0
	}
}

// Null reports whether a column is null.
func (r Row) Null(i int) bool { return r[i] == nil }
