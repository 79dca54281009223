/* Counts and options of sessions. The options are read each time a session is opened, because scripts can change the
 * settings. Calls the session pattern, and tracks which handle holds, shares and releases the lock. */
/* SPDX-License-Identifier: MIT */
#include "open_session.h"

#include "../host/environment.h"
#include "../host/shared_memory.h"
#include "../host/process.h"
#include "../objects/object.h"
#include "../objects/failure.h"
#include "../pool/class_pool.h"

#include "SAPI.h"
#include "php_mcpatterns.h"

#ifndef PHP_WIN32
#include <unistd.h>
#endif

/* --- counts and options --- */

/* Counts come from the pattern's reports, without extra requests. */

mcp_metrics_session *php_mcp_open_session_find_counts(const mcp_pool *pool) {
	mcp_metrics *metrics = php_mcp_environment_get()->metrics;
	return metrics != NULL ? mcp_metrics_find_session(metrics, php_mcp_pool_prefix(pool)) : NULL;
}

/* Skip 0, the usual case, because adding 0 would only take the cache line from another process. */
static void add_count(mcp_metrics_session *counted, mcp_count_of_session which, uint64_t by) {
	if (counted != NULL && by > 0) {
		mcp_metrics_add(&counted->counts[which], by);
	}
}

static void count_start(mcp_metrics_session *counted, const mcp_session_known *known,
	mcp_status status, uint64_t waited_ms) {
	add_count(counted, MCP_COUNT_SESSION_STARTS, 1);
	add_count(counted, MCP_COUNT_SESSION_WAITS, waited_ms > 0);
	add_count(counted, MCP_COUNT_SESSION_WAIT_MS, waited_ms);
	add_count(counted, MCP_COUNT_SESSION_TAKEOVERS, known->is_held && known->was_taken_over);
	add_count(counted, MCP_COUNT_SESSION_REFUSED, status == MCP_FOREIGN);
	add_count(counted, MCP_COUNT_SESSION_FAILURES, status != MCP_OK && status != MCP_FOREIGN);
}

static mcp_count_of_session count_of(mcp_session_outcome outcome) {
	switch (outcome) {
		case MCP_SESSION_DROPPED:
			return MCP_COUNT_SESSION_DROPPED;
		case MCP_SESSION_UNMERGEABLE:
		case MCP_SESSION_TOO_LARGE:
			return MCP_COUNT_SESSION_REFUSED;
		default:
			return MCP_COUNT_SESSION_FAILURES;
	}
}

static void count_report(mcp_metrics_session *counted, const mcp_session_report *report) {
	add_count(counted, MCP_COUNT_SESSION_LATE, report->was_late);
	if (report->outcome == MCP_SESSION_STORED) {
		add_count(counted, MCP_COUNT_SESSION_MERGES, report->was_merged);
		add_count(counted, MCP_COUNT_SESSION_CONFLICTS, report->conflicts);
		add_count(counted, MCP_COUNT_SESSION_STORED_AGAIN, report->was_stored_again);
	} else {
		add_count(counted, count_of(report->outcome), 1);
	}
}

void php_mcp_open_session_count_refusal(mcp_metrics_session *counted) {
	add_count(counted, MCP_COUNT_SESSION_REFUSED, 1);
}

bool php_mcp_open_session_is(const mcp_open_session *self, const zend_string *id) {
	return self->id != NULL && zend_string_equals(self->id, id);
}

#define KEY_FILE_MAX 65536

/* Set in MINIT and MSHUTDOWN only. NULL: sessions are not signed. */
static mcp_signing_keys *signing_keys;

static const char *const formats[MCP_SESSION_FORMATS] = {
	[MCP_SESSION_OTHER] = "another",
	[MCP_SESSION_PHP] = "php",
	[MCP_SESSION_PHP_SERIALIZE] = "php_serialize",
	[MCP_SESSION_IGBINARY] = "igbinary",
	[MCP_SESSION_MSGPACK] = "msgpack",
	[MCP_SESSION_PHP_BINARY] = "php_binary",
};

mcp_session_format php_mcp_open_session_find_format(const char *name) {
	for (int i = MCP_SESSION_PHP; name != NULL && i < MCP_SESSION_FORMATS; i++) {
		if (strcmp(name, formats[i]) == 0) {
			return (mcp_session_format)i;
		}
	}
	return MCP_SESSION_OTHER;
}

const char *php_mcp_open_session_format_name(mcp_session_format format) {
	return formats[format];
}

static mcp_session_locking locking_of_setting(void) {
	const char *name = MCP_G(session_locking);
	if (*name == '\0' || strcasecmp(name, "none") == 0) {
		return MCP_SESSION_NO_LOCK;
	}
	return strcasecmp(name, "merge") == 0 ? MCP_SESSION_MERGE : MCP_SESSION_LOCK;
}

