/* The claims that this process holds, by item. The claims that are left at request end are released (C6). */
/* SPDX-License-Identifier: MIT */
#include "cache_claims.h"

#include "../../engine/computing.h"
#include "../../host/environment.h"
#include "../../metrics/meters.h"
#include "../object/cache_object.h"
#include "../../host/process.h"
#include "php_mcpatterns.h"

/* From this number of claims on, drop claims that expired long ago, because a long-lived process might never set()
 * its elected keys. A result can be stored until 3 leases after the claim's expiry (C3). */
#define CLAIMS_BEFORE_PRUNING 16
#define LEASES_TO_STORE (MCP_LEASES_KEPT - 1)

struct mcp_held_claims {
	HashTable by_identity; /* identity => newest mcp_held_claim, which links to the older ones */
	uint32_t count;
	uint32_t prune_at;  /* number of claims at which the next pruning starts */
	uint64_t booked_ns; /* end of the counted compute time, on the measuring clock */
};

static bool is_ours(const mcp_held_claim *held) {
	return held->pid == php_mcp_process_id();
}

static void free_claim(mcp_held_claim *held) {
	php_mcp_give_back_unregister(&held->node);
	php_mcp_pool_release(held->pool);
	zend_string_release(held->scope);
	zend_string_release(held->name);
	zend_string_release(held->identity);
	if (held->tags != NULL) {
		zend_string_release(held->tags);
	}
	efree(held);
}

bool php_mcp_cache_claims_are_held(void) {
	return MCP_REQUEST(claims) != NULL && MCP_REQUEST(claims)->count > 0;
}

/* Returns the newest claim on the key, no matter which call took it. */
static mcp_held_claim *first_on(mcp_cache_object *object, zend_string *name) {
	if (!php_mcp_cache_claims_are_held()) {
		return NULL;
	}
	mcp_cache_call call;
	php_mcp_cache_object_renew(&call, object, name);
	zend_string *identity = php_mcp_computing_identify(call.cache.store, &call.key);
	mcp_held_claim *held = zend_hash_find_ptr(&MCP_REQUEST(claims)->by_identity, identity);
	zend_string_release(identity);
	return held;
}

static void unlink_claim(mcp_held_claim *held) {
	HashTable *by_identity = &MCP_REQUEST(claims)->by_identity;
	mcp_held_claim *first = zend_hash_find_ptr(by_identity, held->identity);
	MCP_REQUEST(claims)->count--;
	if (first != held) {
		while (first->older != held) {
			first = first->older;
		}
		first->older = held->older;
	} else if (held->older != NULL) {
		zend_hash_update_ptr(by_identity, held->identity, held->older);
	} else {
		zend_hash_del(by_identity, held->identity);
	}
}

void php_mcp_cache_claims_end(mcp_held_claim *held) {
	unlink_claim(held);
	free_claim(held);
}

/* Returns true if no result can be stored under the claim any longer. A claim of remember() does not expire here,
 * because it ends with that call. */
static bool is_worthless(const mcp_held_claim *held, uint64_t now_ms) {
	uint64_t kept_ms = (uint64_t)LEASES_TO_STORE * held->lease_ms;
	bool is_past = now_ms >= held->claim.end_ms && now_ms - held->claim.end_ms >= kept_ms;
	return held->is_overtaken || (is_past && !held->is_a_calls);
}

/* Called with each claim. Can remove the claim. */
typedef void (*visitor)(mcp_held_claim *held, const void *context);

static void for_each(mcp_held_claims *claims, visitor visit, const void *context) {
	mcp_held_claim *held;
	ZEND_HASH_FOREACH_PTR(&claims->by_identity, held) {
		while (held != NULL) {
			mcp_held_claim *older = held->older;
			visit(held, context);
			held = older;
		}
	}
	ZEND_HASH_FOREACH_END();
}

static void end_worthless(mcp_held_claim *held, const void *now_ms) {
	if (!held->is_a_calls && is_worthless(held, *(const uint64_t *)now_ms)) {
		php_mcp_cache_claims_end(held);
	}
}

static mcp_held_claims *make_table(void) {
	mcp_held_claims *claims = MCP_REQUEST(claims);
	if (claims == NULL) {
		claims = ecalloc(1, sizeof(*claims));
		zend_hash_init(&claims->by_identity, 8, NULL, NULL, false);
		claims->prune_at = CLAIMS_BEFORE_PRUNING;
		MCP_REQUEST(claims) = claims;
	} else if (claims->count >= claims->prune_at) {
		/* Prune, then double the threshold, so that each claim is visited only a few times. */
		uint64_t now_ms = mcp_wall_ms(php_mcp_environment_get());
		for_each(claims, end_worthless, &now_ms);
		claims->prune_at = MAX(CLAIMS_BEFORE_PRUNING, 2 * claims->count);
	}
	return claims;
}

