package issue

import (
	"encoding/json"
	"fmt"

	"github.com/repomind/repomind/internal/prompt"
)

// noFence is for prompts that hold nothing from outside.
var noFence prompt.Fence

// clean takes the nonce of the fence out of an answer, should the model have repeated it:
// whoever knows it could end the fence.
func clean(f prompt.Fence, d Draft) Draft {
	data, err := json.Marshal(d)
	if err != nil {
		panic(fmt.Sprintf("encode a draft: %v", err)) // it is texts and numbers
	}
	var out Draft
	if err := json.Unmarshal([]byte(f.Forget(string(data))), &out); err != nil {
		return d
	}
	return out
}
