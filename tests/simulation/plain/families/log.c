/* EventLog: processes append, and follow with cursors, across slots. An acknowledged event is in the log until its
 * slot leaves the log or its item is lost. A reader gets each event exactly once, in the order of its writer, or a report of a loss. A full slot is a valid result, after 3 commands. */
/* SPDX-License-Identifier: MIT */
#include "core/items/item_head.h"
#include "patterns/event_log/event_log.h"
#include "plain/families/families.h"

enum {
	SLOTS = 4,
	SLOT_MS = 2000,
	AGE_S = SLOTS * SLOT_MS / 1000,
	SKEW_MS = 400,
	ROUNDS = 6,
	CLIENTS = 3,
	EVENTS_MAX = CLIENTS * ROUNDS,
	PAYLOAD_LENGTH = 2, /* the writer, and the number of its event */
	/* The size of an item: 4 events. */
	ROOM = MCP_APPEND_HEAD_LENGTH + 4 * (MCP_LOG_RECORD_HEAD_LENGTH + PAYLOAD_LENGTH),
	COMMANDS_MAX = 3,
	READ_AT_LEAST_EVERY_MS = (SLOTS - 2) * SLOT_MS,
};

typedef struct event {
	unsigned client, number;
	uint64_t slot, time_ms; /* by its writer's clock */
	uint64_t item;          /* id of the item that has it */
	mcp_status status;      /* MCP_UNKNOWN until the append has ended */
	unsigned landed, commands;
	bool is_late;             /* later than readers must expect */
	bool is_gone;             /* its item was lost */
	bool was_lost;            /* not only because its slot left the log */
	bool was_seen[CLIENTS];   /* its item, by the reader's cursor, before its loss */
	bool was_passed[CLIENTS]; /* its slot, by the reader's cursor */
	unsigned delivered[CLIENTS];
} event;

typedef struct reader {
	bool has_cursor, was_slow;
	mcp_log_cursor cursor;
	uint64_t first;   /* the oldest slot for this reader */
	uint64_t read_ms; /* by its clock: beginning of its last read that reached the end */
	uint64_t lost;
	const event *last[CLIENTS]; /* per writer */
} reader;

static struct {
	mcp_key_buffer buffer;
	mcp_key key;
	mcp_event_log logs[CLIENTS];
	mcp_key keys[SLOTS + 1];
	mcp_key_buffer buffers[SLOTS + 1];
	mcp_op replies[SLOTS + 1];
	unsigned count;
	event events[EVENTS_MAX];
	reader readers[CLIENTS];
	bool was_cleared;
} state;

/* The first slot of a run is PLAIN_EPOCH_MS / SLOT_MS. */

static void prepare(plain_world *world) {
	memset(&state, 0, sizeof(state));
	state.key = plain_key(&state.buffer, MCP_SPACE_LOG, "site");
	for (unsigned i = 0; i < CLIENTS; i++) {
		state.logs[i] = (mcp_event_log){
			.store = &world->clients[i].door.store,
			.environment = &world->clients[i].environment,
			.key = &state.key,
			.window = {AGE_S, SLOTS},
		};
	}
}

static uint64_t clock_of(const plain_client *client) {
	return mcp_wall_ms(&client->environment);
}

static void append(plain_client *client) {
	const mcp_event_log *log = &state.logs[client->index];
	unsigned index = state.count++;
	event *made = &state.events[index];
	*made = (event){
		.client = client->index,
		.number = index,
		.time_ms = clock_of(client),
		.slot = mcp_window_slot(&log->window, clock_of(client)),
		.status = MCP_UNKNOWN,
	};
	char payload[SIM_BYTES_MAX] = {(char)client->index, (char)index};
	char record[SIM_BYTES_MAX];
	mcp_event appended = {.payload = mcp_bytes_of(payload, PAYLOAD_LENGTH)};
	client->operation = (int)index;
	mcp_status status = mcp_event_log_append(log, &appended, record);
	client->operation = -1;
	made->status = status;
	plain_trace(client->world, "client %u: event %u -> %d", client->index, index, (int)status);
	if (status == MCP_OK && made->landed != 1) {
		plain_fail(client->world, "J1", "event %u is acknowledged and landed %u times", index,
			made->landed);
	}
	if (made->commands > COMMANDS_MAX) {
		plain_fail(client->world, "J4", "event %u took %u commands", index, made->commands);
	}
}

