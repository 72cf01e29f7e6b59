#!/usr/bin/env python3
"""Tandem: a cache fixture without a model. Python 3.10 or newer, no packages.

Twelve tools answer forty questions. A question and a preference make a request;
a read-through cache stands in front of the tools. An answer is only its form:
the language it was written in. A wrong answer is a form other than
the one that the request asked for.

Usage: tandem.py even|skew [SEED]
"""
import random
import sys

TOOLS = ["clock", "convert", "define", "fare", "forecast", "holidays",
         "hours", "platform", "recipe", "route", "stock", "timetable"]
QUESTIONS = [f"{t}/{i}" for n, t in enumerate(TOOLS) for i in range(4 if n < 4 else 3)]


class Cache:
    """A read-through cache that forgets nothing."""

    def __init__(self):
        self.entries = {}

    def get(self, key, form):
        return self.entries.setdefault(key, form)


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


def main(argv):
    what, seed = argv[1], int(argv[2]) if len(argv) > 2 else 1
    if what == "even":
        print("languages,seed,requests,wrong,wrong_with_language_key")
        for s in range(seed, seed + 10):
            print(3, s, *even(s, ["en", "zh", "de"]), sep=",")
    elif what == "skew":
        print("language,asked,wrong")
        for row in skew(seed):
            print(*row, sep=",")
    else:
        sys.exit(__doc__)


if __name__ == "__main__":
    main(sys.argv)
