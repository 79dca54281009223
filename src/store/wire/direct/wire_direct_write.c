/* Inquiry about meta commands, and single writes of the direct wire.
 * The inquiry sends 3 requests without side effects: "mn" (are meta commands known?), "version" and "stats
 * settings". A proxy's reply does not count: the server behind it can restart, with new CAS values, while the
 * connection stays open. */
/* SPDX-License-Identifier: MIT */
#include "wire_direct_line.h"

#include "../../../core/compiler.h"

#define QUESTION "mn\r\nversion\r\nstats settings\r\n"
/* memcached's settings have 3,000 bytes. */
#define SETTINGS_MAX ((size_t)64 * 1024)

/* First tested version with meta commands. Older versions return some wrong CAS values (release notes). */
static const uint64_t version_min[] = {1, 6, 13};
#define VERSION_PARTS (sizeof(version_min) / sizeof(*version_min))

/* Results of the inquiry so far. */
typedef struct introduction {
	bool knows_meta, is_recent, gives_cas, is_proxy;
	size_t heard; /* bytes of settings received */
} introduction;

/* Accepts suffixes, as in "1.6.18-beta". */
static bool is_recent(mcp_bytes version) {
	const char *at = version.data;
	const char *end = version.data + version.length;
	for (size_t i = 0; i < VERSION_PARTS; i++) {
		uint64_t part;
		const char *next = mcp_decimal_scan_u64(at, end, &part);
		if (next == at || part != version_min[i]) {
			return next != at && part > version_min[i];
		}
		at = next < end && *next == '.' ? next + 1 : next;
	}
	return true;
}

static void note_setting(introduction *of, const mcp_answer *answer) {
	bool is_yes = mcp_bytes_are(answer->value, "yes");
	of->gives_cas |= is_yes && mcp_bytes_are(answer->key, "cas_enabled");
	of->is_proxy |= is_yes && mcp_bytes_are(answer->key, "proxy_enabled");
	of->heard += answer->length;
}

/* Requires a reply of this kind, or an error; *is_it: it is of this kind. */
static mcp_status expect(mcp_direct *self, mcp_answer_kind kind, mcp_answer *answer, bool *is_it) {
	mcp_status status = mcp_direct_hear(self, &self->lines, false, answer);
	if (status != MCP_OK) {
		return status;
	}
	*is_it = answer->kind == kind;
	return *is_it || mcp_direct_is_refusal(answer) ? MCP_OK : mcp_direct_turn_down(self, answer);
}

static mcp_status hear_settings(mcp_direct *self, introduction *of) {
	mcp_answer answer;
	mcp_status status;
	while ((status = mcp_direct_hear(self, &self->lines, false, &answer)) == MCP_OK &&
		answer.kind == MCP_ANSWER_STATISTIC && of->heard <= SETTINGS_MAX) {
		note_setting(of, &answer);
	}
	if (status != MCP_OK) {
		return status;
	}
	bool is_it = answer.kind == MCP_ANSWER_END || mcp_direct_is_refusal(&answer);
	return is_it ? mcp_direct_finish(self, &self->lines, &answer)
				 : mcp_direct_turn_down(self, &answer);
}

/* A server that requires a password replies so, and reads no further request. */
static inline bool is_locked_out(const mcp_answer *answer) {
	return mcp_bytes_are(answer->line, "CLIENT_ERROR unauthenticated");
}

static mcp_status hear_all(mcp_direct *self, introduction *of) {
	mcp_answer answer;
	mcp_status status = expect(self, MCP_ANSWER_NO_OPERATION, &answer, &of->knows_meta);
	if (status == MCP_OK) {
		status = is_locked_out(&answer) ? mcp_direct_turn_down(self, &answer)
										: expect(self, MCP_ANSWER_VERSION, &answer, &of->is_recent);
	}
	if (status != MCP_OK) {
		return status;
	}
	of->is_recent = of->is_recent && is_recent(answer.value);
	return hear_settings(self, of);
}

