/* The steps of a call: sent, delayed or lost, executed, answered or not. Each step happens at one moment.
 * Schedulers only choose the next one. */
/* SPDX-License-Identifier: MIT */
#include "cache/judges/checks.h"
#include "cache/client.h"
#include "cache/judges/judge.h"
#include "cache/trace.h"

/* Returns a number that differs for every client, call and part of a call, but is the same in every run. */
static uint64_t luck(const sim_client *client, unsigned part) {
	const sim_world *world = client->world;
	return sim_mix(world->scenario->seed ^ (client->index + 1) * 0x9E3779B97F4A7C15u ^
		((uint64_t)client->calls << 20) ^ part);
}

/* 0, 1 or 2 ms. Half of the messages take no time. */
static uint32_t latency_ms(const sim_client *client, unsigned part) {
	if (client->world->is_choosing || client->world->scenario->is_flat) {
		return 0;
	}
	static const uint8_t of[4] = {0, 0, 1, 2};
	return of[luck(client, part) & 3];
}

static const sim_fault *fault_of(const sim_client *client) {
	const sim_world *world = client->world;
	if (world->is_probing || world->is_choosing) {
		return NULL;
	}
	const sim_scenario *scenario = world->scenario;
	for (unsigned i = 0; i < scenario->fault_count; i++) {
		const sim_fault *fault = &scenario->faults[i];
		if (fault->client == client->index && fault->call == client->calls &&
			!sim_fault_is_timed(fault->kind)) {
			return fault;
		}
	}
	return NULL;
}

static bool call_is_read(const sim_client *client) {
	return sim_verb_is_read(client->call.requests[0].verb);
}

static void answer_at(sim_client *client, uint64_t due_ms) {
	client->phase = SIM_REPLYING;
	client->due_ms = due_ms;
}

/* Fails at once; nothing was sent. */
static void refuse(sim_client *client) {
	client->call.failure = MCP_UNREACHABLE;
	client->call.answered = 0;
	answer_at(client, client->world->now_ms);
}

void sim_world_leave_unanswered(sim_world *world, sim_client *client, uint64_t due_ms) {
	client->call.failure = call_is_read(client) ? MCP_TIMEOUT : MCP_UNKNOWN;
	if (client->call.count > 1) {
		unsigned seen = client->call.next;
		client->call.answered = seen == 0 ? 0 : (unsigned)(luck(client, 9) % seen);
	} else {
		client->call.answered = 0;
	}
	uint32_t pause_ms = world->scenario->retry_after_ms;
	sim_called(client)->shunned_until_ms = pause_ms > 0 ? due_ms + pause_ms : 0;
	answer_at(client, due_ms);
}

/* True if the connection is from before a restart of its server. Requests on it reach no server. */
static bool is_broken(const sim_world *world, const sim_member *member) {
	return member->generation != UINT32_MAX &&
		member->generation != world->servers[member->index].generation;
}

void sim_world_detach(sim_world *world, sim_client *client, uint64_t due_ms) {
	if (call_is_read(client) || world->late_count == SIM_LATE_MAX ||
		is_broken(world, sim_called(client))) {
		return;
	}
	sim_request *late = &world->late[world->late_count++];
	*late = client->call.requests[0];
	late->due_ms = due_ms;
	sim_trace_event(client, "its request stays under way");
}

void sim_world_kill(sim_world *world, sim_client *client) {
	sim_trace_event(client, "is killed");
	client->phase = SIM_DONE;
	client->entry = -1;
	client->is_at_many = false;
	sim_client_disconnect(client);
	client->process++;
	/* Another process does the remaining work. */
	client->random = sim_mix(client->random + 77);
	client->task++;
	if (!world->is_choosing && !world->is_probing) {
		sim_world_start_client(world, client);
	}
}

