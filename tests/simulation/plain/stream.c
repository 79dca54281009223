/* Simulated connections. The server reads one command at a time, and other clients run between commands. A
 * connection breaks before, between and after commands, and in the middle of a command. The server executes what it
 * has received now, later, or never. */
/* SPDX-License-Identifier: MIT */
#include "plain/stream.h"

#include "store/wire/socket.h"
#include "plain/client.h"
#include "plain/text_server.h"

#include <errno.h>
#include <stdlib.h>

enum { REQUESTS_MAX = 4096 };

typedef struct stream {
	plain_client *client;
	bool is_broken;      /* no data passes */
	bool was_looked_at;  /* since the last send */
	bool was_sound;      /* since it was last watched */
	unsigned generation; /* of the connected server */
	size_t sent, read;   /* of `requests`: the server has executed what it has read */
	char requests[REQUESTS_MAX];
	size_t delivered; /* of `answer` */
	plain_answer answer;
} stream;

static struct {
	plain_world *world;
	bool are_local; /* unix sockets */
	stream of[PLAIN_CLIENTS_MAX];
} streams;

static stream *of(const mcp_socket *socket) {
	return &streams.of[socket->descriptor];
}

void plain_stream_prepare(plain_world *world) {
	streams.world = world;
	streams.are_local = sim_chance(world->choices, 50);
	for (unsigned i = 0; i < PLAIN_CLIENTS_MAX; i++) {
		streams.of[i].client = &world->clients[i];
		streams.of[i].is_broken = true;
	}
}

void plain_stream_watch(const plain_client *client) {
	streams.of[client->index].was_sound = true;
}

bool plain_stream_was_sound(const plain_client *client) {
	return streams.of[client->index].was_sound;
}

/* --- data that the server has not read --- */

static plain_command command_at(const stream *self, size_t at) {
	mcp_bytes rest = mcp_bytes_of(self->requests + at, self->sent - at);
	return plain_text_read(rest, self->client);
}

static plain_command next_command(const stream *self) {
	return command_at(self, self->read);
}

static unsigned count_commands(const stream *self) {
	unsigned count = 0;
	size_t length;
	for (size_t at = self->read; (length = command_at(self, at).length) > 0; at += length) {
		count++;
	}
	return count;
}

static void carry_out_one(stream *self) {
	plain_command command = next_command(self);
	plain_text_carry_out(streams.world, &command, &self->answer);
	self->read += command.length;
}

static void carry_out(stream *self, unsigned count) {
	for (unsigned i = 0; i < count; i++) {
		carry_out_one(self);
	}
}

static void delay_one(stream *self) {
	plain_world *world = streams.world;
	plain_command command = next_command(self);
	if (command.is_write && world->late_count < PLAIN_LATE_MAX) {
		world->late[world->late_count++] = command.request;
	}
	self->read += command.length;
}

/* Breaks the connection. This number of unread commands is executed late, the others never. */
static void break_off(stream *self, unsigned late) {
	for (unsigned i = 0; i < late; i++) {
		delay_one(self);
	}
	plain_trace(streams.world, "client %u: its connection breaks, %u of %u commands come late",
		self->client->index, late, late + count_commands(self));
	self->read = self->sent;
	self->delivered = self->answer.length;
	self->is_broken = true;
	self->was_sound = false;
}

static void break_anywhere(stream *self) {
	break_off(self, sim_choose(streams.world->choices, count_commands(self) + 1));
}

/* --- actions of a client --- */

/* Never continues. */
static void die(stream *self) {
	plain_trace(streams.world, "client %u is killed", self->client->index);
	break_anywhere(self);
	self->client->is_dead = true;
	self->client->phase = PLAIN_IDLE;
	for (;;) {
		sim_fiber_give_way();
	}
}

static sim_fault_kind await_turn(stream *self, bool is_write) {
	plain_client *client = self->client;
	if (streams.world->is_quiet) {
		return SIM_SOUND;
	}
	client->verb = is_write ? MCP_OP_SET : MCP_OP_GET;
	client->phase = PLAIN_CALLING;
	sim_fiber_give_way();
	return client->fault;
}

static void stand_still(stream *self) {
	const plain_family *family = streams.world->family;
	uint32_t duration_ms = family->jumps_ms[sim_choose(streams.world->choices, family->jump_count)];
	plain_trace(streams.world, "client %u stands still for %u ms", self->client->index,
		duration_ms);
	plain_pass(streams.world, duration_ms);
	self->was_sound = false;
}

/* True if the connected server was restarted, which loses everything in progress. */
static bool has_lost_server(stream *self) {
	if (!self->is_broken && self->generation != streams.world->generation) {
		break_off(self, 0);
	}
	return self->is_broken;
}