mcp_status mcp_direct_learn(mcp_wire *base) {
	mcp_direct *self = mcp_direct_of(base);
	introduction of = {.heard = 0};
	mcp_bytes question = mcp_bytes_of(QUESTION, sizeof(QUESTION) - 1);
	if (mcp_direct_has_ended(self)) {
		return MCP_UNSUPPORTED;
	}
	mcp_status status = mcp_direct_send(self, &self->lines, &question, 1);
	if (status == MCP_OK) {
		status = hear_all(self, &of);
	}
	if (status != MCP_OK) {
		self->questions_lost += status == MCP_BROKEN || mcp_status_is_useless(status);
		self->base.has_learnt = self->questions_lost >= MCP_DIRECT_QUESTIONS_MAX;
		return status == MCP_REFUSED ? MCP_PROTOCOL : status;
	}
	self->questions_lost = 0;
	self->base.has_learnt = true;
	self->base.knows_meta = of.knows_meta && of.is_recent && of.gives_cas && !of.is_proxy;
	if (self->base.knows_meta) {
		self->last_connection = mcp_proof_name_connection(self->last_connection, self->environment);
		self->connection = self->last_connection;
	}
	return MCP_OK;
}

#define LEFT "HD t"
#define LEFT_LENGTH (sizeof(LEFT) - 1)

/* Parses "HD t59", or "HD t-1" for an item that never expires. memcached's TTLs fit 32 bits. */
static bool read_left(const mcp_answer *answer, uint64_t *seconds) {
	mcp_bytes line = answer->line;
	if (line.length <= LEFT_LENGTH || memcmp(line.data, LEFT, LEFT_LENGTH) != 0) {
		return false;
	}
	mcp_bytes left = mcp_bytes_of(line.data + LEFT_LENGTH, line.length - LEFT_LENGTH);
	if (mcp_bytes_are(left, "-1")) {
		*seconds = MCP_WIRE_NO_END;
		return true;
	}
	return mcp_decimal_parse_u64(left, seconds) && *seconds <= UINT32_MAX;
}

/* A server that does not know the command replies "ERROR", and the connection stays open. */
static mcp_status take_left(mcp_direct *self, const mcp_answer *answer, uint64_t *seconds) {
	bool is_unknown = answer->kind == MCP_ANSWER_ERROR;
	bool is_answer = is_unknown || answer->kind == MCP_ANSWER_MISS || read_left(answer, seconds);
	mcp_status status = is_answer ? mcp_direct_finish(self, &self->lines, answer)
								  : mcp_direct_turn_down(self, answer);
	if (status != MCP_OK) {
		return status;
	}
	self->base.knows_meta = self->base.knows_meta && !is_unknown;
	return is_unknown ? MCP_UNSUPPORTED : answer->kind == MCP_ANSWER_MISS ? MCP_NOT_FOUND : MCP_OK;
}

mcp_status mcp_direct_seconds_left(mcp_wire *base, mcp_bytes key, uint64_t *seconds) {
	mcp_direct *self = mcp_direct_of(base);
	if (!self->base.knows_meta) {
		return MCP_UNSUPPORTED;
	}
	mcp_request request;
	mcp_answer answer;
	mcp_request_begin(&request, "mg ", key);
	mcp_request_add(&request, " t", 2);
	mcp_status status = mcp_direct_send_line(self, &self->lines, &request);
	if (status == MCP_OK) {
		status = mcp_direct_hear(self, &self->lines, false, &answer);
	}
	return status == MCP_OK ? take_left(self, &answer, seconds) : status;
}

uint64_t mcp_direct_connection(const mcp_wire *base) {
	return ((const mcp_direct *)base)->connection;
}

/* Writes use text commands. A read follows if a proof is wanted; only a delete with a CAS value is a meta command. */

bool mcp_direct_is_too_large(const mcp_answer *answer) {
	return mcp_bytes_are(answer->value, "object too large for cache");
}

mcp_status mcp_direct_status_of(mcp_direct *self, const mcp_answer *answer, mcp_answer_kind done) {
	if (answer->kind == done) {
		return MCP_OK;
	}
	switch (answer->kind) {
		case MCP_ANSWER_NOT_FOUND:
			return MCP_NOT_FOUND;
		case MCP_ANSWER_NOT_STORED:
			return MCP_NOT_STORED;
		case MCP_ANSWER_EXISTS:
			return MCP_EXISTS;
		case MCP_ANSWER_CLIENT_ERROR:
			/* A well-formed request has only one other client error: the value is not a number. */
			return done == MCP_ANSWER_NUMBER && !is_locked_out(answer)
				? MCP_NOT_A_NUMBER
				: mcp_direct_turn_down(self, answer);
		case MCP_ANSWER_SERVER_ERROR:
			return mcp_direct_is_too_large(answer) ? MCP_TOO_LARGE
												   : mcp_direct_turn_down(self, answer);
		default:
			return mcp_direct_turn_down(self, answer);
	}
}

