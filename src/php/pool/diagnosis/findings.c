/* The table of the codes, and how a finding becomes an array. */
/* SPDX-License-Identifier: MIT */
#include "findings.h"

#include <stdarg.h>

typedef enum severity { NOTICE, WARNING, ERROR } severity;

static const char *const severities[] =
	{[NOTICE] = "notice", [WARNING] = "warning", [ERROR] = "error"};

typedef struct kind {
	const char *code;
	severity severity;
	const char *advice;
} kind;

#define START_IT "Start memcached there, or correct the address."

static const kind of_servers[] = {
	[MCP_FINDING_UNREACHABLE] = {"unreachable", ERROR,
		"Look whether memcached runs there, and whether a firewall lets this host pass."},
	[MCP_FINDING_UNKNOWN_HOST] = {"unknown_host", ERROR,
		"Correct the host's name, or this host's name service."},
	[MCP_FINDING_REFUSED] = {"refused", ERROR, START_IT},
	[MCP_FINDING_SOCKET_MISSING] = {"socket_missing", ERROR, START_IT},
	[MCP_FINDING_SOCKET_PERMISSION] = {"socket_permission", ERROR,
		"Start memcached with -a 0770 and a group that PHP's user is of, and let that group into the folder."},
	[MCP_FINDING_TIMEOUT] = {"timeout", ERROR,
		"Look at the server: it is stopped, swapped out or overloaded, or the network loses what it says."},
	[MCP_FINDING_CONNECTION_CLOSED] = {"connection_closed", ERROR,
		"Look what listens there. A memcached that was started with -Z ends what does not begin by TLS: write 'tls://', over Transport::Direct."},
	[MCP_FINDING_SERVER_ERROR] = {"server_error", ERROR,
		"Look at what it says: of a proxy, a server behind it is away; of memcached, it has no memory or no connection left."},
	[MCP_FINDING_INVALID_RESPONSE] = {"invalid_response", ERROR,
		"Look what listens there: it is no memcached, or it is broken."},
	[MCP_FINDING_PASSWORD] = {"password", ERROR,
		"Give the Pool the user and the password of memcached's file (-Y), over Transport::Direct."},
	[MCP_FINDING_CERTIFICATE] = {"certificate", ERROR,
		"Renew or correct the certificate, or name the authority (cafile) and the name (peer_name) that it is of."},
	[MCP_FINDING_TLS] = {"tls", ERROR,
		"Correct the options of TLS, or the address: 'tls://' is for a memcached that was started with -Z."},
	[MCP_FINDING_SLOW] = {"slow", WARNING,
		"Look at the network and the server's load, or raise mcpatterns.timeout."},
	[MCP_FINDING_NO_STATISTICS] = {"no_statistics", NOTICE,
		"Ask the memcacheds behind it by their own addresses."},
	[MCP_FINDING_INVALID_STATISTICS] = {"invalid_statistics", WARNING,
		"Look what listens there: memcached tells all of these."},
	[MCP_FINDING_OLD_VERSION] = {"old_version", WARNING,
		"Install a memcached of 1.6.18 or later; what older ones are known for can be read in its release notes."},
	[MCP_FINDING_NO_META] = {"no_meta", NOTICE,
		"Install a memcached of 1.6.13 or later: elections then take a round trip less."},
	[MCP_FINDING_NO_CAS] = {"no_cas", ERROR,
		"Start memcached without -C, or take a memcached where something else listens: elections, locks and sessions need cas."},
	[MCP_FINDING_SMALL_ITEMS] = {"small_items", WARNING,
		"Start memcached with -I 1m, its default: larger values are not stored, and computed each time."},
	[MCP_FINDING_LARGE_ITEMS] = {"large_items", WARNING,
		"Lower memcached's -I, or raise mcpatterns.item_size_limit on all hosts: what is above it is neither stored nor read."},
	[MCP_FINDING_EVICTIONS] = {"evictions", WARNING,
		"Raise memcached's -m, or give values shorter lives; locks and counters belong on a memcached of their own."},
	[MCP_FINDING_SESSION_EVICTIONS] = {"session_evictions", ERROR,
		"Give the sessions a memcached of their own that never fills, or raise its -m: who is evicted is logged out."},
	[MCP_FINDING_NEVER_EVICTS] = {"never_evicts", NOTICE,
		"Start memcached without -M, unless somebody is woken before it is full: then it stores nothing more."},
	[MCP_FINDING_FULL] = {"full", ERROR,
		"Raise memcached's -m, or start it without -M: nothing more is stored there when it is full."},
	[MCP_FINDING_NEARLY_FULL] = {"nearly_full", NOTICE,
		"Raise memcached's -m before it evicts what is in use."},
	[MCP_FINDING_SMALL_MEMORY] = {"small_memory", NOTICE,
		"Give memcached the memory that its values need (-m); the default of 64 MB is for trying."},
	[MCP_FINDING_REJECTED_CONNECTIONS] = {"rejected_connections", WARNING,
		"Raise memcached's -c above the number of all hosts' workers, and 50 more."},
	[MCP_FINDING_MANY_CONNECTIONS] = {"many_connections", WARNING,
		"Raise memcached's -c above the number of all hosts' workers, and 50 more."},
	[MCP_FINDING_IDLE_TIMEOUT] = {"idle_timeout", NOTICE,
		"Start memcached without -o idle_timeout, or give it more than workers are idle for: each connection that it ends is made anew."},
	[MCP_FINDING_UDP] = {"udp", WARNING,
		"Start memcached with -U 0: by UDP anybody can have it answer somebody else."},
	[MCP_FINDING_RESTARTED] = {"restarted", NOTICE,
		"Nothing, if it was meant: it began empty. If not, look why it ended."},
	[MCP_FINDING_NO_FLUSH] = {"no_flush", NOTICE,
		"Nothing, if it is meant (-F): Pool::flush() does not empty it. Cache::clear() works."},
	[MCP_FINDING_CLOCK] = {"clock", WARNING,
		"Have the clocks of all hosts kept (chrony, systemd-timesyncd). A memcached reads its host's clock when it starts:"
		" if that is right now, restart it."},
	[MCP_FINDING_PUBLIC_ADDRESS] = {"public_address", NOTICE,
		"Start memcached with -l and a private address, behind a firewall, or with -Z and -Y."},
	[MCP_FINDING_SOCKET_OPEN_TO_ALL] = {"socket_open_to_all", WARNING,
		"Start memcached with -a 0770, and a group that only the application's users are of."},
	[MCP_FINDING_MEMORY_SERVER] = {"memory_server", WARNING,
		"Name a memcached instead: memory servers are for tests, and each process has its own."},
	[MCP_FINDING_DIFFERENT_VERSIONS] = {"different_versions", NOTICE,
		"Install the same memcached everywhere."},
	[MCP_FINDING_DIFFERENT_ITEM_SIZES] = {"different_item_sizes", WARNING,
		"Start all of them with the same -I: whether a value is stored depends on its key otherwise."},
};

