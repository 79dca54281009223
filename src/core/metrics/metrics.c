/* Finds records by name, adds them up, resets them, and keeps the history and the table of rebuilds. */
/* SPDX-License-Identifier: MIT */
#include "metrics.h"

#include "../bytes.h"
#include "../utf8.h"
#include "../vendor/xxh64.h"

/* Rows of the tables in counts.h. */

#define ROW(symbol, name, own, kind, unit, help) \
	{MCP_COUNT_##symbol, name, own, MCP_COUNT_IS_##kind, unit, help},
#define LENGTH(rows) (sizeof(rows) / sizeof((rows)[0]))

static const mcp_count of_caches[] = {MCP_COUNTS_OF_HITS(ROW) MCP_COUNTS_OF_NEAR(ROW)
		MCP_COUNTS_OF_READS(ROW) MCP_COUNTS_OF_GIVING_UP(ROW) MCP_COUNTS_OF_ERRORS(ROW)
			MCP_COUNTS_OF_COMPUTING(ROW) MCP_COUNTS_OF_AUDITS(ROW)};
static const mcp_count of_objects[] = {MCP_COUNTS_OF_HITS(ROW) MCP_COUNTS_OF_READS(ROW)
		MCP_COUNTS_OF_ERRORS(ROW) MCP_COUNTS_OF_GIVING_UP(ROW) MCP_COUNTS_OF_COMPUTING(ROW)
			MCP_COUNTS_OF_NEAR(ROW) MCP_COUNTS_OF_AUDITS(ROW)};
static const mcp_count of_servers[] = {MCP_COUNTS_OF_SERVERS(ROW)};
static const mcp_count of_locks[] = {MCP_COUNTS_OF_LOCKS(ROW)};
static const mcp_count of_sessions[] = {MCP_COUNTS_OF_SESSIONS(ROW)};
static const mcp_count of_host[] = {MCP_COUNTS_OF_HOST(ROW)};

const mcp_counts mcp_counts_of_caches = {of_caches, LENGTH(of_caches)};
const mcp_counts mcp_counts_of_objects = {of_objects, LENGTH(of_objects)};
const mcp_counts mcp_counts_of_servers = {of_servers, LENGTH(of_servers)};
const mcp_counts mcp_counts_of_locks = {of_locks, LENGTH(of_locks)};
const mcp_counts mcp_counts_of_sessions = {of_sessions, LENGTH(of_sessions)};
const mcp_counts mcp_counts_of_host = {of_host, LENGTH(of_host)};

#define LETTER_ROW(symbol, letter, word, help) {letter, word, help},
const mcp_letter_row mcp_letter_rows[] = {MCP_LETTERS(LETTER_ROW){'\0', NULL, NULL}};

/* Texts. All writers of one text write the same bytes. */

/* Little-endian number of fewer than 8 bytes. */
static uint64_t short_word(const unsigned char *from, size_t length) {
	uint64_t word = 0;
	for (size_t i = 0; i < length; i++) {
		word |= (uint64_t)from[i] << (8 * i);
	}
	return word;
}

/* Write the text's words from `to` on. Returns the check `hash`, continued with these words. Reads no byte beyond the
 * text. */
static uint64_t put_text(mcp_metrics_word *to, mcp_bytes text, uint64_t hash) {
	const unsigned char *from = (const unsigned char *)text.data;
	size_t left = text.length;
	for (; left >= 8; left -= 8, from += 8) {
		hash = mcp_metrics_put_word(to++, mcp_load_u64(from), hash);
	}
	return left == 0 ? hash : mcp_metrics_put_word(to, short_word(from, left), hash);
}

/* Copy 1 word. Returns `check`, continued with this word. */
static uint64_t take_word(const mcp_metrics_word *from, char *out, uint64_t check) {
	uint64_t word = mcp_metrics_get(from);
	mcp_store_u64((unsigned char *)out, word);
	return mcp_metrics_mix(check, word);
}

/* Copy `length` bytes. `out` needs space for the next multiple of 8. Returns the check `hash`, continued with these
 * words. */
static uint64_t take_text(const mcp_metrics_word *from, size_t length, char *out, uint64_t hash) {
	for (size_t offset = 0; offset < length; offset += 8) {
		hash = take_word(from++, out + offset, hash);
	}
	return hash;
}

/* Write the text unless it is already stored. All writers of one `id` write the same bytes, so that concurrent writes
 * are harmless, and the next writer completes an interrupted write. */
static void write_shared_text(mcp_metrics_text_head *head, mcp_metrics_word *words, uint64_t id,
	mcp_bytes text, uint32_t note) {
	uint64_t length_and_note = (uint64_t)note << 32 | text.length;
	mcp_metrics_word unused[MCP_METRICS_TEXT_MAX / 8];
	uint64_t check = put_text(unused, text, mcp_metrics_mix(id, length_and_note));
	if (mcp_metrics_get(&head->check) == check) {
		return;
	}
	mcp_metrics_put(&head->length_and_note, length_and_note);
	put_text(words, text, 0);
	atomic_store_explicit(&head->check, check, memory_order_release);
}

/* False if the text is missing, incomplete, of another id, or longer than `out_size`. `out_size` is the size of
 * `out`, a multiple of 8. */
static bool read_shared_text(const mcp_metrics_text_head *head, const mcp_metrics_word *words,
	uint64_t id, char *out, size_t out_size, size_t *length, uint32_t *note) {
	uint64_t check = atomic_load_explicit(&head->check, memory_order_acquire);
	uint64_t length_and_note = mcp_metrics_get(&head->length_and_note);
	*length = (uint32_t)length_and_note;
	*note = (uint32_t)(length_and_note >> 32);
	if (*length > out_size) {
		return false;
	}
	return take_text(words, *length, out, mcp_metrics_mix(id, length_and_note)) == check;
}

/* State of servers. Each word is valid by itself. Processes with different views overwrite each other's words. */

_Static_assert(sizeof(mcp_metrics_state) % 64 == 0, "states fill whole cache lines");

/* An outage without a request for this long counts as over, because a process that has exited cannot report the end of
 * the outage. */
#define OUTAGE_FORGOTTEN_MS 60000

void mcp_metrics_state_open(mcp_metrics_state *state, uint64_t now_ms, uint64_t until_ms) {
	if (mcp_metrics_get(&state->open_until_ms) + OUTAGE_FORGOTTEN_MS < now_ms) {
		mcp_metrics_put(&state->open_since_ms, now_ms);
	}
	mcp_metrics_put(&state->open_until_ms, until_ms);
}

void mcp_metrics_state_close(mcp_metrics_state *state) {
	mcp_metrics_put(&state->open_until_ms, 0);
}

/* Record a failure. If 2 processes record different reasons at the same time, the check can be wrong, and no reason is
 * then shown until the next failure. */
void mcp_metrics_state_fail(mcp_metrics_state *state, uint64_t now_ms, mcp_bytes reason) {
	if (reason.length > MCP_METRICS_REASON_MAX) {
		reason.length = MCP_METRICS_REASON_MAX;
	}
	/* Detects incomplete texts. An attacker gains nothing from a forced collision. */
	uint64_t id = XXH64(reason.data, reason.length, 0);
	mcp_metrics_put(&state->reason_id, id);
	write_shared_text(&state->reason, state->reason_text, id, reason, 0);
	mcp_metrics_put(&state->failed_ms, now_ms);
}

uint64_t mcp_metrics_state_failure(const mcp_metrics_state *state, char *out, size_t *length) {
	uint32_t note;
	bool is_known = read_shared_text(&state->reason, state->reason_text,
		mcp_metrics_get(&state->reason_id), out, MCP_METRICS_REASON_MAX, length, &note);
	return is_known && *length > 0 ? mcp_metrics_get(&state->failed_ms) : 0;
}

/* History: 2 rings of samples, one place per clock step. The first process in a step fills the step's place. */

_Static_assert(sizeof(mcp_history_sample) % 64 == 0, "samples fill whole cache lines");

/* Claim a step. Only one process succeeds, even if the clock was set back. */
static bool claim_sample(mcp_history_sample *samples, uint64_t number) {
	mcp_history_sample *sample = &samples[number % MCP_HISTORY_SAMPLES];
	uint64_t there = mcp_metrics_get(&sample->number);
	return there != number &&
		atomic_compare_exchange_strong_explicit(&sample->number, &there, number,
			memory_order_relaxed, memory_order_relaxed);
}

static void fill(mcp_history_sample *samples, uint64_t number, uint64_t now_ms,
	const uint64_t *sums) {
	mcp_history_sample *sample = &samples[number % MCP_HISTORY_SAMPLES];
	uint64_t check = mcp_trace_begin_check(number, now_ms);
	mcp_metrics_put(&sample->at_ms, now_ms);
	for (size_t i = 0; i < MCP_HISTORY_SUMS; i++) {
		check = mcp_metrics_put_word(&sample->sums[i], sums[i], check);
	}
	atomic_store_explicit(&sample->check, check, memory_order_release);
}

static bool take_sample(const mcp_history_sample *sample, uint64_t number,
	mcp_history_shown *shown) {
	uint64_t wanted = atomic_load_explicit(&sample->check, memory_order_acquire);
	shown->at_ms = mcp_metrics_get(&sample->at_ms);
	uint64_t check = mcp_trace_begin_check(number, shown->at_ms);
	for (size_t i = 0; i < MCP_HISTORY_SUMS; i++) {
		shown->sums[i] = mcp_metrics_get(&sample->sums[i]);
		check = mcp_metrics_mix(check, shown->sums[i]);
	}
	return check == wanted && mcp_metrics_get(&sample->number) == number;
}

/* Read the samples of a ring from `since_ms` to `until_ms`, oldest first. */
static size_t read_ring(const mcp_history_sample *samples, uint64_t step_ms, uint64_t since_ms,
	uint64_t until_ms, mcp_history_shown *shown) {
	uint64_t last = until_ms / step_ms;
	size_t count = 0;
	for (uint64_t number = last < MCP_HISTORY_SAMPLES ? 1 : last - MCP_HISTORY_SAMPLES + 1;
		 number <= last; number++) {
		bool is_there = take_sample(&samples[number % MCP_HISTORY_SAMPLES], number, &shown[count]);
		uint64_t at_ms = shown[count].at_ms;
		count += is_there && at_ms >= since_ms && at_ms <= until_ms;
	}
	return count;
}

size_t mcp_history_read(const mcp_history *history, uint64_t now_ms, uint64_t since_ms,
	mcp_history_shown *shown) {
	mcp_history_shown steps[MCP_HISTORY_SAMPLES];
	size_t recent = read_ring(history->steps, MCP_HISTORY_STEP_MS, since_ms, now_ms, steps);
	uint64_t before_ms = recent > 0 ? steps[0].at_ms - 1 : now_ms;
	size_t count = read_ring(history->minutes, MCP_HISTORY_MINUTE_MS, since_ms, before_ms, shown);
	for (size_t i = 0; i < recent; i++) {
		shown[count++] = steps[i];
	}
	return count;
}

/* Sketch of rebuilds. One compare-and-swap finds or claims a key's place, and further operations add to the place's
 * sums. */

#define SLICE_BITS 24
#define SLICE_MASK 0xffffffu
#define SUM_BITS 40
#define SUM_MAX (((uint64_t)1 << SUM_BITS) - 1)

static uint64_t mark_of(uint64_t key) {
	return mcp_metrics_mix(0, key) >> SUM_BITS;
}

static uint64_t sum_of(uint64_t word, uint64_t mark) {
	return word >> SUM_BITS == mark ? word & SUM_MAX : 0;
}

/* Never 0, which marks an unused place. */
static uint64_t slice_at(uint64_t now_ms) {
	return now_ms / MCP_REBUILDS_SLICE_MS + 1;
}

static bool is_of_slice(uint64_t key, uint64_t slice) {
	return (key & SLICE_MASK) == (slice & SLICE_MASK);
}

/* Add to the stored sum if it has the same mark, otherwise to `start`. */
static void add_marked(mcp_metrics_word *word, uint64_t mark, uint64_t start, uint64_t by) {
	uint64_t before = mcp_metrics_get(word);
	uint64_t after;
	do {
		uint64_t sum = before >> SUM_BITS == mark ? before & SUM_MAX : start;
		sum = by > SUM_MAX - sum ? SUM_MAX : sum + by;
		after = mark << SUM_BITS | sum;
	} while (!atomic_compare_exchange_weak_explicit(word, &before, after, memory_order_relaxed,
		memory_order_relaxed));
}

/* Find the place with the least compute time (*least_ms) in this slice. */
static mcp_rebuilds_place *cheapest(mcp_rebuilds_place *places, uint64_t *least_ms) {
	mcp_rebuilds_place *found = &places[0];
	*least_ms = UINT64_MAX;
	for (size_t i = 0; i < MCP_REBUILDS_PLACES; i++) {
		uint64_t spent_ms =
			sum_of(mcp_metrics_get(&places[i].spent_ms), mark_of(mcp_metrics_get(&places[i].key)));
		if (spent_ms < *least_ms) {
			found = &places[i];
			*least_ms = spent_ms;
		}
	}
	return found;
}

/* Find the key's place, or claim a place of an older slice. NULL if there is no place. */
static mcp_rebuilds_place *find_rebuilds_place(mcp_rebuilds_place *places, uint64_t key,
	uint64_t slice) {
	for (size_t i = 0; i < MCP_REBUILDS_PLACES; i++) {
		mcp_rebuilds_place *place = &places[((key >> SLICE_BITS) % MCP_REBUILDS_PLACES) ^ i];
		uint64_t there = mcp_metrics_get(&place->key);
		if (there != key && !is_of_slice(there, slice)) {
			atomic_compare_exchange_strong_explicit(&place->key, &there, key, memory_order_relaxed,
				memory_order_relaxed);
			there = mcp_metrics_get(&place->key);
		}
		if (there == key) {
			return place;
		}
	}
	return NULL;
}

void mcp_rebuilds_add(mcp_rebuilds *rebuilds, uint64_t now_ms, uint32_t group, mcp_bytes key,
	uint64_t spent_ms) {
	uint64_t slice = slice_at(now_ms);
	mcp_rebuilds_place *places = rebuilds->slices[slice % MCP_REBUILDS_SLICES_KEPT];
	/* A forced collision only adds up the times of 2 keys. */
	uint64_t hash = XXH64(key.data, key.length, group);
	uint64_t id = hash << SLICE_BITS | (slice & SLICE_MASK);
	uint64_t inherited_ms = 0;
	mcp_rebuilds_place *place = find_rebuilds_place(places, id, slice);
	if (place == NULL) {
		place = cheapest(places, &inherited_ms);
		mcp_metrics_put(&place->key, id);
	}
	uint64_t mark = mark_of(id);
	add_marked(&place->inherited_ms, mark, inherited_ms, 0);
	add_marked(&place->spent_ms, mark, inherited_ms, spent_ms);
	add_marked(&place->count, mark, 0, 1);
	key.length = key.length < MCP_REBUILDS_KEY_MAX ? key.length : MCP_REBUILDS_KEY_MAX;
	write_shared_text(&place->head, place->name, id, key, group);
}

/* False for an unused place, or if a process was killed before it had written the key. */
static bool read_place(const mcp_rebuilds_place *place, uint64_t slice, mcp_rebuild *rebuild) {
	uint64_t key = mcp_metrics_get(&place->key);
	uint64_t mark = mark_of(key);
	uint64_t spent_ms = sum_of(mcp_metrics_get(&place->spent_ms), mark);
	uint64_t inherited_ms = sum_of(mcp_metrics_get(&place->inherited_ms), mark);
	rebuild->hash = key >> SLICE_BITS;
	rebuild->count = sum_of(mcp_metrics_get(&place->count), mark);
	rebuild->spent_ms = spent_ms > inherited_ms ? spent_ms - inherited_ms : 0;
	return key != 0 && is_of_slice(key, slice) && rebuild->count > 0 &&
		read_shared_text(&place->head, place->name, key, rebuild->key, MCP_REBUILDS_KEY_MAX,
			&rebuild->key_length, &rebuild->group);
}

/* Add the last rebuild to a previous rebuild of the same key. Returns the new number of rebuilds. */
static size_t add_up(mcp_rebuild *rebuilds, size_t count) {
	const mcp_rebuild *last = &rebuilds[count];
	for (size_t i = 0; i < count; i++) {
		if (rebuilds[i].hash == last->hash && rebuilds[i].group == last->group) {
			rebuilds[i].count += last->count;
			rebuilds[i].spent_ms += last->spent_ms;
			return count;
		}
	}
	return count + 1;
}

/* Move the most expensive keys to the beginning, sorted. Returns their number, at most MCP_REBUILDS_SHOWN. */
static size_t rank(mcp_rebuild *rebuilds, size_t count) {
	size_t shown = count < MCP_REBUILDS_SHOWN ? count : MCP_REBUILDS_SHOWN;
	for (size_t i = 0; i < shown; i++) {
		size_t dearest = i;
		for (size_t j = i + 1; j < count; j++) {
			const mcp_rebuild *a = &rebuilds[j], *b = &rebuilds[dearest];
			bool is_dearer =
				a->spent_ms != b->spent_ms ? a->spent_ms > b->spent_ms : a->hash > b->hash;
			dearest = is_dearer ? j : dearest;
		}
		mcp_rebuild other = rebuilds[i];
		rebuilds[i] = rebuilds[dearest];
		rebuilds[dearest] = other;
	}
	return shown;
}

size_t mcp_rebuilds_read(const mcp_rebuilds *rebuilds, uint64_t now_ms, mcp_rebuild *scratch) {
	uint64_t newest = slice_at(now_ms);
	size_t count = 0;
	for (uint64_t back = 0; back < MCP_REBUILDS_SLICES && back < newest; back++) {
		uint64_t slice = newest - back;
		const mcp_rebuilds_place *places = rebuilds->slices[slice % MCP_REBUILDS_SLICES_KEPT];
		for (size_t i = 0; i < MCP_REBUILDS_PLACES; i++) {
			if (read_place(&places[i], slice, &scratch[count])) {
				count = add_up(scratch, count);
			}
		}
	}
	return rank(scratch, count);
}

/* Event trace. Readers go backwards from the newest event. */

void mcp_trace_append(mcp_trace *trace, uint64_t who, uint64_t at_ms, mcp_bytes key) {
	if (key.length > MCP_TRACE_SHORT_KEY_MAX) {
		mcp_trace_append_long(trace, who, at_ms, key);
	} else if (key.length > 0) {
		mcp_trace_append_short(trace, who, at_ms, key);
	} else {
		uint64_t number = mcp_trace_take_number(trace);
		mcp_trace_slot *slot = mcp_trace_slot_of(trace, number);
		mcp_trace_end(slot, mcp_trace_put_head(slot, who, at_ms, 0), number);
	}
}

static uint64_t take_short_key(const mcp_metrics_word *from, size_t length, char *out,
	uint64_t check) {
	char bytes[8];
	check = take_word(from, bytes, check);
	if (length >= 4) {
		memcpy(out, bytes, 4);
		memcpy(out + length - 4, bytes + 4, 4);
	} else {
		out[0] = bytes[0];
		out[length / 2] = bytes[1];
		out[length - 1] = bytes[2];
	}
	return check;
}

/* Reverse of mcp_trace_put_long_key. */
static uint64_t take_long_key(const mcp_metrics_word *words, size_t length, char *out,
	uint64_t check) {
	check = take_word(&words[0], out, check);
	check = take_word(&words[1], out + 8, check);
	if (length > 32) {
		check = take_word(&words[3], out + 16, check);
		check = take_word(&words[4], out + 24, check);
	} else {
		check = take_word(&words[3], out + length - 16, check);
	}
	return take_word(&words[2], out + length - 8, check);
}

/* Read a key in the layout of its writer. */
static uint64_t take_key(const mcp_metrics_word *words, size_t length, char *out, uint64_t check) {
	if (length == 0) {
		return check;
	}
	if (length < 8) {
		return take_short_key(words, length, out, check);
	}
	if (length <= MCP_TRACE_SHORT_KEY_MAX) {
		check = take_word(&words[1], out + length - 8, check);
		return take_word(&words[0], out, check);
	}
	return take_long_key(words, length, out, check);
}

/* False if the event is missing or incomplete. */
static bool read_slot(const mcp_trace *trace, uint64_t number, mcp_trace_event *event) {
	const mcp_trace_slot *slot = &trace->slots[number % MCP_TRACE_EVENTS];
	uint64_t check = mcp_metrics_get(&slot->check);
	uint64_t what = mcp_metrics_get(&slot->what);
	uint64_t who = mcp_metrics_get(&slot->who);
	event->key_length = what & 0xffff;
	if (event->key_length > MCP_TRACE_KEY_MAX) {
		return false;
	}
	event->at_ms = what >> 16;
	event->letter = (char)(who >> 8 & 0xff);
	event->group = (uint8_t)who;
	event->pid = (uint32_t)(who >> 32);
	uint64_t begun = mcp_trace_begin_check(what, who);
	uint64_t read = take_key(slot->key, event->key_length, event->key, begun);
	return mcp_trace_end_check(read, number) == check;
}

static void reverse(mcp_trace_event *events, size_t count) {
	for (size_t i = 0; i < count / 2; i++) {
		mcp_trace_event other = events[i];
		events[i] = events[count - 1 - i];
		events[count - 1 - i] = other;
	}
}

size_t mcp_trace_read(const mcp_trace *trace, int group, mcp_trace_event *events, size_t most) {
	uint64_t head = mcp_metrics_get(&trace->head);
	uint64_t begin = mcp_metrics_get(&trace->begin);
	uint64_t there = head - begin;
	uint64_t left = there < MCP_TRACE_EVENTS ? there : MCP_TRACE_EVENTS;
	size_t count = 0;
	for (; left > 0 && count < most; left--) {
		mcp_trace_event *event = &events[count];
		bool is_there = read_slot(trace, --head, event);
		count += is_there && (group == MCP_TRACE_ALL_GROUPS || event->group == group);
	}
	reverse(events, count);
	return count;
}

void mcp_trace_clear(mcp_trace *trace) {
	uint64_t head = mcp_metrics_get(&trace->head);
	mcp_metrics_put(&trace->begin, head);
}

/* Length of the end of a truncated name: '~' and 16 hex digits of the whole name's hash. */
#define TAIL 17

/* Records do not share cache lines. */
_Static_assert(sizeof(mcp_metrics_name) % 64 == 0, "names fill whole cache lines");
_Static_assert(sizeof(mcp_metrics_group) % 64 == 0, "groups fill whole cache lines");
_Static_assert(sizeof(mcp_metrics_server) % 64 == 0, "servers fill whole cache lines");
_Static_assert(sizeof(mcp_metrics_lock) % 64 == 0, "locks fill whole cache lines");
_Static_assert(sizeof(mcp_metrics_session) % 64 == 0, "sessions fill whole cache lines");
_Static_assert(sizeof(mcp_trace_slot) == 64, "an event fills a cache line");

void mcp_metrics_begin(mcp_metrics *metrics, uint64_t now_ms) {
	uint64_t none = 0;
	atomic_compare_exchange_strong_explicit(&metrics->since_ms, &none, now_ms, memory_order_relaxed,
		memory_order_relaxed);
}

void mcp_metrics_raise(mcp_metrics_word *word, uint64_t to) {
	uint64_t there = mcp_metrics_get(word);
	while (there < to &&
		!atomic_compare_exchange_weak_explicit(word, &there, to, memory_order_relaxed,
			memory_order_relaxed)) {
	}
}

static mcp_bytes shorten(mcp_bytes name, uint64_t id, char out[MCP_METRICS_NAME_MAX]) {
	if (name.length <= MCP_METRICS_NAME_MAX) {
		return name;
	}
	size_t end = mcp_utf8_cut(name, MCP_METRICS_NAME_MAX - TAIL);
	memcpy(out, name.data, end);
	out[end] = '~';
	mcp_hex_write_u64(id, out + end + 1);
	return mcp_bytes_of(out, end + TAIL);
}

/* True if the word has this id, or was unused and now has this id. */
static bool claim(mcp_metrics_word *word, uint64_t id) {
	uint64_t there = mcp_metrics_get(word);
	return (there == 0 &&
			   atomic_compare_exchange_strong_explicit(word, &there, id, memory_order_relaxed,
				   memory_order_relaxed)) ||
		there == id;
}

#define COUNTED(what, label, of, list, record, sum)                                             \
	{                                                                                           \
		what, label, &mcp_counts_of_##of, offsetof(mcp_metrics, list), sizeof(record),          \
			sizeof(((mcp_metrics *)NULL)->list) / sizeof(record), offsetof(record, counts), sum \
	}

const mcp_counted mcp_counted_caches =
	COUNTED("cache", "group", caches, groups, mcp_metrics_group, MCP_SUM_OF_CACHES);
const mcp_counted mcp_counted_servers =
	COUNTED("server", "server", servers, servers, mcp_metrics_server, MCP_SUM_OF_SERVERS);
const mcp_counted mcp_counted_locks =
	COUNTED("lock", "lock", locks, locks, mcp_metrics_lock, MCP_SUM_OF_LOCKS);
const mcp_counted mcp_counted_sessions =
	COUNTED("session", "prefix", sessions, sessions, mcp_metrics_session, MCP_SUM_OF_SESSIONS);

static const mcp_counted *const kinds[] = {&mcp_counted_caches, &mcp_counted_servers,
	&mcp_counted_locks, &mcp_counted_sessions};

/* No attacker controls the names, so a collision cannot be forced. */
static uint64_t add_to_fingerprint(uint64_t hash, const mcp_counts *counts) {
	for (size_t i = 0; i < counts->length; i++) {
		const mcp_count *count = &counts->rows[i];
		const char *name = count->name != NULL ? count->name : count->own;
		hash = XXH64(name, strlen(name), hash + count->which);
	}
	return XXH64(&hash, sizeof(hash), counts->length);
}

uint64_t mcp_counts_fingerprint(void) {
	uint64_t hash = 0;
	for (size_t i = 0; i < LENGTH(kinds); i++) {
		hash = add_to_fingerprint(hash, kinds[i]->counts);
	}
	return add_to_fingerprint(hash, &mcp_counts_of_host);
}

/* Find or create a name's record. The last record belongs to no single name. */
static void *find_or_create_record(mcp_metrics *metrics, const mcp_counted *counted,
	mcp_bytes name) {
	/* A forced collision only adds up the counts of 2 names. */
	uint64_t hash = XXH64(name.data, name.length, 0), id = hash != 0 ? hash : 1;
	size_t owned = counted->records - 1;
	char shortened[MCP_METRICS_NAME_MAX];
	for (size_t i = 0; i < owned; i++) {
		mcp_metrics_name *record =
			(mcp_metrics_name *)mcp_counted_name(counted, metrics, (id + i) % owned);
		if (claim(&record->id, id)) {
			write_shared_text(&record->head, record->text, id, shorten(name, id, shortened), 0);
			return record;
		}
	}
	return (void *)mcp_counted_name(counted, metrics, owned);
}

mcp_metrics_group *mcp_metrics_find_group(mcp_metrics *metrics, mcp_bytes name) {
	return find_or_create_record(metrics, &mcp_counted_caches, name);
}

mcp_metrics_server *mcp_metrics_find_server(mcp_metrics *metrics, mcp_bytes address) {
	return find_or_create_record(metrics, &mcp_counted_servers, address);
}

mcp_metrics_lock *mcp_metrics_find_lock(mcp_metrics *metrics, mcp_bytes name) {
	return find_or_create_record(metrics, &mcp_counted_locks, name);
}

mcp_metrics_session *mcp_metrics_find_session(mcp_metrics *metrics, mcp_bytes prefix) {
	return find_or_create_record(metrics, &mcp_counted_sessions, prefix);
}

bool mcp_counted_has_any(const mcp_counted *counted, const mcp_metrics *metrics, size_t index) {
	const mcp_metrics_word *words = mcp_counted_words(counted, metrics, index);
	for (size_t i = 0; i < counted->counts->length; i++) {
		if (mcp_metrics_get(&words[i]) > 0) {
			return true;
		}
	}
	return false;
}

bool mcp_metrics_read_name(const mcp_metrics_name *name, char *out, size_t *length) {
	uint64_t id = mcp_metrics_get(&name->id);
	uint32_t note;
	return id != 0 &&
		read_shared_text(&name->head, name->text, id, out, MCP_METRICS_NAME_MAX, length, &note);
}

bool mcp_metrics_enter(mcp_metrics *metrics, uint32_t pid) {
	for (size_t i = 0; i < MCP_METRICS_PROCESSES; i++) {
		if (claim(&metrics->processes[i], pid)) {
			return true;
		}
	}
	return false;
}

static void zero(mcp_metrics_word *words, size_t size) {
	for (size_t i = 0; i < size / sizeof(*words); i++) {
		mcp_metrics_put(&words[i], 0);
	}
}

void mcp_metrics_reset(mcp_metrics *metrics, uint64_t now_ms) {
	mcp_metrics_put(&metrics->since_ms, now_ms);
	zero(metrics->counts, sizeof(metrics->counts));
	for (size_t kind = 0; kind < LENGTH(kinds); kind++) {
		/* The counts of each record, and all words after them. */
		const mcp_counted *counted = kinds[kind];
		for (size_t i = 0; i < counted->records; i++) {
			zero((mcp_metrics_word *)mcp_counted_words(counted, metrics, i),
				counted->size - counted->words);
		}
	}
	mcp_trace_clear(&metrics->trace);
	zero((mcp_metrics_word *)&metrics->rebuilds, sizeof(metrics->rebuilds));
	zero((mcp_metrics_word *)&metrics->history, sizeof(metrics->history));
}

/* Samples. The count of a server's calls shows whether the server is in use, at no additional cost for calls. */

/* Add the counts of all records to the sums. For a count that is a maximum, keep the greatest instead. */
static void add_to_sums(const mcp_metrics *metrics, const mcp_counted *counted, uint64_t *sums) {
	for (size_t i = 0; i < counted->records; i++) {
		const mcp_metrics_word *words = mcp_counted_words(counted, metrics, i);
		for (size_t row = 0; row < counted->counts->length; row++) {
			const mcp_count *count = &counted->counts->rows[row];
			uint64_t number = mcp_metrics_get(&words[count->which]);
			uint64_t *sum = &sums[counted->first_sum + count->which];
			if (count->kind != MCP_COUNT_IS_PEAK) {
				*sum += number;
			} else if (*sum < number) {
				*sum = number;
			}
		}
	}
}

void mcp_metrics_sample(mcp_metrics *metrics, uint64_t now_ms) {
	mcp_history *history = &metrics->history;
	if (!claim_sample(history->steps, now_ms / MCP_HISTORY_STEP_MS)) {
		return;
	}
	uint64_t sums[MCP_HISTORY_SUMS] = {0};
	for (size_t i = 0; i < LENGTH(kinds); i++) {
		add_to_sums(metrics, kinds[i], sums);
	}
	for (size_t i = 0; i < MCP_METRICS_SERVERS; i++) {
		mcp_metrics_server *server = &metrics->servers[i];
		uint64_t calls = mcp_metrics_get(&server->counts[MCP_COUNT_CALLS]);
		if (calls != mcp_metrics_get(&server->state.seen_calls)) {
			mcp_metrics_put(&server->state.seen_calls, calls);
			mcp_metrics_put(&server->state.used_ms, now_ms);
		}
	}
	fill(history->steps, now_ms / MCP_HISTORY_STEP_MS, now_ms, sums);
	if (claim_sample(history->minutes, now_ms / MCP_HISTORY_MINUTE_MS)) {
		fill(history->minutes, now_ms / MCP_HISTORY_MINUTE_MS, now_ms, sums);
	}
}