#define HOPE(line, kind) \
	{ line, sizeof(line) - 1, kind }

const mcp_direct_hope mcp_direct_hopes[] = {
	[MCP_OP_ADD] = HOPE("STORED\r\n", MCP_ANSWER_STORED),
	[MCP_OP_SET] = HOPE("STORED\r\n", MCP_ANSWER_STORED),
	[MCP_OP_CAS] = HOPE("STORED\r\n", MCP_ANSWER_STORED),
	[MCP_OP_APPEND] = HOPE("STORED\r\n", MCP_ANSWER_STORED),
	[MCP_OP_DELETE] = HOPE("DELETED\r\n", MCP_ANSWER_DELETED),
	[MCP_OP_DELETE_IF] = HOPE("HD\r\n", MCP_ANSWER_STORED), /* a cas is also possible */
	[MCP_OP_INCREMENT] = HOPE("", MCP_ANSWER_NUMBER),
	[MCP_OP_DECREMENT] = HOPE("", MCP_ANSWER_NUMBER),
	[MCP_OP_TOUCH] = HOPE("TOUCHED\r\n", MCP_ANSWER_TOUCHED),
	[MCP_OP_FLUSH] = HOPE("OK\r\n", MCP_ANSWER_OK),
};

static mcp_status finish_by_parsing(mcp_direct *self, const mcp_direct_hope *done) {
	mcp_answer answer;
	mcp_status status = mcp_direct_hear_only(self, MCP_OK, &answer);
	return status == MCP_OK ? mcp_direct_status_of(self, &answer, done->kind) : status;
}

/* Fast path: compare with the usual reply. Any other reply is parsed. */
static mcp_status finish_write_line(mcp_direct *self, mcp_status sent,
	const mcp_direct_hope *done) {
	mcp_status status = sent == MCP_OK ? mcp_direct_await(self, &self->outcomes) : sent;
	if (status != MCP_OK || mcp_inbox_take(&self->outcomes, done->line, done->length, true)) {
		return status;
	}
	return finish_by_parsing(self, done);
}

static size_t size_of(const mcp_record *record) {
	return record->head.length + record->body.length;
}

/* Request with a value. Up to this size, a copy into one piece is cheaper than gathering by the system. */
#define COPIED_MAX 2048
#define VERB_MAX 8
#define LINE_END 2

typedef struct store_request {
	size_t length;
	mcp_bytes key_and_flags, size; /* parts of the line, each with its leading space */
	mcp_bytes value;               /* value with its line end, if it was copied; otherwise empty */
	char text[COPIED_MAX];
} store_request;

static inline void add_bytes(store_request *request, mcp_bytes bytes) {
	if (bytes.length > 0) {
		memcpy(request->text + request->length, bytes.data, bytes.length);
		request->length += bytes.length;
	}
}

static inline mcp_bytes since(const store_request *request, const char *start) {
	return mcp_bytes_of(start, (size_t)(request->text + request->length - start));
}

static inline void add_number(store_request *request, uint64_t number) {
	request->text[request->length++] = ' ';
	request->length += mcp_decimal_format_u64(number, request->text + request->length);
}

static inline void add_expiry(store_request *request, int64_t expiry) {
	request->text[request->length++] = ' ';
	request->length += mcp_decimal_format_i64(expiry, request->text + request->length);
}

static inline void add_line_end(store_request *request) {
	memcpy(request->text + request->length, "\r\n", 2);
	request->length += 2;
}