static const kind of_pool[] = {
	[MCP_FINDING_SETTINGS] = {"settings", ERROR, "Correct the setting: no Pool can be made of it."},
	[MCP_FINDING_LONG_TIMEOUT] = {"long_timeout", WARNING,
		"Take seconds, as 0.2 and 0.5: a server that hangs costs each worker so long. php-memcached's are milliseconds."},
	[MCP_FINDING_SHORT_TIMEOUT] = {"short_timeout", WARNING,
		"Take at least 0.05: what a busy host delays for a moment would be a failure."},
	[MCP_FINDING_NO_RETRY_AFTER] = {"no_retry_after", WARNING,
		"Take 1 or more: each call waits for a server that hangs otherwise."},
	[MCP_FINDING_LONG_RETRY_AFTER] = {"long_retry_after", WARNING,
		"Take seconds, as 1 to 10: a server that has come back is left alone for so long."},
	[MCP_FINDING_NOT_PERSISTENT] = {"not_persistent", NOTICE,
		"Set mcpatterns.persistent to 1, unless each request is to connect anew."},
	[MCP_FINDING_FAILOVER_SINGLE_SERVER] = {"failover_single_server", NOTICE,
		"Name a second server, or leave failover out: there is nothing to fail over to."},
	[MCP_FINDING_TLS_UNVERIFIED] = {"tls_unverified", WARNING,
		"Have certificates verified, by cafile and peer_name: anybody between can answer in the server's place."},
	[MCP_FINDING_PASSWORD_IN_CLEAR] = {"password_in_clear", WARNING,
		"Write the server as 'tls://', or take a unix socket: the password travels as it is."},
	[MCP_FINDING_KEY_READABLE] = {"key_readable", WARNING,
		"Give the private key's file to PHP's user alone, with the mode 0600."},
	[MCP_FINDING_UNSIGNED_SHARING] = {"unsigned_sharing", WARNING,
		"Give the Pool a signingKey, or take a group of those alone who may run code as each other."},
	[MCP_FINDING_ANY_CLASS] = {"any_class", NOTICE,
		"Give the Pool a signingKey or allowedClasses, or take a unix socket: whoever reaches the port can have PHP make any object."},
	[MCP_FINDING_SERIALIZER] = {"serializer", NOTICE,
		"Load igbinary on every host, or set mcpatterns.serializer to php on every host: what another host writes by igbinary is a miss here."},
	[MCP_FINDING_NO_DISCOVERY] = {"no_discovery", ERROR,
		"Correct the endpoint's address, or start what listens there: until it tells its servers nothing is stored."},
	[MCP_FINDING_STALE_DISCOVERY] = {"stale_discovery", WARNING,
		"Check the endpoint. A cluster that was recreated under its name counts its versions from 1: the tenth answer in a row is accepted."},
};

