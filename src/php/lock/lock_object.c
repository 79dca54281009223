/* The objects of McPatterns\Lock and McPatterns\Semaphore: arguments, hold, release at the end, and engine handlers. */
/* SPDX-License-Identifier: MIT */
#include "lock_object.h"

#include "../../core/bytes.h"
#include "../../core/metrics/metrics.h"
#include "../engine/bailout.h"
#include "../engine/interrupt.h"
#include "../host/environment.h"
#include "../host/shared_memory.h"
#include "../host/process.h"
#include "../objects/object.h"
#include "../objects/failure.h"
#include "../pool/servers/server_sets.h"
#include "php_mcpatterns.h"

/* Buffer size for an action and its noun. */
#define ACTION_MAX 80

static bool is_semaphore(const mcp_lock_object *object) {
	return object->permits > 0;
}

static inline const mcp_key *name_key(const mcp_lock_call *call) {
	return &call->object->named.kept.key;
}

static zend_never_inline const mcp_key *make_permit_key(mcp_lock_call *call) {
	call->permit_key =
		mcp_semaphore_permit_key(&call->permit_buffer, name_key(call), call->object->permit);
	return &call->permit_key;
}

/* Key of the hold's item. */
static inline const mcp_key *held_key(mcp_lock_call *call) {
	return is_semaphore(call->object) ? make_permit_key(call) : name_key(call);
}

static void renew_lock_call(mcp_lock_call *call, mcp_lock_object *object) {
	call->object = object;
	call->before = object->hold;
	call->lock = (mcp_lock){
		.store = php_mcp_pool_store(object->named.pool),
		.environment = php_mcp_environment_get(),
		.key = held_key(call),
		.owner = php_mcp_bytes_of(object->owner),
		.ttl_ms = object->ttl_ms,
		.skew_ms = object->skew_ms,
		.holder = object->holder,
		.named = object->named_holder,
		/* Name all fields, because otherwise gcc clears the whole struct first (measured). */
		.pauses = NULL,
		.refusal = NULL,
	};
}

static void place(mcp_lock_object *object, zend_string *list) {
	if (object->list != NULL) {
		zend_string_release(object->list);
	}
	object->list = list != NULL ? zend_string_copy(list) : NULL;
}

/* If this call opened the hold, record the server list for the hold's item. */
static void note_place(const mcp_lock_call *call) {
	mcp_lock_object *object = call->object;
	zend_string *list = php_mcp_pool_list(object->named.pool);
	if (UNEXPECTED(object->list != list) && object->hold.stamp != call->before.stamp) {
		place(object, list);
	}
}

/* True if the pool has changed its servers since the hold was acquired. */
static bool is_elsewhere(const mcp_lock_object *object) {
	return object->list != NULL &&
		!zend_string_equals(object->list, php_mcp_pool_list(object->named.pool));
}

static zend_never_inline mcp_status release_elsewhere(mcp_lock_call *call, mcp_hold *hold) {
	mcp_lock_object *object = call->object;
	mcp_server_set *servers = php_mcp_pool_former_servers(object->named.pool, object->list);
	mcp_lock lock = call->lock;
	lock.store = php_mcp_server_set_store(servers);
	mcp_status status = mcp_lock_release(&lock, hold);
	php_mcp_server_sets_free(servers);
	place(object, NULL);
	*hold = (mcp_hold){0};
	call->lock.store =
		php_mcp_pool_store(object->named.pool); /* opening a connection can close another one */
	return status == MCP_OK ? status : MCP_NOT_FOUND;
}

mcp_status php_mcp_lock_call_release_hold(mcp_lock_call *call, mcp_hold *hold) {
	return UNEXPECTED(is_elsewhere(call->object)) ? release_elsewhere(call, hold)
												  : mcp_lock_release(&call->lock, hold);
}

static void forget(mcp_lock_object *object) {
	mcp_lock lock = {
		.holder = php_mcp_shared_memory_holder()}; /* a forked child is another holder */
	mcp_lock_forget(&lock, &object->hold);
}

