/* The function that Pool::onError() was given, and what it is to be told. It knows nothing of pools: pool_listener.c
 * notes for it and calls it. */
/* SPDX-License-Identifier: MIT */
#ifndef MCP_PHP_LISTENER_H
#define MCP_PHP_LISTENER_H

#include "../../../store/store.h"
#include "../../engine/user_call.h"

#include "php.h"

typedef enum mcp_error_kind {
	MCP_ERROR_KIND_SERVER,      /* a server failed; the stores report it themselves */
	MCP_ERROR_KIND_UNSTORABLE,  /* a value cannot be stored */
	MCP_ERROR_KIND_UNREADABLE,  /* a value that is there cannot be read */
	MCP_ERROR_KIND_COMPUTATION, /* a computation failed, and no caller is left that sees it */
	MCP_ERROR_KIND_WHEN_DOWN,   /* an object answered in the place of a server */
	MCP_ERROR_KIND_DIFFERENT, /* a value that was served differs from what an Audit has computed */
	MCP_ERROR_KIND_KINDS,
} mcp_error_kind;

/* A trouble that is not a server's, to be told later. References. */
typedef struct mcp_queued_error {
	mcp_error_kind kind;
	size_t server;
	zend_string *name;
	zend_object *exception; /* or NULL */
	double at_s;
	struct mcp_queued_error *next;
} mcp_queued_error;

/* With its own copy of why: what follows in the operation may fail of something else. */
typedef struct mcp_noted_failure {
	mcp_status status; /* MCP_OK: none */
	bool is_explained;
	mcp_store_failure failure; /* where it is explained */
} mcp_noted_failure;

/* emalloc'ed, and so is what hangs from it. */
typedef struct mcp_listener {
	mcp_user_call call; /* with references; none: nothing is told */
	/* With either its pool hangs in a list of the module's, held. */
	bool is_running; /* what fails meanwhile is not told */
	bool is_queued;
	struct mcp_pool *next;
	size_t servers;
	mcp_noted_failure *failures; /* of each server, not told yet */
	uint64_t *quiet_until_ms;    /* of each server and kind, by the monotonic clock */
	mcp_queued_error *first, **end;
} mcp_listener;

mcp_listener *php_mcp_listener_create(size_t servers);
void php_mcp_listener_free(mcp_listener *listener);
/* Begins with so many other servers; of those before nothing may be left to tell. */
void php_mcp_listener_change_servers(mcp_listener *listener, size_t servers);
/* Takes references to what `call` has; NULL: nothing is told from now on. May run user code, last. */
void php_mcp_listener_set(mcp_listener *listener, const mcp_user_call *call);
/* Shows what it holds to the garbage collector. */
void php_mcp_listener_show(mcp_listener *listener, zend_get_gc_buffer *buffer);

/* Says whether there is a function and the like was not told a moment ago; from now on it was. */
bool php_mcp_listener_is_news(mcp_listener *listener, size_t server, mcp_error_kind kind);
bool php_mcp_listener_has_untold(const mcp_listener *listener);

/* Takes over the name, and a reference to the exception. */
void php_mcp_listener_add_trouble(mcp_listener *listener, const mcp_queued_error *trouble);
/* Takes the oldest one, of which there must be one. */
mcp_queued_error *php_mcp_listener_take_trouble(mcp_listener *listener);
void php_mcp_listener_free_trouble(mcp_queued_error *trouble);

#endif
