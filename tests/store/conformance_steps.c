/* Holds the stores that take steps to their order, to an answer for each, and to sending nothing by what is no longer
 * known. */
/* SPDX-License-Identifier: MIT */
/* A marked store takes no steps. */
#define CONFORMANCE_FOR_MARKED false
#include "conformance.h"

#include "../../src/store/store.h"

#include <stdio.h>
#include <stdlib.h>

/* A step of the key so named, and room for what it goes by. */
typedef struct planned {
	mcp_key key;
	mcp_record record;
} planned;

static mcp_op step_of(planned *of, mcp_op_verb verb, const char *name, const char *value) {
	*of = (planned){conformance_key(name), conformance_record(value)};
	return (mcp_op){.verb = verb, .key = &of->key, .record = &of->record, .status = MCP_BROKEN};
}

static mcp_op based_step(planned *of, mcp_op_verb verb, const char *name, const char *value,
	mcp_proof base) {
	mcp_op step = step_of(of, verb, name, value);
	step.expects = base;
	return step;
}

/* Carries out one that must be, and returns its answer. */
static mcp_op do_one(const conformance_subject *subject, mcp_op step) {
	mcp_store_steps(subject->store, &step, 1);
	return step;
}

static mcp_proof read_base(const conformance_subject *subject, const char *name) {
	planned of;
	mcp_op step = do_one(subject, step_of(&of, MCP_OP_GET, name, ""));
	assert_int_equal(MCP_OK, step.status);
	assert_true(step.read.cas != 0);
	return step.read;
}

CASE(writes_before_reads, "steps are carried out in their order, each with an answer of its own") {
	planned of[4];
	conformance_set_flagged(subject->store, "b", "old", 7);
	mcp_op steps[] = {
		step_of(&of[0], MCP_OP_ADD, "a", "first"),
		based_step(&of[1], MCP_OP_CAS, "b", "new", read_base(subject, "b")),
		step_of(&of[2], MCP_OP_GET, "a", ""),
		step_of(&of[3], MCP_OP_GET, "b", ""),
	};
	of[0].record.flags = 65536;
	of[0].record.head = mcp_bytes_text("the ");
	mcp_store_steps(subject->store, steps, 4);
	for (size_t i = 0; i < 4; i++) {
		assert_int_equal(MCP_OK, steps[i].status);
	}
	conformance_assert_bytes("the first", steps[2].item.value);
	assert_int_equal(65536, steps[2].item.flags);
	conformance_assert_bytes("new", steps[3].item.value);
	assert_int_equal(0, steps[3].item.flags);
	assert_true(steps[2].read.cas == steps[2].item.cas);
	assert_true(steps[2].read.cas == conformance_cas_id(subject->store, "a"));
}

CASE(whatever_is_answered, "a step is carried out whatever the one before was answered") {
	planned of[4];
	conformance_set(subject->store, "taken", "theirs");
	conformance_set(subject->store, "changed", "before");
	mcp_proof base = read_base(subject, "changed");
	conformance_set(subject->store, "changed", "after");
	mcp_op steps[] = {
		step_of(&of[0], MCP_OP_ADD, "taken", "mine"),
		based_step(&of[1], MCP_OP_CAS, "changed", "mine", base),
		based_step(&of[2], MCP_OP_DELETE_IF, "changed", "", base),
		step_of(&of[3], MCP_OP_GET, "nothing", ""),
	};
	mcp_store_steps(subject->store, steps, 4);
	assert_int_equal(MCP_NOT_STORED, steps[0].status);
	assert_int_equal(MCP_EXISTS, steps[1].status);
	assert_int_equal(MCP_EXISTS, steps[2].status);
	assert_int_equal(MCP_NOT_FOUND, steps[3].status);
	conformance_assert_value(subject->store, "taken", "theirs");
	conformance_assert_value(subject->store, "changed", "after");
}