static void ask_to_store(store_request *request, const mcp_op *op, const mcp_record *record,
	int64_t expiry) {
	static const struct {
		char text[VERB_MAX + 1];
		uint8_t length;
	} verbs[] = {
		[MCP_OP_ADD] = {"add ", 4},
		[MCP_OP_SET] = {"set ", 4},
		[MCP_OP_CAS] = {"cas ", 4},
		[MCP_OP_PREPEND] = {"prepend ", 8},
		[MCP_OP_APPEND] = {"append ", 7},
		[MCP_OP_DELETE_IF] = {"cas ", 4},
	};
	memcpy(request->text, verbs[op->verb].text, VERB_MAX);
	request->length = verbs[op->verb].length;
	request->value = mcp_bytes_none();
	const char *key = request->text + request->length - 1;
	mcp_words_copy(request->text + request->length, op->key->wire.data, op->key->wire.length);
	request->length += op->key->wire.length;
	add_number(request, record->flags);
	request->key_and_flags = since(request, key);
	add_expiry(request, expiry);
	const char *size = request->text + request->length;
	add_number(request, size_of(record));
	request->size = since(request, size);
	if (mcp_op_compares(op)) {
		add_number(request, op->expects.cas);
	}
	add_line_end(request);
}

/* True if the value and the read after it are sent together. */
static bool leaves_together(const mcp_direct *self, const store_request *request,
	const mcp_record *record, mcp_bytes end) {
	return self->carrier.operations->is_plain ||
		request->length + size_of(record) + end.length <= MCP_DIRECT_GROUP_MAX;
}

/* Sends the value from its memory. */
static mcp_status send_pieces(mcp_direct *self, const store_request *request,
	const mcp_record *record, mcp_bytes end) {
	size_t first = leaves_together(self, request, record, end) ? end.length : LINE_END;
	mcp_bytes pieces[] = {
		mcp_bytes_of(request->text, request->length),
		record->head,
		record->body,
		mcp_bytes_of(end.data, first),
	};
	mcp_bytes behind = mcp_bytes_of(end.data + first, end.length - first);
	mcp_status status = mcp_direct_send(self, &self->outcomes, pieces, 4);
	return status == MCP_OK && behind.length > 0 ? mcp_direct_send_on(self, &behind, 1) : status;
}

/* `end`: the value's line end, and the read after it. */
MCP_INLINED mcp_status send_item(mcp_direct *self, store_request *request, const mcp_record *record,
	mcp_bytes end) {
	size_t room = sizeof(request->text) - request->length - end.length;
	if (record->body.length <= room && record->head.length <= room - record->body.length) {
		const char *value = request->text + request->length;
		add_bytes(request, record->head);
		add_bytes(request, record->body);
		mcp_words_copy(request->text + request->length, end.data, end.length);
		request->length += end.length;
		request->value = mcp_bytes_of(value, size_of(record) + 2);
		return mcp_direct_send_one(self, &self->outcomes,
			mcp_bytes_of(request->text, request->length));
	}
	return send_pieces(self, request, record, end);
}

static mcp_status store_unproven(mcp_direct *self, const mcp_op *op, const mcp_record *record) {
	store_request request;
	ask_to_store(&request, op, record, mcp_wire_expiry(op, self->environment));
	return finish_write_line(self, send_item(self, &request, record, mcp_bytes_of("\r\n", 2)),
		&mcp_direct_hopes[MCP_OP_SET]);
}

/* Skips the expected bytes. False: other bytes have arrived. */
static inline bool skip(const char **at, const char *end, mcp_bytes expected) {
	bool is_there = (size_t)(end - *at) >= expected.length &&
		mcp_words_equal(*at, expected.data, expected.length);
	*at += is_there ? expected.length : 0;
	return is_there;
}

/* A library's memcmp is faster for long values only. */
static inline bool skip_long(const char **at, const char *end, mcp_bytes expected) {
	bool is_there =
		(size_t)(end - *at) >= expected.length && memcmp(*at, expected.data, expected.length) == 0;
	*at += is_there ? expected.length : 0;
	return is_there;
}

#define SKIP_TEXT(at, end, text) skip(at, end, mcp_bytes_of(text, sizeof(text) - 1))

static inline bool skip_value(const char **at, const char *end, const store_request *request,
	const mcp_record *record) {
	if (request->value.length > 0) {
		return skip_long(at, end, request->value);
	}
	return skip(at, end, record->head) && skip_long(at, end, record->body) &&
		SKIP_TEXT(at, end, "\r\n");
}

