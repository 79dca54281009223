/* Holds caches with two copies to D1 to D6: what a loss, an outage, and a rival in the middle of a change leave of a
 * key on its two servers. */
/* SPDX-License-Identifier: MIT */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <cmocka.h>

#include "../../src/patterns/copies/copies.h"
#include "outage_world.h"

typedef struct copies_world {
	outage_world *w;
	mcp_copies *copies[OUTAGE_PROCESSES];
	const char *rival; /* what process 1 sets, NULL: it deletes ... */
	unsigned waits;    /* ... after so many more calls to the server */
	size_t at;
	mcp_claim claim;
} copies_world;

static copies_world opened;

/* The outage world's caches keep two copies from here on, and do not fail over. */
static int open_copies(void **state) {
	copies_world *c = &opened;
	memset(c, 0, sizeof(*c));
	outage_open((void **)&c->w);
	for (size_t i = 0; i < OUTAGE_PROCESSES; i++) {
		outage_process *process = &c->w->processes[i];
		c->copies[i] = mcp_copies_create(2);
		mcp_copies_prepare(c->copies[i], process->cluster, &c->w->clock.environment,
			OUTAGE_LEASE_MS, false);
		process->cache.store = mcp_copies_store(c->copies[i]);
		process->cache.environment = mcp_copies_environment(c->copies[i]);
	}
	*state = c;
	return 0;
}

static int close_copies(void **state) {
	copies_world *c = *state;
	for (size_t i = 0; i < OUTAGE_PROCESSES; i++) {
		mcp_copies_free(c->copies[i]);
	}
	return outage_close((void **)&c->w);
}

static void lose(copies_world *c, size_t server) {
	mcp_store_delete(c->w->servers[server], &c->w->key);
}

static bool has_copy(copies_world *c, size_t server) {
	mcp_item item;
	return mcp_store_get(c->w->servers[server], &c->w->key, &item) == MCP_OK;
}

static unsigned calls_of(copies_world *c, size_t process) {
	unsigned calls = 0;
	for (size_t i = 0; i < OUTAGE_SERVERS; i++) {
		calls += outage_calls(c->w, process, i);
	}
	return calls;
}

/* Asserts that nobody finds another value, whichever copy is lost. */
static void assert_both_have(copies_world *c, const char *shown) {
	mcp_item item;
	char kept[256];
	assert_string_equal(shown, outage_look(c->w, 2));
	size_t places[] = {c->w->home, c->w->other};
	for (int i = 0; i < 2; i++) {
		mcp_store *server = c->w->servers[places[i]];
		assert_int_equal(MCP_OK, mcp_store_get(server, &c->w->key, &item));
		size_t length = item.value.length;
		memcpy(kept, item.value.data, length);
		mcp_record record = {.head = mcp_bytes_of(kept, length), .flags = item.flags};
		lose(c, places[i]);
		assert_string_equal(shown, outage_look(c->w, 2));
		assert_int_equal(MCP_OK, mcp_store_set(server, &c->w->key, &record));
	}
}

static void each_costs_the_round_trips_that_the_docs_say(void **state) {
	copies_world *c = *state;
	outage_watch(c->w);
	outage_look(c->w, 0);
	assert_int_equal(2, calls_of(c, 0));
	outage_watch(c->w);
	assert_int_equal(MCP_OK, outage_set(c->w, 0, "a"));
	assert_int_equal(5, calls_of(c, 0));
	outage_watch(c->w);
	assert_string_equal("fresh a", outage_look(c->w, 0));
	assert_int_equal(1, calls_of(c, 0));
	outage_watch(c->w);
	assert_int_equal(MCP_OK, outage_delete(c->w, 0));
	assert_int_equal(5, calls_of(c, 0));
}

/* D2, D5 */
static void a_value_outlives_the_loss_of_either_copy(void **state) {
	copies_world *c = *state;
	outage_set(c->w, 0, "a");
	assert_true(has_copy(c, c->w->home) && has_copy(c, c->w->other) && !has_copy(c, c->w->third));
	assert_both_have(c, "fresh a");
}

