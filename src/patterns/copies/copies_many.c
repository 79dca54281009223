/* Reading many keys: their first copies in one round trip for each server, then those without an answer at their
 * next copy, pass after pass. Answers of a pass are kept: the next one may ask the same server, and so may a
 * write before the caller is done with it. */
/* SPDX-License-Identifier: MIT */
#include "copies_internal.h"

#include <stdlib.h>

#define NOT_KEPT SIZE_MAX

/* One key, and what is known of it. */
typedef struct sought {
	mcp_found found;
	mcp_store *asked;           /* in this pass; NULL: not, or its turn is over */
	size_t first_at, answer_at; /* where their values are kept */
} sought;

/* The scratch of one call. */
typedef struct hunt {
	mcp_copies *copies;
	const mcp_key *keys;
	size_t count;
	unsigned pass;
	sought *sought;
	mcp_key *wanted;    /* of one server ... */
	mcp_reply *replies; /* ... its answers ... */
	size_t *places;     /* ... and which keys they are */
} hunt;

static bool prepare(hunt *all, mcp_copies *copies, const mcp_key *keys, size_t count) {
	*all = (hunt){.copies = copies, .keys = keys, .count = count};
	all->sought = calloc(count, sizeof(*all->sought));
	all->wanted = calloc(count, sizeof(*all->wanted));
	all->replies = calloc(count, sizeof(*all->replies));
	all->places = calloc(count, sizeof(*all->places));
	return all->sought != NULL && all->wanted != NULL && all->replies != NULL &&
		all->places != NULL;
}

static void clean_up(hunt *all) {
	free(all->sought);
	free(all->wanted);
	free(all->replies);
	free(all->places);
}

static void turn_to_pass(hunt *all) {
	for (size_t i = 0; i < all->count; i++) {
		bool is_open = !all->sought[i].found.is_decided;
		all->sought[i].asked =
			is_open ? mcp_store_candidate(all->copies->beneath, &all->keys[i], all->pass) : NULL;
	}
}

/* Lists the keys that are to be asked for where the first of them is; 0: none is left. */
static size_t list_next(hunt *all, mcp_store **server) {
	size_t listed = 0;
	*server = NULL;
	for (size_t i = 0; i < all->count; i++) {
		mcp_store *asked = all->sought[i].asked;
		if (asked == NULL || (*server != NULL && asked != *server)) {
			continue;
		}
		*server = asked;
		all->sought[i].asked = NULL;
		all->wanted[listed] = all->keys[i];
		all->places[listed++] = i;
	}
	return listed;
}

static void take(hunt *all, size_t place, const mcp_reply *reply, mcp_store *server) {
	mcp_copy copy = {.store = server, .index = all->pass};
	mcp_copies_weigh(all->copies, &all->keys[place], reply, &copy);
	sought *one = &all->sought[place];
	mcp_copies_take(all->copies, &one->found, &copy);
	if (one->found.has_answer && one->found.answer.index == all->pass) {
		one->answer_at = NOT_KEPT; /* it is not the one of before */
	}
}

static void ask(hunt *all) {
	mcp_store *server;
	for (size_t listed; (listed = list_next(all, &server)) > 0;) {
		mcp_store_get_many(server, all->wanted, listed, all->replies);
		for (size_t i = 0; i < listed; i++) {
			take(all, all->places[i], &all->replies[i], server);
		}
	}
}

/* Keeps the bytes by their place, since the buffer may move. */
static bool keep(mcp_buffer *kept, const mcp_copy *copy, size_t *at) {
	if (*at != NOT_KEPT || copy->item.value.length == 0) {
		return true;
	}
	*at = kept->length;
	return mcp_buffer_append(kept, copy->item.value);
}

static bool keep_all(hunt *all) {
	for (size_t i = 0; i < all->count; i++) {
		sought *one = &all->sought[i];
		bool is_kept =
			!one->found.has_first || keep(&all->copies->kept, &one->found.first, &one->first_at);
		is_kept = is_kept &&
			(!one->found.has_answer ||
				keep(&all->copies->kept, &one->found.answer, &one->answer_at));
		if (!is_kept) {
			return false;
		}
	}
	return true;
}

static void show_kept(const hunt *all, mcp_copy *copy, size_t at) {
	if (at != NOT_KEPT) {
		copy->item.value.data = all->copies->kept.data + at;
	}
}

static bool is_over(const hunt *all) {
	for (size_t i = 0; i < all->count; i++) {
		if (!all->sought[i].found.is_decided) {
			return false;
		}
	}
	return true;
}

static bool search(hunt *all) {
	for (size_t i = 0; i < all->count; i++) {
		all->sought[i].first_at = all->sought[i].answer_at = NOT_KEPT;
	}
	for (; all->pass < mcp_copies_count(all->copies); all->pass++) {
		if (is_over(all)) {
			return true;
		}
		turn_to_pass(all);
		ask(all);
		if (!keep_all(all)) {
			return false;
		}
	}
	return true;
}

static void answer(hunt *all, mcp_reply *replies) {
	for (size_t i = 0; i < all->count; i++) {
		sought *one = &all->sought[i];
		show_kept(all, &one->found.first, one->first_at);
		show_kept(all, &one->found.answer, one->answer_at);
		mcp_copies_remember(all->copies, &all->keys[i], &one->found);
		mcp_copies_answer(&one->found, &replies[i]);
	}
}

void mcp_copies_get_many(mcp_store *store, const mcp_key *keys, size_t count, mcp_reply *replies) {
	mcp_copies *copies = mcp_copies_of(store);
	hunt all;
	mcp_copies_forget(copies);
	mcp_buffer_clear(&copies->kept);
	if (prepare(&all, copies, keys, count) && search(&all)) {
		answer(&all, replies);
	} else {
		for (size_t i = 0; i < count; i++) {
			replies[i].status = MCP_UNREACHABLE;
		}
	}
	clean_up(&all);
}
