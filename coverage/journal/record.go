package journal

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
)

// checksum is that of a record: over the one before it and the text.
type checksum [8]byte

func sumOf(before checksum, text []byte) (out checksum) {
	h := sha256.New()
	h.Write(before[:])
	h.Write(text)
	copy(out[:], h.Sum(nil))
	return out
}

// encode returns the line of a payload, and its checksum.
func encode(before checksum, payload any) ([]byte, checksum, error) {
	text, err := json.Marshal(payload)
	if err != nil {
		return nil, checksum{}, err
	}
	sum := sumOf(before, text)
	line := make([]byte, 0, 2*len(sum)+2+len(text))
	line = hex.AppendEncode(line, sum[:])
	line = append(line, ' ')
	line = append(line, text...)
	return append(line, '\n'), sum, nil
}

// decode returns the payload of a line without its end.
func decode(before checksum, line []byte) (payload json.RawMessage, sum checksum, ok bool) {
	const head = 2 * len(checksum{})
	if len(line) <= head || line[head] != ' ' {
		return nil, sum, false
	}
	text := line[head+1:]
	sum = sumOf(before, text)
	if !bytes.Equal(hex.AppendEncode(nil, sum[:]), line[:head]) || !json.Valid(text) {
		return nil, sum, false
	}
	return bytes.Clone(text), sum, true
}
