/* Maintains records of stamps. A single word of each record names its process. A record with the name of another
 * process proves nothing. */
/* SPDX-License-Identifier: MIT */
#include "holders.h"

#include "../bytes.h"

/* The process word of a record: machine number, process id, start time. */
#define PID_SHIFT 36
#define MACHINE_SHIFT 58
#define MACHINES_SIZE ((MCP_HOLDER_MACHINES + 1) * sizeof(mcp_atomic_u64))
/* Maximum number of records that are searched for crashed processes: each check is a system call. */
#define LOOKED_AT_MAX 64

_Static_assert(MCP_HOLDER_PID_MAX == ((uint64_t)1 << (MACHINE_SHIFT - PID_SHIFT)) - 1,
	"an id fits");
_Static_assert(MCP_HOLDER_START_MAX == ((uint64_t)1 << PID_SHIFT) - 1, "so does a start");
_Static_assert(MCP_HOLDER_MACHINES < 1 << (64 - MACHINE_SHIFT), "so does a machine's number");
_Static_assert(sizeof(mcp_holder_record) == 64, "a record is a line of the processor's cache");

/* --- names --- */

static char *write_number(char *at, uint64_t number) {
	at += mcp_decimal_format_u64(number, at);
	*at++ = ' ';
	return at;
}

void mcp_holder_label_write(const mcp_holder_name *name, mcp_holder_label *label) {
	memset(label->text, 0, sizeof(label->text));
	char *at = label->text + mcp_hex_write_u64(name->machine, label->text);
	*at++ = ' ';
	at = write_number(at, name->pid);
	at = write_number(at, name->start);
	at = write_number(at, name->record);
	label->length = (size_t)(at - label->text);
}

/* Take a number up to `max`, without leading zeros, and the following space from the text. */
static bool take_number(mcp_bytes *text, uint64_t max, uint64_t *number) {
	const char *end = text->data + text->length;
	const char *behind = mcp_decimal_scan_u64(text->data, end, number);
	bool is_padded = behind > text->data + 1 && *text->data == '0';
	if (behind == text->data || behind == end || *behind != ' ' || *number > max || is_padded) {
		return false;
	}
	*text = mcp_bytes_of(behind + 1, (size_t)(end - behind - 1));
	return true;
}

bool mcp_holder_label_read(mcp_bytes *text, mcp_holder_name *name) {
	mcp_bytes rest = *text;
	uint64_t pid;
	if (rest.length <= MCP_HEX_U64_LENGTH || rest.data[MCP_HEX_U64_LENGTH] != ' ' ||
		!mcp_hex_read_u64(rest.data, &name->machine) || name->machine == 0) {
		return false;
	}
	rest = mcp_bytes_of(rest.data + MCP_HEX_U64_LENGTH + 1, rest.length - MCP_HEX_U64_LENGTH - 1);
	if (!take_number(&rest, MCP_HOLDER_PID_MAX, &pid) || pid == 0 ||
		!take_number(&rest, MCP_HOLDER_START_MAX, &name->start) ||
		!take_number(&rest, MCP_HOLDER_RECORD_MAX, &name->record)) {
		return false;
	}
	name->pid = (uint32_t)pid;
	*text = rest;
	return true;
}

/* --- the table --- */

bool mcp_holders_open(mcp_holders *holders, void *memory, size_t size, uint32_t drawn) {
	if (size < MACHINES_SIZE + sizeof(mcp_holder_record)) {
		return false;
	}
	size_t count = (size - MACHINES_SIZE) / sizeof(mcp_holder_record);
	/* The first process that opens the memory gives it a number. */
	uint64_t number = 0;
	bool is_first = atomic_compare_exchange_strong((mcp_atomic_u64 *)memory, &number, drawn);
	*holders = (mcp_holders){
		.machines = memory,
		.records = (mcp_holder_record *)(void *)((char *)memory + MACHINES_SIZE),
		.count = count < MCP_HOLDER_RECORDS_MAX ? (uint32_t)count : MCP_HOLDER_RECORDS_MAX,
		.number = is_first ? drawn : (uint32_t)number,
	};
	return true;
}

/* Number of a machine; 0: the table is full. */
static uint64_t number_machine(const mcp_holders *holders, uint64_t machine) {
	for (uint64_t i = 1; i <= MCP_HOLDER_MACHINES; i++) {
		uint64_t found = atomic_load_explicit(&holders->machines[i], memory_order_relaxed);
		if (found == 0 && atomic_compare_exchange_strong(&holders->machines[i], &found, machine)) {
			found = machine;
		}
		if (found == machine) {
			return i;
		}
	}
	return 0;
}