/* Remember an item that could not be released: the item might exist, or a late write might still create it. */
static void note_late(mcp_lock_object *object) {
	bool is_given_up = mcp_hold_is_open(&object->hold) && object->hold.deadline_ms == 0;
	if (is_given_up && object->process == php_mcp_process_id() && !is_elsewhere(object)) {
		mcp_lock_call call;
		renew_lock_call(&call, object);
		mcp_late_locks_add(&MCP_G(late_locks), call.lock.store, call.lock.key, object->hold.stamp);
	}
}

static void release_references(mcp_named_object *named) {
	mcp_lock_object *object = php_mcp_lock_object_from(&named->std);
	note_late(object);
	place(object, NULL);
	forget(object);
	zend_string_release(object->owner);
}

/* Release the hold. If a fatal error interrupts this function while the object is being freed, the function runs again
 * at request end and then frees the references. */
static void give_back(mcp_give_back *node) {
	mcp_lock_object *object = (mcp_lock_object *)((char *)node - offsetof(mcp_lock_object, held));
	mcp_lock_call call;
	renew_lock_call(&call, object);
	php_mcp_lock_call_release_hold(&call, &object->hold);
	if (object->is_freed && !php_mcp_bailout_is_noted()) {
		php_mcp_named_object_let_go(&object->named);
	}
}

/* Register what must be released at the end. A write whose reply was lost might have stored an item. Release this item
 * even if autoRelease is off, because no holder will release it. */
void php_mcp_lock_object_register_hold(mcp_lock_object *object) {
	bool is_in_nobodys_hands = object->hold.deadline_ms == 0;
	bool is_wanted = object->releases_itself || object->is_for_runs || is_in_nobodys_hands;
	if (mcp_hold_is_open(&object->hold) && is_wanted) {
		object->held.is_a_calls =
			!is_in_nobodys_hands || object->runs > 0; /* the application can own its object */
		php_mcp_give_back_register(&object->held, give_back);
	} else {
		php_mcp_give_back_unregister(&object->held);
	}
}

void php_mcp_lock_object_forget_hold(mcp_lock_object *object) {
	forget(object);
	php_mcp_lock_object_register_hold(object);
}

static void forget_runs(mcp_lock_object *object) {
	object->runs = 0;
	object->run_era++;
}

/* Make this process the holder, once it is known whether the object releases its hold itself. */
static void choose_holder(mcp_lock_object *object) {
	object->process = php_mcp_process_id();
	object->holder = php_mcp_shared_memory_holder();
	object->named_holder = object->releases_itself ? object->holder : NULL;
}

/* In a forked child, forget the parent's hold and runs. */
static zend_never_inline void forget_inherited(mcp_lock_object *object) {
	choose_holder(object);
	object->was_lost = false;
	object->is_for_runs = false;
	forget_runs(object);
	php_mcp_lock_object_forget_hold(object);
}

bool php_mcp_lock_call_begin(mcp_lock_call *call, zend_object *std) {
	mcp_lock_object *object = php_mcp_lock_object_from(std);
	if (!php_mcp_object_require_constructed(std, object->named.pool)) {
		return false;
	}
	if (UNEXPECTED(object->process != php_mcp_process_id())) {
		forget_inherited(object);
	}
	/* Forget the runs whose frames a fatal error skipped: these runs would count forever, and shutdown functions can
	 * still use the object. A hold acquired for those runs must still be released. */
	if (object->runs > 0 && CG(unclean_shutdown) && !object->was_unclean) {
		forget_runs(object);
	}
	renew_lock_call(call, object);
	return true;
}

static void count_lock(mcp_lock_object *object, mcp_count_of_lock which) {
	mcp_metrics *metrics = php_mcp_environment_get()->metrics;
	if (metrics == NULL) {
		return;
	}
	if (UNEXPECTED(object->counted == NULL)) {
		/* The record keeps its address for the life of the process. */
		object->counted = mcp_metrics_find_lock(metrics, php_mcp_bytes_of(object->named.name));
	}
	mcp_metrics_add(&object->counted->counts[which], 1);
}

