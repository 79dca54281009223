/* Implements store.h and mcp_environment for a simulated client. Each call yields until it is scheduled, meets its
 * fault, and takes effect on the store in memory. */
/* SPDX-License-Identifier: MIT */
#include "plain/client.h"

#include "../../../src/store/store.h"

#include <stdlib.h>

#define SHUNNED_MS 1000

static plain_client *client_of(mcp_store *store) {
	return (plain_client *)(void *)store;
}

void plain_client_die(plain_client *client) {
	plain_trace(client->world, "client %u is killed", client->index);
	client->is_dead = true;
	client->died_ms = client->world->now_ms;
	client->phase = PLAIN_IDLE;
	for (;;) {
		sim_fiber_give_way();
	}
}

/* Opens the circuit breaker, and closes the connection. */
static void shun(plain_client *client) {
	client->connection++;
	client->unanswered++;
	if (client->world->shuns) {
		client->shunned_until_ms = client->world->now_ms + SHUNNED_MS;
	}
}

/* Returns the fault of the scheduled call. */
static sim_fault_kind meet(plain_client *client, mcp_op_verb verb) {
	plain_world *world = client->world;
	client->was_answered = false;
	if (world->is_quiet) {
		return SIM_SOUND;
	}
	if (client->is_giving_up || client->has_late_write) {
		client->has_late_write = false;
		return SIM_DELAY_REQUEST;
	}
	if (world->now_ms < client->shunned_until_ms) {
		return SIM_REFUSE;
	}
	client->verb = verb;
	client->phase = PLAIN_CALLING;
	sim_fiber_give_way();
	bool is_broken = client->generation != world->generation;
	client->generation = world->generation;
	client->connection += is_broken;
	if (client->fault == SIM_KILL_BEFORE || (is_broken && client->fault == SIM_KILL_AFTER)) {
		plain_client_die(client);
	}
	/* The connection from before a restart breaks. A read is sent again, a write is not. */
	client->unanswered += is_broken;
	bool is_lost = is_broken && !sim_verb_is_read(verb);
	client->has_broken_off |= is_lost;
	return is_lost ? SIM_LOSE_REQUEST : client->fault;
}

/* Returns the reply after the effect. */
static bool is_answered(plain_client *client, sim_fault_kind fault) {
	if (fault == SIM_KILL_AFTER) {
		plain_client_die(client);
	}
	if (fault == SIM_STOP_AFTER) {
		const plain_family *family = client->world->family;
		uint32_t duration_ms =
			family->jumps_ms[sim_choose(client->world->choices, family->jump_count)];
		plain_trace(client->world, "client %u stands still for %u ms", client->index, duration_ms);
		plain_pass(client->world, duration_ms);
	}
	if (fault == SIM_LOSE_REPLY) {
		shun(client);
		return false;
	}
	client->was_answered = true;
	client->insisted = 0;
	return true;
}

mcp_status plain_client_execute(plain_world *world, const sim_request *request, sim_told *told) {
	uint32_t item_max = world->family->item_max;
	mcp_key key = sim_request_key(request);
	mcp_op before;
	before.status = mcp_store_get(world->memory, &key, &before.item);
	mcp_status status = sim_request_execute(request, request->ttl_ms, world->memory,
		item_max > 0 ? item_max : SIZE_MAX, told);
	plain_trace(world, "client %u: %s %.*s %.*s%.0llu -> %d", request->client,
		sim_verb_name(request->verb), (int)request->name_length, request->name,
		(int)request->length, request->bytes, (unsigned long long)request->amount, (int)status);
	if (!world->is_quiet && world->family->effect != NULL) {
		world->family->effect(world, request, status, &before);
	}
	return status;
}

void plain_client_land(plain_world *world, unsigned late) {
	sim_request request = world->late[late];
	world->late[late] = world->late[--world->late_count];
	sim_told told;
	request.is_late = true;
	plain_trace(world, "a late request arrives");
	plain_client_execute(world, &request, &told);
}

bool plain_client_may_land(const plain_world *world, unsigned late) {
	const sim_request *request = &world->late[late];
	for (unsigned i = 0; i < world->late_count && request->serial != 0; i++) {
		if (world->late[i].serial == request->serial && world->late[i].item < request->item) {
			return false;
		}
	}
	return true;
}

static sim_request *begin(sim_door *door, const mcp_key *key) {
	plain_client *client = client_of(&door->store);
	sim_request *request = &client->request;
	sim_request_name(request, key->wire);
	request->client = (uint8_t)client->index;
	request->operation = client->operation;
	request->is_late = false;
	request->serial = client->batch;
	request->item = client->place;
	return request;
}

