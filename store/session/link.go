package session

import (
	"bytes"
	"encoding/json"

	"dormouse/store/memory"
)

// Link is a node's place in the session's DAG.
type Link struct {
	ID       string
	Parent   memory.Ref
	CalledBy memory.Ref
	Seq      int
	Turn     int
	Role     memory.Role
	// Agent names the sub-agent that the node belongs to; empty on the main conversation.
	Agent string
}

// header is what the DAG and the commits need of a node beside its name.
type header struct {
	parent, calledBy memory.Ref
	agent            string
	turn             int
	redacted         int
	created          int64
	prompt           bool       // it starts its turn
	seen             *glance    // of a node that has no commit yet
	files            []nodeFile // known of nodes that are not committed
}

func headerOf(n *memory.Node) header {
	g := glanceOf(n)
	return header{seen: &g, parent: n.ParentID, calledBy: n.CalledBy, agent: n.Metadata.AgentID, turn: n.Metadata.Turn,
		redacted: n.Metadata.Redacted, created: n.CreatedAt, prompt: n.StartsTurn(), files: nodeFiles(n)}
}

type headerJSON struct {
	Parent   memory.Ref `json:"parent_id"`
	CalledBy memory.Ref `json:"called_by"`
	Created  *int64     `json:"created_at"`
	Metadata *struct {
		Turn     int             `json:"turn"`
		AgentID  string          `json:"agent_id"`
		Redacted int             `json:"redacted"`
		Kind     memory.UserKind `json:"kind"`
	} `json:"metadata"`
}

// tailStart is where the short fields of a node file begin: after its texts. Within a JSON string a quote has a backslash
// before it, so these bytes occur outside of one only.
var tailStart = []byte(`,"parent_id":`)

// parseHeader reads a node's header from its file. The long texts before it are skipped and not parsed.
func parseHeader(data []byte) (header, error) {
	var h headerJSON
	if i := bytes.LastIndex(data, tailStart); i >= 0 {
		tail := append([]byte{'{'}, data[i+1:]...)
		if json.Unmarshal(tail, &h) == nil && h.Created != nil && h.Metadata != nil {
			return h.header(), nil
		}
		h = headerJSON{}
	}
	if err := json.Unmarshal(data, &h); err != nil {
		return header{}, err
	}
	return h.header(), nil
}

func (h headerJSON) header() header {
	out := header{parent: h.Parent, calledBy: h.CalledBy}
	if h.Created != nil {
		out.created = *h.Created
	}
	if h.Metadata != nil {
		out.turn, out.agent, out.redacted = h.Metadata.Turn, h.Metadata.AgentID, h.Metadata.Redacted
		out.prompt = h.Metadata.Kind == memory.KindPrompt && out.agent == "" // the kind is a user node's alone
	}
	return out
}