static const kind of_host[] = {
	[MCP_FINDING_SHARED_MEMORY] = {"shared_memory", ERROR,
		"Correct mcpatterns.shared_memory_path, _group or _mode, or who owns the file and its folder, and start PHP anew."},
	[MCP_FINDING_NO_SHARED_MEMORY] = {"no_shared_memory", NOTICE,
		"Set mcpatterns.shared_memory to 16M: near values, metrics and waking need it."},
	[MCP_FINDING_SHARED_MEMORY_ALONE] = {"shared_memory_alone", NOTICE,
		"Set mcpatterns.shared_memory_path to the same file for php-fpm and the command line."},
	[MCP_FINDING_NO_METRICS] = {"no_metrics", NOTICE,
		"Set mcpatterns.metrics to 1, unless nobody is to see what the caches do."},
	[MCP_FINDING_NO_ITEM_SIZE_LIMIT] = {"no_item_size_limit", WARNING,
		"Set mcpatterns.item_size_limit to 64M: a server can have a worker take any memory otherwise."},
	[MCP_FINDING_NO_OPCACHE] = {"no_opcache", NOTICE,
		"Load opcache: without it each request compiles the code whose results are cached."},
	[MCP_FINDING_KEY_DRIFT] = {"key_drift", NOTICE,
		"Set mcpatterns.report_key_drift to 0: it is for development."},
	[MCP_FINDING_SESSION_SERVERS] = {"session_servers", NOTICE,
		"Ask these as well, by their addresses."},
	[MCP_FINDING_SESSION_PATH_IS_DIRECTORY] = {"session_path_is_directory", ERROR,
		"Set session.save_path to the servers, or to an empty text: then they are those of mcpatterns.servers."},
	[MCP_FINDING_SESSION_MEMORY] = {"session_memory", ERROR,
		"Name a memcached: each worker has sessions of its own otherwise, and they end with it."},
	[MCP_FINDING_SESSION_UNLOCKED] = {"session_unlocked", WARNING,
		"Take lock or merge: of two requests of one session the later one undoes what the other has changed."},
	[MCP_FINDING_SESSION_LOCK_SHORT] = {"session_lock_short", WARNING,
		"Give session_lock_expire more than requests last: another takes the session over in the middle."},
	[MCP_FINDING_SESSION_WAIT_SHORT] = {"session_wait_short", WARNING,
		"Give session_lock_wait a second more than session_lock_expire: who waits for a killed request fails otherwise."},
	[MCP_FINDING_SESSION_MERGE] = {"session_merge", WARNING,
		"Set session.serialize_handler to php or php_serialize: sessions of other forms cannot be merged."},
	[MCP_FINDING_SESSION_STRICT_MODE] = {"session_strict_mode", WARNING,
		"Set session.use_strict_mode to 1: ids that somebody made up are taken otherwise."},
	[MCP_FINDING_SESSION_UNSIGNED] = {"session_unsigned", NOTICE,
		"Give mcpatterns.session_key_file a file with a secret: whoever reaches the port can write sessions otherwise."},
	[MCP_FINDING_SESSION_SETTINGS_UNUSED] = {"session_settings_unused", WARNING,
		"Set session.save_handler to mcpatterns, or take the setting away."},
};

