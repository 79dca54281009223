/* The extension's version, module entry and globals. */
/* SPDX-License-Identifier: MIT */
#ifndef PHP_MCPATTERNS_H
#define PHP_MCPATTERNS_H

#ifdef HAVE_CONFIG_H
#include "config.h"
#endif

#include "php.h"

#include "src/core/holders/holders.h"
#include "src/core/metrics/metrics.h"
#include "src/patterns/cache/cache.h"
#include "src/patterns/lock/lock.h"
#include "src/php/engine/value_watch.h"
#include "src/php/host/environment.h"
#include "src/php/host/give_back.h"
#include "src/core/near/shm_cache.h"
#include "src/php/pool/servers/discovery.h"
#include "src/php/pool/servers/connections.h"
#include "src/php/pool/servers/server_sets.h"
#include "src/php/host/process.h"
#include "src/php/tls/tls_options.h"
#include "src/php/value/compressors.h"

#define PHP_MCPATTERNS_VERSION "1.0.0-RC2"

extern zend_module_entry mcpatterns_module_entry;
#define phpext_mcpatterns_ptr &mcpatterns_module_entry

/* State of a request. Zeroed before the next request, in php/engine/interrupt.c. */
typedef struct mcp_request_globals {
	mcp_give_back *held;
	struct mcp_open_session *open_sessions; /* see src/php/session/open_session.h */
	bool has_logged_conflicts;              /* session conflicts were logged */
	uint64_t waited_to_give_back_ms;        /* time spent releasing since request end began */
	bool work_is_due; /* work at the end of a method, see src/php/engine/interrupt.h */
	/* a store had a bailout, which must still be raised, see src/php/engine/bailout.h */
	bool has_bailed_out;
	bool is_between_requests; /* Pool::endRequest() is releasing */
	/* object caches of all Cache objects, see src/php/cache/object/cache_memo.h */
	struct mcp_memo *memos;
	zend_object *mc_cache;              /* cache of McPatterns\MC; a reference */
	struct mcp_held_claims *claims;     /* NULL if empty, see src/php/cache/claims/cache_claims.h */
	struct mcp_kept_table *tag_reads;   /* NULL if empty, see src/php/cache/reads/kept_reads.c */
	struct mcp_kept_table *read_stamps; /* NULL if empty, see src/php/cache/reads/kept_reads.c */
	struct mcp_key_drift *key_drift;    /* NULL unless the setting is on, see key_drift.h */
	HashTable *incomplete_makers;       /* usually NULL, see src/php/engine/value_watch.c */
	HashTable *computing; /* keys whose callbacks are running, see src/php/engine/computing.h */
	struct mcp_after_response *after_response; /* NULL if empty */
	/* FrankenPHP's worker mode: one PHP request serves many HTTP requests */
	bool is_worker;
	struct mcp_audit_due *audit_due; /* usually NULL, see src/php/cache/remember/remember.h */
	uint32_t audits_drawn;           /* number of audits in this request */
	bool is_auditing;                /* values served meanwhile are not audited */
	uint32_t user_calls; /* number of methods that are running user code, in any Fiber */
	struct mcp_pool *discovering_pools; /* pools with discovered servers */
	/* servers of one of these pools, see src/php/pool/pool_listener.h */
	bool servers_are_outdated;
	/* pools with unreported failures; held, see pool_listener.h */
	struct mcp_pool *troubled_pools;
	struct mcp_pool *listening_pools; /* pools with a running listener; held */
	HashTable *trace_lines;           /* usually NULL, see src/php/metrics/meters.c */
	bool listeners_are_over;          /* true once the request end has begun */
	bool listeners_were_over;         /* listeners_are_over before Pool::endRequest() */
	bool memory_limit_is_lifted;      /* to release at request end */
	bool many_scratch_is_taken; /* stays true if a fatal error interrupts the call that took it */
	mcp_user user;              /* without namespace, see src/php/engine/user.h */
	uint64_t user_asked_at;     /* php_mcp_user_changes_count() at the last query; 0: no query */
	HashTable *library;         /* closures; NULL if empty, see src/php/library/library.c */
	zend_object *default_pool;
	uint64_t default_pool_version; /* settings_version when the default Pool was created */
} mcp_request_globals;

