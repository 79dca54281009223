/* Judges what a Pool is to be made of. The constructor's arguments and the INI settings go by the same
 * rules, and differ only in how a mistake is named. */
/* SPDX-License-Identifier: MIT */
#include "pool_arguments.h"

#include "../engine/compat.h"
#include "../objects/enums.h"
#include "php_mcpatterns.h"
#include "../tls/tls_stream.h"
#include "servers/parsing/server_likeness.h"
#include "servers/server_rings.h"
#include "servers/server_sets.h"
#include "servers/transports.h"
#include "zend_exceptions.h"

#include <math.h>

#define TIMEOUT_MIN_S 0.001
/* Who comes from php-memcached gives milliseconds: 100 of them, or more, are none of ours. Its retry timeout is in seconds. */
#define TIMEOUT_MAX_S 60.0
#define RETRY_AFTER_MAX_S 3600.0

/* Where an argument stands in the signature, and which setting stands for it. */
typedef struct place {
	uint32_t arg_num;
	const char *setting;
} place;

static const place servers_place = {1, "mcpatterns.servers"};
static const place prefix_place = {2, "mcpatterns.prefix"};
static const place distribution_place = {3, "mcpatterns.distribution"};
static const place connect_timeout_place = {9, "mcpatterns.connect_timeout"};
static const place timeout_place = {10, "mcpatterns.timeout"};
static const place retry_after_place = {11, "mcpatterns.retry_after"};
static const place transport_place = {14, "mcpatterns.transport"};
static const place session_servers_place = {0, "session.save_path"};
static const place session_prefix_place = {0, "mcpatterns.session_prefix"};

typedef enum source {
	FROM_ARGUMENTS,
	FROM_SETTINGS,
	FOR_SESSIONS, /* which warn */
	AT_START,     /* of PHP: the settings as well */
} source;

static bool refuse(source from, place at, const char *mistake) {
	if (from == FROM_ARGUMENTS) {
		zend_argument_value_error(at.arg_num, "must %s", mistake);
	} else if (from == FROM_SETTINGS) {
		zend_value_error("The INI setting %s must %s", at.setting, mistake);
	} else if (from == FOR_SESSIONS) {
		php_error_docref(NULL, E_WARNING, "mcpatterns: the INI setting %s must %s", at.setting,
			mistake);
	} else {
		zend_error(E_CORE_WARNING, "The INI setting %s must %s", at.setting, mistake);
	}
	return false;
}

/* Takes over `mistake`. */
static bool judge(source from, place at, zend_string *mistake) {
	if (mistake == NULL) {
		return true;
	}
	refuse(from, at, ZSTR_VAL(mistake));
	zend_string_release(mistake);
	return false;
}

static bool judge_prefix(source from, place at, zend_string *prefix) {
	if (from == FROM_ARGUMENTS && php_mcp_server_likeness_is_sure(prefix)) {
		return judge(from, at,
			zend_strpprintf(0,
				"not look like a server (give several servers as an array), \"%s\" given",
				ZSTR_VAL(prefix)));
	}
	if (ZSTR_LEN(prefix) > MCP_PREFIX_MAX) {
		return judge(from, at,
			zend_strpprintf(0, "be at most %d bytes, %zu given", MCP_PREFIX_MAX, ZSTR_LEN(prefix)));
	}
	mcp_bytes bytes = mcp_bytes_of(ZSTR_VAL(prefix), ZSTR_LEN(prefix));
	if (!mcp_key_prefix_is_valid(bytes)) {
		return refuse(from, at, "not contain spaces or control characters");
	}
	const char *head = mcp_key_head_of(bytes);
	return head == NULL ||
		judge(from, at,
			zend_strpprintf(0, "not begin with \"%s\", which the keys of a class begin with",
				head));
}

