/* Connection of the direct wire: requests, replies and authentication. After a failure, the connection is closed or
 * set aside, so that a late reply is never mistaken for another reply. */
/* SPDX-License-Identifier: MIT */
#include "wire_direct_line.h"

#include "../../../core/compiler.h"
#include "../../store.h"
#include "../address.h"

static bool grow_inbox(mcp_inbox *inbox, size_t needed);

/* Empties the inbox; frees a very large buffer. */
static inline void clear_inbox(mcp_inbox *inbox) {
	mcp_buffer_clear(&inbox->bytes);
	inbox->read = 0;
}

/* Receives more bytes of a reply with `needed` unread bytes in total. The bytes can move; earlier replies keep their
 * offset. False: memory exhausted. Otherwise, *outcome is the channel's outcome. */
static inline bool receive_more(mcp_inbox *inbox, size_t needed, const mcp_channel *carrier,
	mcp_deadline *deadline, mcp_socket_outcome *outcome) {
	mcp_buffer *bytes = &inbox->bytes;
	bool has_room = bytes->length == 0 && needed <= bytes->capacity && !inbox->was_filled;
	if (!has_room && !grow_inbox(inbox, needed)) {
		return false;
	}
	size_t room = bytes->capacity - bytes->length;
	size_t received;
	*outcome = mcp_channel_receive(carrier, bytes->data + bytes->length, room, deadline, &received);
	bytes->length += received;
	inbox->was_filled = received == room;
	return true;
}

/* Authenticates with a "set" whose exptime is -1: a server without authentication does not store the password. */

#define KEY "mcpatterns:auth"
#define TAKEN "STORED\r\n"
#define REFUSED "CLIENT_ERROR"
/* Longer than memcached's replies to this request. */
#define ANSWER_MAX 128

/* Reads a line that must be the only reply. *length 0: other bytes arrived. */
static mcp_socket_outcome hear_line(mcp_direct *wire, mcp_deadline *deadline,
	char answer[ANSWER_MAX], size_t *length) {
	size_t heard = 0;
	*length = 0;
	while (heard < ANSWER_MAX) {
		size_t received;
		mcp_socket_outcome outcome = mcp_channel_receive(&wire->carrier, answer + heard,
			ANSWER_MAX - heard, deadline, &received);
		if (outcome != MCP_SOCKET_DONE) {
			return outcome;
		}
		heard += received;
		const char *end = memchr(answer, '\n', heard);
		if (end != NULL) {
			*length = end == answer + heard - 1 ? heard : 0;
			return MCP_SOCKET_DONE;
		}
	}
	return MCP_SOCKET_DONE;
}

static bool begins_with(const char *answer, size_t length, const char *head) {
	return length >= strlen(head) && memcmp(answer, head, strlen(head)) == 0;
}

static bool is(const char *answer, size_t length, const char *line) {
	return length == strlen(line) && begins_with(answer, length, line);
}

/* Never quote the reply: it can repeat the password. */
static mcp_status refuse_password(mcp_direct *wire, const char *words) {
	mcp_reason_say(&wire->reason, words);
	return MCP_UNREACHABLE;
}

static mcp_status judge_authentication(mcp_direct *wire, const char *answer, size_t length) {
	if (is(answer, length, TAKEN)) {
		return MCP_OK;
	}
	if (is(answer, length, MCP_REASON_FULL_SERVER "\r\n")) {
		mcp_reason_say_answered(&wire->reason, "", mcp_bytes_of(answer, length), "");
		return MCP_UNREACHABLE;
	}
	return refuse_password(wire,
		begins_with(answer, length, REFUSED) ? "rejected the user or the password"
											 : "sent an invalid reply to the password");
}

static mcp_status fail_to_authenticate(mcp_direct *wire, mcp_socket_outcome outcome) {
	if (outcome == MCP_SOCKET_LATE) {
		mcp_reason_say_no_answer_within(&wire->reason, wire->timeout_ms);
	} else if (mcp_channel_words(&wire->carrier) != NULL) {
		mcp_reason_say(&wire->reason, mcp_channel_words(&wire->carrier));
	} else {
		mcp_reason_say_broken(&wire->reason, wire->carrier.socket->error);
	}
	return MCP_UNREACHABLE;
}

/* Authenticates a new connection, if there is a password. A failure counts as an unreachable server:
 * MCP_UNREACHABLE, the caller closes the connection, and the breaker opens.
 * The reason never contains the user, the password or the server's reply. */