/* Count the result of acquire(). A call that has waited has met another holder. */
static void count_acquire(const mcp_lock_call *call, mcp_status status, const mcp_pauses *pauses) {
	if (status == MCP_NOT_STORED || mcp_pauses_have_waited(pauses)) {
		count_lock(call->object, MCP_COUNT_CONTENTION);
	}
	if (status == MCP_OK && call->object->hold.stamp != call->before.stamp) {
		count_lock(call->object, MCP_COUNT_ACQUISITIONS);
	}
}

/* Record the loss of the previous hold. A holder that had already released the hold, even without a reply, has not lost
 * it. */
void php_mcp_lock_call_note_loss(mcp_lock_call *call) {
	mcp_lock_object *object = call->object;
	if (object->hold.stamp == call->before.stamp) {
		return;
	}
	if (UNEXPECTED(is_elsewhere(object)) && mcp_hold_is_open(&call->before)) {
		mcp_hold left_behind = call->before;
		release_elsewhere(call, &left_behind);
	}
	if (call->before.deadline_ms != 0) {
		object->was_lost = true;
		object->losses++;
		count_lock(object, MCP_COUNT_LOSSES);
	}
}

/* Free with efree(reads.keys). */
static mcp_read_scratch make_permit_scratch(uint32_t permits, mcp_semaphore_scratch *scratch) {
	mcp_read_scratch reads = php_mcp_read_scratch_make(permits, permits * sizeof(uint32_t));
	*scratch = (mcp_semaphore_scratch){reads.keys, reads.buffers, reads.replies, reads.rest};
	return reads;
}

static mcp_semaphore semaphore_of(const mcp_lock_call *call) {
	mcp_semaphore semaphore = {.lock = call->lock, .permits = call->object->permits};
	semaphore.lock.key = name_key(call);
	return semaphore;
}

static mcp_status acquire_permit(mcp_lock_call *call, uint64_t wait_ms) {
	mcp_lock_object *object = call->object;
	mcp_semaphore semaphore = semaphore_of(call);
	mcp_semaphore_scratch scratch;
	mcp_read_scratch reads = make_permit_scratch(object->permits, &scratch);
	mcp_status status =
		mcp_semaphore_acquire(&semaphore, &scratch, &object->hold, &object->permit, wait_ms);
	efree(reads.keys);
	call->lock.key = held_key(call);
	return status;
}

bool php_mcp_lock_call_run_interrupt(mcp_lock_call *call) {
	mcp_lock_object *object = call->object;
	php_mcp_lock_object_register_hold(object);
	return php_mcp_interrupt_run() && php_mcp_lock_call_begin(call, &object->named.std);
}

/* Runs the user's signal handlers between two pauses. MCP_INTERRUPTED: a handler threw. */
static mcp_status wait_and_acquire(mcp_lock_call *call, uint64_t wait_ms) {
	mcp_pauses pauses = {.has_begun = false};
	for (;;) {
		call->lock.pauses = &pauses;
		mcp_status status = is_semaphore(call->object)
			? acquire_permit(call, wait_ms)
			: mcp_lock_acquire(&call->lock, &call->object->hold, wait_ms);
		call->lock.pauses = NULL;
		php_mcp_lock_call_note_loss(call);
		note_place(call);
		if (status != MCP_INTERRUPTED) {
			count_acquire(call, status, &pauses);
			return status;
		}
		if (!php_mcp_lock_call_run_interrupt(call)) {
			return MCP_INTERRUPTED;
		}
	}
}