/* Rounds up: a timeout is never shorter than what was asked for. */
static bool judge_seconds(source from, place at, double seconds, uint32_t *duration_ms) {
	bool is_timeout = at.arg_num != retry_after_place.arg_num;
	double least = is_timeout ? TIMEOUT_MIN_S : 0;
	double most = is_timeout ? TIMEOUT_MAX_S : RETRY_AFTER_MAX_S;
	if (!(seconds >= least && seconds <= most)) {
		return judge(from, at,
			zend_strpprintf(0, "be between %g and %g seconds%s, %g given", least, most,
				is_timeout && seconds > most ? ", not milliseconds" : "", seconds));
	}
	*duration_ms = (uint32_t)ceil(seconds * 1000.0 - 1e-6);
	return true;
}

static bool judge_number(place at, const zval *number, double seconds, uint32_t *duration_ms) {
	if (number != NULL) {
		seconds = Z_TYPE_P(number) == IS_LONG ? (double)Z_LVAL_P(number) : Z_DVAL_P(number);
	}
	return judge_seconds(FROM_ARGUMENTS, at, seconds, duration_ms);
}

/* Refuses what this build does not have. */
static bool judge_transport(source from, mcp_transport transport) {
	return php_mcp_transports_has(transport) ||
		refuse(from, transport_place,
			from == FROM_ARGUMENTS ? "be Transport::Direct: this build has no libmemcached"
								   : "be \"direct\": this build has no libmemcached");
}

static bool judge_transport_argument(zend_object *given, mcp_transport *transport) {
	*transport =
		given != NULL ? (mcp_transport)php_mcp_enums_case(given) : php_mcp_transports_default();
	return judge_transport(FROM_ARGUMENTS, *transport);
}

static bool judge_transport_setting(source from, mcp_transport *transport) {
	const char *setting = MCP_G(transport);
	if (php_mcp_transports_find(setting, transport)) {
		return judge_transport(from, *transport);
	}
	return judge(from, transport_place,
		zend_strpprintf(0, "be \"libmemcached\" or \"direct\", \"%.100s\" given", setting));
}

mcp_pool_arguments php_mcp_pool_arguments_defaults(void) {
	return (mcp_pool_arguments){
		.prefix = ZSTR_EMPTY_ALLOC(),
		.format = php_mcp_format_arguments_defaults(),
		.persistent = true,
	};
}

/* Judges what the servers, and what is said to them, want of the transport. Whether an extension is loaded is no mistake
 * at the start. */
static bool judge_needs(source from, place at, const mcp_pool_traits *traits,
	mcp_server_list_needs needs) {
	if (traits->transport != MCP_TRANSPORT_DIRECT) {
		mcp_access_mistake mistake = php_mcp_access_arguments_refuse(traits->access);
		if (needs.tls) {
			return refuse(from, at,
				"not have \"tls://\" without Transport::Direct: libmemcached has no TLS");
		}
		if (needs.secret) {
			return refuse(from, at,
				"not have a password without Transport::Direct: libmemcached cannot say it");
		}
		return judge(from, (place){mistake.arg_num, mistake.setting}, mistake.words);
	}
	return !needs.tls || from == AT_START || php_mcp_tls_stream_is_supported() ||
		refuse(from, at, "not have \"tls://\" where PHP has no openssl extension");
}

/* Judges what was written, and what goes with it; on true the caller owns its name. */
static bool judge_servers(source from, place at, mcp_pool_options *options) {
	mcp_server_list_needs needs;
	if (!judge(from, at,
			php_mcp_server_sets_judge(&options->servers, &options->servers_name, &needs))) {
		return false;
	}
	if (!judge_needs(from, at, &options->traits, needs)) {
		zend_string_release(options->servers_name);
		return false;
	}
	options->are_discovered = needs.discovery;
	return true;
}

