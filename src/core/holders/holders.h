/* Which locks the processes of a host hold, or are about to: a table of stamps in shared memory. An item in memcached names
 * its process, and that one's record in the table. So a process of the same host knows an item that nobody holds: its
 * process has ended, or lives and has given the stamp up, as with a write that was executed late.
 *
 * Nothing is concluded from what is missing alone. A process has ended if the system says so of its id, and machine, boot
 * and id namespace are this process's own. A living one has given a stamp up if this table has its record, under its name,
 * without the stamp: then it shares this very memory, and has registered the stamp before it sent the item. A process may
 * have had this memory before, and another one now: exec changes neither its id nor its start. So each memory has a
 * number, and a record's is in no other one.
 *
 * An owner registers a stamp before it sends an item with it, and keeps it for as long as it believes in the item. */
/* SPDX-License-Identifier: MIT */
#ifndef MCP_CORE_HOLDERS_H
#define MCP_CORE_HOLDERS_H

#include "../atomics.h"
#include "../bytes.h"

#include <stddef.h>

/* Stamps that a thread may have registered at the same time. */
#define MCP_HOLDER_STAMPS 7
/* Machines that a table tells apart: hosts and containers that share one file, and their restarts. */
#define MCP_HOLDER_MACHINES 63
/* The most that Linux gives (PID_MAX_LIMIT). */
#define MCP_HOLDER_PID_MAX ((1u << 22) - 1)
/* In ticks since the boot: 21 years. */
#define MCP_HOLDER_START_MAX (((uint64_t)1 << 36) - 1)
#define MCP_HOLDER_RECORDS_MAX 9999
/* Of a memory and a record in it: 14 digits. */
#define MCP_HOLDER_RECORD_MAX \
	((uint64_t)UINT32_MAX * (MCP_HOLDER_RECORDS_MAX + 1) + MCP_HOLDER_RECORDS_MAX)
/* 16, 7, 11 and 14 digits, with a space behind each, in a multiple of a processor's word. */
#define MCP_HOLDER_LABEL_MAX 56

/* Names a process, and one of its threads' records. */
typedef struct mcp_holder_name {
	uint64_t machine; /* of its boot and the namespace of its process ids; 0: none is named */
	uint64_t start;   /* when it started, in ticks since the boot; 0: unknown */
	uint32_t pid;
	uint64_t
		record; /* the memory's number before the record's there, from 1 on, of four digits; 0: it has none */
} mcp_holder_name;

/* A name as text: "5be2f0a41c9d3377 4711 81234567 3 ". */
typedef struct mcp_holder_label {
	char text[MCP_HOLDER_LABEL_MAX];
	size_t length;
} mcp_holder_label;

void mcp_holder_label_write(const mcp_holder_name *name, mcp_holder_label *label);
/* Takes a name off the beginning of `text`. False if none is there, as it would be written. */
bool mcp_holder_label_read(mcp_bytes *text, mcp_holder_name *name);

/* A thread's record as it lies in the memory. */
typedef struct mcp_holder_record {
	mcp_atomic_u64 process;                   /* whose it is; 0: free */
	mcp_atomic_u64 stamps[MCP_HOLDER_STAMPS]; /* 0: none */
} mcp_holder_record;

/* Where the table lies. Plain data, which threads may share. */
typedef struct mcp_holders {
	mcp_atomic_u64 *machines;   /* by their numbers, from 1 on; before them, the memory's own */
	mcp_holder_record *records; /* record 1 is the first */
	uint32_t count;
	uint32_t number; /* of the memory */
} mcp_holders;

/* Lays the table out in `memory`, which is borrowed, begins on 64 bytes and was zeroed when it was new: then it gets the
 * number `drawn`, random and not 0. False if it is too small. */
bool mcp_holders_open(mcp_holders *holders, void *memory, size_t size, uint32_t drawn);

/* True only if no process of this id and start lives in this process's namespace. `start` 0: of any start. */
typedef bool (*mcp_holder_is_gone)(uint32_t pid, uint64_t start);

/* One thread as a holder of locks. Invariant: `record` is in the table, or is `own`. */
typedef struct mcp_holder {
	mcp_holder_name name;
	const mcp_holders *holders; /* NULL: no memory is shared */
	mcp_holder_is_gone is_gone;
	mcp_holder_record *record;
	unsigned used; /* no stamp is registered from this one on */
	mcp_holder_label with_record, without_record;
	mcp_holder_record own; /* in the place of one in the table */
} mcp_holder;

/* Makes `self` a holder under `name`, whose record is chosen here: a free one, or a crashed process's. `holders`: borrowed, or
 * NULL. `self` must not move until mcp_holder_leave. */
void mcp_holder_enter(mcp_holder *self, const mcp_holders *holders, const mcp_holder_name *name,
	mcp_holder_is_gone is_gone);
/* Gives the record back. Not in a forked child, whose parent goes on. */
void mcp_holder_leave(mcp_holder *self);

/* Do the next two's work beside other stamps. */
const mcp_holder_label *mcp_holder_register_one_more(mcp_holder *self, uint64_t stamp);
void mcp_holder_unregister_one_of(mcp_holder *self, uint64_t stamp);

/* Registers a stamp, which may be registered already. Returns what an item with it is to say: without a record if there is
 * no room, so that nobody looks for the stamp. */
static inline const mcp_holder_label *mcp_holder_register(mcp_holder *self, uint64_t stamp) {
	if (self->used != 0) {
		return mcp_holder_register_one_more(self, stamp);
	}
	atomic_store_explicit(&self->record->stamps[0], stamp, memory_order_release);
	self->used = 1;
	return &self->with_record;
}

/* Does no harm if it is not registered, nor where `self` is NULL. */
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

/* Says whether what was read, an item of this name and stamp, is held by nobody for sure. */
bool mcp_holder_knows_orphan(const mcp_holder *self, const mcp_holder_name *name, uint64_t stamp);

#endif
