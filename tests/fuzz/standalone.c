/* Runs a fuzzer without libFuzzer: over the files that are named, and over random inputs from a seed.
 * Usage: <fuzzer> [--random <count> <seed>] [file ...] */
/* SPDX-License-Identifier: MIT */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

enum { RANDOM_LENGTH_MAX = 400, FILE_LENGTH_MAX = 1 << 20 };

/* splitmix64 (S. Vigna): the same inputs for the same seed, on every platform. */
static uint64_t next_random(uint64_t *seed) {
	uint64_t mixed = *seed += 0x9E3779B97F4A7C15u;
	mixed = (mixed ^ mixed >> 30) * 0xBF58476D1CE4E5B9u;
	mixed = (mixed ^ mixed >> 27) * 0x94D049BB133111EBu;
	return mixed ^ mixed >> 31;
}

/* A heap block of exactly `size` bytes: a sanitizer sees every byte read beyond it. */
static void run(const uint8_t *bytes, size_t size) {
	uint8_t *copy = malloc(size > 0 ? size : 1);
	if (copy == NULL) {
		abort();
	}
	memcpy(copy, bytes, size);
	LLVMFuzzerTestOneInput(copy, size);
	free(copy);
}

/* Three kinds by turns: any bytes, bytes of a small alphabet, mostly one byte with a few others. */
static void run_random(uint64_t count, uint64_t seed) {
	static const char alphabet[] = "~#_ :lock:online:seen:_increment\xC3\xA9\x7F";
	uint8_t bytes[RANDOM_LENGTH_MAX];
	for (uint64_t i = 0; i < count; i++) {
		size_t size = next_random(&seed) % (sizeof(bytes) + 1);
		for (size_t at = 0; at < size; at++) {
			uint64_t random = next_random(&seed);
			uint8_t rare = random % 16 == 0 ? (uint8_t)(random >> 16) : 'x';
			uint8_t letter = (uint8_t)alphabet[(random >> 8) % (sizeof(alphabet) - 1)];
			bytes[at] = i % 3 == 0 ? (uint8_t)random : i % 3 == 1 ? letter : rare;
		}
		run(bytes, size);
	}
}

static int run_file(const char *path) {
	FILE *file = fopen(path, "rb");
	uint8_t *bytes = malloc(FILE_LENGTH_MAX);
	if (file == NULL || bytes == NULL) {
		fprintf(stderr, "cannot read %s\n", path);
		return 1;
	}
	run(bytes, fread(bytes, 1, FILE_LENGTH_MAX, file));
	free(bytes);
	return fclose(file);
}

int main(int count, char **arguments) {
	int failures = 0;
	for (int i = 1; i < count; i++) {
		if (strcmp(arguments[i], "--random") == 0 && i + 2 < count) {
			run_random(strtoull(arguments[i + 1], NULL, 10), strtoull(arguments[i + 2], NULL, 10));
			i += 2;
			continue;
		}
		failures += run_file(arguments[i]) != 0;
	}
	return failures > 0;
}
