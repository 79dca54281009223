/* SPDX-License-Identifier: MIT */
#include "../../src/store/memory/store_memory.h"
#include "../../src/store/store.h"
#include "session_world.h"

#include <string.h>
#include <cmocka.h>

uint64_t now_ms;
mcp_store *store;
mcp_session session;
mcp_session_known first, second;
mcp_session_report report;
mcp_key key, other_key, foreign_key;
faulty_sends faults;

static uint64_t last_random;
static mcp_key_buffer buffer, other_buffer;

static uint64_t read_clock(const mcp_environment *environment) {
	return now_ms;
}

static uint64_t draw(const mcp_environment *environment) {
	last_random = last_random * 6364136223846793005u + 1442695040888963407u;
	return last_random;
}

static void sleep_through(const mcp_environment *environment, uint32_t duration_ms) {
	now_ms += duration_ms;
}

static const mcp_environment environment = {
	.wall_ms = read_clock,
	.monotonic_ms = read_clock,
	.random_u64 = draw,
	.sleep_ms = sleep_through,
};

/* --- the store between --- */

static bool are_bound(const mcp_op *steps, size_t count) {
	for (size_t i = 0; i < count; i++) {
		if (mcp_op_has_base(&steps[i]) && steps[i].expects.connection != faults.connection) {
			return true;
		}
	}
	return false;
}

/* Hands the steps on, as over the connection of now. */
static void hand_on(mcp_store *self, mcp_op *steps, size_t count) {
	for (size_t i = 0; i < count; i++) {
		if (mcp_op_has_base(&steps[i])) {
			steps[i].expects.connection = faults.inner_connection;
		}
	}
	mcp_store_steps(self->beneath, steps, count);
	for (size_t i = 0; i < count; i++) {
		if (steps[i].read.connection != 0) {
			faults.inner_connection = steps[i].read.connection;
		}
		steps[i].read.connection = faults.connection;
		steps[i].read.cas = faults.gives_no_cas ? 0 : steps[i].read.cas;
		steps[i].item.cas = faults.gives_no_cas ? 0 : steps[i].item.cas;
	}
}

static bool needs_memory(const mcp_op *step) {
	return step->verb == MCP_OP_ADD || step->verb == MCP_OP_CAS ||
		(step->verb == MCP_OP_DELETE_IF && faults.needs_memory_to_compare);
}

/* Refuses what needs memory. */
static void hand_on_without_memory(mcp_store *self, mcp_op *steps, size_t count) {
	for (size_t i = 0; i < count; i++) {
		if (needs_memory(&steps[i])) {
			steps[i].status = MCP_REFUSED;
		} else {
			hand_on(self, &steps[i], 1);
		}
	}
}

static void lose_answers(mcp_op *steps, size_t from, size_t count) {
	for (size_t i = from; i < count; i++) {
		steps[i].status = mcp_op_is_read(&steps[i]) ? MCP_TIMEOUT : MCP_UNKNOWN;
	}
	faults.connection++;
}

static void carry_out(mcp_store *self, mcp_op *steps, size_t count) {
	unsigned send = ++faults.sends;
	if (faults.before != NULL && send == faults.before_send) {
		void (*before)(void) = faults.before;
		faults.before = NULL;
		before();
	}
	if (are_bound(steps, count)) {
		mcp_steps_answer(steps, 0, count, MCP_UNSUPPORTED);
		return;
	}
	bool is_lost = faults.loses_all_sends || send == faults.lost_send;
	if (is_lost && faults.drops_lost_send) {
		lose_answers(steps, 0, count);
		return;
	}
	if (faults.has_no_memory) {
		hand_on_without_memory(self, steps, count);
	} else {
		hand_on(self, steps, count);
	}
	if (is_lost && faults.lost_from < count) {
		lose_answers(steps, faults.lost_from, count);
	}
	for (size_t i = 0; i < count && faults.refuses_session; i++) {
		if (steps[i].verb == MCP_OP_GET && mcp_bytes_equal(steps[i].key->wire, key.wire)) {
			steps[i].status = MCP_ANSWER_TOO_LARGE;
		}
	}
}

static mcp_status get(mcp_store *self, const mcp_key *of, mcp_item *item) {
	return faults.is_foreign_down ? MCP_TIMEOUT : mcp_store_get(self->beneath, of, item);
}