static mcp_status carry(plain_client *client, const sim_request *request, sim_told *told) {
	sim_fault_kind fault = meet(client, request->verb);
	if (fault != SIM_SOUND) {
		plain_trace(client->world, "client %u: %s: %s", client->index, sim_verb_name(request->verb),
			sim_fault_name(fault));
	}
	if (fault == SIM_NO_MEMORY) {
		client->unanswered++;
		client->refused++;
		return MCP_REFUSED;
	}
	if (fault == SIM_DELAY_REQUEST) {
		client->world->late[client->world->late_count++] = *request;
	}
	if (fault == SIM_REFUSE || fault == SIM_LOSE_REQUEST || fault == SIM_DELAY_REQUEST) {
		shun(client);
		return fault == SIM_REFUSE ? MCP_UNREACHABLE : MCP_UNKNOWN;
	}
	mcp_status status = plain_client_execute(client->world, request, told);
	if (!is_answered(client, fault)) {
		return MCP_UNKNOWN;
	}
	told->has_proof = client->world->proves;
	told->proof.connection = client->connection;
	return status;
}

/* Lets other clients run between the effect and the handling of the reply by a slow process. */
static mcp_status linger(plain_client *client, mcp_status status) {
	if (client->is_slow && !client->world->is_quiet) {
		plain_sleep(client, 1);
	}
	return status;
}

static mcp_status send(sim_door *door, sim_request *request, sim_told *told) {
	plain_client *client = client_of(&door->store);
	mcp_status status = carry(client, request, told);
	bool is_of_value = request->verb == MCP_OP_ADD || request->verb == MCP_OP_SET ||
		request->verb == MCP_OP_CAS || request->verb == MCP_OP_DELETE;
	return is_of_value ? linger(client, status) : status;
}

static bool believes(const sim_door *door, const mcp_proof *proof) {
	const plain_client *client = (const plain_client *)(const void *)door;
	return mcp_proof_holds(proof, client->connection);
}

static const sim_way way = {begin, send, believes};

/* Reads into `view`. */
static mcp_status read_into(plain_client *client, char *view, const mcp_key *key, mcp_item *item) {
	mcp_status status = mcp_store_get(client->world->memory, key, item);
	if (status == MCP_OK) {
		memcpy(view, item->value.data, item->value.length);
		item->value.data = view;
	}
	plain_trace(client->world, "client %u: get %.*s -> %d %.*s", client->index,
		(int)key->wire.length, key->wire.data, (int)status,
		status == MCP_OK ? (int)item->value.length : 0, status == MCP_OK ? view : "");
	return status;
}

static mcp_status look_at(plain_client *client, const mcp_key *key, mcp_item *item) {
	sim_fault_kind fault = meet(client, MCP_OP_GET);
	if (fault == SIM_REFUSE) {
		shun(client);
		return MCP_UNREACHABLE;
	}
	client->reads++;
	mcp_status status = read_into(client, client->view[client->view_index ^ 1], key, item);
	if (status == MCP_OK) {
		memset(client->view[client->view_index], 0xA5, SIM_BYTES_MAX);
		client->view_index ^= 1;
	}
	bool has_answer = is_answered(client, fault);
	client->has_broken_off &= !has_answer || status != MCP_OK;
	return has_answer ? status : MCP_TIMEOUT;
}

static mcp_status get(mcp_store *store, const mcp_key *key, mcp_item *item) {
	plain_client *client = client_of(store);
	return linger(client, look_at(client, key, item));
}

/* Lets other clients run. The fault of a read is decided at its beginning, not here. */
static void let_others_come_between(plain_client *client, size_t key) {
	const plain_world *world = client->world;
	if (key == 0 || world->is_quiet || !world->family->reads_apart) {
		return;
	}
	sim_fault_kind met = client->fault;
	client->verb = MCP_OP_PING;
	client->phase = PLAIN_CALLING;
	sim_fiber_give_way();
	if (client->fault == SIM_KILL_AFTER) {
		plain_client_die(client);
	}
	client->fault = met;
}