/* Applies the fault of this call and decides when its request arrives. */
static void plan(sim_client *client) {
	sim_world *world = client->world;
	sim_call *call = &client->call;
	const sim_fault *fault = fault_of(client);
	sim_fault_kind kind = fault == NULL ? SIM_SOUND : fault->kind;
	uint32_t amount_ms = fault == NULL ? 0 : (uint32_t)fault->amount_ms;
	if (fault != NULL) {
		sim_trace_event(client, sim_fault_name(kind));
	}
	uint64_t sent_ms = world->now_ms + (kind == SIM_STOP_BEFORE ? amount_ms : 0);
	uint64_t due_ms = sent_ms + latency_ms(client, 1) + (kind == SIM_DELAY_REQUEST ? amount_ms : 0);
	call->deadline_ms = sent_ms + world->scenario->timeout_ms;
	call->is_reply_lost = kind == SIM_LOSE_REPLY;
	call->is_killed_after = kind == SIM_KILL_AFTER;
	call->reply_delay_ms = kind == SIM_DELAY_REPLY ? amount_ms : 0;
	call->stop_ms = kind == SIM_STOP_AFTER ? amount_ms : 0;
	call->is_killed_before = kind == SIM_KILL_BEFORE || kind == SIM_KILL_LATE;
	if (kind == SIM_KILL_LATE) {
		sim_world_detach(world, client, due_ms + amount_ms);
	}
	if (kind == SIM_LOSE_REQUEST) {
		sim_world_leave_unanswered(world, client, call->deadline_ms);
	} else if (due_ms > call->deadline_ms) {
		sim_world_detach(world, client, due_ms);
		sim_world_leave_unanswered(world, client, call->deadline_ms);
	} else {
		client->phase = SIM_SENDING;
		client->due_ms = due_ms;
	}
}

void sim_world_call(sim_client *client) {
	sim_world *world = client->world;
	sim_call *call = &client->call;
	if (client->is_at_many && !call_is_read(client) && !sim_item_is_other(call->requests[0].item)) {
		sim_client_turn_to(client, call->requests[0].item / 2);
	}
	sim_entry *entry = sim_current_entry(client);
	call->next = 0;
	call->failure = MCP_OK;
	client->calls++;
	for (unsigned i = 0; i < call->count; i++) {
		sim_request *request = &call->requests[i];
		request->client = (uint8_t)client->index;
		request->process = client->process;
		request->operation = client->entry;
		request->serial = client->calls;
		request->looked_ms =
			sim_item_is_other(request->item) ? 0 : client->looked_ms[request->item / 2];
	}
	world->call_count++;
	if (entry != NULL && ++entry->calls > SIM_CALLS_PER_OPERATION_MAX) {
		sim_world_fail(world, "liveness", "%s by client %u does not end",
			sim_entry_name(entry->kind), client->index);
	}
	if (world->now_ms < sim_called(client)->shunned_until_ms) {
		refuse(client);
	} else {
		plan(client);
	}
	sim_fiber_give_way();
	sim_client_note_wall(client);
}

void sim_world_sleep(sim_client *client, uint64_t until_ms) {
	client->phase = SIM_SLEEPING;
	client->due_ms = until_ms;
	if (client->world->is_choosing) {
		client->paused_ms += until_ms - client->world->now_ms;
		client->due_ms = client->world->now_ms;
	}
	sim_fiber_give_way();
	sim_client_note_wall(client);
}

static uint64_t next_cas(sim_world *world, const sim_client *client, const sim_request *request) {
	if (world->is_choosing) {
		/* by writer, not by time: equal states stay equal regardless of their path */
		return ((uint64_t)(client->index + 1) << 32) + request->serial;
	}
	return ++world->servers[request->server].last_cas;
}

/* Returns the reply that the server is creating for this client, if it is about this item. NULL otherwise. */
static sim_answer *answer_in_hand(sim_client *client, const sim_request *request) {
	sim_call *call = &client->call;
	bool is_made = client->phase == SIM_SENDING ? call->next > 0 : client->phase == SIM_REPLYING;
	if (!is_made || call->failure != MCP_OK || call->next == 0) {
		return NULL;
	}
	const sim_request *asked = &call->requests[call->next - 1];
	sim_answer *answer = &call->answers[call->next - 1];
	bool is_of_it = asked->verb == MCP_OP_GET && asked->item == request->item &&
		asked->server == request->server && answer->status == MCP_OK;
	return is_of_it ? answer : NULL;
}

