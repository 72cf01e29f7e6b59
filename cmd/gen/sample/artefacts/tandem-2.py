#!/usr/bin/env python3
"""Tandem: a cache fixture without a model. Python 3.10 or newer, no packages.

Twelve tools answer forty questions. A question and a preference make a request;
a read-through cache stands in front of the tools. An answer is only its form:
the language and script it was written in. A wrong answer is a form other than
the one that the request asked for.

Usage: tandem.py even|skew|keys|slots|hidden [SEED]
"""
import random
import sys

TOOLS = ["clock", "convert", "define", "fare", "forecast", "holidays",
         "hours", "platform", "recipe", "route", "stock", "timetable"]
QUESTIONS = [f"{t}/{i}" for n, t in enumerate(TOOLS) for i in range(4 if n < 4 else 3)]

# header as sent, preference, form of a right answer, weight
HEADERS = [
    ("en", "en", "en", 610), ("en-US", "en", "en", 402), ("en-us", "en", "en", 77),
    ("en-GB,en;q=0.8", "en", "en", 180), ("EN", "en", "en", 31),
    ("de", "de", "de", 148), ("de-DE,de;q=0.9", "de", "de", 96), ("de-AT", "de", "de", 22),
    ("zh", "zh", "zh-Hans", 64), ("zh-CN", "zh", "zh-Hans", 121), ("zh-Hans-CN", "zh", "zh-Hans", 19),
    ("zh-TW", "zh", "zh-Hant", 88), ("zh-Hant", "zh", "zh-Hant", 27), ("zh-HK,zh;q=0.7", "zh", "zh-Hant", 15),
]


class Cache:
    """A read-through cache that forgets the least recently used entry."""

    def __init__(self, slots=None):
        self.slots, self.entries, self.hits, self.evicted = slots, {}, 0, 0

    def get(self, key, form):
        if key in self.entries:
            self.hits += 1
            self.entries[key] = self.entries.pop(key)
            return self.entries[key]
        if self.slots and len(self.entries) >= self.slots:
            self.entries.pop(next(iter(self.entries)))
            self.evicted += 1
        self.entries[key] = form
        return form


def pick(rng, weights):
    x = rng.random() * sum(weights)
    for i, w in enumerate(weights):
        x -= w
        if x < 0:
            return i
    return len(weights) - 1


def zipf(n, s=1.1):
    return [1 / (k + 1) ** s for k in range(n)]


def even(seed, langs):
    rng = random.Random(seed)
    todo = [(q, l) for q in QUESTIONS for l in langs]
    for i in range(len(todo) - 1, 0, -1):
        j = int(rng.random() * (i + 1))
        todo[i], todo[j] = todo[j], todo[i]
    plain, keyed = Cache(), Cache()
    wrong = sum(plain.get(q, l) != l for q, l in todo)
    right = sum(keyed.get((q, l), l) != l for q, l in todo)
    return len(todo), wrong, right


def skew(seed):
    rng, langs, mix = random.Random(seed), ["en", "zh", "de"], [90, 7, 3]
    popular, cache, asked, wrong = zipf(len(QUESTIONS)), Cache(), {}, {}
    for _ in range(2000):
        q, l = QUESTIONS[pick(rng, popular)], langs[pick(rng, mix)]
        asked[l] = asked.get(l, 0) + 1
        wrong[l] = wrong.get(l, 0) + (cache.get(q, l) != l)
    return [(l, asked[l], wrong[l]) for l in langs]


def requests(seed, n=1900):
    rng, popular = random.Random(seed), zipf(len(QUESTIONS))
    weights = [h[3] for h in HEADERS]
    return [(QUESTIONS[pick(rng, popular)],) + HEADERS[pick(rng, weights)][:3] for _ in range(n)]


KEYS = {
    "none": lambda q, raw, lang, form: q,
    "base": lambda q, raw, lang, form: (q, lang),
    "script": lambda q, raw, lang, form: (q, form),
    "raw": lambda q, raw, lang, form: (q, raw),
}


def keys(seed, slots=None):
    for name, key in KEYS.items():
        cache, wrong, hant = Cache(slots), 0, 0
        for r in requests(seed):
            bad = cache.get(key(*r), r[3]) != r[3]
            wrong += bad
            hant += bad and r[3] == "zh-Hant"
        yield name, len(cache.entries), cache.hits, wrong, hant, cache.evicted


def hidden(seed, share=0.04):
    rng = random.Random(seed)
    plain, clean = Cache(), Cache()
    for q, raw, lang, form in requests(seed):
        typed = q
        if rng.random() < share:
            at = int(rng.random() * len(q))
            typed = q[:at] + rng.choice("\u200b\ufeff\u00ad\u2060") + q[at:]
        plain.get((typed, form), form)
        clean.get((q, form), form)
    return len(plain.entries), plain.hits, len(clean.entries), clean.hits


def main(argv):
    what, seed = argv[1], int(argv[2]) if len(argv) > 2 else 1
    if what == "even":
        for langs in (["en", "zh", "de"], ["en", "zh", "de", "fr", "ja"]):
            print("languages,seed,requests,wrong,wrong_with_language_key")
            for s in range(seed, seed + 10):
                print(len(langs), s, *even(s, langs), sep=",")
    elif what == "skew":
        print("language,asked,wrong")
        for row in skew(seed):
            print(*row, sep=",")
    elif what in ("keys", "slots"):
        print("key,entries,hits,wrong,wrong_hant,evicted")
        for row in keys(seed, 60 if what == "slots" else None):
            print(*row, sep=",")
    elif what == "hidden":
        print("entries,hits,entries_stripped,hits_stripped")
        print(*hidden(seed), sep=",")
    else:
        sys.exit(__doc__)


if __name__ == "__main__":
    main(sys.argv)
