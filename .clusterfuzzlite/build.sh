#!/usr/bin/env bash
# Builds the C fuzzers with ClusterFuzzLite's compiler and flags into $OUT, with their corpora.
# SPDX-License-Identifier: MIT
set -eu
make -f tests/Makefile -j"$(nproc)" fuzzers BUILD="$WORK/fuzzers" CC="$CC" ALONE=yes WERROR= SANITIZE= \
	FUZZ_DRIVER= FUZZ_FLAGS="$LIB_FUZZING_ENGINE"
for source in tests/fuzz/fuzz_*.c; do
	name=$(basename "$source" .c)
	cp "$WORK/fuzzers/fuzz/$name" "$OUT/"
	[ ! -d "tests/fuzz/corpus/$name" ] || (cd "tests/fuzz/corpus/$name" && zip -q -r "$OUT/${name}_seed_corpus.zip" .)
done