static void tear(sim_world *world, const sim_request *request, uint64_t before, uint64_t after) {
	for (unsigned i = 0; i < SIM_CLIENTS_MAX; i++) {
		sim_answer *answer = answer_in_hand(&world->clients[i], request);
		if (answer != NULL && answer->item.cas == before && !answer->is_torn) {
			sim_trace_event(&world->clients[i], "its answer gets the cas id of an increment");
			answer->item.cas = after;
			answer->is_torn = true;
		}
	}
}

bool sim_world_may_tear(const sim_world *world, const sim_client *client) {
	const sim_request *request = &client->call.requests[0];
	if (client->phase != SIM_SENDING || !sim_verb_counts(request->verb)) {
		return false;
	}
	const sim_item *item = &world->servers[request->server].items[request->item];
	for (unsigned i = 0; i < SIM_CLIENTS_MAX; i++) {
		const sim_answer *answer = answer_in_hand((sim_client *)&world->clients[i], request);
		if (answer != NULL && answer->item.cas == item->cas && !answer->is_torn) {
			return true;
		}
	}
	return false;
}

bool sim_world_may_be_torn(const sim_client *client) {
	const sim_call *call = &client->call;
	const sim_request *last = &call->requests[call->count - 1];
	const sim_answer *answer = &call->answers[call->count - 1];
	return client->phase == SIM_REPLYING && call->failure == MCP_OK && last->verb == MCP_OP_GET &&
		sim_item_is_side(last->item) && answer->status == MCP_OK && !answer->is_torn;
}

static bool tears_now(const sim_world *world, const sim_client *client, uint64_t cas_id) {
	return world->is_choosing ? world->tears : (luck(client, (unsigned)cas_id) & 1) != 0;
}

/* True if the server has no memory for the request. In the text protocol, a delete by CAS value is a write, too. */
static bool lacks_memory(const sim_world *world, const sim_request *request) {
	bool stores = !sim_verb_is_read(request->verb) && !sim_verb_counts(request->verb) &&
		request->verb != MCP_OP_DELETE && request->verb != MCP_OP_TOUCH;
	return stores && world->now_ms < world->full_until_ms[request->server];
}

static void execute(sim_world *world, const sim_request *request, sim_answer *answer) {
	sim_client *client = &world->clients[request->client];
	sim_server *server = &world->servers[request->server];
	const sim_item *item = &server->items[request->item];
	bool is_read = sim_verb_is_read(request->verb);
	const sim_item before = *item;
	sim_moment moment = {.now_ms = world->now_ms};
	if (!is_read) {
		moment.cas_id = next_cas(world, client, request);
		if (!world->is_choosing && !world->scenario->is_exact) {
			moment.slack_ms =
				(uint32_t)(sim_mix(world->scenario->seed ^ moment.cas_id * 77) % 2000);
		}
	}
	answer->is_torn = false;
	if (lacks_memory(world, request)) {
		answer->status = MCP_REFUSED;
	} else {
		sim_server_execute(server, request, &moment, answer);
	}
	if (sim_verb_counts(request->verb) && answer->status == MCP_OK &&
		tears_now(world, client, moment.cas_id)) {
		tear(world, request, before.cas, moment.cas_id);
	}
	sim_trace_effect(world, client, request, answer);
	if (!is_read && answer->status == MCP_OK) {
		sim_entry *entry = request->operation < 0 ? NULL : &world->entries[request->operation];
		if (entry != NULL) {
			entry->effects++;
		}
		if (!sim_item_is_other(request->item)) {
			sim_judge_write(world, client, entry, request, &before);
		}
	}
}

