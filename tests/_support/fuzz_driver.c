/* Runs a fuzzer without libFuzzer: its corpus, mutations of the corpus and random inputs, determined by the seed. A
 * crash leaves its input in a file. Pass that file as the argument to run it again. */
/* SPDX-License-Identifier: MIT */
#include <dirent.h>
#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define INPUT_MAX 4096
#define CORPUS_MAX 256

typedef struct input {
	uint8_t *bytes; /* owned, exactly `length` bytes, so that a sanitizer finds overruns */
	size_t length;
} input;

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t length);
/* From the sanitizers; missing in other builds. */
void __sanitizer_set_death_callback(void (*callback)(void)) __attribute__((weak));

static input corpus[CORPUS_MAX];
static size_t corpus_size;
static input running; /* borrowed from run() */
static const char *crash_file;

/* SplitMix64 (Steele, Lea, Flood 2014). */
static uint64_t next_random(uint64_t *state) {
	uint64_t mixed = (*state += 0x9E3779B97F4A7C15u);
	mixed = (mixed ^ (mixed >> 30)) * 0xBF58476D1CE4E5B9u;
	mixed = (mixed ^ (mixed >> 27)) * 0x94D049BB133111EBu;
	return mixed ^ (mixed >> 31);
}

static input read_input(const char *path) {
	input found = {NULL, 0};
	FILE *file = fopen(path, "rb");
	if (file == NULL) {
		return found;
	}
	uint8_t buffer[INPUT_MAX];
	found.length = fread(buffer, 1, sizeof(buffer), file);
	fclose(file);
	found.bytes = malloc(found.length ? found.length : 1);
	memcpy(found.bytes, buffer, found.length);
	return found;
}

static int by_name(const struct dirent **a, const struct dirent **b) {
	return strcmp((*a)->d_name, (*b)->d_name);
}

static void read_corpus(const char *folder) {
	struct dirent **entries;
	int count = scandir(folder, &entries, NULL, by_name);
	for (int i = 0; i < count; i++) {
		char path[4096];
		snprintf(path, sizeof(path), "%s/%s", folder, entries[i]->d_name);
		if (entries[i]->d_name[0] != '.' && corpus_size < CORPUS_MAX) {
			input one = read_input(path);
			if (one.bytes != NULL) {
				corpus[corpus_size++] = one;
			}
		}
		free(entries[i]);
	}
	if (count >= 0) {
		free(entries);
	}
}

static void save_running(void) {
	FILE *file = crash_file ? fopen(crash_file, "wb") : NULL;
	if (file != NULL) {
		fwrite(running.bytes, 1, running.length, file);
		fclose(file);
	}
}

static void save_and_abort(int number) {
	save_running();
	signal(number, SIG_DFL);
	raise(number);
}

static void save_when_dying(void) {
	if (__sanitizer_set_death_callback != NULL) {
		__sanitizer_set_death_callback(save_running);
	}
	signal(SIGABRT, save_and_abort);
}

static void run(const uint8_t *bytes, size_t length) {
	uint8_t *exact = malloc(length ? length : 1);
	memcpy(exact, bytes, length);
	running = (input){exact, length};
	LLVMFuzzerTestOneInput(exact, length);
	free(exact);
}

/* Cycles through any byte, bytes of keys and numbers, and one frequent byte. */
static uint8_t random_byte(uint64_t kind, uint64_t random) {
	static const char alphabet[] = "~#_ :lock:online:seen:_increment\xC3\xA9\x7F"
								   "0123456789";
	switch (kind) {
		case 0:
			return (uint8_t)random;
		case 1:
			return (uint8_t)alphabet[(random >> 8) % (sizeof(alphabet) - 1)];
		default:
			return random % 16 == 0 ? (uint8_t)(random >> 16) : 'x';
	}
}