/* Per thread under ZTS, per process otherwise. */
/* clang-format off */
ZEND_BEGIN_MODULE_GLOBALS(mcpatterns)
	/* mcpatterns.* settings. Strings belong to the engine. */
	char *servers;
	char *prefix;
	char *distribution;
	char *transport;
	char *server_user;
	char *server_password;
	char *tls[MCP_TLS_OPTIONS]; /* TLS settings by option; NULL for the switches below */
	bool tls_verify_peer;
	bool tls_verify_peer_name;
	bool tls_allow_self_signed;
	double connect_timeout;
	double timeout;
	double retry_after;
	zend_long tcp_keepalive; /* seconds; 0: off */
	double dns_interval;     /* seconds */
	char *resolv_conf;       /* a path; empty: the system's */
	bool persistent;
	bool mc_alias;
	bool mc_legacy;
	bool report_key_drift;
	bool has_wrong_setting; /* at start-up */
	zend_long memory_limit;
	zend_long item_size_limit; /* 0: none */
	zend_long shared_memory;  /* path and size: read at start-up only */
	char *shared_memory_path;
	char *shared_memory_group;
	char *shared_memory_mode;
	bool counts_metrics;
	char *trace_file; /* path of the trace file, with "%p" for the prefix; "": off */
	char *serializer;
	char *compression;
	zend_long compress_above;
	zend_long zlib_level;
	zend_long zstd_level;
	zend_long decompress_limit;
	char *session_locking;
	double session_lock_wait;
	double session_lock_expire;
	zend_long session_merge_depth;
	char *session_prefix; /* "": `prefix` */
	char *session_key_file; /* read at start-up only */
	bool session_failover;
	char *session_foreign_prefix; /* prefix of the other handler's keys; "": off */
	/* Incremented at every change of a setting. */
	uint64_t settings_version;

	/* Valid until the thread ends. */
	mcp_clock clock;
	mcp_environment environment;
	mcp_randomness randomness;
	mcp_engine_throw engine_throw;
	mcp_connection_table connections;
	mcp_server_set_table server_sets;
	mcp_idle_table discoveries;
	mcp_compressor_contexts compressor_contexts;
	mcp_buffer many_scratch; /* kept for calls on many keys; all zero: none */
	char *near_copy; /* NULL until needed, see src/php/host/shared_memory.h */
	mcp_holder holder; /* this thread as a holder, see src/php/host/shared_memory.h */
	mcp_late_locks late_locks;
	mcp_near_writer near_writer; /* writer in the process that last used it; all zero: none */
	mcp_meters meters; /* memory in which caches count, see src/php/metrics/meters.h */
	uint64_t audits_rest_until_ns; /* end of the pause of audits, by the monotonic clock */
	struct mcp_unique_known *unique_known; /* NULL until needed, see unique_visitors.h */
	mcp_guesses guesses;

	mcp_request_globals request; /* state of the request, or of the requests that a worker serves */
ZEND_END_MODULE_GLOBALS(mcpatterns)
/* clang-format on */

ZEND_EXTERN_MODULE_GLOBALS(mcpatterns)

#define MCP_G(name) ZEND_MODULE_GLOBALS_ACCESSOR(mcpatterns, name)
#define MCP_REQUEST(name) MCP_G(request).name

/* Registers the settings (src/php/settings/settings.c) when the module starts. Returns false if an initial value is
 * invalid, after a report that names the setting. Later, ini_set() returns false for an invalid value. */
bool php_mcp_settings_register(int type, int module_number);

#if defined(ZTS) && defined(COMPILE_DL_MCPATTERNS)
ZEND_TSRMLS_CACHE_EXTERN()
#endif

#endif