mcp_status php_mcp_lock_call_acquire(mcp_lock_call *call, uint64_t wait_ms) {
	mcp_lock_object *object = call->object;
	mcp_status status = wait_and_acquire(call, wait_ms);
	if (status == MCP_INTERRUPTED) {
		return status;
	}
	if (status == MCP_OK) {
		object->was_lost = false;
		mcp_late_locks_take_back(&MCP_G(late_locks), call->lock.store, name_key(call),
			call->lock.environment);
	}
	php_mcp_lock_object_register_hold(object);
	if (status != MCP_OK && status != MCP_NOT_STORED) {
		php_mcp_lock_call_throw(call, status, "acquire", NULL);
	}
	return status;
}

bool php_mcp_lock_call_judge(mcp_lock_call *call, mcp_status status, const char *action) {
	php_mcp_lock_object_register_hold(call->object);
	if (status == MCP_NOT_FOUND) {
		php_mcp_lock_call_note_loss(call);
	} else if (status != MCP_OK) {
		php_mcp_lock_call_throw(call, status, action, NULL);
	}
	return status == MCP_OK;
}

bool php_mcp_lock_call_require_held(const mcp_lock_call *call) {
	const mcp_lock_object *object = call->object;
	if (mcp_lock_is_held(&call->lock, &object->hold)) {
		return true;
	}
	const char *why = object->was_lost ? "was lost" : "is not held";
	php_mcp_lock_object_throw_lost(object, object->hold.deadline_ms != 0 ? "has expired" : why);
	return false;
}

bool php_mcp_lock_call_count_available(mcp_lock_call *call, uint32_t *available) {
	mcp_semaphore semaphore = semaphore_of(call);
	mcp_semaphore_scratch scratch;
	mcp_read_scratch reads = make_permit_scratch(call->object->permits, &scratch);
	mcp_status status = mcp_semaphore_available(&semaphore, &scratch, available);
	efree(reads.keys);
	if (status != MCP_OK) {
		php_mcp_lock_call_throw(call, status, "read", NULL);
	}
	return status == MCP_OK;
}

bool php_mcp_lock_object_adopt(mcp_lock_object *object) {
	mcp_lock_call call;
	object->named_holder = NULL; /* detaching the same item again costs nothing */
	renew_lock_call(&call, object);
	mcp_status status = mcp_lock_adopt(&call.lock, &object->hold);
	note_place(&call);
	php_mcp_lock_call_judge(&call, status, "restore");
	if (EG(exception) != NULL) {
		/* The item might exist: it still belongs to the process that handed it over. */
		php_mcp_lock_object_forget_hold(object);
		return false;
	}
	return true;
}

void php_mcp_lock_call_throw(const mcp_lock_call *call, mcp_status status, const char *action,
	const char *reason) {
	const mcp_lock_object *object = call->object;
	mcp_bytes name = php_mcp_bytes_of(object->named.name);
	char whole[ACTION_MAX];
	snprintf(whole, ACTION_MAX, "%s the %s", action, is_semaphore(object) ? "semaphore" : "lock");
	if (reason != NULL) {
		php_mcp_failure_throw_because(status, whole, name, reason);
		return;
	}
	php_mcp_failure_throw_for_key(status, whole, name, call->lock.store, name_key(call));
}

void php_mcp_lock_object_throw(const mcp_lock_object *object, zend_class_entry *exception,
	const char *what) {
	php_mcp_failure_throw_about(exception, is_semaphore(object) ? "The semaphore" : "The lock",
		php_mcp_bytes_of(object->named.name), what);
}

void php_mcp_lock_object_throw_lost(const mcp_lock_object *object, const char *what) {
	php_mcp_lock_object_throw(object, php_mcp_lock_lost_exception, what);
}

#define OWNER_LENGTH_MAX 255
#define OWNER_RANDOM_WORDS 2
#define DEFAULT_TTL_MS 10000

static zend_string *random_owner(void) {
	const mcp_environment *environment = php_mcp_environment_get();
	zend_string *owner = zend_string_alloc(OWNER_RANDOM_WORDS * MCP_HEX_U64_LENGTH, false);
	char *end = ZSTR_VAL(owner);
	for (int i = 0; i < OWNER_RANDOM_WORDS; i++) {
		end += mcp_hex_write_u64(mcp_random_u64(environment), end);
	}
	*end = '\0';
	return owner;
}

