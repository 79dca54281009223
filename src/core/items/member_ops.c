/* Reads, replays and writes the operations of a member set. The decoder checks every length. */
/* SPDX-License-Identifier: MIT */
#include "member_ops.h"

#include "../compiler.h"
#include "../vendor/xxh64.h"

/* Larger than memcached's maximum item size (-I). */
#define OPS_MAX (1u << 30)

enum {
	BITS_OF_BYTE =
		7, /* of a length: 7 bits per byte, lowest first; the top bit: more bytes follow */
	MORE = 0x80,
	LENGTH_BYTES_MAX = 4,
};

static size_t length_bytes(size_t length) {
	size_t bytes = 1;
	for (; length >= MORE; length >>= BITS_OF_BYTE) {
		bytes++;
	}
	return bytes;
}

size_t mcp_member_op_length(size_t member_length) {
	return 1 + length_bytes(member_length) + member_length;
}

char *mcp_member_op_write(const mcp_member_op *op, char *out) {
	size_t length = op->member.length;
	*out++ = op->is_add ? '+' : '-';
	for (; length >= MORE; length >>= BITS_OF_BYTE) {
		*out++ = (char)(length | MORE);
	}
	*out++ = (char)length;
	memcpy(out, op->member.data, op->member.length);
	return out + op->member.length;
}

/* Returns false if the length is truncated, too long, or not in the shortest notation. */
static inline bool read_length(mcp_bytes ops, size_t *at, size_t *length) {
	*length = 0;
	for (unsigned i = 0; i < LENGTH_BYTES_MAX && *at < ops.length; i++) {
		unsigned char byte = (unsigned char)ops.data[(*at)++];
		*length |= (size_t)(byte & (MORE - 1)) << (i * BITS_OF_BYTE);
		if ((byte & MORE) == 0) {
			return i == 0 || byte != 0;
		}
	}
	return false;
}

/* Inlined where all operations are read. */
MCP_INLINED mcp_member_reading read_op(mcp_bytes ops, size_t *at, mcp_member_op *op) {
	if (*at >= ops.length) {
		return MCP_MEMBER_END;
	}
	size_t next = *at + 1, length;
	char sign = ops.data[*at];
	if ((sign != '+' && sign != '-') || !read_length(ops, &next, &length) || length == 0 ||
		length > ops.length - next) {
		return MCP_MEMBER_DAMAGED;
	}
	*op = (mcp_member_op){sign == '+', mcp_bytes_of(ops.data + next, length)};
	*at = next + length;
	return MCP_MEMBER_OP;
}

mcp_member_reading mcp_member_op_read(mcp_bytes ops, size_t *at, mcp_member_op *op) {
	return read_op(ops, at, op);
}

bool mcp_member_ops_count(mcp_bytes ops, size_t *count) {
	mcp_member_op op;
	mcp_member_reading found;
	size_t at = 0;
	for (*count = 0; (found = read_op(ops, &at, &op)) == MCP_MEMBER_OP;) {
		(*count)++;
	}
	return found == MCP_MEMBER_END && ops.length <= OPS_MAX;
}

bool mcp_member_ops_have(mcp_bytes ops, mcp_bytes member) {
	mcp_member_op op;
	size_t at = 0;
	bool is_in = false;
	while (read_op(ops, &at, &op) == MCP_MEMBER_OP) {
		if (mcp_bytes_equal(op.member, member)) {
			is_in = op.is_add;
		}
	}
	return is_in;
}

/* A power of two, at least twice the count, for short lookups. */
static size_t table_length(size_t ops_count) {
	size_t length = 4;
	while (length < 2 * ops_count) {
		length *= 2;
	}
	return length;
}

size_t mcp_members_memory(size_t ops_count) {
	return ops_count * sizeof(struct mcp_member_entry) + table_length(ops_count) * sizeof(uint32_t);
}

static mcp_bytes member_of(const mcp_members *members, size_t entry) {
	mcp_member_op op = {.is_add = true, .member = mcp_bytes_none()};
	size_t at = members->entries[entry].at;
	mcp_member_op_read(members->ops, &at, &op);
	return op.member;
}

/* Find the table slot that has the member or is free for it. Members are compared bytewise and the seed is
 * secret, so that crafted collisions gain nothing. */
static uint32_t *place_of(const mcp_members *members, mcp_bytes member) {
	size_t place = (size_t)XXH64(member.data, member.length, members->seed) & members->mask;
	while (members->table[place] != 0 &&
		!mcp_bytes_equal(member_of(members, members->table[place] - 1), member)) {
		place = (place + 1) & members->mask;
	}
	return &members->table[place];
}

static void leave(mcp_members *members, size_t entry) {
	if (!members->entries[entry].has_left) {
		members->entries[entry].has_left = true;
		members->count--;
		members->living_bytes -= mcp_member_op_length(member_of(members, entry).length);
	}
}

static void join(mcp_members *members, uint32_t *place, mcp_bytes member, size_t at) {
	if (*place != 0 && !members->entries[*place - 1].has_left) {
		return;
	}
	members->entries[members->joined].at = (uint32_t)at;
	members->entries[members->joined].has_left = false;
	*place = (uint32_t)++members->joined;
	members->count++;
	members->living_bytes += mcp_member_op_length(member.length);
}

void mcp_members_replay(mcp_members *members, mcp_bytes ops, size_t ops_count, uint64_t seed,
	void *memory) {
	size_t length = table_length(ops_count);
	*members = (mcp_members){.ops = ops, .seed = seed, .entries = memory, .mask = length - 1};
	members->table = (uint32_t *)(members->entries + ops_count);
	memset(members->table, 0, length * sizeof(uint32_t));
	mcp_member_op op;
	for (size_t at = 0, next = 0; mcp_member_op_read(ops, &next, &op) == MCP_MEMBER_OP; at = next) {
		uint32_t *place = place_of(members, op.member);
		if (op.is_add) {
			join(members, place, op.member, at);
		} else if (*place != 0) {
			leave(members, *place - 1);
		}
	}
}

bool mcp_members_next(const mcp_members *members, size_t *entry, mcp_bytes *member) {
	while (*entry < members->joined && members->entries[*entry].has_left) {
		(*entry)++;
	}
	if (*entry == members->joined) {
		return false;
	}
	*member = member_of(members, (*entry)++);
	return true;
}

void mcp_members_drop(mcp_members *members, size_t entry) {
	leave(members, entry - 1);
}

char *mcp_members_write(const mcp_members *members, char *out) {
	mcp_member_op op = {.is_add = true};
	for (size_t entry = 0; mcp_members_next(members, &entry, &op.member);) {
		out = mcp_member_op_write(&op, out);
	}
	return out;
}