static void deliver(plain_world *world, unsigned index, const mcp_event *taken) {
	reader *self = &state.readers[index];
	unsigned number = taken->payload.length == PAYLOAD_LENGTH
		? (unsigned char)taken->payload.data[1]
		: EVENTS_MAX;
	if (number >= state.count || taken->time_ms != state.events[number].time_ms) {
		plain_fail(world, "J2", "what reader %u was given is no event", index);
		return;
	}
	event *got = &state.events[number];
	const event *before = self->last[got->client];
	plain_trace(world, "reader %u: event %u", index, number);
	if (++got->delivered[index] > 1) {
		plain_fail(world, "J5", "reader %u was given event %u twice", index, number);
	}
	bool is_known = before != NULL && before->status == MCP_OK && got->status == MCP_OK;
	if (is_known && before->number > number && before->slot >= got->slot && !got->is_late) {
		plain_fail(world, "J3", "reader %u was given event %u after %u of the same client", index,
			number, before->number);
	}
	self->last[got->client] = got;
}

/* Stores the cursor as text. */
static void keep_cursor(plain_world *world, reader *self, const mcp_event_log_reading *reading) {
	char text[MCP_LOG_CURSOR_MAX];
	size_t length = mcp_log_cursor_write(&reading->cursor, text);
	self->has_cursor = true;
	if (!mcp_log_cursor_read(mcp_bytes_of(text, length), &self->cursor) ||
		!mcp_event_log_owns(reading->log, &self->cursor)) {
		plain_fail(world, "J5", "a cursor is not read again");
	}
}

/* Returns the oldest slot after a call, which can have taken long. */
static uint64_t oldest_now(const plain_client *client) {
	const mcp_window *window = &state.logs[client->index].window;
	return mcp_event_log_oldest(&state.logs[client->index],
		mcp_window_slot(window, clock_of(client)));
}

/* Reads, and saves events and cursor together: both or none. */
static bool follow(plain_client *client, size_t limit) {
	reader *self = &state.readers[client->index];
	mcp_key keys[SLOTS + 1];
	mcp_key_buffer buffers[SLOTS + 1];
	mcp_op replies[SLOTS + 1];
	const mcp_event_log_scratch scratch = {keys, buffers, replies};
	mcp_event_log_reading reading;
	mcp_event taken[EVENTS_MAX];
	char payloads[EVENTS_MAX][PAYLOAD_LENGTH];
	size_t count = 0;
	uint64_t began_ms = clock_of(client);
	mcp_status status = MCP_OK;
	mcp_event_log_since_begin(&reading, &state.logs[client->index], &scratch,
		self->has_cursor ? &self->cursor : NULL);
	while (count < limit && (status = mcp_event_log_since_read(&reading)) == MCP_OK) {
		while (count < limit && mcp_event_log_since_take(&reading, &taken[count])) {
			memcpy(payloads[count], taken[count].payload.data, PAYLOAD_LENGTH);
			taken[count].payload.data = payloads[count];
			count++;
		}
	}
	if (status != MCP_OK && status != MCP_NOT_FOUND) {
		return false;
	}
	self->was_slow = self->was_slow ||
		(self->has_cursor && clock_of(client) > self->read_ms + READ_AT_LEAST_EVERY_MS);
	self->read_ms = status == MCP_NOT_FOUND ? began_ms : self->read_ms;
	self->first = self->has_cursor ? self->first : oldest_now(client);
	for (size_t i = 0; i < count; i++) {
		deliver(client->world, client->index, &taken[i]);
	}
	keep_cursor(client->world, self, &reading);
	self->lost += reading.lost;
	return status == MCP_NOT_FOUND;
}