static bool judge_access(source from, const mcp_access_arguments *arguments,
	mcp_server_access **access) {
	mcp_access_mistake mistake = from == FROM_ARGUMENTS
		? php_mcp_access_arguments_read(arguments, access)
		: php_mcp_access_arguments_read_settings(access);
	return judge(from, (place){mistake.arg_num, mistake.setting}, mistake.words);
}

static mcp_written_servers servers_of(const mcp_pool_arguments *arguments) {
	mcp_written_servers written = {.texts = arguments->server_list};
	written.text = arguments->servers != NULL
		? mcp_bytes_of(ZSTR_VAL(arguments->servers), ZSTR_LEN(arguments->servers))
		: mcp_bytes_of(ZEND_STRL(MCP_DEFAULT_SERVER));
	return written;
}

static mcp_pool *create(mcp_pool_options *options) {
	mcp_pool *pool = php_mcp_pool_create(options);
	zend_string_release(options->servers_name);
	return pool;
}

mcp_pool *php_mcp_pool_arguments_create(const mcp_pool_arguments *arguments) {
	mcp_pool_options options = {
		.servers = servers_of(arguments),
		.prefix = arguments->prefix,
		.traits.distribution = MCP_DISTRIBUTION_KETAMA,
		.traits.is_persistent = arguments->persistent,
		.traits.fails_over = arguments->failover,
	};
	if (arguments->distribution != NULL) {
		options.traits.distribution = (mcp_distribution)php_mcp_enums_case(arguments->distribution);
	}
	if (!judge_prefix(FROM_ARGUMENTS, prefix_place, arguments->prefix) ||
		!judge_transport_argument(arguments->transport, &options.traits.transport) ||
		!php_mcp_format_arguments_judge(&arguments->format, &options.format) ||
		!judge_number(connect_timeout_place, arguments->connect_timeout,
			MCP_DEFAULT_CONNECT_TIMEOUT_S, &options.traits.connect_timeout_ms) ||
		!judge_number(timeout_place, arguments->timeout, MCP_DEFAULT_TIMEOUT_S,
			&options.traits.timeout_ms) ||
		!judge_number(retry_after_place, arguments->retry_after, MCP_DEFAULT_RETRY_AFTER_S,
			&options.traits.retry_after_ms) ||
		!judge_access(FROM_ARGUMENTS, &arguments->access, &options.traits.access) ||
		!judge_servers(FROM_ARGUMENTS, servers_place, &options)) {
		php_mcp_format_free(&options.format);
		php_mcp_server_access_free(options.traits.access);
		return NULL;
	}
	return create(&options);
}

static bool judge_distribution_setting(source from, mcp_distribution *distribution) {
	const char *setting = MCP_G(distribution);
	return php_mcp_server_rings_find(setting, distribution) ||
		judge(from, distribution_place,
			zend_strpprintf(0, "be \"ketama\", \"modulo\" or \"one_at_a_time\", \"%.100s\" given",
				setting));
}

static bool judge_servers_setting(source from, place at, const char *setting,
	mcp_pool_options *options) {
	options->servers.text = mcp_bytes_of(setting, strlen(setting));
	return judge_servers(from, at, options);
}

static bool judge_prefix_setting(source from, place at, const char *setting) {
	zend_string *prefix = zend_string_init(setting, strlen(setting), 0);
	bool is_right = judge_prefix(from, at, prefix);
	zend_string_release(prefix);
	return is_right;
}

/* Judges what all settings' Pools have in common. */
static bool judge_traits(source from, mcp_pool_traits *traits) {
	return judge_distribution_setting(from, &traits->distribution) &&
		judge_transport_setting(from, &traits->transport) &&
		judge_seconds(from, connect_timeout_place, MCP_G(connect_timeout),
			&traits->connect_timeout_ms) &&
		judge_seconds(from, timeout_place, MCP_G(timeout), &traits->timeout_ms) &&
		judge_seconds(from, retry_after_place, MCP_G(retry_after), &traits->retry_after_ms) &&
		judge_access(from, NULL, &traits->access);
}

