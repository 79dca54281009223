/* Calls the pattern with what the terms say, and keeps account of the hold: who shares it, who gives it back. */
/* SPDX-License-Identifier: MIT */
#include "open_session.h"

#include "../host/environment.h"
#include "../host/holders.h"
#include "php_mcpatterns.h"

static mcp_session pattern_of(mcp_open_session *self) {
	const mcp_session_terms *terms = self->terms;
	return (mcp_session){
		.store = php_mcp_pool_store(terms->pool),
		.environment = php_mcp_environment_get(),
		.key = &self->kept.key,
		.signing_keys = terms->signing_keys,
		.packing = &self->packer.packing,
		.locking = terms->locking,
		.format = terms->format,
		.merge_depth = terms->merge_depth,
		.ttl_ms = terms->ttl_ms,
		.lock_ttl_ms = terms->expire_ms,
		.wait_ms = terms->wait_ms,
		.owner = mcp_bytes_of(self->owner.text, self->owner.length),
		.holder = php_mcp_holder(),
		.late = &MCP_G(late_locks),
		.foreign = self->foreign.is_safe ? &self->foreign : NULL,
	};
}

/* Makes the key as other clients do: it is routed without its prefix. One that is too long, or unsafe, they have not stored. */
static void make_foreign_key(mcp_open_session *self) {
	const zend_string *prefix = self->terms->foreign;
	if (prefix == NULL || ZSTR_LEN(prefix) + ZSTR_LEN(self->id) > sizeof(self->foreign_bytes)) {
		return;
	}
	char *end = self->foreign_bytes + ZSTR_LEN(prefix);
	memcpy(self->foreign_bytes, ZSTR_VAL(prefix), ZSTR_LEN(prefix));
	memcpy(end, ZSTR_VAL(self->id), ZSTR_LEN(self->id));
	mcp_bytes wire = mcp_bytes_of(self->foreign_bytes, ZSTR_LEN(prefix) + ZSTR_LEN(self->id));
	self->foreign = (mcp_key){
		.wire = wire,
		.route = mcp_bytes_of(end, ZSTR_LEN(self->id)),
		.is_safe = mcp_key_is_safe(wire),
	};
}

mcp_store *php_mcp_open_session_owner_of(const mcp_session_terms *terms, const zend_string *id) {
	mcp_key_buffer buffer;
	mcp_key key = php_mcp_pool_key_make(MCP_SPACE_SESSION, terms->pool, id, &buffer);
	return mcp_store_owner(php_mcp_pool_store(terms->pool), &key);
}

/* --- the hold --- */

static void give_back(mcp_give_back *node) {
	mcp_open_session *self = (mcp_open_session *)((char *)node - offsetof(mcp_open_session, held));
	mcp_session session = pattern_of(self);
	mcp_session_close(&session, &self->known);
}

/* Settles after every change of the hold what is to be given back at the end. */
static void settle(mcp_open_session *self) {
	if (self->known.is_held) {
		php_mcp_give_back_register(&self->held, give_back);
	} else {
		php_mcp_give_back_unregister(&self->held);
	}
}

/* Leaves in a forked child its parent what that holds (E21). */
static void disown_inherited(mcp_open_session *self) {
	pid_t process = php_mcp_process_id();
	if (self->process != process) {
		self->process = process;
		mcp_session_disown(php_mcp_holder(), &self->known);
		settle(self);
	}
}

static bool is_same(const mcp_open_session *a, const mcp_open_session *b) {
	return mcp_bytes_equal(a->kept.key.wire, b->kept.key.wire) &&
		strcmp(php_mcp_open_session_owner_of(a->terms, a->id)->address,
			php_mcp_open_session_owner_of(b->terms, b->id)->address) == 0;
}

/* Finds another handle of this thread's on the same session: one that holds it, or, with a stamp, one that shares the hold
 * of that stamp. NULL if there is none. */
static mcp_open_session *find_other(const mcp_open_session *self, uint64_t shared_stamp) {
	for (mcp_open_session *other = MCP_REQUEST(open_sessions); other != NULL; other = other->next) {
		disown_inherited(other);
		const mcp_session_known *known = &other->known;
		bool fits =
			shared_stamp == 0 ? known->is_held : !known->is_held && known->stamp == shared_stamp;
		if (other != self && fits && is_same(self, other)) {
			return other;
		}
	}
	return NULL;
}

/* Shares the hold: the proof of it is that other's to use until it is handed over. */
static mcp_status join(mcp_open_session *self, const mcp_open_session *holder,
	const mcp_session *session) {
	self->known.is_by_lock = true;
	self->known.stamp = holder->known.stamp;
	self->known.lock = holder->known.lock;
	return mcp_session_look(session, &self->known);
}

/* Hands the hold over, before it is given back, to a handle that shares it. */
static void hand_over(mcp_open_session *self) {
	mcp_open_session *heir = self->known.is_held ? find_other(self, self->known.stamp) : NULL;
	if (heir == NULL) {
		return;
	}
	heir->known.is_held = true;
	heir->known.lock = self->known.lock;
	self->known.is_held = false;
	settle(heir);
	settle(self);
}

/* --- its life --- */