static void get_many(mcp_store *store, mcp_op *const *ops, size_t count) {
	plain_client *client = client_of(store);
	sim_fault_kind fault = meet(client, MCP_OP_GET);
	if (count > PLAIN_MANY_MAX) {
		abort();
	}
	for (size_t i = 0; i < count; i++) {
		let_others_come_between(client, i);
		ops[i]->status = read_into(client, client->many[i], ops[i]->key, &ops[i]->item);
	}
	bool has_answer = fault != SIM_REFUSE && is_answered(client, fault);
	for (size_t i = 0; i < count; i++) {
		if (!has_answer) {
			ops[i]->status = fault == SIM_REFUSE ? MCP_UNREACHABLE : MCP_TIMEOUT;
		}
		client->has_broken_off &= ops[i]->status != MCP_OK;
	}
}

static mcp_status started_us(mcp_store *store, const mcp_key *key, uint64_t *started) {
	plain_client *client = client_of(store);
	if (client->world->tells_no_start) {
		return MCP_UNSUPPORTED; /* asked long before */
	}
	sim_fault_kind fault = meet(client, MCP_OP_PING);
	if (fault == SIM_REFUSE) {
		shun(client);
		return MCP_UNREACHABLE;
	}
	mcp_status status = mcp_store_started_us(client->world->memory, key, started);
	return is_answered(client, fault) ? status : MCP_TIMEOUT;
}

static void insist(mcp_store *store, const mcp_key *key, mcp_bypass what_for) {
	plain_client *client = client_of(store);
	if ((client->insisted & (unsigned)what_for) == 0) {
		client->insisted |= (unsigned)what_for;
		client->shunned_until_ms = 0;
	}
}

/* A CAS value that was read before a write broke off is refused, as by connection_write.c: a restarted server assigns
 * the same CAS values again. */
static mcp_status change(mcp_store *store, mcp_op *op) {
	bool is_void = mcp_op_compares(op) && op->expects.connection == 0 && op->expects.cas != 0 &&
		client_of(store)->has_broken_off;
	return is_void ? MCP_EXISTS : sim_door_change(store, op);
}

/* --- steps: a pipeline, whose commands other clients interleave with --- */

static mcp_status write_step(plain_client *client, mcp_op *step) {
	mcp_op op = *step;
	op.record = step->verb != MCP_OP_DELETE_IF ? step->record : NULL;
	op.expects.connection = 0;
	mcp_status status = sim_door_change(&client->door.store, &op);
	step->number = op.number;
	return status;
}

/* Reads. The views of all steps' reads are valid together. */
static mcp_status read_step(plain_client *client, mcp_op *step, size_t index) {
	bool renews = step->verb == MCP_OP_GET_AND_TOUCH && client->world->proves;
	mcp_status status = look_at(client, step->key, &step->item);
	if (status == MCP_OK) {
		memcpy(client->many[index], step->item.value.data, step->item.value.length);
		step->item.value.data = client->many[index];
	}
	step->read = (mcp_proof){status == MCP_OK ? step->item.cas : 0, client->connection};
	step->proof = client->world->proves ? step->read : (mcp_proof){0};
	step->was_renewed = renews && status == MCP_OK &&
		mcp_store_touch(client->world->memory, step->key, step->record->ttl_ms) == MCP_OK;
	return status;
}

/* Gives up the remaining steps. A command sent after one whose reply was lost can be executed later. */
static void give_up(plain_client *client, mcp_op *steps, size_t from, size_t count) {
	plain_world *world = client->world;
	bool was_sent = client->fault == SIM_LOSE_REPLY;
	bool is_in_order = world->family->lands_in_order;
	uint32_t batch = is_in_order ? world->steps + 1 : 0;
	for (size_t i = from; i < count; i++) {
		bool is_read = mcp_op_is_read(&steps[i]);
		steps[i].status = is_read ? MCP_TIMEOUT : MCP_UNKNOWN;
		bool is_delayed = was_sent && !is_read && world->late_count < PLAIN_LATE_MAX &&
			sim_chance(world->choices, 50);
		was_sent = was_sent && (is_delayed || !is_in_order);
		if (is_delayed) {
			sim_fault_kind met = client->fault;
			uint64_t shunned_until_ms = client->shunned_until_ms;
			client->shunned_until_ms = 0;
			client->is_giving_up = true;
			client->batch = batch;
			client->place = (uint8_t)i;
			write_step(client, &steps[i]);
			client->batch = 0;
			client->is_giving_up = false;
			client->shunned_until_ms = shunned_until_ms;
			client->fault = met;
		}
	}
}

