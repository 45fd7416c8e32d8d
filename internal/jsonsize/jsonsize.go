// Package jsonsize refuses JSON text that would take many times its size in memory.
package jsonsize

import "fmt"

// perObject is the number of bytes for one object below which no file that netcov
// writes goes: the shortest objects have two keys, indented.
const perObject = 24

// Check returns an error for text with more objects than a file of its size has
// when netcov writes it: a list of a million empty objects becomes a million rows.
func Check(data []byte) error {
	objects, inString := 0, false
	for i := 0; i < len(data); i++ {
		switch c := data[i]; {
		case inString && c == '\\':
			i++
		case c == '"':
			inString = !inString
		case c == '{' && !inString:
			objects++
		}
	}
	if objects > 64+len(data)/perObject {
		return fmt.Errorf("%d objects in %d bytes: netcov writes no such file", objects, len(data))
	}
	return nil
}
