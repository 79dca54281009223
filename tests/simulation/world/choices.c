/* Keeps the path through the choices: a search repeats all but the last one that has another way left. */
/* SPDX-License-Identifier: MIT */
#include "world/choices.h"

/* Draws by splitmix64. */
static uint64_t next_random(uint64_t *state) {
	uint64_t value = *state += 0x9E3779B97F4A7C15u;
	value = (value ^ (value >> 30)) * 0xBF58476D1CE4E5B9u;
	value = (value ^ (value >> 27)) * 0x94D049BB133111EBu;
	return value ^ (value >> 31);
}

plain_choices plain_choices_of_seed(uint64_t seed) {
	return (plain_choices){.random = seed * 0x2545F4914F6CDD1Du + 1};
}

plain_choices plain_choices_of_search(void) {
	return (plain_choices){.is_search = true};
}

static unsigned follow(plain_choices *choices, unsigned count) {
	if (choices->depth == PLAIN_CHOICES_MAX) {
		choices->has_overflown = true;
		return 0;
	}
	unsigned at = choices->depth++;
	if (at == choices->length) {
		choices->length++;
		choices->taken[at] = 0;
		choices->of[at] = (uint16_t)count;
	}
	return choices->taken[at];
}

unsigned plain_choose(plain_choices *choices, unsigned count) {
	if (count <= 1) {
		return 0;
	}
	if (choices->is_search) {
		return follow(choices, count);
	}
	return (unsigned)((next_random(&choices->random) >> 32) * count >> 32);
}

bool plain_chance(plain_choices *choices, unsigned percent) {
	if (choices->is_search) {
		return follow(choices, 2) == 1;
	}
	return plain_choose(choices, 100) < percent;
}

bool plain_choices_next(plain_choices *choices) {
	choices->depth = 0;
	while (choices->length > 0) {
		unsigned last = choices->length - 1;
		if (choices->taken[last] + 1 < choices->of[last]) {
			choices->taken[last]++;
			return true;
		}
		choices->length--;
	}
	return false;
}