mcp_socket_outcome mcp_socket_connect(mcp_socket *socket, const mcp_socket_address *address,
	mcp_deadline *deadline, uint32_t answer_timeout_ms) {
	stream *self = &streams.of[address->host[0] - '0'];
	sim_fault_kind fault = await_turn(self, false);
	if (fault == SIM_KILL_AFTER) {
		die(self);
	}
	if (fault == SIM_REFUSE || fault == SIM_LOSE_REPLY) {
		plain_trace(streams.world, "client %u cannot connect", self->client->index);
		self->was_sound = false;
		socket->error = ECONNREFUSED;
		return fault == SIM_REFUSE ? MCP_SOCKET_BROKEN : MCP_SOCKET_LATE;
	}
	if (fault == SIM_STOP_AFTER) {
		stand_still(self);
	}
	self->is_broken = false;
	self->generation = streams.world->generation;
	self->sent = self->read = self->delivered = self->answer.length = 0;
	socket->descriptor = (int)self->client->index;
	socket->is_local = streams.are_local;
	return MCP_SOCKET_DONE;
}

/* Drops data that was read, and moves the rest to the front. */
static void make_room(stream *self) {
	if (self->read == self->sent) {
		self->read = self->sent = 0;
	}
	if (self->delivered == self->answer.length) {
		self->delivered = self->answer.length = 0;
	}
}

static void append(stream *self, const mcp_bytes *pieces, size_t count) {
	for (size_t i = 0; i < count; i++) {
		if (self->sent + pieces[i].length > REQUESTS_MAX) {
			abort();
		}
		if (pieces[i].length > 0) {
			memcpy(self->requests + self->sent, pieces[i].data, pieces[i].length);
			self->sent += pieces[i].length;
		}
	}
}

static mcp_socket_outcome fail_to_send(mcp_socket *socket, bool took_nothing) {
	socket->took_nothing = took_nothing;
	socket->error = EPIPE;
	return MCP_SOCKET_BROKEN;
}

/* Keeps this number of whole commands, and half of the next one. */
static void keep_beginning(stream *self, unsigned count) {
	size_t at = self->read;
	for (unsigned i = 0; i < count; i++) {
		at += command_at(self, at).length;
	}
	self->sent = at + command_at(self, at).length / 2;
}

static mcp_socket_outcome fail_within(mcp_socket *socket, sim_fault_kind fault) {
	stream *self = of(socket);
	unsigned whole = sim_choose(streams.world->choices, count_commands(self));
	keep_beginning(self, whole);
	if (fault == SIM_LOSE_REPLY) {
		carry_out(self, whole);
		whole = 0;
	}
	break_off(self, whole);
	return fail_to_send(socket, false);
}

/* A write's outcome must not become unknown without need: a connection that ended while idle was checked before the
 * write (C13). */
static void check_look(const stream *self) {
	if (!streams.are_local && !self->was_looked_at && next_command(self).is_write) {
		plain_fail(streams.world, "C13",
			"client %u writes without a look over a connection that has ended",
			self->client->index);
	}
}

/* Sends on a closed connection: a unix socket fails, TCP appears to succeed. */
static mcp_socket_outcome send_to_nobody(mcp_socket *socket) {
	stream *self = of(socket);
	self->read = self->sent;
	if (socket->is_local) {
		return fail_to_send(socket, true);
	}
	socket->took_nothing = false;
	return MCP_SOCKET_DONE;
}

/* Passes on the part of the data that the fault permits. */
static mcp_socket_outcome pass_on(mcp_socket *socket, sim_fault_kind fault) {
	stream *self = of(socket);
	switch (fault) {
		case SIM_LOSE_REQUEST:
			break_off(self, 0);
			return fail_to_send(socket, true);
		case SIM_LOSE_REPLY:
		case SIM_DELAY_REQUEST:
			return fail_within(socket, fault);
		case SIM_REFUSE:
			break_off(self, 0);
			return send_to_nobody(socket);
		case SIM_STOP_AFTER:
			stand_still(self);
			break;
		default:
			break;
	}
	socket->took_nothing = false;
	return MCP_SOCKET_DONE;
}

mcp_socket_outcome mcp_socket_send(mcp_socket *socket, const mcp_bytes *pieces, size_t count,
	mcp_deadline *deadline) {
	stream *self = of(socket);
	make_room(self);
	append(self, pieces, count);
	bool had_lost_server = self->generation != streams.world->generation;
	if (had_lost_server) {
		check_look(self);
	}
	self->was_looked_at = false;
	sim_fault_kind fault = next_command(self).is_write ? await_turn(self, true) : SIM_SOUND;
	if (fault == SIM_KILL_BEFORE) {
		self->sent = self->read;
	}
	if (fault == SIM_KILL_BEFORE || fault == SIM_KILL_AFTER) {
		die(self);
	}
	return has_lost_server(self) ? send_to_nobody(socket) : pass_on(socket, fault);
}