static void a_read_puts_back_what_copy_0_has_lost(void **state) {
	copies_world *c = *state;
	outage_set(c->w, 0, "a");
	lose(c, c->w->home);
	assert_string_equal("fresh a", outage_look(c->w, 1));
	assert_true(has_copy(c, c->w->home));
	lose(c, c->w->other);
	assert_string_equal("fresh a", outage_look(c->w, 1));
}

/* D3 */
static void what_was_deleted_does_not_come_back(void **state) {
	copies_world *c = *state;
	outage_set(c->w, 0, "a");
	assert_int_equal(MCP_OK, outage_delete(c->w, 0));
	assert_both_have(c, "nothing");
}

/* D2: true is told only of what all copies have. */
static void a_write_that_misses_a_copy_is_not_acknowledged(void **state) {
	copies_world *c = *state;
	outage_set(c->w, 0, "a");
	outage_cut(c->w, 0, c->w->other);
	assert_int_not_equal(MCP_OK, outage_set(c->w, 0, "b"));
	assert_int_not_equal(MCP_OK, outage_delete(c->w, 0));
	outage_cut(c->w, 0, c->w->home);
	assert_int_not_equal(MCP_OK, outage_set(c->w, 0, "c"));
	assert_string_equal("nothing", outage_look(c->w, 0));
}

/* D4 */
static void a_copy_that_returns_is_compared_by_who_saw_it_go(void **state) {
	copies_world *c = *state;
	outage_set(c->w, 0, "a");
	outage_look(c->w, 1);
	outage_cut(c->w, 0, c->w->home);
	outage_cut(c->w, 1, c->w->home);
	assert_int_not_equal(MCP_OK, outage_set(c->w, 0, "b"));
	assert_string_equal("fresh b", outage_look(c->w, 1));
	outage_heal(c->w, 0, c->w->home);
	outage_heal(c->w, 1, c->w->home);
	assert_string_equal("fresh b", outage_look(c->w, 0));
	assert_string_equal("fresh b", outage_look(c->w, 1));
	assert_string_equal("fresh a", outage_look(c->w, 2));
	assert_int_equal(MCP_OK, outage_set(c->w, 1, "c"));
	assert_both_have(c, "fresh c");
}

/* Comes before the call that `waits` counts to. */
static void rival_comes(void *context) {
	copies_world *c = context;
	outage_link *link = &c->w->processes[0].links[c->at];
	if (c->waits > 0) {
		c->waits--;
		link->before_call = rival_comes;
		return;
	}
	c->at = OUTAGE_SERVERS; /* it has come */
	if (c->rival != NULL) {
		assert_int_equal(MCP_OK, outage_set(c->w, 1, c->rival));
	} else {
		assert_int_equal(MCP_OK, outage_delete(c->w, 1));
	}
}

/* False if the change of process 0 made less calls. */
static bool set_beside(copies_world *c, size_t server, unsigned call, const char *rival) {
	outage_link *link = &c->w->processes[0].links[server];
	c->at = server;
	c->waits = call;
	c->rival = rival;
	link->before_call = rival_comes;
	link->context = c;
	assert_int_equal(MCP_OK, outage_set(c->w, 0, "mine"));
	link->before_call = NULL;
	return c->at == OUTAGE_SERVERS;
}

/* D1, D2: wherever the other comes in between, one of the two is on both copies in the end. */
static void two_changes_at_once_leave_one_version(void **state) {
	copies_world *c = *state;
	unsigned met = 0;
	size_t places[] = {c->w->home, c->w->other};
	for (unsigned i = 0; i < 16; i++) {
		outage_set(c->w, 2, "before");
		const char *rival = i % 2 == 0 ? "theirs" : NULL;
		met += set_beside(c, places[i / 2 % 2], i / 4, rival);
		const char *shown = outage_look(c->w, 2);
		bool is_mine = strcmp(shown, "fresh mine") == 0;
		assert_true(is_mine || strcmp(shown, rival != NULL ? "fresh theirs" : "nothing") == 0);
		assert_both_have(c, is_mine ? "fresh mine" : rival != NULL ? "fresh theirs" : "nothing");
	}
	assert_true(met >= 8);
}

