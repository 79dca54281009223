/* Keeps by a hash of servers, prefix and key, the oldest first. Keys with one hash share what is kept: a made collision has the
 * store of one key end the looks at the other, as naming MCP_KEPT_MAX keys does. */
/* SPDX-License-Identifier: MIT */
#include "key_table.h"

#include "../../engine/fiber.h"
#include "../../host/process.h"

struct mcp_kept_table {
	HashTable
		by_key; /* hash => what begins with a mcp_kept; its internal pointer is at the oldest */
	pid_t pid;
	bool has_forgotten;
};

/* Forgets in a forked child what its parent has kept. */
static mcp_kept_table *of_this_process(mcp_kept_table **table) {
	if (*table != NULL && (*table)->pid != php_mcp_process_id()) {
		zend_hash_clean(&(*table)->by_key);
		(*table)->pid = php_mcp_process_id();
		(*table)->has_forgotten = true;
	}
	return *table;
}

static void release(zval *kept) {
	efree(Z_PTR_P(kept));
}

static void prepare(mcp_kept_table **table) {
	if (EXPECTED(of_this_process(table) != NULL)) {
		return;
	}
	mcp_kept_table *made = emalloc(sizeof(*made));
	made->pid = php_mcp_process_id();
	made->has_forgotten = false;
	zend_hash_init(&made->by_key, 8, NULL, release, false);
	zend_hash_real_init_mixed(&made->by_key);
	*table = made;
}

void php_mcp_key_table_reset(mcp_kept_table **table) {
	if (*table != NULL) {
		zend_hash_destroy(&(*table)->by_key);
		efree(*table);
		*table = NULL;
	}
}

static zend_ulong hash_of(const mcp_cache_object *object, const mcp_key *key) {
	return (zend_ulong)(key->fingerprint ^ php_mcp_pool_servers_hash(object->pool));
}

void *php_mcp_key_table_find(mcp_kept_table **table, const mcp_cache_object *object,
	const mcp_key *key) {
	mcp_kept_table *found = of_this_process(table);
	return found != NULL ? zend_hash_index_find_ptr(&found->by_key, hash_of(object, key)) : NULL;
}

void *php_mcp_key_table_add(mcp_kept_table **table, const mcp_cache_object *object,
	const mcp_key *key, size_t size) {
	prepare(table);
	if (zend_hash_num_elements(&(*table)->by_key) == MCP_KEPT_MAX) {
		php_mcp_key_table_forget_oldest(table);
	}
	mcp_kept *kept = emalloc(size);
	*kept = (mcp_kept){.place = php_mcp_cache_emptied_place(object, key)};
	zend_hash_index_add_new_ptr(&(*table)->by_key, hash_of(object, key), kept);
	return kept;
}

void *php_mcp_key_table_resize(mcp_kept_table **table, const mcp_cache_object *object,
	const mcp_key *key, size_t size) {
	zval *found = zend_hash_index_find(&(*table)->by_key, hash_of(object, key));
	Z_PTR_P(found) = erealloc(Z_PTR_P(found), size);
	return Z_PTR_P(found);
}

void php_mcp_key_table_remove(mcp_kept_table **table, const mcp_cache_object *object,
	const mcp_key *key) {
	if (of_this_process(table) != NULL) {
		zend_hash_index_del(&(*table)->by_key, hash_of(object, key));
	}
}

static bool is_of_this_fiber(const mcp_kept *kept) {
	return kept->place.fiber == php_mcp_fiber_now();
}

void php_mcp_key_table_note_fiber(mcp_kept *kept) {
	kept->is_of_several |= !is_of_this_fiber(kept);
}

bool php_mcp_key_table_knows_fiber(const mcp_kept *kept) {
	return kept->is_of_several || is_of_this_fiber(kept);
}

size_t php_mcp_key_table_count(mcp_kept_table **table) {
	const mcp_kept_table *counted = of_this_process(table);
	return counted != NULL ? zend_hash_num_elements(&counted->by_key) : 0;
}

void php_mcp_key_table_forget_oldest(mcp_kept_table **table) {
	zend_string *name;
	zend_ulong hash;
	if (zend_hash_get_current_key(&(*table)->by_key, &name, &hash) == HASH_KEY_IS_LONG) {
		zend_hash_index_del(&(*table)->by_key, hash);
		(*table)->has_forgotten = true;
	}
}

bool php_mcp_key_table_has_forgotten(mcp_kept_table **table) {
	const mcp_kept_table *asked = of_this_process(table);
	return asked != NULL && asked->has_forgotten;
}

void php_mcp_key_table_doubt(mcp_kept_table **table) {
	if (of_this_process(table) != NULL) {
		(*table)->has_forgotten = true;
	}
}

void php_mcp_key_table_visit(mcp_kept_table **table, void (*visit)(void *kept, const void *context),
	const void *context) {
	mcp_kept *kept;
	if (of_this_process(table) == NULL) {
		return;
	}
	ZEND_HASH_FOREACH_PTR(&(*table)->by_key, kept) {
		if (!kept->is_of_several && is_of_this_fiber(kept)) {
			visit(kept, context);
		}
	}
	ZEND_HASH_FOREACH_END();
}

static int is_emptied(zval *value, void *emptied) {
	const mcp_kept *kept = Z_PTR_P(value);
	bool is_over = !kept->is_of_several && php_mcp_cache_emptied_has(emptied, &kept->place);
	return is_over ? ZEND_HASH_APPLY_REMOVE : ZEND_HASH_APPLY_KEEP;
}

void php_mcp_key_table_end_emptied(mcp_kept_table **table, const mcp_emptied *emptied) {
	if (of_this_process(table) != NULL) {
		zend_hash_apply_with_argument(&(*table)->by_key, is_emptied, (void *)emptied);
	}
}