static size_t random_input(uint64_t *state, uint8_t *out) {
	uint64_t kind = next_random(state) % 3;
	size_t length = next_random(state) % (next_random(state) % 8 == 0 ? INPUT_MAX : 400);
	for (size_t i = 0; i < length; i++) {
		out[i] = random_byte(kind, next_random(state));
	}
	return length;
}

static void mutate_once(uint64_t *state, uint8_t *bytes, size_t *length) {
	static const uint8_t edges[] = {0, 1, 0x7F, 0x80, 0xFF, ' ', '\n', '0'};
	uint64_t draw = next_random(state);
	size_t at = *length ? (size_t)(draw >> 8) % *length : 0;
	switch (draw % 6) {
		case 0: /* shorten */
			*length = at;
			break;
		case 1: /* lengthen */
			while (*length < INPUT_MAX && next_random(state) % 8) {
				bytes[(*length)++] = (uint8_t)next_random(state);
			}
			break;
		case 2: /* flip a bit */
			if (*length) {
				bytes[at] ^= (uint8_t)(1u << (draw >> 60 & 7));
			}
			break;
		case 3: /* an edge value */
			if (*length) {
				bytes[at] = edges[draw >> 60 & 7];
			}
			break;
		case 4: /* any value */
			if (*length) {
				bytes[at] = (uint8_t)(draw >> 40);
			}
			break;
		default: /* remove a byte */
			if (*length) {
				memmove(bytes + at, bytes + at + 1, *length - at - 1);
				(*length)--;
			}
	}
}

static size_t make_input(uint64_t *state, uint8_t *out) {
	if (corpus_size == 0 || next_random(state) % 4 == 0) {
		return random_input(state, out);
	}
	const input *from = &corpus[next_random(state) % corpus_size];
	size_t length = from->length;
	memcpy(out, from->bytes, length);
	for (uint64_t times = 1 + next_random(state) % 4; times > 0; times--) {
		mutate_once(state, out, &length);
	}
	return length;
}

static void fuzz(uint64_t state, unsigned long long runs, long seconds) {
	uint8_t buffer[INPUT_MAX];
	time_t end = time(NULL) + seconds;
	for (size_t i = 0; i < corpus_size; i++) {
		run(corpus[i].bytes, corpus[i].length);
	}
	unsigned long long done = 0;
	while (done < runs && (done % 256 != 0 || seconds == 0 || time(NULL) < end)) {
		size_t length = make_input(&state, buffer);
		run(buffer, length);
		done++;
	}
	printf("%llu runs, corpus of %zu\n", done, corpus_size);
}

static int usage(void) {
	fputs("usage: fuzz_* [--seed N] [--runs N] [--seconds N] [--crash FILE] [corpus-folder]\n"
		  "       fuzz_* --input FILE\n",
		stderr);
	return 2;
}

int main(int count, char **arguments) {
	uint64_t seed = 1;
	unsigned long long runs = 30000;
	long seconds = 0;
	for (int i = 1; i < count; i++) {
		bool has_value = i + 1 < count;
		if (strcmp(arguments[i], "--seed") == 0 && has_value) {
			seed = strtoull(arguments[++i], NULL, 0);
		} else if (strcmp(arguments[i], "--runs") == 0 && has_value) {
			runs = strtoull(arguments[++i], NULL, 0);
		} else if (strcmp(arguments[i], "--seconds") == 0 && has_value) {
			seconds = strtol(arguments[++i], NULL, 0);
			runs = UINT64_MAX;
		} else if (strcmp(arguments[i], "--crash") == 0 && has_value) {
			crash_file = arguments[++i];
		} else if (strcmp(arguments[i], "--input") == 0 && has_value) {
			input one = read_input(arguments[++i]);
			run(one.bytes, one.length);
			free(one.bytes);
			return 0;
		} else if (arguments[i][0] == '-') {
			return usage();
		} else {
			read_corpus(arguments[i]);
		}
	}
	save_when_dying();
	fuzz(seed, runs, seconds);
	for (size_t i = 0; i < corpus_size; i++) {
		free(corpus[i].bytes);
	}
	return 0;
}