static const kind *kind_of(mcp_finding_code code) {
	if (code < MCP_FINDING_SETTINGS) {
		return &of_servers[code];
	}
	return code < MCP_FINDING_SHARED_MEMORY ? &of_pool[code] : &of_host[code];
}

void php_mcp_findings_add(zval *list, mcp_finding_code code, const char *subject,
	const char *format, ...) {
	const kind *found = kind_of(code);
	va_list arguments;
	va_start(arguments, format);
	zend_string *sentence = zend_vstrpprintf(0, format, arguments);
	va_end(arguments);
	zval row;
	array_init_size(&row, 5);
	add_assoc_string(&row, "severity", severities[found->severity]);
	add_assoc_string(&row, "code", found->code);
	add_assoc_string(&row, "subject", subject);
	add_assoc_str(&row, "finding", sentence);
	add_assoc_string(&row, "advice", found->advice);
	add_next_index_zval(list, &row);
}

#define UNIT 1024.0

const char *php_mcp_findings_bytes(char text[MCP_FINDING_TEXT_MAX], uint64_t bytes) {
	static const char *const units[] = {"bytes", "KiB", "MiB", "GiB", "TiB"};
	size_t unit = 0;
	double number = (double)bytes;
	while (number >= UNIT && unit + 1 < sizeof(units) / sizeof(*units)) {
		number /= UNIT;
		unit++;
	}
	bool is_whole = number == (double)(uint64_t)number;
	snprintf(text, MCP_FINDING_TEXT_MAX, is_whole ? "%.0f %s" : "%.1f %s", number, units[unit]);
	return text;
}

typedef struct time_unit {
	double seconds;
	const char *name;
} time_unit;

const char *php_mcp_findings_seconds(char text[MCP_FINDING_TEXT_MAX], double seconds) {
	static const time_unit units[] = {{86400, "days"}, {3600, "hours"}, {60, "minutes"}};
	for (size_t i = 0; i < sizeof(units) / sizeof(*units); i++) {
		if (seconds >= 2 * units[i].seconds) {
			snprintf(text, MCP_FINDING_TEXT_MAX, "%.0f %s", seconds / units[i].seconds,
				units[i].name);
			return text;
		}
	}
	bool is_one = seconds == 1;
	bool is_whole = seconds == (double)(uint64_t)seconds;
	snprintf(text, MCP_FINDING_TEXT_MAX, is_whole ? "%.0f second%s" : "%.3g second%s", seconds,
		is_one ? "" : "s");
	return text;
}
