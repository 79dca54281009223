/* The locks that a host's processes hold or are about to acquire: a table of stamps (random ids of acquisitions) in
 * shared memory. An item in memcached names the process that stored it and this process's record in the table. A
 * process of the same host can therefore recognize an item without a holder: its process no longer exists, or has given
 * up the stamp, as after a late write. Missing data alone proves nothing. A process no longer exists if the system
 * reports its id as unused, and its name has our machine, boot and id namespace. A running process has given up a stamp
 * if this table contains its record, under its name, without the stamp. Such a process shares this memory, and
 * registers a stamp before it sends the item. exec keeps a process's id and start time, but can change its shared
 * memory. Each shared memory therefore has a number, which is part of a record's name. An owner keeps a stamp
 * registered as long as the owner trusts the item. */
/* SPDX-License-Identifier: MIT */
#ifndef MCP_CORE_HOLDERS_H
#define MCP_CORE_HOLDERS_H

#include "../atomics.h"
#include "../bytes.h"

#include <stddef.h>

/* Maximum number of stamps that a thread can register at a time. */
#define MCP_HOLDER_STAMPS 7
/* Maximum number of machines in a table: hosts and containers that share one file, and their restarts. */
#define MCP_HOLDER_MACHINES 63
/* Linux's maximum (PID_MAX_LIMIT). */
#define MCP_HOLDER_PID_MAX ((1u << 22) - 1)
/* Ticks since boot: 21 years. */
#define MCP_HOLDER_START_MAX (((uint64_t)1 << 36) - 1)
#define MCP_HOLDER_RECORDS_MAX 9999
/* Largest record number, which includes the memory's number: 14 digits. */
#define MCP_HOLDER_RECORD_MAX \
	((uint64_t)UINT32_MAX * (MCP_HOLDER_RECORDS_MAX + 1) + MCP_HOLDER_RECORDS_MAX)
/* Length of a label: 16, 7, 11 and 14 digits, each followed by a space, rounded up to a machine word. */
#define MCP_HOLDER_LABEL_MAX 56

/* Name of a process, and of one thread's record. */
typedef struct mcp_holder_name {
	uint64_t machine; /* hash of boot and process id namespace; 0: no name */
	uint64_t start;   /* start time in ticks since boot; 0: unknown */
	uint32_t pid;
	/* the memory's number, followed by the record's 4-digit number (from 1); 0: no record */
	uint64_t record;
} mcp_holder_name;

/* A name as text: "5be2f0a41c9d3377 4711 81234567 30001 ". */
typedef struct mcp_holder_label {
	char text[MCP_HOLDER_LABEL_MAX];
	size_t length;
} mcp_holder_label;

void mcp_holder_label_write(const mcp_holder_name *name, mcp_holder_label *label);
/* Parse a name at the beginning of `text` and remove it. Returns false if the name is not exactly in the written
 * format. */
bool mcp_holder_label_read(mcp_bytes *text, mcp_holder_name *name);

/* A thread's record in shared memory. */
typedef struct mcp_holder_record {
	mcp_atomic_u64 process;                   /* owner; 0: free */
	mcp_atomic_u64 stamps[MCP_HOLDER_STAMPS]; /* 0: no stamp */
} mcp_holder_record;

/* Location of the table. Plain data; threads may share it. */
typedef struct mcp_holders {
	mcp_atomic_u64 *machines;   /* machines by number, from 1; index 0 is the memory's number */
	mcp_holder_record *records; /* record 1 is the first */
	uint32_t count;
	uint32_t number; /* number of the memory */
} mcp_holders;

/* Lay out the table in `memory`, which is borrowed, aligned to 64 bytes, and was zeroed when it was created. New memory
 * gets the number `drawn`, random and not 0. Returns false if `memory` is too small. */
bool mcp_holders_open(mcp_holders *holders, void *memory, size_t size, uint32_t drawn);

/* True only if no process with this id and start time exists in our namespace. `start` 0: any start time. */
typedef bool (*mcp_holder_is_gone)(uint32_t pid, uint64_t start);

