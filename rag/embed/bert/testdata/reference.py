"""Makes what the tests of package bert hold it against.

    pip install sentence-transformers torch
    python rag/embed/bert/testdata/reference.py MODEL [TEXTS.json OUT.jsonl]

MODEL is a directory with the real all-MiniLM-L6-v2. Without TEXTS, minilm.jsonl
(what sentence-transformers makes of 20 texts) and generated.json (what PyTorch
makes of models whose weights generated_test.go makes by the same formula) are
written anew.
"""
import json
import os
import sys
import zlib

import numpy as np
import torch
from sentence_transformers import SentenceTransformer
from transformers import BertConfig, BertForSequenceClassification, BertModel

here = os.path.dirname(os.path.abspath(__file__))


def weights(name, shape, scale, middle):
    """The numbers of a tensor: a hash of its name and of each index."""
    i = np.arange(int(np.prod(shape)), dtype=np.uint64)
    x = (i * 2654435761 + zlib.crc32(name.encode())) & 0xFFFFFFFF
    x ^= x >> 15
    x = (x * 2246822519) & 0xFFFFFFFF
    x ^= x >> 13
    x = (x * 3266489917) & 0xFFFFFFFF
    x ^= x >> 16
    u = (x >> 8).astype(np.float32) / np.float32(1 << 24) - np.float32(0.5)
    return torch.from_numpy((np.float32(middle) + np.float32(scale) * u).reshape(shape))


def fill(model):
    with torch.no_grad():
        for name, p in model.named_parameters():
            gain = name.endswith("LayerNorm.weight")
            p.copy_(weights(name, tuple(p.shape), 0.4 if gain else 0.2, 1 if gain else 0))
    return model.eval()


def config(vocab, hidden, layers, heads, inner, positions):
    return BertConfig(vocab_size=vocab, hidden_size=hidden, num_hidden_layers=layers, num_attention_heads=heads, intermediate_size=inner, max_position_embeddings=positions, num_labels=1, attn_implementation="eager")


def sequences(vocab, lengths):
    """Token numbers and where the second text begins: every other one is a pair."""
    for n, length in enumerate(lengths):
        yield [(7 * i * i + 13 * n + 5) % vocab for i in range(length)], length // 3 if n % 2 else 0


def generated():
    out = []
    for shape, lengths in (((50, 32, 2, 4, 40, 64), [1, 2, 5, 6, 7, 16, 17, 49, 64]), ((50, 48, 1, 3, 64, 300), [300, 3, 128]), ((1000, 384, 6, 12, 1536, 512), [3, 40, 129, 256, 512])):
        c = config(*shape)
        encoder, cross = fill(BertModel(c)), fill(BertForSequenceClassification(c))
        rows = []
        for ids, second in sequences(shape[0], lengths):
            types = [int(second > 0 and i >= second) for i in range(len(ids))]
            with torch.no_grad():
                a = {"input_ids": torch.tensor([ids]), "token_type_ids": torch.tensor([types])}
                v = torch.nn.functional.normalize(encoder(**a).last_hidden_state[0].mean(0), dim=0)
                s = cross(**a).logits[0, 0]
            rows.append({"ids": ids, "second": second, "vector": [round(float(x), 7) for x in v], "score": float(s)})
        out.append({"shape": shape, "rows": rows})
    with open(f"{here}/generated.json", "w") as f:
        json.dump(out, f)


def real(directory, texts, path):
    model = SentenceTransformer(directory, device="cpu")
    with open(path, "w") as f:
        for text in texts:
            ids = model.tokenizer(text, truncation=True, max_length=model.max_seq_length)["input_ids"]
            v = model.encode([text])[0]
            f.write(json.dumps({"text": text, "ids": ids, "vector": [round(float(x), 6) for x in v]}) + "\n")


def main():
    if len(sys.argv) > 3:
        with open(sys.argv[2]) as f:
            return real(sys.argv[1], json.load(f), sys.argv[3])
    generated()
    with open(f"{here}/../../wordpiece/testdata/prose.txt") as f:
        prose = f.read().split("\n---\n")
    real(sys.argv[1], prose[::2][:20], f"{here}/minilm.jsonl")


main()