CASE(the_gone, "steps find nothing where nothing is, and store nothing there") {
	planned of[3];
	conformance_set(subject->store, "gone", "value");
	mcp_proof base = read_base(subject, "gone");
	conformance_delete(subject->store, "gone");
	mcp_op steps[] = {
		based_step(&of[0], MCP_OP_CAS, "gone", "mine", base),
		based_step(&of[1], MCP_OP_DELETE_IF, "gone", "", base),
		step_of(&of[2], MCP_OP_TOUCH, "gone", ""),
	};
	mcp_store_steps(subject->store, steps, 3);
	for (size_t i = 0; i < 3; i++) {
		assert_int_equal(MCP_NOT_FOUND, steps[i].status);
	}
	conformance_assert_absent(subject->store, "gone");
}

CASE(unlock_behind_a_write, "one call writes one key and deletes another, each if unchanged") {
	planned of[2];
	conformance_set(subject->store, "value", "old");
	conformance_set(subject->store, "lock", "held");
	mcp_op steps[] = {
		based_step(&of[0], MCP_OP_CAS, "value", "new", read_base(subject, "value")),
		based_step(&of[1], MCP_OP_DELETE_IF, "lock", "", read_base(subject, "lock")),
	};
	mcp_store_steps(subject->store, steps, 2);
	assert_int_equal(MCP_OK, steps[0].status);
	assert_int_equal(MCP_OK, steps[1].status);
	conformance_assert_value(subject->store, "value", "new");
	conformance_assert_absent(subject->store, "lock");
}

CASE(the_other_writes, "sets, counts, appends and deletes are steps, each with its own result") {
	planned of[7];
	conformance_set(subject->store, "number", "7");
	conformance_set(subject->store, "text", "a");
	conformance_set(subject->store, "deleted", "value");
	mcp_op steps[] = {
		step_of(&of[0], MCP_OP_SET, "row", "new"),
		step_of(&of[1], MCP_OP_INCREMENT, "number", ""),
		step_of(&of[2], MCP_OP_INCREMENT, "text", ""),
		step_of(&of[3], MCP_OP_APPEND, "text", "b"),
		step_of(&of[4], MCP_OP_APPEND, "nothing", "b"),
		step_of(&of[5], MCP_OP_DELETE, "deleted", ""),
		step_of(&of[6], MCP_OP_GET, "text", ""),
	};
	steps[1].by = steps[2].by = 5;
	mcp_store_steps(subject->store, steps, 7);
	assert_int_equal(MCP_OK, steps[0].status);
	assert_int_equal(MCP_OK, steps[1].status);
	assert_int_equal(12, steps[1].number);
	assert_int_equal(MCP_NOT_A_NUMBER, steps[2].status);
	assert_int_equal(MCP_OK, steps[3].status);
	assert_int_equal(MCP_NOT_STORED, steps[4].status);
	assert_int_equal(MCP_OK, steps[5].status);
	conformance_assert_bytes("ab", steps[6].item.value);
	conformance_assert_value(subject->store, "row", "new");
	conformance_assert_absent(subject->store, "nothing");
	conformance_assert_absent(subject->store, "deleted");
}

/* Reads views that are larger than any room that a store has at first, the second larger than the first. */
CASE(views_of_one_call, "the views of one call's reads live side by side") {
	enum { FIRST = 100000, SECOND = 700000 };
	char *bytes = conformance_pattern(SECOND);
	planned of[2];
	mcp_key keys[] = {conformance_key("a"), conformance_key("b")};
	mcp_record records[] = {conformance_record_of(bytes, FIRST),
		conformance_record_of(bytes, SECOND)};
	for (size_t i = 0; i < 2; i++) {
		assert_int_equal(MCP_OK, mcp_store_set(subject->store, &keys[i], &records[i]));
	}
	mcp_op steps[] = {
		step_of(&of[0], MCP_OP_GET, "a", ""),
		step_of(&of[1], MCP_OP_GET, "b", ""),
	};
	mcp_store_steps(subject->store, steps, 2);
	for (size_t i = 0; i < 2; i++) {
		assert_int_equal(MCP_OK, steps[i].status);
		assert_true(mcp_bytes_equal(records[i].body, steps[i].item.value));
	}
	free(bytes);
}