/* Closes a connection from before a restart, with everything in progress on it. */
static bool reconnect(sim_world *world, sim_client *client) {
	sim_member *member = sim_called(client);
	bool was_broken = is_broken(world, member);
	member->generation = world->servers[member->index].generation;
	if (!was_broken) {
		return true;
	}
	if (call_is_read(client)) {
		client->call.next = 0;
		return true;
	}
	client->call.failure = MCP_UNKNOWN;
	client->call.answered = 0;
	answer_at(client, world->now_ms);
	return false;
}

uint64_t sim_call_hash(const sim_client *client, uint64_t hash) {
	const sim_call *call = &client->call;
	hash = sim_mix(hash ^ call->failure);
	for (unsigned i = 0; i < call->next; i++) {
		const sim_answer *answer = &call->answers[i];
		hash = sim_mix(hash ^ (uint64_t)answer->status << 32 ^ answer->number);
		if (call->requests[i].verb == MCP_OP_GET && answer->status == MCP_OK) {
			hash = sim_mix(hash ^ answer->item.cas) + answer->is_torn;
		}
	}
	return hash;
}

static void resume(sim_world *world, sim_client *client) {
	uint64_t hash = client->observed + world->now_ms;
	if (client->phase == SIM_REPLYING && world->is_choosing) {
		hash = sim_call_hash(client, hash);
	}
	client->observed = sim_mix(hash);
	client->phase = SIM_DONE;
	sim_fiber_resume(&client->fiber);
}

/* Replies after the last request of the call was executed. */
static void reply(sim_world *world, sim_client *client) {
	sim_call *call = &client->call;
	if (call->is_killed_after) {
		sim_world_kill(world, client);
		return;
	}
	uint64_t due_ms = world->now_ms + latency_ms(client, 2) + call->reply_delay_ms;
	if (call->is_reply_lost || (due_ms > call->deadline_ms && !world->is_choosing)) {
		sim_world_leave_unanswered(world, client, call->deadline_ms);
		return;
	}
	answer_at(client, due_ms + call->stop_ms);
}

static bool is_reachable(const sim_world *world, const sim_client *client, unsigned server) {
	return world->now_ms >= world->down_until_ms[server] &&
		world->now_ms >= client->members[server].cut_until_ms;
}

/* Handles a frozen or unreachable server. True if the call is decided by that. */
static bool meet_outage(sim_world *world, sim_client *client) {
	sim_call *call = &client->call;
	unsigned server = call->requests[0].server;
	if (world->now_ms < world->frozen_until_ms[server]) {
		client->due_ms = world->frozen_until_ms[server];
		if (client->due_ms > call->deadline_ms) {
			sim_world_detach(world, client, client->due_ms);
			sim_world_leave_unanswered(world, client, call->deadline_ms);
		}
		return true;
	}
	if (!is_reachable(world, client, server)) {
		refuse(client);
		return true;
	}
	return false;
}

static void arrive(sim_world *world, sim_client *client) {
	sim_call *call = &client->call;
	if (call->is_killed_before) {
		sim_world_kill(world, client);
		return;
	}
	if (!reconnect(world, client) || meet_outage(world, client)) {
		return;
	}
	execute(world, &call->requests[call->next], &call->answers[call->next]);
	call->next++;
	if (call->next < call->count) {
		client->due_ms = world->now_ms + (latency_ms(client, 16 + call->next) > 0 ? 1 : 0);
		return;
	}
	reply(world, client);
}

void sim_world_advance(sim_world *world, sim_client *client) {
	world->step++;
	if (client->phase == SIM_SENDING) {
		arrive(world, client);
	} else {
		resume(world, client);
	}
}

void sim_world_land_late(sim_world *world, unsigned index) {
	sim_request late = world->late[index];
	world->late[index] = world->late[--world->late_count];
	if (world->now_ms < world->down_until_ms[late.server]) {
		return;
	}
	world->step++;
	sim_answer answer;
	sim_trace_event(&world->clients[late.client], "its late request arrives");
	execute(world, &late, &answer);
}