static mcp_status authenticate(mcp_direct *wire) {
	mcp_request line;
	char answer[ANSWER_MAX];
	size_t length;
	mcp_request_begin(&line, "set ", mcp_bytes_of(KEY, sizeof(KEY) - 1));
	mcp_request_add_i64(&line, " 0 ", -1);
	mcp_request_add_u64(&line, " ", wire->secret.length);
	mcp_bytes pieces[] = {mcp_request_end(&line), wire->secret, mcp_bytes_of("\r\n", 2)};
	mcp_deadline deadline = mcp_deadline_begin(wire->environment, wire->timeout_ms);
	mcp_socket_outcome outcome =
		mcp_channel_send(&wire->carrier, pieces, sizeof(pieces) / sizeof(*pieces), &deadline);
	/* A server that has not taken any byte might have sent a reason. */
	if (outcome != MCP_SOCKET_LATE) {
		outcome = hear_line(wire, &deadline, answer, &length);
	}
	return outcome == MCP_SOCKET_DONE ? judge_authentication(wire, answer, length)
									  : fail_to_authenticate(wire, outcome);
}

/* Buffers grow with the received bytes, so that an announced length alone allocates little. */

/* Buffer size before the first large reply. */
#define ROOM_AT_FIRST ((size_t)16 * 1024)
/* With this size, 100 values of 1,000 bytes took 0.64 times as long as with 8 KiB buffers (measured). */
#define ROOM_FOR_MANY ((size_t)128 * 1024)
/* An announced value up to this size is allocated in one step. */
#define BELIEVED_MAX ((size_t)2 * 1024 * 1024)

/* Reuses the memory of the replies that were read. Invalidates views. */
static void forget_replies(mcp_inbox *inbox) {
	mcp_bytes rest = mcp_inbox_unread(inbox);
	if (rest.length > 0 && inbox->read > 0) {
		memmove(inbox->bytes.data, rest.data, rest.length);
	}
	inbox->bytes.length = rest.length;
	inbox->read = 0;
}

/* Reads the next reply. False: incomplete; `answer` then contains the required length. */
static bool read_reply(mcp_inbox *inbox, mcp_answer *answer) {
	mcp_answer_read(mcp_inbox_unread(inbox), answer);
	if (answer->kind == MCP_ANSWER_INCOMPLETE) {
		return false;
	}
	inbox->read += answer->length;
	return true;
}

/* Returns the number of free bytes that are wanted after the received bytes. */
static size_t size_wanted(const mcp_inbox *inbox, size_t needed) {
	const mcp_buffer *bytes = &inbox->bytes;
	size_t unread = bytes->length - inbox->read;
	size_t missing = needed > unread ? needed - unread : 1;
	size_t believed = bytes->length > BELIEVED_MAX ? bytes->length : BELIEVED_MAX;
	size_t room = missing < believed ? missing : believed;
	if (bytes->capacity < ROOM_AT_FIRST) {
		return room < ROOM_AT_FIRST - bytes->length ? ROOM_AT_FIRST - bytes->length : room;
	}
	bool is_small = inbox->was_filled && bytes->capacity < ROOM_FOR_MANY;
	size_t doubled = 2 * bytes->capacity - bytes->length;
	return is_small && room < doubled ? doubled : room;
}

/* Slow path of receive_more: grows the buffer. */
static bool grow_inbox(mcp_inbox *inbox, size_t needed) {
	return mcp_buffer_reserve(&inbox->bytes, size_wanted(inbox, needed));
}

void mcp_inbox_free(mcp_inbox *inbox) {
	mcp_buffer_free(&inbox->bytes);
}

/* Buffer size, longer than the error line that a server sends before it closes the connection. */
#define LAST_WORDS_MAX 256

/* Keeps the count of lost inquiries for later connections. */
void mcp_direct_hang_up(mcp_direct *wire) {
	mcp_channel_close(&wire->carrier);
	wire->connection = 0;
	wire->base.item_max = 0;
	wire->is_batch = false;
	wire->base.knows_meta = false;
	wire->base.has_learnt = wire->questions_lost >= MCP_DIRECT_QUESTIONS_MAX;
}

/* A request that had to connect began with the connect. */
static mcp_status fail_line(mcp_direct *wire, mcp_status status) {
	wire->base.now_ms = wire->is_new ? wire->base.now_ms : wire->deadline.began_ms;
	mcp_direct_hang_up(wire);
	return status;
}

mcp_status mcp_direct_turn_down(mcp_direct *wire, const mcp_answer *answer) {
	if (mcp_direct_is_refusal(answer)) {
		mcp_reason_say_answered(&wire->reason, "", answer->line, "");
		return fail_line(wire, MCP_REFUSED);
	}
	mcp_reason_say(&wire->reason, "sent an unexpected reply");
	return fail_line(wire, MCP_PROTOCOL);
}

