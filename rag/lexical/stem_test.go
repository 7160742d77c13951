package lexical_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestStems(t *testing.T) {
	for _, tt := range []struct{ stem, words string }{
		{"name", "name names named naming"},
		{"type", "type types typed typing"},
		{"use", "use uses used using"},
		{"file", "file files filed filing"},
		{"code", "code codes coded coding"},
		{"node", "node nodes"},
		{"note", "note notes noted noting"},
		{"not", "not"},
		{"state", "state states stated stating"},
		{"pipe", "pipe pipes piped piping"},
		{"pip", "pip"},
		{"store", "store stores stored storing"},
		{"write", "write writes writing"},
		{"close", "close closes closed closing"},
		{"size", "size sizes sized sizing"},
		{"base", "base bases based basing"},
		{"page", "page pages paged paging"},
		{"byte", "byte bytes"},
		{"cach", "cache caches cached caching"},
		{"pars", "parse parses parsed parsing"},
		{"merg", "merge merges merged merging"},
		{"handl", "handle handles handled handling"},
		{"delet", "delete deletes deleted deleting"},
		{"updat", "update updates updated updating"},
		{"creat", "create creates created creating"},
		{"encod", "encode encodes encoded encoding encodings"},
		{"renam", "rename renames renamed renaming"},
		{"valu", "value values valued"},
		{"queu", "queue queues queued queueing queuing"},
		{"issu", "issue issues issued"},
		{"tree", "tree trees"},
		{"free", "free frees freeing"},
		{"edg", "edge edges"},
		{"map", "map maps mapped mapping mappings"},
		{"log", "log logs logged logging"},
		{"run", "run runs running"},
		{"set", "set sets setting settings"},
		{"wrap", "wrap wraps wrapped wrapping"},
		{"embed", "embed embeds embedded embedding"},
		{"add", "adds added adding add"},
		{"call", "call calls called calling"},
		{"cancel", "cancel cancels canceled cancelled cancelling"},
		{"control", "control controls controlled controlling"},
		{"instal", "install installs installed installing"},
		{"null", "null nulls"},
		{"pass", "pass passes passed passing"},
		{"process", "process processes processed processing"},
		{"diff", "diff diffs diffed diffing"},
		{"test", "test tests tested testing"},
		{"fail", "fail fails failed failing"},
		{"load", "load loads loaded loading"},
		{"fix", "fix fixes fixed fixing"},
		{"box", "box boxes boxed boxing"},
		{"index", "index indexes indexed indexing"},
		{"show", "show shows showed showing"},
		{"match", "match matches matched matching"},
		{"hash", "hash hashes hashed hashing"},
		{"class", "class classes"},
		{"status", "status statuses"},
		{"alias", "alias aliases aliased aliasing"},
		{"axis", "axis"},
		{"api", "api apis"},
		{"cpu", "cpu cpus"},
		{"queri", "query queries queried querying"},
		{"tri", "try tries tried trying"},
		{"copi", "copy copies copied copying"},
		{"dependenci", "dependency dependencies"},
		{"key", "key keys keyed keying"},
		{"deploy", "deploy deploys deployed deploying"},
		{"cooki", "cookie cookies"},
		{"tie", "tie ties tied"},
		{"need", "need needs needed needing"},
		{"exceed", "exceed exceeds exceeded exceeding"},
		{"speed", "speed speeds"},
		{"string", "string strings"},
		{"thing", "thing things"},
		{"sync", "sync syncs synced syncing"},
		{"server", "server servers"},
		{"id", "id ids"},
		{"tls", "tls"},
	} {
		for word := range strings.FieldsSeq(tt.words) {
			if diff := cmp.Diff(plain(tt.stem), terms(word)); diff != "" {
				t.Errorf("%s, want %s (-want +got):\n%s", word, tt.stem, diff)
			}
		}
	}
}