static void act(plain_client *client) {
	sim_choices *choices = client->world->choices;
	if (sim_chance(choices, 50)) {
		append(client);
	} else if (sim_chance(choices, 4)) {
		mcp_event_log_clear(&state.logs[client->index]);
	} else {
		follow(client, sim_chance(choices, 50) ? 1 + sim_choose(choices, 3) : EVENTS_MAX);
	}
	if (sim_chance(choices, 40)) {
		plain_sleep(client, 1 + sim_choose(choices, SLOT_MS));
	}
}

/* Programs of the search: 2 clients append and 1 follows; the same across the end of a slot, 1 event at a time. */
static void run(plain_client *client) {
	unsigned variant = client->world->variant;
	if (variant == 2 && client->index == 1) {
		return;
	}
	if (client->index < 2) {
		append(client);
		plain_sleep(client, variant == 2 ? SLOT_MS : 1);
		append(client);
		return;
	}
	for (unsigned i = 0; i < 3; i++) {
		follow(client, variant == 2 ? 1 : EVENTS_MAX);
		plain_sleep(client, SLOT_MS / 2);
	}
}

static mcp_status peek_slot(plain_world *world, uint64_t slot, uint64_t *id) {
	mcp_key_buffer buffer;
	mcp_key key = mcp_event_log_slot_key(&state.logs[0], &buffer, slot);
	mcp_item item;
	mcp_append_head head = {.id = 0};
	mcp_status status = plain_peek(world, &key, &item);
	if (status == MCP_OK && !mcp_append_head_read(item.value, MCP_APPEND_LOG, &head)) {
		plain_fail(world, "J2", "what stands in slot %llu is no log's", (unsigned long long)slot);
	}
	*id = head.id;
	return status;
}

/* Records that an event took effect. A reader's clock can be ahead of all others by nearly the skew. */
static void land(plain_world *world, event *made, uint64_t slot) {
	uint64_t now_ms = PLAIN_EPOCH_MS + world->now_ms + world->wall_ahead_ms + SKEW_MS;
	made->landed++;
	made->is_late = now_ms >= made->time_ms + SLOT_MS;
	peek_slot(world, slot, &made->item);
	if (made->landed > 1) {
		plain_fail(world, "J6", "event %u landed twice", made->number);
	}
}

static void effect(plain_world *world, const sim_request *request, mcp_status status,
	const mcp_op *before) {
	if (request->verb == MCP_OP_DELETE) {
		state.was_cleared = state.was_cleared || status == MCP_OK;
		return;
	}
	event *made = &state.events[request->operation];
	made->commands++;
	if (status == MCP_OK) {
		land(world, made, plain_slot_in(request));
	}
}

/* True if the slot has left the log by the slowest clock. */
static bool has_left(const plain_world *world, const event *made) {
	uint64_t now_ms = PLAIN_EPOCH_MS + world->now_ms + world->wall_ahead_ms;
	uint64_t now_slot = mcp_window_slot(&state.logs[0].window, now_ms);
	return now_slot > made->slot + SLOTS;
}

static void note_gone(plain_world *world, event *made) {
	made->is_gone = true;
	bool is_lost = world->has_lost || state.was_cleared;
	made->was_lost = is_lost || !has_left(world, made);
	for (unsigned i = 0; i < CLIENTS; i++) {
		const mcp_log_cursor *cursor = &state.readers[i].cursor;
		made->was_seen[i] = (cursor->slot == made->slot && cursor->newer.id == made->item) ||
			(cursor->slot == made->slot + 1 && cursor->older.id == made->item);
		made->was_passed[i] = cursor->slot > made->slot;
	}
	if (!is_lost && !has_left(world, made)) {
		plain_fail(world, "J1", "event %u is gone", made->number);
	}
}

