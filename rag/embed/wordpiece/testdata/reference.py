"""Makes unicode.txt, testdata/vocab.txt and testdata/tokens.jsonl.

    pip install tokenizers==0.23.3
    python rag/embed/wordpiece/testdata/reference.py

tokens.jsonl is what the tokenizers library makes of prose.txt and of random
characters, with the small vocabulary vocab.txt that is made of the same prose.
"""
import collections
import json
import os
import random
import unicodedata

from tokenizers import Tokenizer, models, normalizers, pre_tokenizers, processors

here = os.path.dirname(os.path.abspath(__file__))
normal = normalizers.BertNormalizer(clean_text=True, handle_chinese_chars=True, strip_accents=None, lowercase=True)
split = pre_tokenizers.BertPreTokenizer()


def ranges(numbers):
    out = []
    for n in numbers:
        if out and out[-1][1] == n - 1:
            out[-1][1] = n
        else:
            out.append([n, n])
    return out


def runs(fold):
    """Groups folds of one character to one that go up together, by 1 or by 2."""
    items, i = sorted(fold.items()), 0
    while i < len(items):
        first, text = items[i]
        n, step = 1, 1
        for s in (1, 2) if len(text) == 1 else ():
            k = 1
            while i + k < len(items) and items[i + k][0] == first + k * s and len(items[i + k][1]) == 1 and ord(items[i + k][1]) == ord(text) + k * s:
                k += 1
            if k > n:
                n, step = k, s
        where = f"{first:x}" if n == 1 else f"{first:x}-{first + (n - 1) * step:x}/{step}"
        yield f"fold {where} " + " ".join(f"{ord(c):x}" for c in text)
        i += n


def table():
    kinds, fold = collections.defaultdict(list), {}
    for number in range(0x110000):
        c = chr(number)
        if 0xD800 <= number <= 0xDFFF:
            continue
        text = normal.normalize_str(c)
        if 0xAC00 <= number <= 0xD7A3:
            assert text == unicodedata.normalize("NFD", c)
        elif text == "":
            kinds["drop"].append(number)
        elif text == " ":
            kinds["space"].append(number)
        elif len(text) > 2 and text[0] == text[-1] == " ":
            kinds["cjk"].append(number)
            if text[1:-1] != c:
                fold[number] = text[1:-1]
        elif text != c:
            fold[number] = text
        else:
            words = [w for w, _ in split.pre_tokenize_str("a" + c + "b")]
            if words == ["a", "b"]:
                kinds["space"].append(number)
            elif words == ["a", c, "b"]:
                kinds["punct"].append(number)
            else:
                assert words == ["a" + c + "b"], hex(number)
    with open(f"{here}/../unicode.txt", "w") as f:
        f.write("# What BERT's uncased tokenizer makes of each character: see table.go.\n")
        for kind in ("drop", "space", "punct", "cjk"):
            for a, b in ranges(kinds[kind]):
                f.write(f"{kind} {a:x}-{b:x}\n" if b > a else f"{kind} {a:x}\n")
        f.writelines(line + "\n" for line in runs(fold))


def vocabulary(prose):
    words = collections.Counter(w for w, _ in split.pre_tokenize_str(normal.normalize_str(prose)))
    letters = sorted({c for w in words for c in w} | {chr(n) for n in range(33, 127) if not chr(n).isupper()})
    letters = [c for c in letters if ord(c) % 11 != 5 or ord(c) < 128]  # some stay unknown
    pieces = collections.Counter()
    for w, n in words.items():
        for size in range(2, 7):
            pieces[w[:size]] += n
            for i in range(1, len(w) - size + 1):
                pieces["##" + w[i : i + size]] += n
    common = [p for p, n in sorted(pieces.items(), key=lambda x: (-x[1], x[0])) if n > 3][:400]
    out = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]"] + letters + ["##" + c for c in letters] + common
    return list(dict.fromkeys(out))


def texts(prose):
    yield from prose.split("\n---\n")
    rng = random.Random(1)
    blocks = [(0, 0x7F), (0, 0x2FF), (0x300, 0x36F), (0x370, 0x5FF), (0x900, 0xE7F), (0x1E00, 0x20FF), (0x3000, 0x30FF), (0x4E00, 0x4E80), (0xAC00, 0xD7A3), (0xF900, 0xFFFF), (0x1F300, 0x1FAFF), (0x2F800, 0x2FA1D)]
    for _ in range(150):
        a = []
        for _ in range(rng.randrange(1, 12)):
            low, high = rng.choice(blocks)
            a += [chr(rng.randint(low, high)) for _ in range(rng.randrange(1, 5))] + rng.choice([[], [" "], ["the"], ["[SEP]"], ["x"]])
        yield "".join(a)


def main():
    table()
    with open(f"{here}/prose.txt") as f:
        prose = f.read()
    vocab = vocabulary(prose)
    with open(f"{here}/vocab.txt", "w") as f:
        f.writelines(p + "\n" for p in vocab)
    ids = {p: i for i, p in enumerate(vocab)}
    t = Tokenizer(models.WordPiece(ids, unk_token="[UNK]", max_input_chars_per_word=100))
    t.normalizer, t.pre_tokenizer = normal, split
    t.add_special_tokens(["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]"])
    t.post_processor = processors.BertProcessing(("[SEP]", ids["[SEP]"]), ("[CLS]", ids["[CLS]"]))
    all_texts = list(texts(prose))
    with open(f"{here}/tokens.jsonl", "w") as f:
        for text in all_texts:
            f.write(json.dumps({"text": text, "ids": t.encode(text).ids}) + "\n")
    with open(f"{here}/pairs.jsonl", "w") as f:
        for i, limit in enumerate([3, 4, 5, 12, 13, 31, 32, 33, 64, 100, 512]):
            for a, b in ((i, i + 1), (i + 12, 2 * i), (len(all_texts) - 1 - i, i)):
                t.enable_truncation(limit, strategy="longest_first")
                e = t.encode(all_texts[a], all_texts[b])
                f.write(json.dumps({"a": all_texts[a], "b": all_texts[b], "limit": limit, "ids": e.ids, "types": e.type_ids}) + "\n")


main()
