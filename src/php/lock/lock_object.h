/* The object behind McPatterns\Lock and McPatterns\Semaphore, and what their method files share: its hold, and what
 * gives it back however the script ends. A forked child holds nothing that its parent acquired. */
/* SPDX-License-Identifier: MIT */
#ifndef MCP_PHP_LOCK_LOCK_OBJECT_H
#define MCP_PHP_LOCK_LOCK_OBJECT_H

#include "../../patterns/lock/semaphore.h"
#include "../host/give_back.h"
#include "../pool/pool.h"
#include "php.h"

/* Hold and runs belong to the process `process`: a forked child forgets them. */
typedef struct mcp_lock_object {
	mcp_pool *pool;     /* a reference; NULL until constructed */
	zend_string *name;  /* a reference */
	zend_string *owner; /* a reference */
	uint64_t ttl_ms;
	uint64_t skew_ms;
	uint32_t permits; /* of a Semaphore; 0: a Lock */
	uint32_t permit;  /* the one that the hold is of, while it is open */
	bool releases_itself;
	bool was_lost;    /* the last hold ended by being found gone */
	bool is_freed;    /* by the engine; what it holds is still to be given back */
	bool is_for_runs; /* what is held was acquired by run(): the last run to end releases it */
	bool was_unclean; /* CG(unclean_shutdown) when the first of the runs began */
	uint32_t runs;    /* calls of run() that are going on, one in the other or in Fibers */
	uint32_t run_era; /* grows when the runs are forgotten: those of before count no more */
	uint32_t losses;  /* holds that were found gone; a run compares it with what it was before */
	mcp_hold hold;
	zend_string *
		list; /* of the servers that the hold's item is on, as php_mcp_pool_list has it; NULL: the pool's */
	pid_t process;
	mcp_holder *holder, *named; /* in that process, as mcp_lock has them */
	mcp_give_back held;         /* registered while something is to be released at the end */
	mcp_pool_kept_key kept;     /* of the name */
	struct mcp_metrics_lock
		*counted; /* its name's record in the host's metrics; NULL: not looked for yet */
	zend_object std;
} mcp_lock_object;

static inline mcp_lock_object *php_mcp_lock_object_from(zend_object *object) {
	return (mcp_lock_object *)((char *)object - offsetof(mcp_lock_object, std));
}

/* The pattern's wants, on the stack of a method; renewed after user code. */
typedef struct mcp_lock_call {
	mcp_lock_object *object;
	mcp_hold before;    /* what the object held when the call began */
	const mcp_key *key; /* of the name */
	mcp_key_buffer permit_buffer;
	mcp_key permit_key; /* a Semaphore's: of the permit that the hold is of */
	mcp_lock lock;      /* with the key of the item that is held */
} mcp_lock_call;

/* Begins a call; false with an Error if the object was never constructed. */
bool php_mcp_lock_call_begin(mcp_lock_call *call, zend_object *std);

/* Returns MCP_OK, MCP_NOT_STORED, or a failure that has been thrown. */
mcp_status php_mcp_lock_call_acquire(mcp_lock_call *call, uint64_t wait_ms);

/* Releases as mcp_lock_release does, on the server where the item is, be it one that the pool had before. Such a one that does
 * not answer is gone: MCP_NOT_FOUND. */
mcp_status php_mcp_lock_call_release_hold(mcp_lock_call *call, mcp_hold *hold);

/* Returns what the method of the like name returns; with an exception, false. */
bool php_mcp_lock_call_acquire_to_keep(mcp_lock_call *call, uint64_t wait_ms);
bool php_mcp_lock_call_refresh(mcp_lock_call *call);
bool php_mcp_lock_call_release(mcp_lock_call *call);
bool php_mcp_lock_call_force_release(mcp_lock_call *call);
bool php_mcp_lock_call_verify(mcp_lock_call *call);
/* Lets go of the hold and leaves it to whoever restores it; false with an exception, a LockLostException when it is not held. */
bool php_mcp_lock_call_hand_over(mcp_lock_call *call);
/* Counts the permits of a Semaphore that nobody holds. False with an exception. */
bool php_mcp_lock_call_count_available(mcp_lock_call *call, uint32_t *available);
/* Says which permit of a Semaphore is held. False with a LockLostException. */
bool php_mcp_lock_call_permit(const mcp_lock_call *call, uint32_t *permit);
/* Looks that it is held. False with a LockLostException. */
bool php_mcp_lock_call_require_held(const mcp_lock_call *call);

/* Runs, between two pauses of a call, what it was interrupted for, and renews the call. False with an exception. */
bool php_mcp_lock_call_run_interrupt(mcp_lock_call *call);

/* Takes over for a new object what its owner holds elsewhere. True though it holds nothing; false with an
 * exception. */
bool php_mcp_lock_object_adopt(mcp_lock_object *object);

/* Settles after every change of the hold what is to be given back at the end: what is open, if that is wanted. */
void php_mcp_lock_object_settle(mcp_lock_object *object);

/* Takes note of a loss when the call has ended a hold that its holder had not given up. */
void php_mcp_lock_call_note_loss(mcp_lock_call *call);
/* Takes note of what an answer says of the hold. True if it is still ours; false: it was not, is not, or (with
 * an exception about `action`, the words before "the lock") could not be asked. */
bool php_mcp_lock_call_judge(mcp_lock_call *call, mcp_status status, const char *action);

void php_mcp_lock_call_throw(const mcp_lock_call *call, mcp_status status, const char *action);
/* Throws likewise, for a reason that says more than the status does. */
void php_mcp_lock_call_throw_because(const mcp_lock_call *call, mcp_status status,
	const char *action, const char *reason);
/* Throws 'The lock "<name>" <what>', or 'The semaphore ...' */
void php_mcp_lock_object_throw(const mcp_lock_object *object, zend_class_entry *exception,
	const char *what);
void php_mcp_lock_object_throw_lost(const mcp_lock_object *object, const char *what);

/* The arguments of the constructors of McPatterns\Lock and McPatterns\Semaphore, and of Lock::restore(). */

/* With their numbers, which differ. */
typedef struct mcp_lock_arguments {
	zend_object *pool;
	zend_string *name;
	zval *ttl;
	uint32_t ttl_number;
	zval *skew;
	uint32_t skew_number;
	zend_string *owner; /* NULL: a random one */
	uint32_t owner_number;
	uint32_t permits; /* of a Semaphore, judged; 0: a Lock */
} mcp_lock_arguments;

/* Constructs the object; false with an exception, and then it stays unconstructed. May run user code. */
bool php_mcp_lock_arguments_construct(mcp_lock_object *object, const mcp_lock_arguments *arguments);

/* Parses a TTL; false with an exception about parameter arg_num. */
bool php_mcp_lock_arguments_parse_ttl(zval *ttl, uint32_t arg_num, uint64_t *ttl_ms);
/* Parses a wait; no argument is 0. */
bool php_mcp_lock_arguments_parse_wait(zval *wait, uint32_t arg_num, uint64_t *wait_ms);

/* The objects of McPatterns\Lock and McPatterns\Semaphore for the engine: from their making to their end. */

/* Has the class's objects made, shown and freed here; both classes have the same object. */
void php_mcp_lock_handlers_register(zend_class_entry *type);

#endif