/* D6, and the result is on both copies. */
static void one_caller_computes_a_cold_key(void **state) {
	copies_world *c = *state;
	mcp_claim claim, late;
	assert_int_equal(MCP_VERDICT_ELECTED, outage_remember(c->w, 0, &claim));
	outage_remember(c->w, 1, &late);
	assert_true(late.is_overdue);
	assert_int_equal(MCP_OK, outage_publish(c->w, 0, &claim, "a"));
	assert_both_have(c, "fresh a");
}

/* C3 with copies: what was elected before a change is not stored after it. */
static void a_rebuild_begun_before_a_delete_is_refused(void **state) {
	copies_world *c = *state;
	mcp_claim claim;
	outage_set(c->w, 2, "a");
	mcp_cache_expire(&c->w->processes[2].cache, &c->w->key);
	assert_int_equal(MCP_VERDICT_ELECTED, outage_remember(c->w, 0, &claim));
	assert_int_equal(MCP_OK, outage_delete(c->w, 1));
	assert_int_not_equal(MCP_OK, outage_publish(c->w, 0, &claim, "b"));
	assert_both_have(c, "nothing");
}

/* Leaves "old" everywhere and past its soft end; process 2 could not reach copy 0, and has stored "newer" on
 * the other. */
static void leave_newer_on_the_other(copies_world *c) {
	assert_int_equal(MCP_OK, outage_set(c->w, 0, "old"));
	assert_int_equal(MCP_OK, mcp_cache_expire(&c->w->processes[0].cache, &c->w->key));
	outage_cut(c->w, 2, c->w->home);
	assert_int_not_equal(MCP_OK, outage_set(c->w, 2, "newer"));
	outage_heal(c->w, 2, c->w->home);
}

/* D2, D4: a process that saw nothing finds it as soon as it would compute. */
static void an_election_finds_what_another_copy_has_newer(void **state) {
	copies_world *c = *state;
	mcp_claim claim;
	leave_newer_on_the_other(c);
	assert_string_equal("old old", outage_look(c->w, 0));
	assert_int_equal(MCP_VERDICT_FRESH, outage_remember(c->w, 0, &claim));
	assert_both_have(c, "fresh newer");
}

static void an_election_finds_what_was_deleted_on_another_copy(void **state) {
	copies_world *c = *state;
	mcp_claim claim;
	leave_newer_on_the_other(c);
	outage_cut(c->w, 2, c->w->home);
	assert_int_not_equal(MCP_OK, outage_delete(c->w, 2));
	assert_int_equal(MCP_VERDICT_ELECTED, outage_remember(c->w, 0, &claim));
	assert_string_equal("nothing", outage_look(c->w, 1));
	assert_int_equal(MCP_OK, outage_publish(c->w, 0, &claim, "computed"));
	outage_heal(c->w, 2, c->w->home);
	assert_both_have(c, "fresh computed");
}

/* D2, D5: it was elected before the newer one came. */
static void a_result_is_refused_where_another_copy_has_something_newer(void **state) {
	copies_world *c = *state;
	mcp_claim claim;
	outage_set(c->w, 0, "old");
	mcp_cache_expire(&c->w->processes[0].cache, &c->w->key);
	assert_int_equal(MCP_VERDICT_ELECTED, outage_remember(c->w, 0, &claim));
	outage_cut(c->w, 2, c->w->home);
	outage_set(c->w, 2, "newer");
	assert_int_equal(MCP_NOT_STORED, outage_publish(c->w, 0, &claim, "computed"));
	assert_int_equal(1, c->w->processes[0].statistics.counts[MCP_COUNT_REFUSED]);
	outage_heal(c->w, 2, c->w->home);
	assert_both_have(c, "fresh newer");
}

/* Else what that copy has would be put back over it. */
static void a_result_comes_after_what_a_copy_out_of_reach_has(void **state) {
	copies_world *c = *state;
	mcp_claim claim;
	leave_newer_on_the_other(c);
	c->w->clock.wall_ms += 10;
	outage_cut(c->w, 0, c->w->other);
	assert_int_equal(MCP_VERDICT_ELECTED, outage_remember(c->w, 0, &claim));
	assert_int_not_equal(MCP_OK, outage_publish(c->w, 0, &claim, "computed"));
	assert_string_equal("fresh computed", outage_look(c->w, 0));
	c->w->clock.wall_ms += OUTAGE_TTL_MS;
	assert_int_equal(MCP_VERDICT_ELECTED, outage_remember(c->w, 1, &claim));
	assert_string_equal("old computed", outage_look(c->w, 1));
}

