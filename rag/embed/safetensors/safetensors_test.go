package safetensors_test

import (
	"bytes"
	"encoding/binary"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/repomind/repomind/rag/embed/safetensors"
)

// file is a file with that header and as many bytes of data.
func file(header string, data ...byte) []byte {
	b := binary.LittleEndian.AppendUint64(nil, uint64(len(header)))
	return append(append(b, header...), data...)
}

func read(b []byte) (*safetensors.File, error) {
	return safetensors.Read(bytes.NewReader(b), int64(len(b)))
}

const one = `{"__metadata__":{"format":"pt"},"a":{"dtype":"F32","shape":[2,1],"data_offsets":[0,8]},"b":{"dtype":"I64","shape":[],"data_offsets":[8,16]}}  `

var data = []byte{0, 0, 128, 63, 0, 0, 32, 192, 1, 2, 3, 4, 5, 6, 7, 8}

func TestFloat32(t *testing.T) {
	path := filepath.Join(t.TempDir(), "a.safetensors")
	if err := os.WriteFile(path, file(one, data...), 0o600); err != nil {
		t.Fatal(err)
	}
	f, err := safetensors.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	got, err := f.Float32("a", 2, 1)
	if d := cmp.Diff([]float32{1, -2.5}, got); d != "" || err != nil {
		t.Errorf("%v\n%s", err, d)
	}
	want := map[string]safetensors.Tensor{
		"a": {DType: "F32", Shape: []int64{2, 1}, End: 8},
		"b": {DType: "I64", Shape: []int64{}, Begin: 8, End: 16},
	}
	if d := cmp.Diff(want, f.Tensors); d != "" {
		t.Error(d)
	}
}

func TestFloat32LargerThanItsBuffer(t *testing.T) {
	const n = 40000
	values := make([]byte, 4*n)
	for i := range n {
		binary.LittleEndian.PutUint32(values[4*i:], uint32(i)|0x3f800000)
	}
	f, err := read(file(`{"a":{"dtype":"F32","shape":[40000],"data_offsets":[0,160000]}}`, values...))
	if err != nil {
		t.Fatal(err)
	}
	got, err := f.Float32("a", n)
	if err != nil || len(got) != n {
		t.Fatalf("%d values: %v", len(got), err)
	}
	var back bytes.Buffer
	if binary.Write(&back, binary.LittleEndian, got); !bytes.Equal(back.Bytes(), values) {
		t.Error("the values are not those of the file")
	}
}

func TestFloat32SaysWhatIsWrong(t *testing.T) {
	f, err := read(file(one, data...))
	if err != nil {
		t.Fatal(err)
	}
	for _, tt := range []struct {
		name  string
		shape []int
		want  string
	}{
		{"c", []int{2}, `no tensor "c"`},
		{"a", []int{2}, `"a" has the shape [2 1], want [2]`},
		{"b", nil, `"b" holds "I64"; only F32`},
	} {
		if _, err := f.Float32(tt.name, tt.shape...); !errors.Is(err, safetensors.ErrFormat) || !strings.Contains(err.Error(), tt.want) {
			t.Errorf("Float32(%s): %v, want %q", tt.name, err, tt.want)
		}
	}
}