/* INF and the patterns' constant are the same number. */
static_assert(MCP_LOCK_FOREVER == UINT64_MAX, "durations of INF are UINT64_MAX");

bool php_mcp_lock_object_construct(mcp_lock_object *object, const mcp_lock_arguments *arguments) {
	uint64_t ttl_ms = DEFAULT_TTL_MS;
	uint64_t skew_ms = MCP_LOCK_SKEW_MS;
	mcp_named_object *named = &object->named;
	mcp_pool *pool = php_mcp_named_object_judge(arguments->pool, arguments->name);
	if (pool == NULL ||
		(arguments->ttl != NULL &&
			!php_mcp_duration_parse(arguments->ttl, arguments->ttl_number,
				MCP_DURATION_POSITIVE_OR_INFINITE, &ttl_ms)) ||
		!php_mcp_duration_judge(arguments->skew, arguments->skew_number, MCP_DURATION_OR_INFINITE,
			&skew_ms)) {
		return false;
	}
	zend_string *owner = arguments->owner;
	if (owner != NULL && (ZSTR_LEN(owner) == 0 || ZSTR_LEN(owner) > OWNER_LENGTH_MAX)) {
		zend_argument_value_error(arguments->owner_number, "must be between 1 and 255 bytes long");
		return false;
	}
	/* A deprecation handler might have constructed the object meanwhile. */
	if (!php_mcp_object_require_new(&named->std, named->pool)) {
		return false;
	}
	object->ttl_ms = ttl_ms;
	object->skew_ms = skew_ms;
	object->permits = arguments->permits;
	object->owner = owner != NULL ? zend_string_copy(owner) : random_owner();
	php_mcp_named_object_construct(named,
		is_semaphore(object) ? MCP_SPACE_SEMAPHORE : MCP_SPACE_LOCK, pool, arguments->name);
	choose_holder(object);
	return true;
}

/* Releases an open hold when its object is freed. */
static void free_object(zend_object *std) {
	mcp_lock_object *object = php_mcp_lock_object_from(std);
	object->is_freed = true;
	php_mcp_give_back_now(&object->held);
	php_mcp_named_object_let_go(&object->named);
	zend_object_std_dtor(std);
	php_mcp_bailout_raise();
}

/* Add the constructor's arguments and the known state for var_dump(). Sends no request and changes nothing: a forked
 * child detects at its next call that it does not hold the lock. */
static void show(const mcp_named_object *named, zval *info) {
	const mcp_lock_object *object = php_mcp_named_object_derived(&named->std);
	mcp_lock lock = {.environment = php_mcp_environment_get()};
	bool is_ours = object->process == php_mcp_process_id();
	uint64_t left_ms = is_ours ? mcp_lock_remaining_ms(&lock, &object->hold) : 0;
	add_assoc_str(info, "owner", zend_string_copy(object->owner));
	php_mcp_object_add_seconds(Z_ARRVAL_P(info), "ttl", object->ttl_ms);
	if (is_semaphore(object)) {
		add_assoc_long(info, "permits", object->permits);
	} else {
		php_mcp_object_add_seconds(Z_ARRVAL_P(info), "skew", object->skew_ms);
	}
	add_assoc_bool(info, "autoRelease", object->releases_itself);
	add_assoc_bool(info, "isHeld", left_ms > 0);
	php_mcp_object_add_seconds(Z_ARRVAL_P(info), "remaining", left_ms);
	if (is_semaphore(object) && left_ms > 0) {
		add_assoc_long(info, "permit", object->permit);
	}
}

void php_mcp_lock_object_register_class(mcp_named_class *lock, zend_class_entry *type) {
	lock->offset = offsetof(mcp_lock_object, named);
	lock->show = show;
	lock->release = release_references;
	php_mcp_named_class_register(lock, type);
	lock->handlers.free_obj = free_object;
}
