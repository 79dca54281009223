/* A list that only grows, and is read without a lock: that would order the threads, and hide from ThreadSanitizer what nothing
 * else orders. */
/* SPDX-License-Identifier: MIT */
#include "tallies.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define TALLIES_MAX 256
#define NAME_LENGTH_MAX 63

#ifdef __SANITIZE_THREAD__
#define ORDER memory_order_relaxed
#else
#define ORDER memory_order_seq_cst
#endif

typedef struct tally {
	char name[NAME_LENGTH_MAX + 1];
	_Atomic int64_t number;
} tally;

static pthread_mutex_t growing = PTHREAD_MUTEX_INITIALIZER;
static tally tallies[TALLIES_MAX];
static atomic_int count;

static tally *find(const char *name) {
	int known = atomic_load_explicit(&count, memory_order_acquire);
	for (int i = 0; i < known; i++) {
		if (strcmp(tallies[i].name, name) == 0) {
			return &tallies[i];
		}
	}
	return NULL;
}

static tally *append(const char *name) {
	int place = atomic_load(&count);
	if (place == TALLIES_MAX || strlen(name) > NAME_LENGTH_MAX) {
		fprintf(stderr, "threads: no room for the number \"%s\"\n", name);
		abort();
	}
	strcpy(tallies[place].name, name);
	atomic_store_explicit(&count, place + 1, memory_order_release);
	return &tallies[place];
}

static tally *find_or_append(const char *name) {
	tally *found = find(name);
	if (found == NULL) {
		pthread_mutex_lock(&growing);
		found = find(name);
		found = found != NULL ? found : append(name);
		pthread_mutex_unlock(&growing);
	}
	return found;
}

int64_t tallies_add(const char *name, int64_t by) {
	tally *found = find_or_append(name);
	return by == 0 ? atomic_load_explicit(&found->number, ORDER)
				   : atomic_fetch_add_explicit(&found->number, by, ORDER) + by;
}

void tallies_raise(const char *name, int64_t to) {
	tally *found = find_or_append(name);
	int64_t before = atomic_load_explicit(&found->number, ORDER);
	while (before < to &&
		!atomic_compare_exchange_weak_explicit(&found->number, &before, to, ORDER,
			memory_order_relaxed)) {
	}
}

const char *tallies_name(int place) {
	return place < atomic_load_explicit(&count, memory_order_acquire) ? tallies[place].name : NULL;
}
