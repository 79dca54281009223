/* Calls the session pattern, and tracks which handle holds, shares and releases the lock. */
/* SPDX-License-Identifier: MIT */
#include "open_session.h"

#include "../host/environment.h"
#include "../host/holders.h"
#include "../host/process.h"
#include "../objects/failure.h"
#include "SAPI.h"
#include "php_mcpatterns.h"

static void php_mcp_open_session_renew(mcp_open_session *self, mcp_session_report *report);

/* Made from data of the server interface. Parsing accepts any text, because another host may have written it. */

#ifndef PHP_WIN32
#include <unistd.h>
#endif

#define HOST_MAX 64
#define PARTS 4

/* Replace spaces, which separate the words. */
static void write_host(char host[HOST_MAX]) {
	if (gethostname(host, HOST_MAX) != 0 || host[0] == '\0') {
		memcpy(host, "-", 2);
	}
	host[HOST_MAX - 1] = '\0';
	for (char *c = host; *c != '\0'; c++) {
		*c = (unsigned char)*c <= ' ' ? '-' : *c;
	}
}

static const char *path_of_request(void) {
	if (SG(request_info).request_uri != NULL) {
		return SG(request_info).request_uri;
	}
	return SG(request_info).path_translated != NULL ? SG(request_info).path_translated
													: sapi_module.name;
}

static void php_mcp_session_owner_make(mcp_session_owner *owner) {
	char host[HOST_MAX];
	write_host(host);
	const char *path = path_of_request();
	int path_length = (int)MIN(strcspn(path, "?#"), (size_t)MCP_SESSION_OWNER_MAX);
	snprintf(owner->text, sizeof(owner->text), "%s %d %.0f %.*s", host, (int)php_mcp_process_id(),
		(double)(zend_long)sapi_get_request_time(), path_length, path);
	owner->length = strlen(owner->text);
}

/* Take the next word, or all the rest. */
static mcp_bytes take_word(mcp_bytes *text, bool is_last) {
	const char *space = is_last ? NULL : memchr(text->data, ' ', text->length);
	size_t length = space != NULL ? (size_t)(space - text->data) : text->length;
	mcp_bytes word = mcp_bytes_of(text->data, length);
	size_t skipped = space != NULL ? length + 1 : length;
	*text = mcp_bytes_of(text->data + skipped, text->length - skipped);
	return word;
}

static zend_string *shown(mcp_bytes word) {
	zend_string *bytes = zend_string_init(word.length > 0 ? word.data : "-",
		word.length > 0 ? word.length : 1, false);
	zend_string *shown = php_mcp_failure_show_name(bytes);
	zend_string_release(bytes);
	return shown;
}

zend_string *php_mcp_session_owner_show(mcp_bytes owner, uint64_t held_for_ms) {
	zend_string *words[PARTS];
	for (int i = 0; i < PARTS; i++) {
		words[i] = shown(take_word(&owner, i + 1 == PARTS));
	}
	zend_string *text = zend_strpprintf(0, "%s (pid %s) for %.1f s (%s)", ZSTR_VAL(words[0]),
		ZSTR_VAL(words[1]), (double)held_for_ms / 1000, ZSTR_VAL(words[3]));
	for (int i = 0; i < PARTS; i++) {
		zend_string_release(words[i]);
	}
	return text;
}

/* Compress data above the Pool's limit. Decompress any format that this build supports. */

static mcp_session_packer *packer_of(mcp_session_packing *packing) {
	return (mcp_session_packer *)packing;
}

static mcp_bytes pack(mcp_session_packing *packing, mcp_bytes plain, uint32_t *flags) {
	mcp_session_packer *packer = packer_of(packing);
	const mcp_compressor *compressor = packer->format->compressor;
	*flags = 0;
	if (compressor == NULL || plain.length <= packer->format->compress_above ||
		plain.length > php_mcp_compressors_inflated_max() ||
		!php_mcp_compressors_pack_into(&packer->packed, compressor, plain)) {
		return plain;
	}
	*flags = compressor->flags;
	return mcp_bytes_of(packer->packed.data, packer->packed.length);
}

static mcp_session_kind unpack(mcp_session_packing *packing, mcp_bytes packed, uint32_t flags,
	mcp_bytes *plain) {
	mcp_session_packer *packer = packer_of(packing);
	switch (php_mcp_compressors_unpack_into(&packer->plain, packed, flags)) {
		case MCP_UNPACKED:
			*plain = mcp_bytes_of(packer->plain.data, packer->plain.length);
			return MCP_SESSION_VALUE;
		case MCP_UNPACKED_NOT_HERE:
			return MCP_SESSION_UNREADABLE;
		default:
			return MCP_SESSION_STRANGE;
	}
}

static void php_mcp_session_packing_init(mcp_session_packer *packer, const mcp_format *format) {
	*packer = (mcp_session_packer){.packing = {.pack = pack, .unpack = unpack}, .format = format};
}

static void php_mcp_session_packing_free(mcp_session_packer *packer) {
	mcp_buffer_free(&packer->packed);
	mcp_buffer_free(&packer->plain);
}

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

/* Make the key as other clients do: routed without its prefix. Keys that are too long or unsafe cannot exist. */
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

/* Register what must be released at the end. Call after every change of the hold. */
static void settle(mcp_open_session *self) {
	if (self->known.is_held) {
		php_mcp_give_back_register(&self->held, give_back);
	} else {
		php_mcp_give_back_unregister(&self->held);
	}
}

/* In a forked child, leave the hold to the parent (E21). */
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

/* Find another handle of this thread on the same session: the holder, or, with a stamp, one that shares the hold of
 * that stamp. Returns NULL if there is none. */
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

/* Share the hold. Its proof stays with the holder until it is handed over. */
static mcp_status join(mcp_open_session *self, const mcp_open_session *holder,
	const mcp_session *session) {
	self->known.is_by_lock = true;
	self->known.stamp = holder->known.stamp;
	self->known.lock = holder->known.lock;
	return mcp_session_look(session, &self->known);
}

/* Before the release, hand the hold over to a handle that shares it. */
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

/* Sleep to the end despite signals: PHP is opening its session and user code must not run. Signal handlers run after
 * the wait. */
static void sleep_through(const mcp_environment *environment, uint32_t duration_ms) {
	(void)environment;
	const mcp_environment *own = php_mcp_environment_get();
	uint64_t end_ms = mcp_monotonic_ms(own) + duration_ms, now_ms;
	while ((now_ms = mcp_monotonic_ms(own)) < end_ms) {
		mcp_sleep_ms(own, (uint32_t)(end_ms - now_ms));
	}
}

/* How long a start waited for another request, or 0 if it did not wait. */
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

static void php_mcp_open_session_renew(mcp_open_session *self, mcp_session_report *report) {
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
