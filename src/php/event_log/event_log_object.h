/* The object behind McPatterns\EventLog, and what its method files share. It holds nothing that would have to be
 * given back. */
/* SPDX-License-Identifier: MIT */
#ifndef MCP_PHP_EVENT_LOG_OBJECT_H
#define MCP_PHP_EVENT_LOG_OBJECT_H

#include "../../patterns/event_log/event_log.h"
#include "../pooled/named_object.h"
#include "../pooled/when_down.h"

#include "php.h"

typedef struct mcp_event_log_object {
	mcp_window window;
	mcp_when_down when_down; /* given: it is quiet */
	mcp_named_object named;
} mcp_event_log_object;

static inline mcp_event_log_object *php_mcp_event_log_object_from(zend_object *object) {
	return (mcp_event_log_object *)((char *)object - offsetof(mcp_event_log_object, named.std));
}

static inline mcp_bytes php_mcp_event_log_object_name(const mcp_event_log_object *object) {
	return php_mcp_named_object_name(&object->named);
}

/* The pattern's wants, on the stack of a method; renewed after user code. */
typedef struct mcp_event_log_call {
	mcp_event_log_object *object;
	mcp_key_buffer buffer;
	mcp_key key;
	mcp_event_log log;
} mcp_event_log_call;

/* Begins a call; false with an Error if the object was never constructed. */
bool php_mcp_event_log_call_begin(mcp_event_log_call *call, zend_object *std);
void php_mcp_event_log_call_renew(mcp_event_log_call *call, mcp_event_log_object *object);
void php_mcp_event_log_call_throw(const mcp_event_log_call *call, mcp_status status,
	const char *action);
/* Throws the failure unless the log is quiet: then there is no exception. */
void php_mcp_event_log_call_fail(const mcp_event_log_call *call, mcp_status status,
	const char *action);

/* Registers at start-up how objects of the class begin, are shown and end. */
void php_mcp_event_log_object_register(zend_class_entry *type);

#endif