/* Fast path: the write succeeded, and the stored item is what was written, byte for byte. */
static bool take_stored_item(mcp_inbox *inbox, const store_request *request,
	const mcp_record *record, uint64_t *cas) {
	mcp_bytes arrived = mcp_inbox_unread(inbox);
	const char *at = arrived.data;
	const char *end = arrived.data + arrived.length;
	if (!SKIP_TEXT(&at, end, "STORED\r\nVALUE") || !skip(&at, end, request->key_and_flags) ||
		!skip(&at, end, request->size) || !SKIP_TEXT(&at, end, " ")) {
		return false;
	}
	const char *digits = at;
	at = mcp_decimal_scan_u64(at, end, cas);
	if (at == digits || !SKIP_TEXT(&at, end, "\r\n") || !skip_value(&at, end, request, record) ||
		!SKIP_TEXT(&at, end, "END\r\n") || at != end) {
		return false;
	}
	inbox->read = inbox->bytes.length;
	return true;
}

/* Reads the item, if it exists, and the end of the reply. */
static mcp_status hear_stored_item(mcp_direct *self, const mcp_op *op, bool is_last,
	mcp_proof *proof) {
	mcp_answer answer;
	mcp_status status = mcp_direct_hear(self, &self->outcomes, false, &answer);
	if (status == MCP_OK && answer.kind == MCP_ANSWER_VALUE &&
		mcp_bytes_equal(answer.key, op->key->wire)) {
		if (mcp_item_is(&(mcp_item){.value = answer.value, .flags = answer.flags}, op->record)) {
			*proof = (mcp_proof){answer.cas, self->connection};
		}
		status = mcp_direct_hear(self, &self->outcomes, false, &answer);
	}
	if (status == MCP_OK && answer.kind != MCP_ANSWER_END) {
		return mcp_direct_turn_down(self, &answer);
	}
	return status == MCP_OK && is_last ? mcp_direct_finish(self, &self->outcomes, &answer) : status;
}

mcp_status mcp_direct_read_back(mcp_direct *self, const mcp_op *op, bool was_done, bool is_last) {
	mcp_proof proof = {.cas = 0};
	mcp_status status = hear_stored_item(self, op, is_last, &proof);
	if (status == MCP_OK && was_done) {
		*op->record->proof = proof;
	}
	return status == MCP_REFUSED ? MCP_PROTOCOL : status;
}

static mcp_status read_stored_item(mcp_direct *self, const mcp_op *op) {
	mcp_answer answer;
	mcp_status status = mcp_direct_hear(self, &self->outcomes, false, &answer);
	if (status != MCP_OK) {
		return status;
	}
	mcp_status outcome = mcp_direct_status_of(self, &answer, MCP_ANSWER_STORED);
	if (mcp_status_is_failure(outcome)) {
		return outcome;
	}
	status = mcp_direct_read_back(self, op, outcome == MCP_OK, true);
	return status == MCP_OK ? outcome : status;
}

/* Use text commands and a read. A meta set returns the CAS value itself. But if memcached is out of memory or the
 * item is too large, it then deletes the stored item, even for an add or a cas. A failed read closes the
 * connection, so the write counts as a write without a reply. */
static mcp_status store_proven(mcp_direct *self, const mcp_op *op) {
	store_request request;
	mcp_request look;
	uint64_t cas;
	ask_to_store(&request, op, op->record, mcp_wire_expiry(op, self->environment));
	mcp_request_begin(&look, "\r\ngets ", op->key->wire);
	mcp_status status = send_item(self, &request, op->record, mcp_request_end(&look));
	if (status == MCP_OK) {
		status = mcp_direct_await(self, &self->outcomes);
	}
	if (status != MCP_OK) {
		return status;
	}
	if (take_stored_item(&self->outcomes, &request, op->record, &cas)) {
		*op->record->proof = (mcp_proof){cas, self->connection};
		return MCP_OK;
	}
	return read_stored_item(self, op);
}

static mcp_status store(mcp_direct *self, const mcp_op *op) {
	const mcp_record *record = mcp_wire_record(op);
	bool is_bound = op->expects.connection != 0;
	mcp_status status = mcp_direct_check_line(self);
	if (status != MCP_OK || (is_bound && op->expects.connection != self->connection)) {
		return MCP_UNSUPPORTED;
	}
	bool proves = record->proof != NULL && self->base.knows_meta && op->verb <= MCP_OP_CAS;
	return proves ? store_proven(self, op) : store_unproven(self, op, record);
}