static bool may_be_sent(plain_client *client, mcp_op *steps, size_t count) {
	plain_world *world = client->world;
	if (world->proves && client->generation != world->generation) {
		client->generation = world->generation; /* the end of an idle connection is noticed */
		client->connection++;
	}
	for (size_t i = 0; i < count; i++) {
		mcp_status status = !mcp_op_has_base(&steps[i])         ? MCP_OK
			: steps[i].expects.cas == 0                         ? MCP_NO_CAS
			: steps[i].expects.connection != client->connection ? MCP_UNSUPPORTED
																: MCP_OK;
		if (status != MCP_OK) {
			mcp_steps_answer(steps, 0, count, status);
			return false;
		}
	}
	return true;
}

static void carry_out(mcp_store *store, mcp_op *steps, size_t count) {
	plain_client *client = client_of(store);
	if (steps[0].is_at_once && !client->world->proves) {
		mcp_steps_answer(steps, 0, count, MCP_UNSUPPORTED);
		return;
	}
	if (!may_be_sent(client, steps, count)) {
		return;
	}
	uint64_t connection = client->connection;
	for (size_t i = 0; i < count; i++) {
		bool is_read = mcp_op_is_read(&steps[i]);
		steps[i].status = is_read ? read_step(client, &steps[i], i) : write_step(client, &steps[i]);
		bool has_broken = client->world->proves && client->connection != connection;
		if (has_broken && is_read && !mcp_status_is_unanswered(steps[i].status)) {
			steps[i].status = MCP_UNREACHABLE; /* a batch gets no reply over another connection */
		}
		if (steps[i].status == MCP_UNREACHABLE) {
			mcp_steps_answer(steps, i, count, MCP_UNREACHABLE);
			return;
		}
		if (mcp_status_is_unanswered(steps[i].status)) {
			give_up(client, steps, i + 1, count);
			return;
		}
	}
}

/* Does nothing: a family frees its own stores around this one. */
static void stay(mcp_store *store) {
}

/* The operations that the patterns of these families use. The others are NULL. */
static const mcp_store_operations operations = {
	.free = stay,
	.get = get,
	.get_many = get_many,
	.steps = carry_out,
	.change = change,
	.proves = true,
	.started_us = started_us,
	.insist = insist,
};

static uint64_t wall_ms(const mcp_environment *environment) {
	const plain_client *client = environment->context;
	return PLAIN_EPOCH_MS + client->world->now_ms + client->world->wall_ahead_ms +
		client->wall_ahead_ms;
}

static uint64_t monotonic_ms(const mcp_environment *environment) {
	const plain_client *client = environment->context;
	return client->world->now_ms;
}

static uint64_t random_u64(const mcp_environment *environment) {
	plain_client *client = environment->context;
	client->random = client->random * 6364136223846793005u + 1442695040888963407u;
	return client->random ^ (client->random >> 29) ^ ((uint64_t)(client->index + 1) << 60);
}

static void sleep_ms(const mcp_environment *environment, uint32_t duration_ms) {
	plain_sleep(environment->context, duration_ms);
}

void plain_sleep(plain_client *client, uint32_t duration_ms) {
	if (client->world->is_quiet) {
		plain_pass(client->world, duration_ms);
		return;
	}
	client->slept_ms += duration_ms;
	client->late_sleeps += client->world->now_ms > client->patient_until_ms;
	client->due_ms = client->world->now_ms + duration_ms;
	client->phase = PLAIN_SLEEPING;
	sim_fiber_give_way();
	bool was_woken = client->world->now_ms < client->due_ms;
	client->slept_ms -= was_woken ? client->due_ms - client->world->now_ms : 0;
}

void plain_client_prepare(plain_client *client, plain_world *world, unsigned index) {
	client->door = (sim_door){{&operations, "simulated", NULL}, &way};
	client->environment = (mcp_environment){
		.wall_ms = wall_ms,
		.monotonic_ms = monotonic_ms,
		.random_u64 = random_u64,
		.sleep_ms = sleep_ms,
		.context = client,
	};
	client->world = world;
	client->index = index;
	client->phase = PLAIN_IDLE;
	client->is_dead = client->is_slow = client->is_giving_up = client->has_late_write = false;
	client->random = 77 * (index + 1);
	client->wall_ahead_ms = 0;
	client->generation = 0;
	client->connection = (uint64_t)(index + 1) << 32;
	client->batch = client->place = 0;
	client->shunned_until_ms = 0;
	client->has_broken_off = false;
	client->insisted = client->unanswered = client->refused = 0;
	client->slept_ms = 0;
	client->dozes_on = NULL;
	client->is_rung = false;
	client->reads = 0;
	client->operation = -1;
}