/* Describes an invalid reply. MCP_UNREACHABLE: the server rejected a new connection and read nothing. */
static mcp_status judge_nonsense(mcp_direct *wire, const mcp_answer *answer) {
	bool is_full = wire->is_new && mcp_bytes_are(answer->line, MCP_REASON_FULL_SERVER);
	mcp_reason_say_answered(&wire->reason, "", answer->line,
		is_full ? "" : ", which is not the memcached protocol");
	return is_full ? MCP_UNREACHABLE : MCP_PROTOCOL;
}

/* Prefers the channel's description. */
static void say_broken(mcp_direct *wire, void (*say)(mcp_reason *reason, int error)) {
	const char *words = mcp_channel_words(&wire->carrier);
	if (words != NULL) {
		mcp_reason_say(&wire->reason, words);
	} else {
		say(&wire->reason, wire->carrier.socket->error);
	}
}

static mcp_status fail_to_connect(mcp_direct *wire, mcp_socket_outcome outcome) {
	switch (outcome) {
		case MCP_SOCKET_LATE:
			mcp_reason_say_no_connection_within(&wire->reason, wire->connect_timeout_ms);
			break;
		case MCP_SOCKET_NO_ADDRESS:
			mcp_reason_say(&wire->reason, "could not be reached: its host is unknown");
			break;
		default:
			say_broken(wire, mcp_reason_say_unreachable);
	}
	return MCP_UNREACHABLE;
}

/* Sets the connection aside. `is_open_ended`: the number of outstanding replies is unknown. Encrypted replies cannot
 * be read afterwards, so only the end of the connection counts. */
static void set_aside(mcp_direct *wire, bool is_open_ended) {
	char address[MCP_ADDRESS_MAX];
	if (wire->late == NULL) {
		return;
	}
	mcp_socket socket = mcp_channel_let_go(&wire->carrier);
	if (mcp_socket_is_open(&socket)) {
		mcp_address_write(address, wire->host, wire->port);
		mcp_late_writes_set_aside(wire->late, address, &socket,
			is_open_ended || !wire->carrier.operations->is_plain,
			mcp_monotonic_ms(wire->environment));
	}
}

/* Fails after the request has begun. */
static mcp_status fail_to_talk(mcp_direct *wire, mcp_socket_outcome outcome) {
	if (outcome == MCP_SOCKET_LATE) {
		mcp_reason_say_no_answer_within(&wire->reason, wire->timeout_ms);
		return fail_line(wire, MCP_TIMEOUT);
	}
	say_broken(wire, mcp_reason_say_broken);
	return fail_line(wire, MCP_BROKEN);
}

/* True if the inbox receives replies to writes, which are sent once. */
static bool is_write(const mcp_direct *wire, const mcp_inbox *inbox) {
	return inbox == &wire->outcomes || wire->is_batch;
}

/* Receives the bytes that the server sent before it closed the connection. Keeps the error of the send. */
static size_t take_last_words(mcp_direct *wire, char *into, size_t room) {
	mcp_socket *socket = wire->carrier.socket;
	size_t length = 0;
	if (wire->carrier.operations->is_plain) {
		int error = socket->error;
		mcp_socket_try_to_receive(socket, into, room, &length);
		socket->error = error;
	}
	return length;
}

/* Describes why the server closed the connection: a memcached without a free connection sends an error and reads
 * nothing. MCP_UNREACHABLE: this was the reason. Otherwise describes the failed send. */
static mcp_status say_last_words(mcp_direct *wire) {
	char words[LAST_WORDS_MAX];
	mcp_answer answer;
	size_t length = take_last_words(wire, words, sizeof(words));
	mcp_answer_read(mcp_bytes_of(words, length), &answer);
	if (answer.kind == MCP_ANSWER_NONSENSE) {
		return judge_nonsense(wire, &answer);
	}
	if (mcp_direct_is_refusal(&answer)) {
		mcp_reason_say_answered(&wire->reason, "", answer.line, "");
	} else {
		say_broken(wire, mcp_reason_say_broken);
	}
	return MCP_BROKEN;
}

/* The peer has not taken any byte, so the outcome of a write is certain. */
static mcp_status fail_untouched(mcp_direct *wire, bool was_write) {
	bool is_turned_away = say_last_words(wire) == MCP_UNREACHABLE;
	if (is_turned_away || (was_write && wire->is_new)) {
		return fail_line(wire, MCP_UNREACHABLE);
	}
	return fail_line(wire, was_write ? MCP_UNSUPPORTED : MCP_BROKEN);
}

