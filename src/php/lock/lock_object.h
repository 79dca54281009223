/* The object of McPatterns\Lock and McPatterns\Semaphore: its hold, and the release at the end of the script. A
 * forked child does not hold what its parent acquired. */
/* SPDX-License-Identifier: MIT */
#ifndef MCP_PHP_LOCK_LOCK_OBJECT_H
#define MCP_PHP_LOCK_LOCK_OBJECT_H

#include "../../patterns/lock/semaphore.h"
#include "../host/give_back.h"
#include "../pooled/pooled_object.h"
#include "php.h"

/* Hold and runs belong to `process`: a forked child forgets them. */
typedef struct mcp_lock_object {
	zend_string *owner; /* a reference */
	uint64_t ttl_ms;
	uint64_t skew_ms;
	uint32_t permits; /* number of a Semaphore's permits; 0 for a Lock */
	uint32_t permit;  /* permit of the open hold */
	bool releases_itself;
	bool was_lost;    /* the last hold was found lost */
	bool is_freed;    /* the engine has freed the object, but the hold must still be released */
	bool is_for_runs; /* acquired by run(): the last run to end releases it */
	bool was_unclean; /* CG(unclean_shutdown) at the beginning of the first run */
	uint32_t runs;    /* calls of run() in progress, nested or in Fibers */
	/* incremented when the runs are forgotten: runs of earlier eras no longer count */
	uint32_t run_era;
	uint32_t losses; /* holds that were found lost; compared at the end of a run */
	mcp_hold hold;
	zend_string *list; /* server list of the item (php_mcp_pool_list); NULL: the current list */
	pid_t process;
	mcp_holder *holder, *named_holder; /* `holder` and `named` of mcp_lock, in `process` */
	mcp_give_back held;                /* registered as long as there is a hold to release */
	struct mcp_metrics_lock *counted;  /* metrics of the name; NULL until looked up */
	mcp_named_object named;
} mcp_lock_object;

static inline mcp_lock_object *php_mcp_lock_object_from(zend_object *object) {
	return (mcp_lock_object *)((char *)object - offsetof(mcp_lock_object, named.std));
}

/* Arguments of the pattern, on the stack of a method. Renew them after user code has run. */
typedef struct mcp_lock_call {
	mcp_lock_object *object;
	mcp_hold before; /* hold at the beginning of the call */
	mcp_key_buffer permit_buffer;
	mcp_key permit_key; /* Semaphore only: key of the held permit */
	mcp_lock lock;      /* lock with the key of the held item */
} mcp_lock_call;

/* Begin a call. Returns false with an Error if the object was never constructed. */
bool php_mcp_lock_call_begin(mcp_lock_call *call, zend_object *std);

/* Returns MCP_OK, MCP_NOT_STORED, or a failure, for which an exception has been thrown. */
mcp_status php_mcp_lock_call_acquire(mcp_lock_call *call, uint64_t wait_ms);

/* Release like mcp_lock_release(), on the server of the item, even if the pool has changed its servers. Returns
 * MCP_NOT_FOUND if such a former server does not reply. */
mcp_status php_mcp_lock_call_release_hold(mcp_lock_call *call, mcp_hold *hold);

/* Count the free permits of a Semaphore. Returns false with an exception. */
bool php_mcp_lock_call_count_available(mcp_lock_call *call, uint32_t *available);
/* Check locally that the lock is held. Returns false with a LockLostException. */
bool php_mcp_lock_call_require_held(const mcp_lock_call *call);

/* Run pending interrupts between two pauses of a call, and renew the call. Returns false with an exception. */
bool php_mcp_lock_call_run_interrupt(mcp_lock_call *call);

/* Let a new object take over the lock that its owner name holds. Returns true even if the lock is not held; false with
 * an exception. */
bool php_mcp_lock_object_adopt(mcp_lock_object *object);

/* Update the registration for release at the end. Call after every change of the hold. */
void php_mcp_lock_object_register_hold(mcp_lock_object *object);

/* Forget the hold without a request: its item belongs to no object of this process. */
void php_mcp_lock_object_forget_hold(mcp_lock_object *object);

/* Record a loss if the call ended a hold that its holder had not released. */
void php_mcp_lock_call_note_loss(mcp_lock_call *call);
/* Apply a reply to the hold. Returns whether the lock is still held. If the outcome is unknown, returns false with an
 * exception about `action` (the words before "the lock"). */
bool php_mcp_lock_call_judge(mcp_lock_call *call, mcp_status status, const char *action);

/* `reason`: a more precise reason than the status, or NULL. */
void php_mcp_lock_call_throw(const mcp_lock_call *call, mcp_status status, const char *action,
	const char *reason);
/* Throws 'The lock "<name>" <what>', or 'The semaphore ...' */
void php_mcp_lock_object_throw(const mcp_lock_object *object, zend_class_entry *exception,
	const char *what);
void php_mcp_lock_object_throw_lost(const mcp_lock_object *object, const char *what);

/* Fields are followed by their argument numbers, which differ between the classes. */
typedef struct mcp_lock_arguments {
	zend_object *pool;
	zend_string *name;
	zval *ttl;
	uint32_t ttl_number;
	zval *skew;
	uint32_t skew_number;
	zend_string *owner; /* name of the holder; NULL: random */
	uint32_t owner_number;
	uint32_t permits; /* validated number of a Semaphore's permits; 0 for a Lock */
} mcp_lock_arguments;

/* Construct the object. Can run user code. Returns false with an exception; the object then remains unconstructed. */
bool php_mcp_lock_object_construct(mcp_lock_object *object, const mcp_lock_arguments *arguments);

/* Both classes use this object. */
void php_mcp_lock_object_register_class(mcp_named_class *lock, zend_class_entry *type);

#endif