/* Judges all but the format. On true the caller owns the servers' name. */
static bool judge_settings(source from, mcp_pool_options *options) {
	return judge_prefix_setting(from, prefix_place, MCP_G(prefix)) &&
		judge_traits(from, &options->traits) &&
		judge_servers_setting(from, servers_place, MCP_G(servers), options);
}

static mcp_pool *create_with_prefix(mcp_pool_options *options, const char *prefix) {
	options->prefix = zend_string_init(prefix, strlen(prefix), 0);
	mcp_pool *pool = create(options);
	zend_string_release(options->prefix);
	return pool;
}

mcp_pool *php_mcp_pool_arguments_from_settings(void) {
	mcp_pool_options options = {.traits.is_persistent = MCP_G(persistent)};
	if (!php_mcp_format_arguments_judge_settings(&options.format) ||
		!judge_settings(FROM_SETTINGS, &options)) {
		php_mcp_server_access_free(options.traits.access);
		return NULL;
	}
	return create_with_prefix(&options, MCP_G(prefix));
}

/* Finds what is left over from PHP's own files, which are the default of some systems. */
static bool judge_that_it_is_no_folder(const char *path) {
	const char *semicolon = strrchr(path, ';');
	const char *folder = semicolon != NULL ? semicolon + 1 : path;
	return folder[0] != '/' ||
		judge(FOR_SESSIONS, session_servers_place,
			zend_strpprintf(0,
				"be servers, or empty, which means those of mcpatterns.servers; \"%.100s\" is a folder",
				path));
}

static bool judge_format_for_sessions(mcp_format *format) {
	zend_string *mistake = php_mcp_format_arguments_name(format);
	if (mistake == NULL && format->compressor != NULL &&
		!php_mcp_compressors_is_built_in(format->compressor)) {
		mistake = zend_strpprintf(0,
			"mcpatterns.compression must be one that mcpatterns was built with, \"%s\" given",
			format->compressor->name);
	}
	if (mistake == NULL) {
		return true;
	}
	php_error_docref(NULL, E_WARNING, "mcpatterns: the INI setting %s", ZSTR_VAL(mistake));
	zend_string_release(mistake);
	return false;
}

mcp_pool *php_mcp_pool_arguments_for_sessions(const char *servers, const char *prefix) {
	mcp_pool_options options = {.traits.is_persistent = MCP_G(persistent)};
	bool has_servers = servers != NULL && servers[0] != '\0', has_prefix = prefix[0] != '\0';
	const char *list = has_servers ? servers : MCP_G(servers);
	const char *wanted_prefix = has_prefix ? prefix : MCP_G(prefix);
	if (!judge_format_for_sessions(&options.format) ||
		!judge_prefix_setting(FOR_SESSIONS, has_prefix ? session_prefix_place : prefix_place,
			wanted_prefix) ||
		!judge_traits(FOR_SESSIONS, &options.traits) ||
		(has_servers && !judge_that_it_is_no_folder(servers)) ||
		!judge_servers_setting(FOR_SESSIONS, has_servers ? session_servers_place : servers_place,
			list, &options)) {
		php_mcp_server_access_free(options.traits.access);
		return NULL;
	}
	return create_with_prefix(&options, wanted_prefix);
}

/* Judges all but whether an extension is loaded: one php.ini may be for several PHPs. */
bool php_mcp_pool_arguments_judge_at_start(void) {
	mcp_pool_options options = {0};
	zend_string *mistake = php_mcp_format_arguments_name(&options.format);
	if (mistake != NULL) {
		zend_error(E_CORE_WARNING, "The INI setting %s", ZSTR_VAL(mistake));
		zend_string_release(mistake);
		return false;
	}
	bool is_right = judge_settings(AT_START, &options);
	php_mcp_server_access_free(options.traits.access);
	if (!is_right) {
		return false;
	}
	zend_string_release(options.servers_name);
	return true;
}