static uint64_t word_of(uint64_t machine_number, const mcp_holder_name *name) {
	return machine_number << MACHINE_SHIFT | (uint64_t)name->pid << PID_SHIFT | name->start;
}

/* Take a record for `word`. `is_free`: a free record. Otherwise, the record of a process that no longer exists, whose
 * stamps have no holder. Returns the record's number, or 0. */
static uint32_t take_record(const mcp_holders *holders, uint64_t word, mcp_holder_is_gone is_gone,
	bool is_free) {
	uint32_t first = (uint32_t)(word >> PID_SHIFT & MCP_HOLDER_PID_MAX);
	uint32_t most = is_free || holders->count < LOOKED_AT_MAX ? holders->count : LOOKED_AT_MAX;
	for (uint32_t i = 0; i < most; i++) {
		uint32_t at = (first + i) % holders->count;
		mcp_atomic_u64 *process = &holders->records[at].process;
		uint64_t found = atomic_load_explicit(process, memory_order_relaxed);
		uint32_t pid = (uint32_t)(found >> PID_SHIFT & MCP_HOLDER_PID_MAX);
		bool is_takeable = is_free ? found == 0
								   : found >> MACHINE_SHIFT == word >> MACHINE_SHIFT && pid != 0 &&
				is_gone(pid, found & MCP_HOLDER_START_MAX);
		if (is_takeable && atomic_compare_exchange_strong(process, &found, word)) {
			return at + 1;
		}
	}
	return 0;
}

/* Distance between the record numbers of two memories. */
#define RECORDS_APART (MCP_HOLDER_RECORDS_MAX + 1)

/* Find a record by name; NULL if the name is 0 or of another memory. */
static mcp_holder_record *find_record(const mcp_holders *holders, uint64_t name) {
	uint64_t record = name % RECORDS_APART;
	bool is_here =
		name / RECORDS_APART == holders->number && record != 0 && record <= holders->count;
	return is_here ? &holders->records[record - 1] : NULL;
}

/* --- a holder --- */

static void forget_stamps(mcp_holder_record *record) {
	for (unsigned i = 0; i < MCP_HOLDER_STAMPS; i++) {
		atomic_store_explicit(&record->stamps[i], 0, memory_order_release);
	}
}

/* Index of the first of `count` stamps that equals this stamp; `count`: none. */
static unsigned find_stamp(const mcp_holder_record *record, unsigned count, uint64_t stamp) {
	unsigned i = 0;
	while (i < count && atomic_load_explicit(&record->stamps[i], memory_order_acquire) != stamp) {
		i++;
	}
	return i;
}

const mcp_holder_label *mcp_holder_register_one_more(mcp_holder *self, uint64_t stamp) {
	if (find_stamp(self->record, self->used, stamp) < self->used) {
		return &self->with_record;
	}
	unsigned i = find_stamp(self->record, MCP_HOLDER_STAMPS, 0);
	if (i == MCP_HOLDER_STAMPS) {
		return &self->without_record;
	}
	atomic_store_explicit(&self->record->stamps[i], stamp, memory_order_release);
	self->used = i < self->used ? self->used : i + 1;
	return &self->with_record;
}

void mcp_holder_unregister_one_of(mcp_holder *self, uint64_t stamp) {
	unsigned i = find_stamp(self->record, self->used, stamp);
	if (i < self->used) {
		atomic_store_explicit(&self->record->stamps[i], 0, memory_order_release);
		self->used -= i + 1 == self->used;
	}
}

void mcp_holder_enter(mcp_holder *self, const mcp_holders *holders, const mcp_holder_name *name,
	mcp_holder_is_gone is_gone) {
	memset(self, 0, sizeof(*self));
	self->name = *name;
	self->name.record = 0;
	self->holders = holders;
	self->is_gone = is_gone;
	self->record = &self->own;
	mcp_holder_label_write(&self->name, &self->without_record);
	uint64_t number = holders != NULL ? number_machine(holders, name->machine) : 0;
	if (number != 0) {
		uint64_t word = word_of(number, name);
		uint32_t record = take_record(holders, word, is_gone, true);
		record = record != 0 ? record : take_record(holders, word, is_gone, false);
		if (record != 0) {
			self->name.record = (uint64_t)holders->number * RECORDS_APART + record;
			self->record = &holders->records[record - 1];
			forget_stamps(self->record);
		}
	}
	mcp_holder_label_write(&self->name, &self->with_record);
}