void php_mcp_open_session_begin(mcp_open_session *self, const mcp_session_terms *terms,
	zend_string *id) {
	*self = (mcp_open_session){
		.next = MCP_REQUEST(open_sessions),
		.terms = terms,
		.id = zend_string_copy(id),
		.process = php_mcp_process_id(),
	};
	MCP_REQUEST(open_sessions) = self;
	php_mcp_session_packing_init(&self->packer, php_mcp_pool_format(terms->pool));
	php_mcp_session_owner_make(&self->owner);
	php_mcp_pool_key_keep(&self->kept, MCP_SPACE_SESSION, terms->pool, id);
	make_foreign_key(self);
}

static void leave_list(mcp_open_session *self) {
	mcp_open_session **at = &MCP_REQUEST(open_sessions);
	while (*at != NULL && *at != self) {
		at = &(*at)->next;
	}
	*at = *at == self ? self->next : *at;
}

void php_mcp_open_session_end(mcp_open_session *self) {
	if (self->id == NULL) {
		return;
	}
	disown_inherited(self);
	hand_over(self);
	php_mcp_give_back_now(&self->held);
	if (self->known.is_held) {
		mcp_session_disown(php_mcp_holder(), &self->known);
	}
	leave_list(self);
	mcp_session_forget(&self->known);
	php_mcp_session_packing_free(&self->packer);
	zend_string_release(self->id);
	self->id = NULL;
}

static mcp_status conclude_look(const mcp_open_session *self, mcp_status status) {
	bool is_unreadable = status == MCP_OK && self->known.kind == MCP_SESSION_UNREADABLE;
	return is_unreadable ? MCP_FOREIGN : status;
}

/* Sleeps to the end, whatever signals come: PHP is in the middle of opening its session, where no user code may run. The handlers
 * that the script has for them run when the wait is over. */
static void sleep_through(const mcp_environment *environment, uint32_t duration_ms) {
	(void)environment;
	const mcp_environment *own = php_mcp_environment_get();
	uint64_t end_ms = mcp_monotonic_ms(own) + duration_ms, now_ms;
	while ((now_ms = mcp_monotonic_ms(own)) < end_ms) {
		mcp_sleep_ms(own, (uint32_t)(end_ms - now_ms));
	}
}

/* Returns how long a start has waited for another request, or 0 if it has not, nor had to. */
static uint64_t waited_ms(const mcp_environment *environment, const mcp_pauses *pauses) {
	if (!mcp_pauses_have_waited(pauses)) {
		return 0;
	}
	uint64_t ms = mcp_monotonic_ms(environment) - pauses->begun_ms;
	return ms > 0 ? ms : 1;
}

static mcp_status wait_and_start(mcp_open_session *self, bool is_new) {
	mcp_pauses pauses = {.has_begun = false};
	mcp_environment environment = *php_mcp_environment_get();
	mcp_session session = pattern_of(self);
	environment.is_interrupted = NULL;
	environment.sleep_ms = sleep_through;
	session.environment = &environment;
	mcp_status status = mcp_session_start(&session, &self->known, is_new, &pauses);
	settle(self);
	php_mcp_session_counting_start(self->terms->counted, &self->known, status,
		waited_ms(&environment, &pauses));
	return status;
}

static mcp_status share_and_start(mcp_open_session *self, const mcp_open_session *holder) {
	mcp_session session = pattern_of(self);
	mcp_status status = conclude_look(self, join(self, holder, &session));
	php_mcp_session_counting_start(self->terms->counted, &self->known, status, 0);
	return status;
}

mcp_status php_mcp_open_session_start(mcp_open_session *self, bool is_new) {
	disown_inherited(self);
	self->was_written = false;
	if (self->known.is_held) {
		return php_mcp_open_session_look(self);
	}
	const mcp_open_session *holder =
		self->terms->locking != MCP_SESSION_NO_LOCK ? find_other(self, 0) : NULL;
	return holder != NULL ? share_and_start(self, holder) : wait_and_start(self, is_new);
}

mcp_status php_mcp_open_session_look(mcp_open_session *self) {
	mcp_session session = pattern_of(self);
	return conclude_look(self, mcp_session_look(&session, &self->known));
}

static bool is_as_read(const mcp_session_known *known, mcp_bytes data) {
	return mcp_session_has_data(known) &&
		mcp_bytes_equal(data, mcp_bytes_of(known->data.data, known->data.length));
}

void php_mcp_open_session_write(mcp_open_session *self, mcp_bytes data,
	mcp_session_report *report) {
	disown_inherited(self);
	if (is_as_read(&self->known, data)) {
		php_mcp_open_session_renew(self, report);
		return;
	}
	hand_over(self);
	mcp_session session = pattern_of(self);
	mcp_session_write(&session, &self->known, data, report);
	php_mcp_session_counting_report(self->terms->counted, report);
	self->was_written = true;
	settle(self);
}

void php_mcp_open_session_renew(mcp_open_session *self, mcp_session_report *report) {
	disown_inherited(self);
	hand_over(self);
	mcp_session session = pattern_of(self);
	mcp_session_renew(&session, &self->known, report);
	php_mcp_session_counting_report(self->terms->counted, report);
	self->was_written = true;
	settle(self);
}

void php_mcp_open_session_destroy(mcp_open_session *self, mcp_session_report *report) {
	disown_inherited(self);
	hand_over(self);
	mcp_session session = pattern_of(self);
	mcp_session_destroy(&session, &self->known, report);
	php_mcp_session_counting_report(self->terms->counted, report);
	settle(self);
}

mcp_status php_mcp_open_session_find_holder(mcp_open_session *self, mcp_buffer *holder) {
	mcp_session session = pattern_of(self);
	return mcp_session_find_holder(&session, holder);
}
