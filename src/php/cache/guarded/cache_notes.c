/* Keeps notes by a hash of servers, prefix and key, the oldest first. A forked child begins without: what its parent looked
 * at long ago is not what the child stores. */
/* SPDX-License-Identifier: MIT */
#include "cache_notes.h"

#include "../../engine/fiber.h"
#include "../../host/process.h"
#include "php_mcpatterns.h"

/* One at a key; emalloc'ed. */
typedef struct kept_note {
	mcp_guarded_note note;
	mcp_kept_place place;
	bool is_of_several; /* Fibers, of which the place has the first */
} kept_note;

struct mcp_notes {
	HashTable by_key; /* hash => kept_note; its internal pointer is at the oldest */
	pid_t pid;
	bool were_forgotten;
};

static mcp_notes *notes_of_this_process(void) {
	if (MCP_G(notes) != NULL && MCP_G(notes)->pid != php_mcp_process_id()) {
		php_mcp_cache_notes_reset();
	}
	return MCP_G(notes);
}

static void release(zval *kept) {
	efree(Z_PTR_P(kept));
}

static mcp_notes *make_room(void) {
	mcp_notes *notes = notes_of_this_process();
	if (UNEXPECTED(notes == NULL)) {
		notes = emalloc(sizeof(*notes));
		notes->pid = php_mcp_process_id();
		notes->were_forgotten = false;
		zend_hash_init(&notes->by_key, 8, NULL, release, false);
		zend_hash_real_init_mixed(&notes->by_key);
		MCP_G(notes) = notes;
	}
	return notes;
}

static zend_ulong place_of(const mcp_cache_object *object, const mcp_key *key) {
	return (zend_ulong)(key->fingerprint ^ php_mcp_pool_servers_hash(object->pool));
}

/* Finds it, and notes that this Fiber has it, too. */
static kept_note *find(const mcp_cache_object *object, const mcp_key *key) {
	mcp_notes *notes = notes_of_this_process();
	if (notes == NULL) {
		return NULL;
	}
	kept_note *kept = zend_hash_index_find_ptr(&notes->by_key, place_of(object, key));
	if (kept != NULL && kept->place.fiber != php_mcp_fiber_now()) {
		kept->is_of_several = true;
	}
	return kept;
}

mcp_guarded_note *php_mcp_cache_notes_find(const mcp_cache_object *object, const mcp_key *key) {
	kept_note *kept = find(object, key);
	return kept != NULL ? &kept->note : NULL;
}

mcp_guarded_note *php_mcp_cache_notes_find_own(const mcp_cache_object *object, const mcp_key *key) {
	kept_note *kept = find(object, key);
	return kept != NULL && !kept->is_of_several ? &kept->note : NULL;
}

static void forget_oldest(mcp_notes *notes) {
	zend_string *name;
	zend_ulong place;
	if (zend_hash_get_current_key(&notes->by_key, &name, &place) == HASH_KEY_IS_LONG) {
		zend_hash_index_del(&notes->by_key, place);
		notes->were_forgotten = true;
	}
}

mcp_guarded_note *php_mcp_cache_notes_make(const mcp_cache_object *object, const mcp_key *key) {
	kept_note *kept = find(object, key);
	if (kept != NULL) {
		return &kept->note;
	}
	mcp_notes *notes = make_room();
	if (zend_hash_num_elements(&notes->by_key) == MCP_NOTES_MAX) {
		forget_oldest(notes);
	}
	kept = emalloc(sizeof(*kept));
	*kept = (kept_note){
		.note = {.state = MCP_NOTE_NONE},
		.place = php_mcp_cache_emptied_place(object, key),
	};
	zend_hash_index_add_new_ptr(&notes->by_key, place_of(object, key), kept);
	return &kept->note;
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
void php_mcp_cache_notes_reserve(const mcp_cache_object *object, const mcp_key *key, size_t stride,
	size_t count) {
	ZEND_ASSERT(count <= MCP_NOTES_AT_ONCE);
	mcp_notes *notes = make_room();
	size_t kept = zend_hash_num_elements(&notes->by_key);
	if (kept + count <= MCP_NOTES_MAX ||
		kept + count_new(object, key, stride, count) <= MCP_NOTES_MAX) {
		return;
	}
	for (; kept + count > MCP_NOTES_MAX; kept--) {
		forget_oldest(notes);
	}
}

bool php_mcp_cache_notes_were_forgotten(void) {
	const mcp_notes *notes = notes_of_this_process();
	return notes != NULL && notes->were_forgotten;
}

static int is_emptied(zval *value, void *emptied) {
	const kept_note *kept = Z_PTR_P(value);
	bool is_over = !kept->is_of_several && php_mcp_cache_emptied_has(emptied, &kept->place);
	return is_over ? ZEND_HASH_APPLY_REMOVE : ZEND_HASH_APPLY_KEEP;
}

void php_mcp_cache_notes_end_emptied(const mcp_emptied *emptied) {
	mcp_notes *notes = notes_of_this_process();
	if (notes != NULL) {
		zend_hash_apply_with_argument(&notes->by_key, is_emptied, (void *)emptied);
	}
}

void php_mcp_cache_notes_reset(void) {
	if (MCP_G(notes) != NULL) {
		zend_hash_destroy(&MCP_G(notes)->by_key);
		efree(MCP_G(notes));
		MCP_G(notes) = NULL;
	}
}