/* D2, D3: what is put back takes the claim's place, and no other. */
static void a_change_beside_an_election_stays(void **state) {
	copies_world *c = *state;
	outage_link *link = &c->w->processes[0].links[c->w->home];
	mcp_claim claim;
	unsigned met = 0;
	for (unsigned i = 0; i < 12; i++) {
		leave_newer_on_the_other(c);
		c->at = c->w->home;
		c->waits = i / 2;
		c->rival = i % 2 == 0 ? "theirs" : NULL;
		link->before_call = rival_comes;
		link->context = c;
		outage_remember(c->w, 0, &claim);
		link->before_call = NULL;
		if (c->at == OUTAGE_SERVERS) {
			met++;
			assert_both_have(c, c->rival != NULL ? "fresh theirs" : "nothing");
		}
	}
	assert_true(met >= 6); /* reads, puts back, reads again */
}

/* D6: who has put a value back on copy 0 is elected there, as all others are. */
static void who_repairs_is_elected_on_copy_0(void **state) {
	copies_world *c = *state;
	mcp_claim claim;
	outage_set(c->w, 0, "old");
	mcp_cache_expire(&c->w->processes[0].cache, &c->w->key);
	lose(c, c->w->home);
	assert_int_equal(MCP_VERDICT_ELECTED, outage_remember(c->w, 0, &claim));
	assert_int_not_equal(MCP_VERDICT_ELECTED, outage_remember(c->w, 1, &claim));
}

/* D: what it hides was not acknowledged, and nobody is ever elected over it there: no result would be stored. */
static void a_claim_left_on_another_copy_keeps_no_result_away(void **state) {
	copies_world *c = *state;
	mcp_claim claim;
	outage_set(c->w, 0, "old");
	mcp_cache_expire(&c->w->processes[0].cache, &c->w->key);
	outage_cut(c->w, 2, c->w->home);
	assert_int_not_equal(MCP_OK, outage_delete(c->w, 2));
	assert_int_equal(MCP_VERDICT_ELECTED, outage_remember(c->w, 2, &claim));
	outage_heal(c->w, 2, c->w->home);
	assert_int_equal(MCP_VERDICT_ELECTED, outage_remember(c->w, 0, &claim));
	assert_int_equal(MCP_OK, outage_publish(c->w, 0, &claim, "computed"));
	assert_both_have(c, "fresh computed");
}

/* D2: else each change of it would be false until somebody overwrites it. */
static void a_change_is_made_of_what_another_copy_has_newer(void **state) {
	copies_world *c = *state;
	mcp_cache_value value = outage_value("changed");
	leave_newer_on_the_other(c);
	assert_int_equal(MCP_OK, mcp_cache_replace(&c->w->processes[0].cache, &c->w->key, &value));
	assert_both_have(c, "fresh changed");
}

/* Comes when the delete of process 1 has reached copy 0: that is lost, and process 0 changes what it finds. */
static void old_value_is_carried(void *context) {
	copies_world *c = context;
	if (c->waits-- > 0) {
		c->w->processes[1].links[c->w->other].before_call = old_value_is_carried;
		return;
	}
	lose(c, c->w->home);
	c->w->clock.wall_ms += 10;
	mcp_cache_expire(&c->w->processes[0].cache, &c->w->key);
}

/* D3: the value that the expire stored anew is older than the delete, whatever their clocks show. */
static void a_delete_ends_what_was_carried_on_meanwhile(void **state) {
	copies_world *c = *state;
	outage_link *link = &c->w->processes[1].links[c->w->other];
	outage_set(c->w, 0, "old");
	c->waits = 1;
	link->before_call = old_value_is_carried;
	link->context = c;
	assert_int_equal(MCP_OK, outage_delete(c->w, 1));
	link->before_call = NULL;
	assert_both_have(c, "nothing");
}