bool php_mcp_open_session_read_settings(mcp_session_options *options, const char *servers,
	const char *format_name, zend_long ttl_s) {
	if (ttl_s < 1) {
		php_error_docref(NULL, E_WARNING,
			"mcpatterns: session.gc_maxlifetime must be at least 1 second, " ZEND_LONG_FMT " given",
			ttl_s);
		return false;
	}
	mcp_pool *pool = php_mcp_class_pool_for_sessions(servers, MCP_G(session_prefix));
	if (pool == NULL) {
		return false;
	}
	const char *foreign = MCP_G(session_foreign_prefix);
	*options = (mcp_session_options){
		.pool = pool,
		.counted = php_mcp_open_session_find_counts(pool),
		.pattern =
			{
				.signing_keys = signing_keys,
				.locking = locking_of_setting(),
				.format = php_mcp_open_session_find_format(format_name),
				.merge_depth = (unsigned)MCP_G(session_merge_depth),
				.ttl_ms = (uint64_t)ttl_s * 1000,
				.lock_ttl_ms = php_mcp_duration_ms(MCP_G(session_lock_expire)),
				.wait_ms = php_mcp_duration_ms(MCP_G(session_lock_wait)),
			},
		.foreign = *foreign != '\0' ? zend_string_init(foreign, strlen(foreign), false) : NULL,
		.fails_over = MCP_G(session_failover),
	};
	return true;
}

void php_mcp_open_session_free_options(mcp_session_options *options) {
	php_mcp_pool_release(options->pool);
	if (options->foreign != NULL) {
		zend_string_release(options->foreign);
		options->foreign = NULL;
	}
}

/* Get the next non-blank line. */
static bool next_line(mcp_bytes *text, mcp_bytes *line) {
	while (text->length > 0) {
		mcp_bytes_take_until(text, '\n', line);
		line->length -= line->length > 0 && line->data[line->length - 1] == '\r';
		if (line->length > 0) {
			return true;
		}
	}
	return false;
}

/* Store the keys in reverse order: the last line is the newest key, and the first key signs. Returns false if there is
 * no key. */
static bool keep_signing_keys(mcp_bytes text) {
	mcp_bytes line, rest = text;
	size_t count = 0;
	while (next_line(&rest, &line)) {
		count++;
	}
	if (count == 0) {
		return false;
	}
	signing_keys = safe_pemalloc(count, sizeof(mcp_signing_key), sizeof(mcp_signing_keys), true);
	signing_keys->count = count;
	while (next_line(&text, &line)) {
		mcp_signing_key_make(&signing_keys->keys[--count], line);
	}
	return true;
}

bool php_mcp_open_session_read_keys(void) {
	const char *path = MCP_G(session_key_file);
	if (path[0] == '\0') {
		return true;
	}
	char text[KEY_FILE_MAX];
	FILE *file = fopen(path, "rb");
	size_t length = file != NULL ? fread(text, 1, sizeof(text), file) : 0;
	bool is_whole = file != NULL && !ferror(file) && length < sizeof(text);
	if (file != NULL) {
		fclose(file);
	}
	bool is_kept = is_whole && keep_signing_keys(mcp_bytes_of(text, length));
	ZEND_SECURE_ZERO(text, sizeof(text));
	if (!is_kept) {
		zend_error(E_CORE_WARNING,
			"The INI setting mcpatterns.session_key_file must be a readable file of less than 64 KiB"
			" with one key per line, \"%s\" given",
			path);
	}
	return is_kept;
}

void php_mcp_open_session_forget_keys(void) {
	if (signing_keys != NULL) {
		ZEND_SECURE_ZERO(signing_keys->keys, signing_keys->count * sizeof(signing_keys->keys[0]));
		pefree(signing_keys, true);
		signing_keys = NULL;
	}
}

/* --- the owner, made from data of the server interface. Parsing accepts any text, because another host might have
 * written it. --- */

#define HOST_MAX 64
#define PARTS 4

/* Replaces spaces in the host name, because spaces separate the words of an owner. */
static void write_host(char host[HOST_MAX]) {
	if (gethostname(host, HOST_MAX) != 0 || host[0] == '\0') {
		memcpy(host, "-", 2);
	}
	host[HOST_MAX - 1] = '\0';
	for (char *c = host; *c != '\0'; c++) {
		*c = (unsigned char)*c <= ' ' ? '-' : *c;
	}
}