/* A thread as a holder of locks. Invariant: `record` is in the table, or is `own`. */
typedef struct mcp_holder {
	mcp_holder_name name;
	const mcp_holders *holders; /* NULL: no shared memory */
	mcp_holder_is_gone is_gone;
	mcp_holder_record *record;
	unsigned used; /* stamps from this index on are unused */
	mcp_holder_label with_record, without_record;
	mcp_holder_record own; /* used instead of a record in the table */
} mcp_holder;

/* Initialize a holder under `name`, with a free record or the record of a crashed process. `holders`:
 * borrowed, or NULL. `self` must not move until mcp_holder_leave. */
void mcp_holder_enter(mcp_holder *self, const mcp_holders *holders, const mcp_holder_name *name,
	mcp_holder_is_gone is_gone);
/* Release the record. Do not call this in a forked child, because the parent continues to use the record. */
void mcp_holder_leave(mcp_holder *self);

/* Slow paths of the next two functions, for several stamps. */
const mcp_holder_label *mcp_holder_register_one_more(mcp_holder *self, uint64_t stamp);
void mcp_holder_unregister_one_of(mcp_holder *self, uint64_t stamp);

/* Register a stamp, unless it is already registered. Returns the label for the stamp's item: without a record if all
 * stamps of the thread are used, so that other processes do not look for the stamp. */
static inline const mcp_holder_label *mcp_holder_register(mcp_holder *self, uint64_t stamp) {
	if (self->used != 0) {
		return mcp_holder_register_one_more(self, stamp);
	}
	atomic_store_explicit(&self->record->stamps[0], stamp, memory_order_release);
	self->used = 1;
	return &self->with_record;
}

/* No effect if the stamp is not registered, or if `self` is NULL. */
static inline void mcp_holder_unregister(mcp_holder *self, uint64_t stamp) {
	if (self == NULL) {
		return;
	}
	mcp_atomic_u64 *first = &self->record->stamps[0];
	if (self->used == 1 && atomic_load_explicit(first, memory_order_relaxed) == stamp) {
		atomic_store_explicit(first, 0, memory_order_release);
		self->used = 0;
	} else if (self->used != 0) {
		mcp_holder_unregister_one_of(self, stamp);
	}
}

/* Whether the item with this name and stamp certainly has no holder. */
bool mcp_holder_knows_orphan(const mcp_holder *self, const mcp_holder_name *name, uint64_t stamp);

/* Value of a lock's item: owner, end on the holder's wall clock, stamp of the acquisition and, unless the lock must
 * outlive its process, the holder's process. One line of readable text; docs/spec/storage.md defines the format. */

/* Maximum length before the owner: format mark, label, 20 digits, 16 digits, and the spaces after these. */
#define MCP_LOCK_ITEM_HEAD_MAX (6 + MCP_HOLDER_LABEL_MAX + 20 + 1 + 16 + 1)
/* `until_ms` of a lock without an end on the wall clock. */
#define MCP_LOCK_ITEM_NEVER UINT64_MAX

typedef struct mcp_lock_item {
	mcp_bytes owner;        /* the holder's name, any bytes; borrowed */
	uint64_t stamp;         /* random per acquisition; not 0 */
	uint64_t until_ms;      /* Unix time; MCP_LOCK_ITEM_NEVER, or below 2^63 */
	mcp_holder_name holder; /* after a read; machine 0: the item names no process */
} mcp_lock_item;

/* Write everything before the owner's name, which ends the value. `label`: the process's name, used instead of
 * item->holder; NULL: none. Returns the length. */
size_t mcp_lock_item_write_head(const mcp_lock_item *item, const mcp_holder_label *label,
	char head[MCP_LOCK_ITEM_HEAD_MAX]);

/* Returns false if the value has another format. `owner` is a view into `value`. */
bool mcp_lock_item_read(mcp_bytes value, mcp_lock_item *item);

#endif