CASE(a_large_write, "a step's value may be large, and its flags and head are stored") {
	enum { LENGTH = 900000 };
	char *bytes = conformance_pattern(LENGTH);
	planned of[2];
	conformance_set(subject->store, "key", "small");
	conformance_set(subject->store, "lock", "held");
	mcp_op steps[] = {
		based_step(&of[0], MCP_OP_CAS, "key", "", read_base(subject, "key")),
		based_step(&of[1], MCP_OP_DELETE_IF, "lock", "", read_base(subject, "lock")),
	};
	of[0].record.body = mcp_bytes_of(bytes, LENGTH);
	mcp_store_steps(subject->store, steps, 2);
	assert_int_equal(MCP_OK, steps[0].status);
	assert_int_equal(MCP_OK, steps[1].status);
	assert_true(mcp_bytes_equal(of[0].record.body, conformance_get(subject->store, "key").value));
	free(bytes);
}

CASE(renewing, "what says that it was renewed ends with its new TTL, under its old cas id") {
	planned of[2];
	conformance_set(subject->store, "short", "value");
	conformance_set(subject->store, "touched", "value");
	uint64_t cas = conformance_cas_id(subject->store, "short");
	mcp_op steps[] = {
		step_of(&of[0], MCP_OP_TOUCH, "touched", ""),
		step_of(&of[1], MCP_OP_GET_AND_TOUCH, "short", ""),
	};
	of[0].record.ttl_ms = of[1].record.ttl_ms = 1000;
	mcp_store_steps(subject->store, steps, 2);
	assert_int_equal(MCP_OK, steps[0].status);
	assert_int_equal(MCP_OK, steps[1].status);
	conformance_assert_bytes("value", steps[1].item.value);
	assert_true(cas == steps[1].read.cas);
	subject->pass_ms(subject, 3100);
	conformance_assert_absent(subject->store, "touched");
	assert_int_equal(steps[1].was_renewed ? MCP_NOT_FOUND : MCP_OK,
		conformance_status_of(subject->store, "short"));
}

CASE(a_base_over_other_calls, "a base holds over other calls") {
	planned of;
	conformance_set(subject->store, "key", "old");
	mcp_proof base = read_base(subject, "key");
	conformance_set(subject->store, "other", "value");
	conformance_assert_absent(subject->store, "nothing");
	mcp_op step = do_one(subject, based_step(&of, MCP_OP_CAS, "key", "new", base));
	assert_int_equal(MCP_OK, step.status);
	conformance_assert_value(subject->store, "key", "new");
}

/* Tries two steps of which the second must not be sent: neither is. */
static void assert_unsent(const conformance_subject *subject, mcp_op second, mcp_status status) {
	planned of;
	mcp_op steps[] = {step_of(&of, MCP_OP_ADD, "other", "value"), second};
	mcp_store_steps(subject->store, steps, 2);
	assert_int_equal(status, steps[0].status);
	assert_int_equal(status, steps[1].status);
	conformance_assert_absent(subject->store, "other");
	conformance_assert_value(subject->store, "key", "old");
}

CASE(a_base_of_another_connection, "nothing is sent by a base of another connection") {
	planned of;
	conformance_set(subject->store, "key", "old");
	mcp_proof base = read_base(subject, "key");
	base.connection++;
	assert_unsent(subject, based_step(&of, MCP_OP_CAS, "key", "new", base), MCP_UNSUPPORTED);
	assert_unsent(subject, based_step(&of, MCP_OP_DELETE_IF, "key", "", base), MCP_UNSUPPORTED);
}

CASE(a_base_without_an_id, "nothing is sent by a base without a cas id") {
	planned of;
	conformance_set(subject->store, "key", "old");
	mcp_proof base = read_base(subject, "key");
	base.cas = 0;
	assert_unsent(subject, based_step(&of, MCP_OP_CAS, "key", "new", base), MCP_NO_CAS);
	assert_unsent(subject, based_step(&of, MCP_OP_DELETE_IF, "key", "", base), MCP_NO_CAS);
}