static void make_owner(char owner[MCP_SESSION_OWNER_MAX]) {
	const sapi_request_info *request = &SG(request_info);
	char host[HOST_MAX];
	write_host(host);
	const char *path =
		request->path_translated != NULL ? request->path_translated : sapi_module.name;
	path = request->request_uri != NULL ? request->request_uri : path;
	int path_length = (int)MIN(strcspn(path, "?#"), (size_t)MCP_SESSION_OWNER_MAX);
	snprintf(owner, MCP_SESSION_OWNER_MAX, "%s %d %.0f %.*s", host, (int)php_mcp_process_id(),
		(double)(zend_long)sapi_get_request_time(), path_length, path);
}

zend_string *php_mcp_open_session_show_owner(mcp_bytes owner, uint64_t held_for_ms) {
	zend_string *words[PARTS];
	for (int i = 0; i < PARTS; i++) {
		mcp_bytes word = owner;
		if (i + 1 < PARTS) {
			mcp_bytes_take_until(&owner, ' ', &word);
		}
		words[i] = php_mcp_failure_show_name(word.length > 0 ? word : mcp_bytes_of("-", 1));
	}
	zend_string *text = zend_strpprintf(0, "%s (pid %s) for %.1f s (%s)", ZSTR_VAL(words[0]),
		ZSTR_VAL(words[1]), (double)held_for_ms / 1000, ZSTR_VAL(words[3]));
	for (int i = 0; i < PARTS; i++) {
		zend_string_release(words[i]);
	}
	return text;
}

/* Compress data above the Pool's limit. Decompress any format that this build supports. */