void mcp_holder_leave(mcp_holder *self) {
	forget_stamps(self->record);
	atomic_store_explicit(&self->record->process, 0, memory_order_release);
	self->record = &self->own;
}

/* Whether this table contains the named process's record, without the stamp. */
static bool has_given_up(const mcp_holder *self, const mcp_holder_name *name, uint64_t stamp) {
	const mcp_holders *holders = self->holders;
	const mcp_holder_record *record = holders != NULL ? find_record(holders, name->record) : NULL;
	if (record == NULL) {
		return false;
	}
	uint64_t number = number_machine(holders, name->machine);
	return number != 0 &&
		atomic_load_explicit(&record->process, memory_order_acquire) == word_of(number, name) &&
		find_stamp(record, MCP_HOLDER_STAMPS, stamp) == MCP_HOLDER_STAMPS;
}

bool mcp_holder_knows_orphan(const mcp_holder *self, const mcp_holder_name *name, uint64_t stamp) {
	if (name->machine == 0 || name->machine != self->name.machine) {
		return false;
	}
	bool is_own = name->pid == self->name.pid && name->start == self->name.start;
	return (!is_own && self->is_gone(name->pid, name->start)) || has_given_up(self, name, stamp);
}

static const char nameless[] = "lock1 ";
static const char naming[] = "lock2 ";
static const char never[] = "never";

enum {
	MARK_LENGTH = sizeof(nameless) - 1,
	NEVER_LENGTH = sizeof(never) - 1,
	STAMP_LENGTH = MCP_HEX_U64_LENGTH,
};

static size_t write_until(uint64_t until_ms, char *out) {
	if (until_ms > INT64_MAX) {
		memcpy(out, never, NEVER_LENGTH);
		return NEVER_LENGTH;
	}
	return mcp_decimal_format_u64(until_ms, out);
}

size_t mcp_lock_item_write_head(const mcp_lock_item *item, const mcp_holder_label *label,
	char head[MCP_LOCK_ITEM_HEAD_MAX]) {
	char *at = head;
	memcpy(at, label != NULL ? naming : nameless, MARK_LENGTH);
	at += MARK_LENGTH;
	if (label != NULL) {
		memcpy(at, label->text, sizeof(label->text));
		at += label->length;
	}
	at += write_until(item->until_ms, at);
	*at++ = ' ';
	at += mcp_hex_write_u64(item->stamp, at);
	*at++ = ' ';
	return (size_t)(at - head);
}

/* Take the end of the hold and the following space from the text. */
static bool take_until(mcp_bytes *text, uint64_t *until_ms) {
	if (text->length <= NEVER_LENGTH || memcmp(text->data, never, NEVER_LENGTH) != 0) {
		return take_number(text, INT64_MAX, until_ms);
	}
	*until_ms = MCP_LOCK_ITEM_NEVER;
	*text = mcp_bytes_of(text->data + NEVER_LENGTH + 1, text->length - NEVER_LENGTH - 1);
	return text->data[-1] == ' ';
}

/* Parse the part after the format mark and the process's name. */
static bool read_rest(mcp_bytes rest, mcp_lock_item *item) {
	if (!take_until(&rest, &item->until_ms) || rest.length <= STAMP_LENGTH + 1 ||
		!mcp_hex_read_u64(rest.data, &item->stamp) || item->stamp == 0 ||
		rest.data[STAMP_LENGTH] != ' ') {
		return false;
	}
	item->owner = mcp_bytes_of(rest.data + STAMP_LENGTH + 1, rest.length - STAMP_LENGTH - 1);
	return true;
}

bool mcp_lock_item_read(mcp_bytes value, mcp_lock_item *item) {
	if (value.length < MARK_LENGTH) {
		return false;
	}
	mcp_bytes rest = mcp_bytes_of(value.data + MARK_LENGTH, value.length - MARK_LENGTH);
	item->holder = (mcp_holder_name){0};
	if (memcmp(value.data, naming, MARK_LENGTH) == 0) {
		return mcp_holder_label_read(&rest, &item->holder) && read_rest(rest, item);
	}
	return memcmp(value.data, nameless, MARK_LENGTH) == 0 && read_rest(rest, item);
}