/* Fast path for a number. */
static bool take_number(mcp_inbox *inbox, uint64_t *number) {
	mcp_bytes arrived = mcp_inbox_unread(inbox);
	const char *end = arrived.data + arrived.length;
	const char *at = mcp_decimal_scan_u64(arrived.data, end, number);
	bool is_all = at != arrived.data && end - at == 2 && memcmp(at, "\r\n", 2) == 0;
	inbox->read += is_all ? arrived.length : 0;
	return is_all;
}

static mcp_status read_calculated(mcp_direct *self, uint64_t *number) {
	mcp_answer answer;
	mcp_status status = mcp_direct_hear_only(self, MCP_OK, &answer);
	*number = answer.number;
	return status == MCP_OK ? mcp_direct_status_of(self, &answer, MCP_ANSWER_NUMBER) : status;
}

/* Inlined where the verb is a constant. */
MCP_INLINED void compose(const mcp_direct *self, mcp_op_verb verb, const mcp_op *op,
	mcp_request *line) {
	switch (verb) {
		case MCP_OP_DELETE:
			mcp_request_begin(line, "delete ", op->key->wire);
			break;
		case MCP_OP_DELETE_IF:
			mcp_request_begin(line, "md ", op->key->wire);
			mcp_request_add_u64(line, " C", op->expects.cas);
			break;
		case MCP_OP_INCREMENT:
			mcp_request_begin(line, "incr ", op->key->wire);
			mcp_request_add_u64(line, " ", op->by);
			break;
		case MCP_OP_DECREMENT:
			mcp_request_begin(line, "decr ", op->key->wire);
			mcp_request_add_u64(line, " ", op->by);
			break;
		case MCP_OP_TOUCH:
			mcp_request_begin(line, "touch ", op->key->wire);
			mcp_request_add_i64(line, " ", mcp_wire_expiry(op, self->environment));
			break;
		case MCP_OP_FLUSH:
			mcp_request_begin(line, "flush_all", mcp_bytes_of("", 0));
			break;
		case MCP_OP_GET_AND_TOUCH:
			mcp_request_begin(line, "gats ", mcp_bytes_of("", 0));
			mcp_request_add_i64(line, "", mcp_wire_expiry(op, self->environment));
			mcp_request_add(line, " ", 1);
			mcp_request_add(line, op->key->wire.data, op->key->wire.length);
			break;
		default:
			mcp_request_begin(line, "gets ", op->key->wire);
	}
}

void mcp_direct_compose(const mcp_direct *self, const mcp_op *op, mcp_request *line) {
	compose(self, op->verb, op, line);
}

MCP_INLINED mcp_status calculate(mcp_direct *self, mcp_op_verb verb, mcp_op *op) {
	mcp_request request;
	compose(self, verb, op, &request);
	mcp_status status = mcp_direct_write_line(self, &request);
	if (status == MCP_OK) {
		status = mcp_direct_await(self, &self->outcomes);
	}
	if (status != MCP_OK || take_number(&self->outcomes, &op->number)) {
		return status;
	}
	return read_calculated(self, &op->number);
}

MCP_INLINED mcp_status write_plain(mcp_direct *self, mcp_op_verb verb, const mcp_op *op) {
	mcp_request request;
	compose(self, verb, op, &request);
	return finish_write_line(self, mcp_direct_write_line(self, &request), &mcp_direct_hopes[verb]);
}

mcp_status mcp_direct_write(mcp_wire *base, mcp_op *op) {
	mcp_direct *self = mcp_direct_of(base);
	if (op->verb == MCP_OP_INCREMENT) {
		return calculate(self, MCP_OP_INCREMENT, op);
	}
	if (mcp_direct_sends_value(op)) {
		return store(self, op);
	}
	switch (op->verb) {
		case MCP_OP_DELETE:
			return write_plain(self, MCP_OP_DELETE, op);
		case MCP_OP_DECREMENT:
			return calculate(self, MCP_OP_DECREMENT, op);
		case MCP_OP_TOUCH:
			return write_plain(self, MCP_OP_TOUCH, op);
		case MCP_OP_FLUSH:
			return write_plain(self, MCP_OP_FLUSH, op);
		default:
			return mcp_proof_holds(&op->expects, self->connection)
				? write_plain(self, MCP_OP_DELETE_IF, op)
				: MCP_UNSUPPORTED;
	}
}