/* The bytes that were taken can be a complete write. */
static mcp_status fail_to_send(mcp_direct *wire, const mcp_inbox *inbox,
	mcp_socket_outcome outcome) {
	bool took_nothing = mcp_channel_took_nothing(&wire->carrier);
	if (outcome == MCP_SOCKET_BROKEN && took_nothing) {
		return fail_untouched(wire, is_write(wire, inbox));
	}
	if (outcome == MCP_SOCKET_LATE && !took_nothing) {
		set_aside(wire, true);
	}
	return fail_to_talk(wire, outcome);
}

static mcp_status fail_to_receive(mcp_direct *wire, const mcp_inbox *inbox,
	mcp_socket_outcome outcome) {
	if (outcome == MCP_SOCKET_LATE && is_write(wire, inbox)) {
		set_aside(wire, wire->is_batch);
	}
	return fail_to_talk(wire, outcome);
}

/* If no descriptor is free, closes a connection that was set aside. */
static bool gets_a_descriptor(mcp_direct *wire) {
	return mcp_socket_lacks_descriptors(wire->carrier.socket) && wire->late != NULL &&
		mcp_late_writes_give_one_up(wire->late);
}

static mcp_status connect_now(mcp_direct *wire) {
	mcp_socket_address address = {wire->host, wire->port};
	mcp_deadline deadline = mcp_deadline_begin(wire->environment, wire->connect_timeout_ms);
	wire->base.now_ms = deadline.began_ms;
	mcp_socket_outcome outcome;
	do {
		outcome = mcp_channel_connect(&wire->carrier, &address, &deadline, wire->timeout_ms);
	} while (outcome == MCP_SOCKET_BROKEN && gets_a_descriptor(wire));
	if (outcome != MCP_SOCKET_DONE) {
		return fail_to_connect(wire, outcome);
	}
	mcp_status status = wire->secret.length > 0 ? authenticate(wire) : MCP_OK;
	return status == MCP_OK ? MCP_OK : fail_line(wire, status);
}

/* A new connection was not idle. */
static MCP_SELDOM mcp_status begin_anew(mcp_direct *wire) {
	wire->is_new = true;
	mcp_status status = connect_now(wire);
	mcp_deadline_begin_again(&wire->deadline);
	wire->base.idle_ms = 0;
	return status;
}

/* Connects if necessary and starts the deadline. */
static inline mcp_status begin_request(mcp_direct *wire) {
	if (!mcp_channel_is_open(&wire->carrier)) {
		return begin_anew(wire);
	}
	uint64_t before_ms = wire->deadline.began_ms;
	mcp_deadline_begin_again(&wire->deadline);
	wire->base.idle_ms = wire->deadline.began_ms - before_ms;
	wire->is_new = false;
	return MCP_OK;
}

bool mcp_direct_has_ended(mcp_direct *wire) {
	bool has = mcp_channel_is_open(&wire->carrier) && !mcp_channel_is_silent(&wire->carrier);
	if (has) {
		mcp_reason_say_broken(&wire->reason, 0);
		mcp_direct_hang_up(wire);
	}
	return has;
}

static mcp_status finish_sending(mcp_direct *wire, const mcp_inbox *inbox,
	mcp_socket_outcome outcome) {
	return outcome == MCP_SOCKET_DONE ? MCP_OK : fail_to_send(wire, inbox, outcome);
}

static mcp_status send_pieces(mcp_direct *wire, const mcp_inbox *inbox, const mcp_bytes *pieces,
	size_t count) {
	mcp_status status = begin_request(wire);
	if (status != MCP_OK) {
		return status;
	}
	return finish_sending(wire, inbox,
		mcp_channel_send(&wire->carrier, pieces, count, &wire->deadline));
}

mcp_status mcp_direct_send(mcp_direct *wire, mcp_inbox *inbox, const mcp_bytes *pieces,
	size_t count) {
	clear_inbox(inbox);
	return send_pieces(wire, inbox, pieces, count);
}

mcp_status mcp_direct_send_further(mcp_direct *wire, const mcp_bytes *pieces, size_t count) {
	return send_pieces(wire, &wire->items, pieces, count);
}

mcp_status mcp_direct_send_on(mcp_direct *wire, const mcp_bytes *pieces, size_t count) {
	mcp_socket_outcome outcome = mcp_channel_send(&wire->carrier, pieces, count, &wire->deadline);
	wire->carrier.socket->took_nothing = false;
	return finish_sending(wire, &wire->outcomes, outcome);
}