static void check(plain_world *world) {
	for (unsigned i = 0; i < state.count; i++) {
		event *made = &state.events[i];
		uint64_t id;
		if (made->landed > 0 && !made->is_gone &&
			(peek_slot(world, made->slot, &id) != MCP_OK || id != made->item)) {
			note_gone(world, made);
		}
		if (made->status == MCP_NOT_STORED && made->landed == 0 && made->commands < COMMANDS_MAX) {
			plain_fail(world, "J4", "event %u was refused after %u commands", i, made->commands);
		}
	}
}

/* A reader got all events, except those lost before it saw their item. */
static void check_reader(plain_world *world, unsigned index) {
	const reader *self = &state.readers[index];
	for (unsigned i = 0; i < state.count; i++) {
		const event *made = &state.events[i];
		bool is_due = made->landed > 0 && !made->is_late && made->slot >= self->first &&
			made->delivered[index] == 0;
		bool is_excused = !made->was_seen[index] &&
			(made->was_lost || (made->is_gone && made->was_passed[index]));
		if (is_due && !is_excused && self->lost == 0) {
			plain_fail(world, "J5", "reader %u has not got event %u, and was not told of a loss",
				index, i);
		}
	}
	if (self->lost > 0 && !world->has_lost && !state.was_cleared && !self->was_slow) {
		plain_fail(world, "J5", "reader %u was told of a loss, and nothing was lost", index);
	}
}

/* The last events are all remaining ones. */
static void check_last(plain_world *world) {
	const mcp_event_log_scratch scratch = {state.keys, state.buffers, state.replies};
	mcp_event_log_reading reading;
	mcp_event taken;
	unsigned times[EVENTS_MAX] = {0};
	mcp_event_log_last_begin(&reading, &state.logs[0], &scratch);
	while (mcp_event_log_last_read(&reading) == MCP_OK) {
		while (mcp_event_log_last_take(&reading, EVENTS_MAX, &taken)) {
			times[(unsigned char)taken.payload.data[1] % EVENTS_MAX]++;
		}
	}
	for (unsigned i = 0; i < state.count; i++) {
		const event *made = &state.events[i];
		bool is_in = made->slot >= reading.oldest && made->slot <= reading.now_slot;
		unsigned expected = made->landed > 0 && !made->is_gone ? 1 : 0;
		if (is_in && times[i] != expected) {
			plain_fail(world, "J1", "the last events have event %u %u times", i, times[i]);
		}
	}
}

static void finish(plain_world *world) {
	check(world);
	plain_pass(world, SKEW_MS); /* for readers whose clocks are late */
	for (unsigned i = 0; i < CLIENTS; i++) {
		while (world->log.violated == NULL && !follow(&world->clients[i], EVENTS_MAX)) {
		}
		check_reader(world, i);
	}
	check_last(world);
	plain_pass(world, (SLOTS + 3) * SLOT_MS);
	for (unsigned i = 0; i < state.count && world->wall_ahead_ms == 0; i++) {
		uint64_t id;
		if (peek_slot(world, state.events[i].slot, &id) == MCP_OK) {
			plain_fail(world, "J4", "slot %llu stays", (unsigned long long)state.events[i].slot);
		}
	}
}

const plain_family plain_log = {
	.client_count = CLIENTS,
	PLAIN_ITEMS("log:site:900000000", "log:site:900000001", "log:site:900000002",
		"log:site:900000003"),
	PLAIN_JUMPS(SLOT_MS / 2, SLOT_MS, 2 * SLOT_MS),
	.skew_ms = SKEW_MS,
	.item_max = ROOM,
	.prepare = prepare,
	.act = act,
	.rounds = ROUNDS,
	.run = run,
	.effect = effect,
	.check = check,
	.finish = finish,
};