size_t mcp_socket_try_to_send(mcp_socket *socket, mcp_bytes bytes) {
	stream *self = of(socket);
	mcp_deadline none = {.timeout_ms = 0};
	make_room(self);
	size_t before = self->sent;
	if (mcp_socket_send(socket, &bytes, 1, &none) == MCP_SOCKET_DONE) {
		return bytes.length;
	}
	return socket->took_nothing ? 0 : self->sent - before;
}

/* Fails with "nothing was done". The connection stays open. */
static void refuse(stream *self, const plain_command *command) {
	self->was_sound = false;
	if (!command->is_write) {
		break_off(self, 0);
		return;
	}
	plain_trace(streams.world, "client %u: a write of %.*s is refused", self->client->index,
		(int)command->request.name_length, command->request.name);
	plain_text_add(&self->answer, "SERVER_ERROR out of memory storing object\r\n");
	self->read += command->length;
}

/* Serves the next command, or all, depending on the fault. */
static void serve(stream *self, sim_fault_kind fault) {
	sim_choices *choices = streams.world->choices;
	plain_command next = next_command(self);
	switch (fault) {
		case SIM_KILL_BEFORE:
			die(self);
			break;
		case SIM_KILL_AFTER:
			carry_out(self, 1 + sim_choose(choices, count_commands(self)));
			die(self);
			break;
		case SIM_LOSE_REQUEST:
			break_off(self, 0);
			break;
		case SIM_DELAY_REQUEST:
			break_off(self, 1 + sim_choose(choices, count_commands(self)));
			break;
		case SIM_LOSE_REPLY:
			carry_out(self, 1 + sim_choose(choices, count_commands(self)));
			break_off(self, 0);
			break;
		case SIM_REFUSE:
			refuse(self, &next);
			break;
		case SIM_STOP_AFTER:
			carry_out_one(self);
			stand_still(self);
			break;
		default:
			carry_out_one(self);
			break;
	}
}

/* With a seed, delivers a part of the data, which can end within a line. */
static size_t deliver(stream *self, char *into, size_t room) {
	sim_choices *choices = streams.world->choices;
	size_t length = self->answer.length - self->delivered;
	length = length < room ? length : room;
	if (!choices->is_search && sim_chance(choices, 20)) {
		length = 1 + sim_choose(choices, (unsigned)length);
	}
	memcpy(into, self->answer.bytes + self->delivered, length);
	self->delivered += length;
	return length;
}

/* Replies come one by one, or with a seed several at once. */
static bool has_more_to_come(const stream *self) {
	sim_choices *choices = streams.world->choices;
	return !choices->is_search && next_command(self).length > 0 && sim_chance(choices, 40);
}

mcp_socket_outcome mcp_socket_receive(mcp_socket *socket, char *into, size_t room,
	mcp_deadline *deadline, size_t *received) {
	stream *self = of(socket);
	*received = 0;
	for (bool was_served = false;; was_served = true) {
		bool has_answer = self->delivered < self->answer.length;
		if (has_answer && !(was_served && has_more_to_come(self))) {
			*received = deliver(self, into, room);
			return MCP_SOCKET_DONE;
		}
		if (has_lost_server(self)) {
			socket->error = 0;
			return MCP_SOCKET_BROKEN;
		}
		if (mcp_deadline_left_ms(deadline) == 0) {
			return MCP_SOCKET_LATE;
		}
		plain_command next = next_command(self);
		if (next.length == 0) {
			plain_fail(streams.world, "liveness", "client %u waits for an answer to nothing",
				self->client->index);
			return MCP_SOCKET_LATE;
		}
		sim_fault_kind fault = await_turn(self, next.is_write);
		if (!has_lost_server(self)) {
			serve(self, fault);
		}
	}
}

/* True for a while after the end of a connection, because the end is in transit. */
bool mcp_socket_is_silent(mcp_socket *socket) {
	stream *self = of(socket);
	self->was_looked_at = true;
	if (!has_lost_server(self)) {
		return true;
	}
	return !streams.world->is_quiet && sim_chance(streams.world->choices, 50);
}

/* Finds no data, because no server sends data without a request. */
mcp_socket_outcome mcp_socket_try_to_receive(mcp_socket *socket, char *into, size_t room,
	size_t *received) {
	*received = 0;
	socket->error = 0;
	return MCP_SOCKET_BROKEN;
}

/* Data that was sent can still be in transit. */
void mcp_socket_close(mcp_socket *socket) {
	if (!mcp_socket_is_open(socket)) {
		return;
	}
	stream *self = of(socket);
	if (!self->is_broken && streams.world->is_quiet) {
		break_off(self, 0);
	} else if (!self->is_broken) {
		break_anywhere(self);
	}
	socket->descriptor = -1;
}