/* Sends the rest with the normal function, which also reports a failure. */
static MCP_SELDOM mcp_status send_rest(mcp_direct *wire, const mcp_inbox *inbox, mcp_bytes line,
	size_t sent) {
	mcp_bytes rest = mcp_bytes_of(line.data + sent, line.length - sent);
	mcp_socket_outcome outcome = mcp_channel_send(&wire->carrier, &rest, 1, &wire->deadline);
	wire->carrier.socket->took_nothing &= sent == 0;
	return finish_sending(wire, inbox, outcome);
}

mcp_status mcp_direct_send_one(mcp_direct *wire, mcp_inbox *inbox, mcp_bytes line) {
	clear_inbox(inbox);
	mcp_status status = begin_request(wire);
	if (status != MCP_OK) {
		return status;
	}
	size_t sent = mcp_channel_try_to_send(&wire->carrier, line);
	return sent == line.length ? MCP_OK : send_rest(wire, inbox, line, sent);
}

static mcp_status wait_for_more(mcp_direct *wire, mcp_inbox *inbox, size_t needed) {
	mcp_socket_outcome outcome;
	if (!receive_more(inbox, needed, &wire->carrier, &wire->deadline, &outcome)) {
		mcp_reason_say(&wire->reason, "announced more data than fits in memory");
		return fail_line(wire, MCP_PROTOCOL);
	}
	return outcome == MCP_SOCKET_DONE ? MCP_OK : fail_to_receive(wire, inbox, outcome);
}

mcp_status mcp_direct_await(mcp_direct *wire, mcp_inbox *inbox) {
	return wait_for_more(wire, inbox, 1);
}

/* Checks the size of a reply before memory for the reply is allocated. */
static bool is_too_large(const mcp_direct *wire, const mcp_inbox *inbox, size_t needed) {
	size_t unread = inbox->bytes.length - inbox->read;
	mcp_expected_answer answer = {
		.keys = wire->keys_asked,
		.item_max = wire->base.item_max,
		.next = needed,
		.whole = mcp_item_size_limit_sum(inbox->bytes.length, needed - unread),
	};
	return mcp_answer_is_too_large(wire->environment, &answer);
}

static mcp_status reject_size(mcp_direct *wire, size_t bytes) {
	mcp_reason_say_too_large(&wire->reason, bytes);
	return fail_line(wire, MCP_ANSWER_TOO_LARGE);
}

static mcp_status await_whole(mcp_direct *wire, mcp_inbox *inbox, bool keeps_views,
	mcp_answer *answer) {
	while (mcp_inbox_is_empty(inbox) || !read_reply(inbox, answer)) {
		size_t needed = mcp_inbox_is_empty(inbox) ? 1 : answer->length;
		if (!keeps_views) {
			forget_replies(inbox);
		}
		if (is_too_large(wire, inbox, needed)) {
			return reject_size(wire, needed);
		}
		mcp_status status = wait_for_more(wire, inbox, needed);
		if (status != MCP_OK) {
			return status;
		}
	}
	return MCP_OK;
}

mcp_status mcp_direct_hear(mcp_direct *wire, mcp_inbox *inbox, bool keeps_views,
	mcp_answer *answer) {
	mcp_status status = await_whole(wire, inbox, keeps_views, answer);
	if (status != MCP_OK || answer->kind != MCP_ANSWER_NONSENSE) {
		return status;
	}
	return fail_line(wire, judge_nonsense(wire, answer));
}

mcp_status mcp_direct_finish(mcp_direct *wire, const mcp_inbox *inbox, const mcp_answer *answer) {
	return mcp_inbox_is_empty(inbox) ? MCP_OK : mcp_direct_turn_down(wire, answer);
}

mcp_status mcp_direct_hear_only(mcp_direct *wire, mcp_status sent, mcp_answer *answer) {
	if (sent != MCP_OK) {
		return sent;
	}
	mcp_status status = mcp_direct_hear(wire, &wire->outcomes, true, answer);
	return status == MCP_OK ? mcp_direct_finish(wire, &wire->outcomes, answer) : status;
}

/* The table has the socket's own functions, without wrappers: nearly all bytes pass through these functions. */

static mcp_socket let_go(mcp_socket *socket) {
	mcp_socket bare = *socket;
	socket->descriptor = -1;
	return bare;
}

/* disown: closing the child's descriptor does not affect the connection. */
const mcp_channel_operations mcp_channel_socket = {
	.connect = mcp_socket_connect,
	.send = mcp_socket_send,
	.try_to_send = mcp_socket_try_to_send,
	.receive = mcp_socket_receive,
	.is_silent = mcp_socket_is_silent,
	.close = mcp_socket_close,
	.disown = mcp_socket_close,
	.let_go = let_go,
	.is_plain = true,
};