static mcp_status change(mcp_store *self, mcp_op *op) {
	return faults.is_foreign_down ? MCP_UNKNOWN : mcp_store_change(self->beneath, op);
}

static void stay(mcp_store *self) {
}

static const mcp_store_operations operations = {
	.free = stay,
	.get = get,
	.change = change,
	.steps = carry_out,
};

static mcp_store between = {&operations, "between", NULL};

static mcp_key key_of(mcp_key_buffer *into, const char *id) {
	mcp_key_parts parts = {.space = MCP_SPACE_SESSION, .name = mcp_bytes_text(id)};
	return mcp_key_make(into, &parts);
}

int open_session_world(void **state) {
	now_ms = 1763688000250;
	last_random = 1;
	faults = (faulty_sends){.connection = 1};
	store = mcp_store_memory_create("memory://sessions", &environment);
	between.beneath = store;
	key = key_of(&buffer, "abc");
	other_key = key_of(&other_buffer, "other");
	session = (mcp_session){
		.store = &between,
		.environment = &environment,
		.key = &key,
		.locking = MCP_SESSION_LOCK,
		.format = MCP_SESSION_PHP,
		.merge_depth = 1,
		.ttl_ms = TTL_MS,
		.lock_ttl_ms = LOCK_MS,
		.wait_ms = WAIT_MS,
		.owner = mcp_bytes_of("host 7", 6),
	};
	return store == NULL ? -1 : 0;
}

int close_session_world(void **state) {
	mcp_session_forget(&first);
	mcp_session_forget(&second);
	mcp_store_free(store);
	return 0;
}

mcp_status start_request(mcp_session_known *known) {
	mcp_pauses pauses = {.has_begun = false};
	mcp_session_forget(known);
	return mcp_session_start(&session, known, false, &pauses);
}

mcp_session_outcome write_session(mcp_session_known *known, const char *data) {
	mcp_session_write(&session, known, mcp_bytes_text(data), &report);
	return report.outcome;
}

mcp_session_outcome renew_session(mcp_session_known *known) {
	mcp_session_renew(&session, known, &report);
	return report.outcome;
}

mcp_session_outcome destroy_session(mcp_session_known *known) {
	mcp_session_destroy(&session, known, &report);
	return report.outcome;
}

void assert_data(const mcp_session_known *known, const char *data) {
	assert_int_equal(MCP_SESSION_VALUE, known->kind);
	assert_int_equal(strlen(data), known->data.length);
	assert_memory_equal(data, known->data.data, known->data.length);
}

void assert_stored(const char *data) {
	mcp_session_known known = {.kind = MCP_SESSION_NOTHING};
	assert_int_equal(MCP_OK, mcp_session_peek(&session, &known));
	assert_data(&known, data);
	mcp_session_forget(&known);
}

void assert_kind(mcp_session_kind kind) {
	mcp_session_known known = {.kind = MCP_SESSION_NOTHING};
	assert_int_equal(MCP_OK, mcp_session_peek(&session, &known));
	assert_int_equal(kind, known.kind);
	mcp_session_forget(&known);
}

void begin_with(const char *data) {
	assert_int_equal(MCP_OK, start_request(&first));
	assert_int_equal(MCP_SESSION_STORED, write_session(&first, data));
}

void begin_both_with(const char *data) {
	begin_with(data);
	assert_int_equal(MCP_OK, start_request(&first));
	assert_int_equal(MCP_OK, start_request(&second));
}

void merge_both_with(const char *data) {
	session.locking = MCP_SESSION_MERGE;
	begin_both_with(data);
}

void store_foreign(const char *data, uint32_t flags) {
	mcp_record record = {
		.body = mcp_bytes_text(data),
		.flags = flags,
		.ttl_ms = TTL_MS,
	};
	mcp_bytes wire = mcp_bytes_of("memc.sess.key.abc", 17);
	foreign_key = (mcp_key){.wire = wire, .route = mcp_bytes_of("abc", 3), .is_safe = true};
	session.foreign = &foreign_key;
	assert_int_equal(MCP_OK, mcp_store_set(store, &foreign_key, &record));
}

void assert_free(void) {
	mcp_session_known known = {.kind = MCP_SESSION_NOTHING};
	uint64_t began_ms = now_ms;
	assert_int_equal(MCP_OK, start_request(&known));
	assert_true(known.is_held);
	assert_int_equal(began_ms, now_ms);
	mcp_session_close(&session, &known);
	mcp_session_forget(&known);
}