/* Comes when the delete of process 1 has reached copy 0, which process 0 could not reach when it was elected. */
static void result_is_stored_elsewhere(void *context) {
	copies_world *c = context;
	if (c->waits-- > 0) {
		c->w->processes[1].links[c->w->other].before_call = result_is_stored_elsewhere;
		return;
	}
	c->w->clock.wall_ms += 100;
	assert_int_not_equal(MCP_OK, outage_publish(c->w, 0, &c->claim, "computed"));
	mcp_claim claim;
	outage_remember(c->w, 2, &claim); /* puts back on copy 0 what another one has newer */
}

/* C3: a result is dated by its election, and deleted by who is later, though his clock is behind. */
static void a_delete_ends_a_result_that_missed_copy_0(void **state) {
	copies_world *c = *state;
	outage_link *link = &c->w->processes[1].links[c->w->other];
	outage_set(c->w, 0, "old");
	mcp_cache_expire(&c->w->processes[0].cache, &c->w->key);
	c->w->clock.wall_ms += 200;
	outage_cut(c->w, 0, c->w->home);
	assert_int_equal(MCP_VERDICT_ELECTED, outage_remember(c->w, 0, &c->claim));
	c->w->clock.wall_ms -= 100;
	c->waits = 1;
	link->before_call = result_is_stored_elsewhere;
	link->context = c;
	assert_int_equal(MCP_OK, outage_delete(c->w, 1));
	link->before_call = NULL;
	assert_both_have(c, "nothing");
}

/* An item that copy 0 shows when a result has reached both copies. */
typedef struct sibling {
	copies_world *c;
	char bytes[256];
	mcp_record record;
	unsigned waits;
} sibling;

static void sibling_is_there(void *context) {
	sibling *one = context;
	outage_link *link = &one->c->w->processes[1].links[one->c->w->home];
	if (one->waits-- > 0) {
		link->before_call = sibling_is_there;
		return;
	}
	mcp_store_set(one->c->w->servers[one->c->w->home], &one->c->w->key, &one->record);
}

/* D2: copy 0 was lost, the value of before was put back there, and expired: that did not come after the result. */
static void a_result_is_not_acknowledged_beside_what_was_carried_on(void **state) {
	copies_world *c = *state;
	sibling one = {.c = c, .waits = 2}; /* it is read, and swapped */
	outage_link *link = &c->w->processes[1].links[c->w->home];
	mcp_store *home = c->w->servers[c->w->home], *other = c->w->servers[c->w->other];
	mcp_item item;
	char bytes[256];
	mcp_claim claim;
	outage_set(c->w, 0, "old");
	c->w->clock.wall_ms += OUTAGE_TTL_MS;
	assert_int_equal(MCP_OK, mcp_store_get(home, &c->w->key, &item));
	memcpy(bytes, item.value.data, item.value.length);
	mcp_record before = {.head = mcp_bytes_of(bytes, item.value.length), .flags = item.flags};
	mcp_cache_expire(&c->w->processes[0].cache, &c->w->key);
	assert_int_equal(MCP_OK, mcp_store_get(home, &c->w->key, &item));
	memcpy(one.bytes, item.value.data, item.value.length);
	one.record =
		(mcp_record){.head = mcp_bytes_of(one.bytes, item.value.length), .flags = item.flags};
	mcp_store_set(home, &c->w->key, &before);
	mcp_store_set(other, &c->w->key, &before);
	assert_int_equal(MCP_VERDICT_ELECTED, outage_remember(c->w, 1, &claim));
	link->before_call = sibling_is_there;
	link->context = &one;
	assert_int_not_equal(MCP_OK, outage_publish(c->w, 1, &claim, "computed"));
	assert_string_equal("old old", outage_look(c->w, 0));
}

/* D: what another client stored on copy 0 has no place in the order. */
static void what_is_no_envelope_is_never_repaired(void **state) {
	copies_world *c = *state;
	mcp_record theirs = {.head = mcp_bytes_of("theirs", 6)};
	mcp_item item;
	outage_set(c->w, 0, "ours");
	mcp_store_set(c->w->servers[c->w->home], &c->w->key, &theirs);
	assert_string_equal("fresh ours", outage_look(c->w, 1));
	assert_int_equal(MCP_OK, mcp_store_get(c->w->servers[c->w->home], &c->w->key, &item));
	assert_true(mcp_bytes_equal(item.value, theirs.head));
}

