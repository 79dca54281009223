/* Where a run could go on in more than one way: the same choices always make the same run. A seed makes
 * them at random; a search goes through all of them, deepest first, each in a run of its own. */
/* SPDX-License-Identifier: MIT */
#ifndef PLAIN_CHOICES_H
#define PLAIN_CHOICES_H

#include <stdbool.h>
#include <stdint.h>

enum { PLAIN_CHOICES_MAX = 512 };

typedef struct plain_choices {
	bool is_search;
	bool has_overflown; /* a run of the search was longer than can be remembered */
	uint64_t random;    /* of a seed */
	unsigned depth, length;
	uint16_t taken[PLAIN_CHOICES_MAX], of[PLAIN_CHOICES_MAX];
} plain_choices;

plain_choices plain_choices_of_seed(uint64_t seed);
plain_choices plain_choices_of_search(void);

/* Chooses one of `count` >= 1 ways. */
unsigned plain_choose(plain_choices *choices, unsigned count);
/* Draws by a seed: true in `percent` of a hundred. By a search: both, false first. */
bool plain_chance(plain_choices *choices, unsigned percent);

/* Begins the next run of the search; false if there is none. */
bool plain_choices_next(plain_choices *choices);

#endif