/* Release the claim at request end. The object that took it might have been freed by then. */
static void give_back(mcp_give_back *node) {
	mcp_held_claim *held = (mcp_held_claim *)((char *)node - offsetof(mcp_held_claim, node));
	const mcp_environment *environment = php_mcp_environment_get();
	if (mcp_wall_ms(environment) >= held->claim.end_ms) {
		return;
	}
	mcp_cache_statistics nobodys = {0};
	mcp_meter meter;
	mcp_cache cache = {
		.store = php_mcp_pool_cache_store(held->pool),
		.environment = environment,
		.statistics = &nobodys,
		.meter = php_mcp_meters_make(&meter, held->scope),
		.lease_ms = held->cache_lease_ms,
	};
	mcp_key_buffer buffer;
	mcp_key_parts parts = php_mcp_cache_object_parts(held->pool, held->scope);
	parts.name = php_mcp_bytes_of(held->name);
	mcp_key key = mcp_key_make(&buffer, &parts);
	mcp_copies *copies = held->copies > 1 ? php_mcp_cache_object_make_copies(held->copies) : NULL;
	if (copies != NULL) {
		mcp_copies_prepare(copies, php_mcp_pool_marked_store(held->pool), environment,
			cache.lease_ms);
		cache.store = mcp_copies_store(copies);
	}
	mcp_store_bypass_breaker(cache.store, &key, MCP_BYPASS_TO_RELEASE);
	mcp_cache_abandon(&cache, &key, &held->claim, false);
	if (copies != NULL) {
		mcp_copies_free(copies);
	}
}

void php_mcp_cache_claims_add(mcp_cache_object *object, zend_string *name,
	const mcp_cache_entry *entry, bool is_a_calls) {
	const mcp_claim *claim = &entry->claim;
	if (claim->is_overdue) {
		return;
	}
	mcp_held_claims *claims = make_table();
	mcp_cache_call call;
	php_mcp_cache_object_renew(&call, object, name);
	uint64_t now_ms = mcp_wall_ms(php_mcp_environment_get());
	mcp_held_claim *held = emalloc(sizeof(*held));
	*held = (mcp_held_claim){
		.claim = *claim,
		.lease_ms = claim->end_ms > now_ms ? (uint32_t)(claim->end_ms - now_ms) : 0,
		.served_until_ms = entry->has_value ? entry->envelope.hard_ms : 0,
		.taken_ns = php_mcp_environment_measure_ns(),
		.pid = php_mcp_process_id(),
		.taker = object->std.handle,
		.is_a_calls = is_a_calls,
		.pool = php_mcp_pool_addref(object->pool),
		.scope = zend_string_copy(object->scope),
		.name = zend_string_copy(name),
		.cache_lease_ms = object->options.lease_ms,
		.copies = object->options.copies,
		.place = php_mcp_cache_object_place(object, &call.key),
		.identity = php_mcp_computing_identify(call.cache.store, &call.key),
		.tags = php_mcp_cache_object_tag_versions_of(object, entry),
	};
	held->older = zend_hash_find_ptr(&claims->by_identity, held->identity);
	zend_hash_update_ptr(&claims->by_identity, held->identity, held);
	claims->count++;
	held->node.is_a_calls = is_a_calls;
	php_mcp_give_back_register(&held->node, give_back);
}

/* Returns how probable it is that this object means the claim when it stores a value or releases a claim. 0:
 * impossible. */
static int rank(const mcp_held_claim *held, const mcp_cache_object *object) {
	if (held->is_a_calls || !is_ours(held)) {
		return 0;
	}
	if (held->is_overtaken) {
		return 1;
	}
	return held->taker == object->std.handle ? 3 : 2;
}

mcp_held_claim *php_mcp_cache_claims_find(mcp_cache_object *object, zend_string *name) {
	mcp_held_claim *best = NULL;
	int best_rank = 0;
	for (mcp_held_claim *held = first_on(object, name); held != NULL; held = held->older) {
		int its_rank = rank(held, object);
		if (its_rank > best_rank) {
			best = held;
			best_rank = its_rank;
		}
	}
	return best;
}

mcp_held_claim *php_mcp_cache_claims_find_token(mcp_cache_object *object, zend_string *name,
	uint64_t token) {
	mcp_held_claim *held = first_on(object, name);
	while (held != NULL && !(held->claim.token == token && is_ours(held))) {
		held = held->older;
	}
	return held;
}

/* Record the tags of older claims first. */
static size_t note_tags(const mcp_held_claim *held, mcp_read_tags *noted) {
	if (held == NULL) {
		return 0;
	}
	size_t count = note_tags(held->older, noted);
	if (!is_ours(held) || held->is_overtaken || held->is_no_read) {
		return count;
	}
	mcp_cache_note_tags(noted, php_mcp_cache_object_view_tag_versions(held->tags),
		MCP_READ_GAVE_NOTHING, NULL);
	return count + 1;
}

size_t php_mcp_cache_claims_collect_tags(mcp_cache_object *object, zend_string *name,
	mcp_read_tags *noted) {
	return note_tags(first_on(object, name), noted);
}

void php_mcp_cache_claims_overtake(mcp_cache_object *object, zend_string *name) {
	for (mcp_held_claim *held = first_on(object, name); held != NULL; held = held->older) {
		if (is_ours(held)) {
			held->is_overtaken = true;
			php_mcp_give_back_unregister(&held->node);
		}
	}
}