/* Comes as another client before the call that `waits` counts to. */
static void other_client_comes(void *context) {
	copies_world *c = context;
	mcp_record theirs = {.head = mcp_bytes_of("theirs", 6)};
	if (c->waits > 0) {
		c->waits--;
		c->w->processes[0].links[c->w->home].before_call = other_client_comes;
		return;
	}
	c->at = OUTAGE_SERVERS; /* it has come */
	mcp_store_set(c->w->servers[c->w->home], &c->w->key, &theirs);
}

/* D, C19: a result that is decided on the other copy does not go over what another client has set on copy 0 since. */
static void a_result_of_the_other_copy_leaves_what_another_client_sets(void **state) {
	copies_world *c = *state;
	outage_process *process = &c->w->processes[0];
	outage_link *link = &process->links[c->w->home];
	unsigned met = 0, stored = 0;
	mcp_copies_prepare(c->copies[0], process->cluster, &c->w->clock.environment, OUTAGE_LEASE_MS,
		true);
	for (unsigned i = 0; i < 12; i++) {
		mcp_claim claim;
		mcp_item item;
		assert_int_equal(MCP_OK, outage_set(c->w, 0, "old"));
		assert_int_equal(MCP_OK, mcp_cache_expire(&process->cache, &c->w->key));
		outage_cut(c->w, 0, c->w->home);
		assert_int_equal(MCP_VERDICT_ELECTED, outage_remember(c->w, 0, &claim));
		outage_heal(c->w, 0, c->w->home);
		lose(c, c->w->home);
		c->at = c->w->home;
		c->waits = i;
		link->before_call = other_client_comes;
		link->context = c;
		mcp_status status = outage_publish(c->w, 0, &claim, "computed");
		link->before_call = NULL;
		stored += status == MCP_OK;
		if (c->at != OUTAGE_SERVERS) {
			assert_int_equal(MCP_OK, status);
			continue;
		}
		met++;
		assert_int_equal(MCP_OK, mcp_store_get(c->w->servers[c->w->home], &c->w->key, &item));
		assert_true(mcp_bytes_equal(item.value, mcp_bytes_of("theirs", 6)));
	}
	assert_true(met >= 4 && stored >= 1);
}

#define WITH_COPIES(test) cmocka_unit_test_setup_teardown(test, open_copies, close_copies)

int main(void) {
	const struct CMUnitTest tests[] = {
		WITH_COPIES(each_costs_the_round_trips_that_the_docs_say),
		WITH_COPIES(a_value_outlives_the_loss_of_either_copy),
		WITH_COPIES(a_read_puts_back_what_copy_0_has_lost),
		WITH_COPIES(what_was_deleted_does_not_come_back),
		WITH_COPIES(a_write_that_misses_a_copy_is_not_acknowledged),
		WITH_COPIES(a_copy_that_returns_is_compared_by_who_saw_it_go),
		WITH_COPIES(two_changes_at_once_leave_one_version),
		WITH_COPIES(one_caller_computes_a_cold_key),
		WITH_COPIES(a_rebuild_begun_before_a_delete_is_refused),
		WITH_COPIES(an_election_finds_what_another_copy_has_newer),
		WITH_COPIES(an_election_finds_what_was_deleted_on_another_copy),
		WITH_COPIES(a_result_is_refused_where_another_copy_has_something_newer),
		WITH_COPIES(a_result_comes_after_what_a_copy_out_of_reach_has),
		WITH_COPIES(a_change_beside_an_election_stays),
		WITH_COPIES(who_repairs_is_elected_on_copy_0),
		WITH_COPIES(a_claim_left_on_another_copy_keeps_no_result_away),
		WITH_COPIES(a_change_is_made_of_what_another_copy_has_newer),
		WITH_COPIES(a_delete_ends_what_was_carried_on_meanwhile),
		WITH_COPIES(a_delete_ends_a_result_that_missed_copy_0),
		WITH_COPIES(a_result_is_not_acknowledged_beside_what_was_carried_on),
		WITH_COPIES(what_is_no_envelope_is_never_repaired),
		WITH_COPIES(a_result_of_the_other_copy_leaves_what_another_client_sets),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