CASE(what_must_not_be_sent, "nothing is sent beside a key or a value that must not be") {
	planned of;
	conformance_set(subject->store, "key", "old");
	assert_unsent(subject, step_of(&of, MCP_OP_GET, "key\r\nget key", ""), MCP_BAD_KEY);
	char *bytes = conformance_pattern(MCP_STORE_ITEM_MAX);
	mcp_op large = based_step(&of, MCP_OP_CAS, "key", "", read_base(subject, "key"));
	of.record.body = mcp_bytes_of(bytes, MCP_STORE_ITEM_MAX);
	assert_unsent(subject, large, MCP_TOO_LARGE);
	free(bytes);
}

/* Writes one, and reads as many as a call takes, every third of which is there. */
CASE(as_many_as_a_call_takes, "a call takes as many steps as it says") {
	enum { READS = MCP_STEPS_MAX - 1 };
	planned of[MCP_STEPS_MAX];
	char names[READS][16];
	mcp_op steps[MCP_STEPS_MAX];
	for (int i = 0; i < READS; i++) {
		snprintf(names[i], sizeof(names[i]), "name%d", i);
		if (i % 3 == 0) {
			conformance_set(subject->store, names[i], names[i]);
		}
		steps[1 + i] = step_of(&of[1 + i], MCP_OP_GET, names[i], "");
	}
	steps[0] = step_of(&of[0], MCP_OP_ADD, "name1", "added");
	mcp_store_steps(subject->store, steps, MCP_STEPS_MAX);
	assert_int_equal(MCP_OK, steps[0].status);
	conformance_assert_bytes("added", steps[2].item.value);
	for (int i = 0; i < READS; i++) {
		bool is_there = i % 3 == 0 || i == 1;
		assert_int_equal(is_there ? MCP_OK : MCP_NOT_FOUND, steps[1 + i].status);
		if (i % 3 == 0) {
			conformance_assert_bytes(names[i], steps[1 + i].item.value);
		}
	}
}

CASE(in_one_go_or_not_at_all, "steps that are to go in one go do, or are not sent") {
	planned of[2];
	mcp_op steps[] = {
		step_of(&of[0], MCP_OP_ADD, "key", "value"),
		step_of(&of[1], MCP_OP_GET, "key", ""),
	};
	mcp_store_steps_at_once(subject->store, steps, 2);
	assert_int_equal(steps[0].status, steps[1].status);
	if (steps[0].status == MCP_UNSUPPORTED) {
		conformance_assert_absent(subject->store, "key");
		return;
	}
	assert_int_equal(MCP_OK, steps[0].status);
	conformance_assert_bytes("value", steps[1].item.value);
}

/* Reads a key in one go with another, and returns the proof of it, or none. */
static mcp_proof prove(const conformance_subject *subject, const char *name) {
	planned of[2];
	mcp_op steps[] = {
		step_of(&of[0], MCP_OP_GET, name, ""),
		step_of(&of[1], MCP_OP_GET, "beside", ""),
	};
	steps[0].proof = steps[1].proof = (mcp_proof){1, 1};
	mcp_store_steps(subject->store, steps, 2);
	assert_int_equal(MCP_OK, steps[0].status);
	assert_int_equal(MCP_NOT_FOUND, steps[1].status);
	assert_true(steps[1].proof.cas == 0);
	return steps[0].proof;
}

CASE(a_read_that_proves, "what was read in one go is proven, over that connection alone") {
	mcp_key key = conformance_key("key");
	conformance_set(subject->store, "key", "old");
	mcp_proof proof = prove(subject, "key");
	if (proof.cas == 0) {
		return;
	}
	assert_true(proof.cas == conformance_cas_id(subject->store, "key"));
	conformance_set(subject->store, "key", "another's");
	assert_int_equal(MCP_EXISTS, mcp_store_delete_proven(subject->store, &key, &proof));
	conformance_assert_value(subject->store, "key", "another's");
	proof = prove(subject, "key");
	proof.connection++;
	assert_int_equal(MCP_UNSUPPORTED, mcp_store_delete_proven(subject->store, &key, &proof));
	proof.connection--;
	assert_int_equal(MCP_OK, mcp_store_delete_proven(subject->store, &key, &proof));
	conformance_assert_absent(subject->store, "key");
}
