/* Keeps notes in a table of what is kept of keys, and makes room for many at once. */
/* SPDX-License-Identifier: MIT */
#include "read_stamps.h"

#include "../object/key_table.h"
#include "php_mcpatterns.h"

typedef struct kept_note {
	mcp_kept kept;
	mcp_read_stamp note;
} kept_note;

/* Finds it, and notes that this Fiber has it, too. */
static kept_note *find(const mcp_cache_object *object, const mcp_key *key) {
	kept_note *found = php_mcp_key_table_find(&MCP_REQUEST(notes), object, key);
	if (found != NULL) {
		php_mcp_key_table_note_fiber(&found->kept);
	}
	return found;
}

mcp_read_stamp *php_mcp_read_stamps_find(const mcp_cache_object *object, const mcp_key *key) {
	kept_note *found = find(object, key);
	return found != NULL ? &found->note : NULL;
}

mcp_read_stamp *php_mcp_read_stamps_find_own(const mcp_cache_object *object, const mcp_key *key) {
	kept_note *found = find(object, key);
	return found != NULL && !found->kept.is_of_several ? &found->note : NULL;
}

mcp_read_stamp *php_mcp_read_stamps_make(const mcp_cache_object *object, const mcp_key *key) {
	kept_note *note = find(object, key);
	if (note == NULL) {
		note = php_mcp_key_table_add(&MCP_REQUEST(notes), object, key, sizeof(*note));
		note->note = (mcp_read_stamp){.state = MCP_READ_STAMP_NONE};
	}
	return &note->note;
}

static size_t count_new(const mcp_cache_object *object, const mcp_key *key, size_t stride,
	size_t count) {
	size_t new_ones = 0;
	const char *at = (const char *)key;
	for (size_t i = 0; i < count; i++, at += stride) {
		new_ones += find(object, (const mcp_key *)at) == NULL;
	}
	return new_ones;
}

/* Forgets enough for all of them where not all new ones have room: the oldest may be some of these keys' own. */
void php_mcp_read_stamps_reserve(const mcp_cache_object *object, const mcp_key *key, size_t stride,
	size_t count) {
	ZEND_ASSERT(count <= MCP_NOTES_AT_ONCE);
	size_t kept = php_mcp_key_table_count(&MCP_REQUEST(notes));
	if (kept + count <= MCP_KEPT_MAX ||
		kept + count_new(object, key, stride, count) <= MCP_KEPT_MAX) {
		return;
	}
	for (; kept + count > MCP_KEPT_MAX; kept--) {
		php_mcp_key_table_forget_oldest(&MCP_REQUEST(notes));
	}
}

void php_mcp_read_stamps_doubt(void) {
	php_mcp_key_table_doubt(&MCP_REQUEST(notes));
}

bool php_mcp_read_stamps_were_forgotten(void) {
	return php_mcp_key_table_has_forgotten(&MCP_REQUEST(notes));
}

void php_mcp_read_stamps_end_emptied(const mcp_emptied *emptied) {
	php_mcp_key_table_end_emptied(&MCP_REQUEST(notes), emptied);
}

void php_mcp_read_stamps_reset(void) {
	php_mcp_key_table_reset(&MCP_REQUEST(notes));
}