const mcp_held_claim *php_mcp_cache_claims_newest(mcp_cache_object *object, zend_string *name) {
	const mcp_held_claim *held = first_on(object, name);
	uint64_t now_ms = held != NULL ? mcp_wall_ms(php_mcp_environment_get()) : 0;
	while (held != NULL && (is_worthless(held, now_ms) || !is_ours(held))) {
		held = held->older;
	}
	return held;
}

uint32_t php_mcp_cache_claims_age_ms(mcp_cache_object *object, zend_string *name) {
	const mcp_held_claim *held = php_mcp_cache_claims_newest(object, name);
	return held != NULL ? php_mcp_environment_elapsed_ms(held->taken_ns) : 0;
}

/* Returns for how many milliseconds other callers might have waited for the result, at least 1. 0: no caller
 * waits. */
static uint32_t waited_for_ms(const mcp_held_claim *held, uint64_t now_ms, bool waits_for_new) {
	bool is_served = !waits_for_new && now_ms < held->served_until_ms;
	if (!is_ours(held) || held->is_overtaken || is_served || now_ms >= held->claim.end_ms) {
		return 0;
	}
	uint64_t left_ms = held->claim.end_ms - now_ms;
	return left_ms < held->lease_ms ? held->lease_ms - (uint32_t)left_ms : 1;
}

uint32_t php_mcp_cache_claims_oldest_ms(mcp_cache_object *object, zend_string *name,
	bool waits_for_new) {
	if (EXPECTED(!php_mcp_cache_claims_are_held())) {
		return 0;
	}
	uint64_t now_ms = mcp_wall_ms(php_mcp_environment_get());
	uint32_t oldest_ms = 0;
	const mcp_held_claim *held, *own = name != NULL ? first_on(object, name) : NULL;
	ZEND_HASH_FOREACH_PTR(&MCP_REQUEST(claims)->by_identity, held) {
		for (; held != NULL && held != own; held = held->older) {
			uint32_t waited_ms = waited_for_ms(held, now_ms, waits_for_new);
			oldest_ms = MAX(oldest_ms, waited_ms);
		}
	}
	ZEND_HASH_FOREACH_END();
	return oldest_ms;
}

uint32_t php_mcp_cache_claims_book_ms(const mcp_held_claim *held) {
	uint64_t *booked_ns = &MCP_REQUEST(claims)->booked_ns;
	uint64_t from_ns = MAX(held->taken_ns, *booked_ns);
	*booked_ns = php_mcp_environment_measure_ns();
	return php_mcp_environment_elapsed_ms(from_ns);
}

static void end_emptied(mcp_held_claim *held, const void *context) {
	const mcp_emptied *emptied = context;
	if (held->is_a_calls || !is_ours(held) ||
		!php_mcp_cache_object_has_emptied(emptied, &held->place)) {
		return;
	}
	if (!emptied->is_everything) {
		php_mcp_give_back_now(&held->node);
	}
	php_mcp_cache_claims_end(held);
}

void php_mcp_cache_claims_end_emptied(const mcp_emptied *emptied) {
	if (php_mcp_cache_claims_are_held()) {
		for_each(MCP_REQUEST(claims), end_emptied, emptied);
	}
}

static void follow(mcp_held_claim *held, const void *context) {
	const mcp_invalidated_tag *left = context;
	mcp_bytes numbers = php_mcp_cache_object_view_tag_versions(held->tags);
	bool is_its_own = !held->is_a_calls && is_ours(held) && held->place.server == left->server &&
		held->place.fiber == php_mcp_fiber_now();
	if (is_its_own && mcp_tags_find(numbers, left->tag.fingerprint) < mcp_tags_count(numbers)) {
		held->is_no_read = true;
	}
}

void php_mcp_cache_claims_note_invalidated(const mcp_invalidated_tag *left) {
	if (php_mcp_cache_claims_are_held()) {
		for_each(MCP_REQUEST(claims), follow, left);
	}
}

static void give_back_and_free(mcp_held_claim *held, const void *context) {
	(void)context;
	php_mcp_give_back_now(&held->node);
	free_claim(held);
}

static void end_unless_a_calls(mcp_held_claim *held, const void *context) {
	(void)context;
	if (!held->is_a_calls) {
		php_mcp_cache_claims_end(held);
	}
}

void php_mcp_cache_claims_reset(void) {
	mcp_held_claims *claims = MCP_REQUEST(claims);
	if (claims == NULL) {
		return;
	}
	for_each(claims, give_back_and_free, NULL);
	zend_hash_destroy(&claims->by_identity);
	efree(claims);
	MCP_REQUEST(claims) = NULL;
}

void php_mcp_cache_claims_reset_between(void) {
	if (MCP_REQUEST(claims) == NULL) {
		return;
	}
	for_each(MCP_REQUEST(claims), end_unless_a_calls, NULL);
	if (!php_mcp_cache_claims_are_held()) {
		php_mcp_cache_claims_reset();
	}
}
