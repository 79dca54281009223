/* The class McPatterns\Entry: read-only details of a key at one moment. Only Cache creates it. */
/* SPDX-License-Identifier: MIT */
#include "class_entry.h"

#include "../../objects/classes.h"
#include "../../objects/object.h"

#include "class_entry_arginfo.h"

/* Numbers of the properties, in the order of the stub. */
enum { PROPERTY_STATUS, PROPERTY_VALUE, PROPERTY_AGE, PROPERTY_EXPIRES_IN, PROPERTY_COMPUTE_TIME };

zend_class_entry *php_mcp_entry_class_entry;
static zend_object_handlers handlers;

static zend_object *create(zend_class_entry *type) {
	return php_mcp_object_create(type, &handlers);
}

static mcp_entry_status status_of(const mcp_cache_entry *entry, bool has_value) {
	if (entry->verdict == MCP_VERDICT_ELECTED) {
		return MCP_ENTRY_ELECTED;
	}
	if (!has_value) {
		bool is_claimed =
			entry->verdict == MCP_VERDICT_BUSY || entry->opening == MCP_OPENING_CLAIMED;
		return is_claimed ? MCP_ENTRY_BUSY : MCP_ENTRY_MISS;
	}
	if (entry->verdict == MCP_VERDICT_FRESH) {
		return MCP_ENTRY_FRESH;
	}
	return entry->verdict == MCP_VERDICT_STALE ? MCP_ENTRY_STALE : MCP_ENTRY_BUSY;
}

static double seconds_between(uint64_t from_ms, uint64_t to_ms) {
	return ((double)to_ms - (double)from_ms) / 1000.0;
}

mcp_entry_story php_mcp_class_entry_story(const mcp_cache_entry *entry, bool has_value) {
	/* A tag or an outage can make a value stale before its TTL expires. The TTL then counts as expired at the time of
	 * the read. */
	uint64_t soft_ms = entry->envelope.soft_ms;
	bool is_ended_early = entry->freshness == MCP_STALE && entry->judged_ms < soft_ms;
	return (mcp_entry_story){
		.status = status_of(entry, has_value),
		.created_ms = entry->envelope.created_ms,
		.soft_ms = is_ended_early ? entry->judged_ms : soft_ms,
		.compute_ms = entry->envelope.compute_ms,
	};
}

void php_mcp_class_entry_make(zval *result, const mcp_entry_story *story, zval *value,
	uint64_t now_ms) {
	object_init_ex(result, php_mcp_entry_class_entry);
	zend_object *object = Z_OBJ_P(result);
	ZVAL_OBJ_COPY(OBJ_PROP_NUM(object, PROPERTY_STATUS),
		php_mcp_enums_object(php_mcp_status_enum, story->status));
	for (int i = PROPERTY_VALUE; i <= PROPERTY_COMPUTE_TIME; i++) {
		ZVAL_NULL(OBJ_PROP_NUM(object, i));
	}
	if (value == NULL) {
		return;
	}
	ZVAL_COPY_VALUE(OBJ_PROP_NUM(object, PROPERTY_VALUE), value);
	if (story->created_ms != MCP_CREATED_UNKNOWN) {
		ZVAL_DOUBLE(OBJ_PROP_NUM(object, PROPERTY_AGE), seconds_between(story->created_ms, now_ms));
	}
	if (story->soft_ms != MCP_NEVER_MS) {
		ZVAL_DOUBLE(OBJ_PROP_NUM(object, PROPERTY_EXPIRES_IN),
			seconds_between(now_ms, story->soft_ms));
	}
	if (story->compute_ms > 0) {
		ZVAL_DOUBLE(OBJ_PROP_NUM(object, PROPERTY_COMPUTE_TIME),
			(double)story->compute_ms / 1000.0);
	}
}

void php_mcp_class_entry_create(zval *result, const mcp_cache_entry *entry, zval *value,
	uint64_t now_ms) {
	mcp_entry_story story = php_mcp_class_entry_story(entry, value != NULL);
	php_mcp_class_entry_make(result, &story, value, now_ms);
}

ZEND_METHOD(McPatterns_Entry, __construct) {
	ZEND_PARSE_PARAMETERS_NONE();
}

void php_mcp_class_entry_register(void) {
	php_mcp_entry_class_entry = register_class_McPatterns_Entry();
	php_mcp_entry_class_entry->create_object = create;
	php_mcp_object_handlers_init(&handlers, 0, zend_object_std_dtor);
	handlers.compare = std_object_handlers.compare; /* entries are equal if their properties are */
}