func TestFilesThatLie(t *testing.T) {
	entry := func(s string) string { return `{"a":{` + s + `}}` }
	huge := binary.LittleEndian.AppendUint64(nil, 1<<63)
	for _, tt := range []struct {
		name string
		file []byte
		want string
	}{
		{"empty", nil, "0 bytes"},
		{"huge header", append(huge, data...), "header of 9223372036854775808 bytes in a file of 24"},
		{"header longer than the file", file(one)[:40], "in a file of 40"},
		{"no object", file(`[]`), "does not begin with {"},
		{"space first", file(` {}`), "does not begin with {"},
		{"broken JSON", file(`{"a":`), `entry of "a"`},
		{"unclosed", file(`{"a":{"dtype":"F32","shape":[],"data_offsets":[0,4]}`, 0, 0, 0, 0), "header"},
		{"more after it", file(`{} {}`), "goes on after"},
		{"metadata of numbers", file(`{"__metadata__":{"a":1}}`), "metadata"},
		{"twice", file(`{"a":{"dtype":"F32","shape":[],"data_offsets":[0,4]},"a":{"dtype":"F32","shape":[],"data_offsets":[0,4]}}`, 1, 2, 3, 4), `"a" twice`},
		{"no dtype", file(entry(`"shape":[],"data_offsets":[0,4]`), 1, 2, 3, 4), "lacks dtype"},
		{"three offsets", file(entry(`"dtype":"F32","shape":[],"data_offsets":[0,4,4]`), 1, 2, 3, 4), "lacks dtype"},
		{"entry is a list", file(`{"a":[1]}`), `entry of "a"`},
		{"fraction", file(entry(`"dtype":"F32","shape":[1.5],"data_offsets":[0,6]`), 1, 2, 3, 4, 5, 6), `entry of "a"`},
		{"unknown type", file(entry(`"dtype":"F31","shape":[1],"data_offsets":[0,4]`), 1, 2, 3, 4), `a "F31"`},
		{"shape too large", file(entry(`"dtype":"F32","shape":[2],"data_offsets":[0,4]`), 1, 2, 3, 4), "spans 4 bytes"},
		{"shape overflows to what fits", file(entry(`"dtype":"F32","shape":[4611686018427387905],"data_offsets":[0,4]`), 1, 2, 3, 4), "spans 4 bytes"},
		{"shape of two overflows", file(entry(`"dtype":"F32","shape":[4294967296,4294967296],"data_offsets":[0,0]`)), "spans 0 bytes"},
		{"negative shape", file(entry(`"dtype":"F32","shape":[-1,-1],"data_offsets":[0,4]`), 1, 2, 3, 4), "spans 4 bytes"},
		{"negative offset", file(entry(`"dtype":"F32","shape":[1],"data_offsets":[-4,0]`), 1, 2, 3, 4), "bytes -4 to 0"},
		{"end before begin", file(entry(`"dtype":"F32","shape":[1],"data_offsets":[0,-4]`), 1, 2, 3, 4), "bytes 0 to -4"},
		{"beyond the file", file(entry(`"dtype":"F32","shape":[2],"data_offsets":[0,8]`), 1, 2, 3, 4), "spans 8 bytes"},
		{"data left over", file(entry(`"dtype":"F32","shape":[1],"data_offsets":[0,4]`), 1, 2, 3, 4, 5), "byte 4 of 5"},
		{"gap", file(`{"a":{"dtype":"U8","shape":[1],"data_offsets":[0,1]},"b":{"dtype":"U8","shape":[1],"data_offsets":[2,3]}}`, 1, 2, 3), `"b" spans the bytes 2 to 3`},
		{"overlap", file(`{"a":{"dtype":"U8","shape":[2],"data_offsets":[0,2]},"b":{"dtype":"U8","shape":[2],"data_offsets":[1,3]}}`, 1, 2, 3), `"b" spans the bytes 1 to 3, but the tensor before it ends at 2`},
	} {
		f, err := read(tt.file)
		if !errors.Is(err, safetensors.ErrFormat) || !strings.Contains(err.Error(), tt.want) {
			t.Errorf("%s: %v, %v, want %q", tt.name, f, err, tt.want)
		}
	}
}

func TestEmptyTensorsMayStandAnywhere(t *testing.T) {
	f, err := read(file(`{"b":{"dtype":"F32","shape":[1],"data_offsets":[0,4]},"c":{"dtype":"F32","shape":[0,7],"data_offsets":[4,4]},"a":{"dtype":"F32","shape":[0],"data_offsets":[0,0]}}`, 1, 2, 3, 4))
	if err != nil {
		t.Fatal(err)
	}
	if v, err := f.Float32("c", 0, 7); err != nil || len(v) != 0 {
		t.Errorf("%v, %v", v, err)
	}
}

func TestAFileThatIsCutWhileItIsRead(t *testing.T) {
	whole := file(one, data...)
	f, err := safetensors.Read(bytes.NewReader(whole[:len(whole)-12]), int64(len(whole)))
	if err != nil {
		t.Fatal(err)
	}
	if _, err := f.Float32("a", 2, 1); err == nil || !strings.Contains(err.Error(), `read tensor "a"`) {
		t.Errorf("%v", err)
	}
}

func FuzzRead(f *testing.F) {
	f.Add(file(one, data...))
	f.Add(file(`{"a":{"dtype":"F32","shape":[1],"data_offsets":[0,4]}}`, 1, 2, 3, 4))
	f.Fuzz(func(t *testing.T, b []byte) {
		file, err := read(b)
		if err != nil {
			return
		}
		var sum int64
		for name, tensor := range file.Tensors {
			sum += tensor.End - tensor.Begin
			shape := make([]int, len(tensor.Shape))
			for i, d := range tensor.Shape {
				shape[i] = int(d)
			}
			v, err := file.Float32(name, shape...)
			if tensor.DType == "F32" && (err != nil || int64(4*len(v)) != tensor.End-tensor.Begin) {
				t.Errorf("%q: %d values of %v: %v", name, len(v), tensor, err)
			}
		}
		if sum > int64(len(b)) {
			t.Errorf("%d bytes of tensors in %d", sum, len(b))
		}
	})
}
