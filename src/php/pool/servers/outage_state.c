/* Keeps one entry per server list in the thread's table, counted by its sets. */
/* SPDX-License-Identifier: MIT */
#include "outage_state.h"

#include "../../host/environment.h"
#include "../../host/process.h"

/* malloc'ed. */
struct mcp_outage_state {
	mcp_server_health *known;
	pid_t pid; /* process that recorded it */
	uint32_t users;
	uint64_t given_back; /* by the table's clock, at the last release */
};

static void destroy_entry(zval *entry) {
	mcp_outage_state *knowledge = Z_PTR_P(entry);
	mcp_server_health_free(knowledge->known);
	pefree(knowledge, 1);
}

void php_mcp_outage_state_init(mcp_server_knowledge_table *table) {
	zend_hash_init(&table->lists, 8, NULL, destroy_entry, 1);
	table->clock = 0;
}

void php_mcp_outage_state_destroy(mcp_server_knowledge_table *table) {
	zend_hash_destroy(&table->lists);
}

static mcp_outage_state *create(size_t count) {
	const mcp_environment *environment = php_mcp_environment_get();
	mcp_outage_state *knowledge = pecalloc(1, sizeof(*knowledge), 1);
	knowledge->known = mcp_server_health_create(count, mcp_random_u64(environment), environment);
	knowledge->pid = php_mcp_process_id();
	if (UNEXPECTED(knowledge->known == NULL)) {
		zend_error_noreturn(E_ERROR, "Out of memory");
	}
	return knowledge;
}

mcp_outage_state *php_mcp_outage_state_share(mcp_server_knowledge_table *table, mcp_bytes key,
	size_t count) {
	HashTable *lists = &table->lists;
	mcp_outage_state *knowledge = zend_hash_str_find_ptr(lists, key.data, key.length);
	if (knowledge == NULL) {
		knowledge = create(count);
		zend_hash_str_add_new_ptr(lists, key.data, key.length, knowledge);
	}
	knowledge->users++;
	return knowledge;
}

static bool goes_before(const mcp_outage_state *one, const mcp_outage_state *other) {
	bool has_seen_outage = one->known->outages > 0;
	if (has_seen_outage != (other->known->outages > 0)) {
		return !has_seen_outage;
	}
	return one->given_back < other->given_back;
}

static void forget_one_beyond(HashTable *lists, size_t idle_max) {
	size_t idle = 0;
	zend_string *key, *first_key = NULL;
	mcp_outage_state *knowledge, *first = NULL;
	ZEND_HASH_FOREACH_STR_KEY_PTR(lists, key, knowledge) {
		if (knowledge->users > 0) {
			continue;
		}
		idle++;
		if (first == NULL || goes_before(knowledge, first)) {
			first = knowledge;
			first_key = key;
		}
	}
	ZEND_HASH_FOREACH_END();
	if (idle > idle_max) {
		zend_hash_del(lists, first_key);
	}
}

void php_mcp_outage_state_let_go(mcp_server_knowledge_table *table, mcp_outage_state *knowledge) {
	if (--knowledge->users > 0) {
		return;
	}
	knowledge->given_back = ++table->clock;
	if (zend_hash_num_elements(&table->lists) > MCP_SERVER_KNOWLEDGE_IDLE_MAX) {
		forget_one_beyond(&table->lists, MCP_SERVER_KNOWLEDGE_IDLE_MAX);
	}
}

mcp_server_health *php_mcp_outage_state_get(mcp_outage_state *knowledge) {
	pid_t pid = php_mcp_process_id();
	if (UNEXPECTED(knowledge->pid != pid)) {
		mcp_server_health_forget(knowledge->known, mcp_random_u64(php_mcp_environment_get()));
		knowledge->pid = pid;
	}
	return knowledge->known;
}