static mcp_bytes pack(mcp_session_packing *packing, mcp_bytes plain, uint32_t *flags) {
	mcp_session_packer *packer = (mcp_session_packer *)packing;
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
	mcp_session_packer *packer = (mcp_session_packer *)packing;
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

static mcp_session pattern_of(mcp_open_session *self) {
	mcp_session session = self->options->pattern;
	session.store = php_mcp_pool_store(self->options->pool);
	session.environment = php_mcp_environment_get();
	session.key = &self->kept.key;
	session.packing = &self->packer.packing;
	session.owner = mcp_bytes_text(self->owner);
	session.holder = php_mcp_shared_memory_holder();
	session.late = &MCP_G(late_locks);
	session.foreign = self->foreign.is_safe ? &self->foreign : NULL;
	return session;
}

/* Make the key as other clients do, which route it without its prefix. Keys that are too long or unsafe cannot
 * exist. */
static void make_foreign_key(mcp_open_session *self) {
	const zend_string *prefix = self->options->foreign;
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

mcp_store *php_mcp_open_session_owner_of(const mcp_session_options *options,
	const zend_string *id) {
	mcp_key_buffer buffer;
	mcp_key key = php_mcp_pool_key_make(MCP_SPACE_SESSION, options->pool, id, &buffer);
	return mcp_store_owner(php_mcp_pool_store(options->pool), &key);
}

/* --- the hold --- */

static void give_back(mcp_give_back *node) {
	mcp_open_session *self = (mcp_open_session *)((char *)node - offsetof(mcp_open_session, held));
	mcp_session session = pattern_of(self);
	mcp_session_close(&session, &self->known);
}

/* Register what must be released at the end. Call after every change of the hold. */
static void register_held(mcp_open_session *self) {
	if (self->known.is_held) {
		php_mcp_give_back_register(&self->held, give_back);
	} else {
		php_mcp_give_back_unregister(&self->held);
	}
}

/* In a forked child, drop the hold, which belongs to the parent (E21). */
static void disown_inherited(mcp_open_session *self) {
	pid_t process = php_mcp_process_id();
	if (self->process != process) {
		self->process = process;
		mcp_session_disown(php_mcp_shared_memory_holder(), &self->known);
		register_held(self);
	}
}

static bool is_same(const mcp_open_session *a, const mcp_open_session *b) {
	return mcp_bytes_equal(a->kept.key.wire, b->kept.key.wire) &&
		strcmp(php_mcp_open_session_owner_of(a->options, a->id)->address,
			php_mcp_open_session_owner_of(b->options, b->id)->address) == 0;
}

/* Find another handle of this thread on the same session: the holder or, with a stamp, a handle that shares the hold
 * with that stamp. Returns NULL if there is none. */
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

/* Before the release, hand the hold over to a handle that shares it. */
static void hand_over(mcp_open_session *self) {
	mcp_open_session *heir = self->known.is_held ? find_other(self, self->known.stamp) : NULL;
	if (heir == NULL) {
		return;
	}
	heir->known.is_held = true;
	heir->known.lock = self->known.lock;
	self->known.is_held = false;
	register_held(heir);
	register_held(self);
}

/* --- start to close --- */

void php_mcp_open_session_begin(mcp_open_session *self, const mcp_session_options *options,
	zend_string *id) {
	*self = (mcp_open_session){
		.next = MCP_REQUEST(open_sessions),
		.options = options,
		.id = zend_string_copy(id),
		.packer = {{.pack = pack, .unpack = unpack}, .format = php_mcp_pool_format(options->pool)},
		.process = php_mcp_process_id(),
	};
	MCP_REQUEST(open_sessions) = self;
	make_owner(self->owner);
	php_mcp_pool_key_keep(&self->kept, MCP_SPACE_SESSION, options->pool, id);
	make_foreign_key(self);
}

void php_mcp_open_session_end(mcp_open_session *self) {
	if (self->id == NULL) {
		return;
	}
	disown_inherited(self);
	hand_over(self);
	php_mcp_give_back_now(&self->held);
	if (self->known.is_held) {
		mcp_session_disown(php_mcp_shared_memory_holder(), &self->known);
	}
	mcp_open_session **at = &MCP_REQUEST(open_sessions);
	while (*at != NULL && *at != self) {
		at = &(*at)->next;
	}
	*at = *at == self ? self->next : *at;
	mcp_session_forget(&self->known);
	mcp_buffer_free(&self->packer.packed);
	mcp_buffer_free(&self->packer.plain);
	zend_string_release(self->id);
	self->id = NULL;
}

mcp_status php_mcp_open_session_peek(mcp_open_session *self) {
	mcp_session session = pattern_of(self);
	mcp_status status = mcp_session_peek(&session, &self->known);
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

static mcp_status wait_and_start(mcp_open_session *self, bool is_new) {
	mcp_pauses pauses = {.has_begun = false};
	mcp_environment environment = *php_mcp_environment_get();
	mcp_session session = pattern_of(self);
	environment.is_interrupted = NULL;
	environment.sleep_ms = sleep_through;
	session.environment = &environment;
	mcp_status status = mcp_session_start(&session, &self->known, is_new, &pauses);
	self->is_issued = is_new && status == MCP_OK && self->known.kind == MCP_SESSION_NOTHING;
	register_held(self);
	uint64_t waited_ms = 0; /* this start did not wait */
	if (mcp_pauses_have_waited(&pauses)) {
		uint64_t ms = mcp_pauses_waited_ms(&pauses, mcp_monotonic_ms(&environment));
		waited_ms = MAX(ms, 1);
	}
	count_start(self->options->counted, &self->known, status, waited_ms);
	return status;
}

/* Share the hold of another handle, which remains the holder until it hands the hold over. */
static mcp_status share_and_start(mcp_open_session *self, const mcp_open_session *holder) {
	self->known.is_by_lock = true;
	self->known.stamp = holder->known.stamp;
	self->known.lock = holder->known.lock;
	mcp_status status = php_mcp_open_session_peek(self);
	count_start(self->options->counted, &self->known, status, 0);
	return status;
}

mcp_status php_mcp_open_session_start(mcp_open_session *self, bool is_new) {
	disown_inherited(self);
	self->was_written = false;
	if (self->known.is_held) {
		return php_mcp_open_session_peek(self);
	}
	const mcp_open_session *holder =
		self->options->pattern.locking != MCP_SESSION_NO_LOCK ? find_other(self, 0) : NULL;
	return holder != NULL ? share_and_start(self, holder) : wait_and_start(self, is_new);
}

/* Before a write, which releases the hold. */
static mcp_session prepare_write(mcp_open_session *self) {
	disown_inherited(self);
	hand_over(self);
	self->is_issued = false;
	return pattern_of(self);
}

static void conclude_write(mcp_open_session *self, const mcp_session_report *report) {
	count_report(self->options->counted, report);
	register_held(self);
}

void php_mcp_open_session_write(mcp_open_session *self, mcp_bytes data,
	mcp_session_report *report) {
	mcp_session session = prepare_write(self);
	const mcp_buffer *read = &self->known.data;
	bool is_as_read = mcp_session_has_data(&self->known) &&
		mcp_bytes_equal(data, mcp_bytes_of(read->data, read->length));
	if (is_as_read) {
		mcp_session_renew(&session, &self->known, report);
	} else {
		mcp_session_write(&session, &self->known, data, report);
	}
	self->was_written = true;
	conclude_write(self, report);
}

void php_mcp_open_session_destroy(mcp_open_session *self, mcp_session_report *report) {
	mcp_session session = prepare_write(self);
	mcp_session_destroy(&session, &self->known, report);
	conclude_write(self, report);
}

mcp_status php_mcp_open_session_find_holder(mcp_open_session *self, mcp_buffer *holder) {
	mcp_session session = pattern_of(self);
	return mcp_session_find_holder(&session, holder);
}
