/* Validates a Pool's constructor arguments, or the INI settings in their place. Both follow the same rules and
 * differ only in how a mistake is named. */
/* SPDX-License-Identifier: MIT */
#include "pool_arguments.h"

#include "../engine/compat.h"
#include "../objects/enums.h"
#include "../tls/tls_stream.h"
#include "servers/parsing/server.h"
#include "servers/server_sets.h"
#include "servers/connections.h"
#include "zend_exceptions.h"
#include "php_mcpatterns.h"

#include <math.h>

/* Place of a mistake: an argument, or the setting in its place. */
typedef struct mcp_access_mistake {
	uint32_t arg_num; /* 0: the setting */
	const char *setting;
	zend_string *words; /* after "must "; owned by the caller. NULL: no mistake */
} mcp_access_mistake;

/* Argument numbers in the constructor's signature. No message contains a secret. */
enum {
	TLS_ARGUMENT = 15,
	USER_ARGUMENT,
	PASSWORD_ARGUMENT,
};

#define USER_SETTING "mcpatterns.user"
#define PASSWORD_SETTING "mcpatterns.password"
#define DIRECT_ALONE "not be given without Transport::Direct: libmemcached "

static mcp_access_mistake none(void) {
	return (mcp_access_mistake){0};
}

/* Make a mistake about a pair of which at least one was given. */
static mcp_access_mistake at(const mcp_access_arguments *arguments, uint32_t argument,
	const char *setting, zend_string *words) {
	bool is_given = arguments->user != NULL || arguments->password != NULL;
	return (mcp_access_mistake){is_given ? argument : 0, setting, words};
}

static mcp_access_mistake at_password(const mcp_access_arguments *arguments, zend_string *words) {
	return at(arguments, PASSWORD_ARGUMENT, PASSWORD_SETTING, words);
}

/* Text of an argument, or else of the setting. Data is NULL if neither is given; an empty argument is given. */
static mcp_bytes access_text_of(const zend_string *given, bool takes_settings,
	const char *setting) {
	if (given != NULL) {
		return mcp_bytes_of(ZSTR_VAL(given), ZSTR_LEN(given));
	}
	return takes_settings && *setting != '\0' ? mcp_bytes_of(setting, strlen(setting))
											  : mcp_bytes_none();
}

/* Read both or neither. */
static mcp_access_mistake read_secret(const mcp_access_arguments *arguments, bool takes_settings,
	mcp_server_secret *secret) {
	mcp_bytes user = access_text_of(arguments->user, takes_settings, MCP_G(server_user));
	mcp_bytes password =
		access_text_of(arguments->password, takes_settings, MCP_G(server_password));
	if (user.data == NULL && password.data == NULL) {
		return none();
	}
	if (password.data == NULL) {
		return at_password(arguments, zend_strpprintf(0, "be given with a user"));
	}
	if (user.data == NULL) {
		return at(arguments, USER_ARGUMENT, USER_SETTING,
			zend_strpprintf(0, "be given with a password"));
	}
	return at_password(arguments, php_mcp_server_secret_make(secret, user, password));
}

/* Settings by name, for those that can be wrong. */
static const char *const tls_settings[MCP_TLS_OPTIONS] = {
	[MCP_TLS_CAFILE] = "mcpatterns.tls_cafile",
	[MCP_TLS_CAPATH] = "mcpatterns.tls_capath",
	[MCP_TLS_PEER_NAME] = "mcpatterns.tls_peer_name",
	[MCP_TLS_PEER_FINGERPRINT] = "mcpatterns.tls_peer_fingerprint",
	[MCP_TLS_LOCAL_CERT] = "mcpatterns.tls_local_cert",
	[MCP_TLS_LOCAL_PK] = "mcpatterns.tls_local_pk",
	[MCP_TLS_PASSPHRASE] = "mcpatterns.tls_passphrase",
	[MCP_TLS_CIPHERS] = "mcpatterns.tls_ciphers",
	[MCP_TLS_CRYPTO_METHOD] = "mcpatterns.tls_crypto_method",
};

/* Take the switches that differ from PHP's defaults. */
static void read_switches(mcp_tls_options *tls) {
	if (!MCP_G(tls_verify_peer)) {
		php_mcp_tls_options_switch(tls, MCP_TLS_VERIFY_PEER, false);
	}
	if (!MCP_G(tls_verify_peer_name)) {
		php_mcp_tls_options_switch(tls, MCP_TLS_VERIFY_PEER_NAME, false);
	}
	if (MCP_G(tls_allow_self_signed)) {
		php_mcp_tls_options_switch(tls, MCP_TLS_ALLOW_SELF_SIGNED, true);
	}
}

static mcp_access_mistake read_tls_settings(mcp_tls_options *tls) {
	read_switches(tls);
	for (mcp_tls_option option = 0; option < MCP_TLS_OPTIONS; option++) {
		zend_string *words = tls_settings[option] != NULL
			? php_mcp_tls_options_set(tls, option, MCP_G(tls)[option])
			: NULL;
		if (words != NULL) {
			php_mcp_tls_options_free(tls);
			return (mcp_access_mistake){0, tls_settings[option], words};
		}
	}
	return none();
}

static mcp_access_mistake read_tls(HashTable *given, bool takes_settings, mcp_tls_options *tls) {
	if (given != NULL) {
		return (mcp_access_mistake){TLS_ARGUMENT, NULL, php_mcp_tls_options_read(tls, given)};
	}
	return takes_settings ? read_tls_settings(tls) : none();
}

/* Reject options that libmemcached does not support. */
static mcp_access_mistake refuse_access(const mcp_access_arguments *arguments,
	const mcp_server_secret *secret, const mcp_tls_options *tls) {
	if (php_mcp_server_secret_is_given(secret)) {
		return at_password(arguments,
			zend_strpprintf(0, DIRECT_ALONE "does not support passwords"));
	}
	if (!php_mcp_tls_options_are_given(tls)) {
		return none();
	}
	return (mcp_access_mistake){arguments->tls != NULL ? TLS_ARGUMENT : 0, "mcpatterns.transport",
		zend_strpprintf(0, DIRECT_ALONE "does not support TLS")};
}

/* Read user, password and TLS options, with settings in place of missing arguments if `takes_settings`. Rejects
 * options that libmemcached does not support. The caller owns *access, which is NULL if there is nothing to keep. */
static mcp_access_mistake php_mcp_access_arguments_read(const mcp_access_arguments *arguments,
	bool takes_settings, bool is_direct, mcp_server_access **access) {
	mcp_server_secret secret = {0};
	mcp_tls_options tls = {0};
	*access = NULL;
	mcp_access_mistake mistake = read_secret(arguments, takes_settings, &secret);
	if (mistake.words == NULL) {
		mistake = read_tls(arguments->tls, takes_settings, &tls);
	}
	if (mistake.words == NULL && !is_direct) {
		mistake = refuse_access(arguments, &secret, &tls);
	}
	if (mistake.words == NULL) {
		*access = php_mcp_server_access_create(&secret, &tls);
	}
	php_mcp_tls_options_free(&tls);
	return mistake;
}

#define TIMEOUT_MIN_S 0.001
/* php-memcached takes milliseconds: values of 100 or more are probably a mistake. Its retry timeout is in seconds. */
#define TIMEOUT_MAX_S 60.0
#define RETRY_AFTER_MAX_S 3600.0

/* Argument number, and the setting in its place. */
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

/* All but the first are settings. */
typedef enum source {
	FROM_ARGUMENTS,
	FROM_SETTINGS,
	FOR_SESSIONS, /* mistakes are warnings */
	AT_START,     /* of PHP; mistakes are warnings */
} source;

static source source_of(const void *given, source settings) {
	return given != NULL ? FROM_ARGUMENTS : settings;
}

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
				"not look like a server (pass several servers as an array), \"%s\" given",
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
			zend_strpprintf(0, "not begin with \"%s\", which keys of a class begin with", head));
}

/* Round up: a timeout is never shorter than requested. */
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

static bool judge_number(source settings, place at, const zval *given, double setting,
	uint32_t *duration_ms) {
	double seconds = setting;
	if (given != NULL) {
		seconds = Z_TYPE_P(given) == IS_LONG ? (double)Z_LVAL_P(given) : Z_DVAL_P(given);
	}
	return judge_seconds(source_of(given, settings), at, seconds, duration_ms);
}

static bool judge_distribution(source settings, zend_object *given,
	mcp_distribution *distribution) {
	const char *setting = MCP_G(distribution);
	if (given != NULL) {
		*distribution = (mcp_distribution)php_mcp_enums_case(given);
		return true;
	}
	return php_mcp_server_rings_find(setting, distribution) ||
		judge(settings, distribution_place,
			zend_strpprintf(0, "be \"ketama\", \"modulo\" or \"one_at_a_time\", \"%.100s\" given",
				setting));
}

/* Reject transports that are missing in this build. */
static bool judge_transport(source settings, zend_object *given, mcp_transport *transport) {
	const char *setting = MCP_G(transport);
	if (given != NULL) {
		*transport = (mcp_transport)php_mcp_enums_case(given);
	} else if (!php_mcp_transports_find(setting, transport)) {
		return judge(settings, transport_place,
			zend_strpprintf(0, "be \"libmemcached\" or \"direct\", \"%.100s\" given", setting));
	}
	return php_mcp_transports_has(*transport) ||
		refuse(source_of(given, settings), transport_place,
			given != NULL ? "be Transport::Direct: this build has no libmemcached"
						  : "be \"direct\": this build has no libmemcached");
}

mcp_pool_arguments php_mcp_pool_arguments_none(void) {
	return (mcp_pool_arguments){.format.compress_above_is_null = true, .persistent_is_null = true};
}

static bool has_servers(const mcp_pool_arguments *arguments) {
	return arguments->servers != NULL || arguments->server_list != NULL;
}

/* Settings for password and TLS apply only to the servers of the settings. */
static bool judge_access(source settings, const mcp_pool_arguments *arguments,
	mcp_pool_traits *traits) {
	mcp_access_mistake mistake = php_mcp_access_arguments_read(&arguments->access,
		!has_servers(arguments), traits->transport == MCP_TRANSPORT_DIRECT, &traits->access);
	return judge(mistake.arg_num > 0 ? FROM_ARGUMENTS : settings,
		(place){mistake.arg_num, mistake.setting}, mistake.words);
}

/* Validate all but servers, prefix and format. */
static bool judge_traits(source settings, const mcp_pool_arguments *arguments,
	mcp_pool_traits *traits) {
	traits->is_persistent =
		arguments->persistent_is_null ? MCP_G(persistent) : arguments->persistent;
	traits->fails_over = arguments->failover;
	return judge_distribution(settings, arguments->distribution, &traits->distribution) &&
		judge_transport(settings, arguments->transport, &traits->transport) &&
		judge_number(settings, connect_timeout_place, arguments->connect_timeout,
			MCP_G(connect_timeout), &traits->connect_timeout_ms) &&
		judge_number(settings, timeout_place, arguments->timeout, MCP_G(timeout),
			&traits->timeout_ms) &&
		judge_number(settings, retry_after_place, arguments->retry_after, MCP_G(retry_after),
			&traits->retry_after_ms) &&
		judge_access(settings, arguments, traits);
}

/* Check the transport against the servers. A missing extension is no mistake at start-up. */
static bool judge_needs(source from, place at, mcp_transport transport,
	mcp_server_list_needs needs) {
	if (transport == MCP_TRANSPORT_DIRECT) {
		return !needs.tls || from == AT_START || php_mcp_tls_stream_is_supported() ||
			refuse(from, at, "not have \"tls://\" without PHP's openssl extension");
	}
	if (needs.tls) {
		return refuse(from, at,
			"not have \"tls://\" without Transport::Direct: libmemcached does not support TLS");
	}
	return !needs.secret ||
		refuse(from, at,
			"not have a password without Transport::Direct: libmemcached does not support passwords");
}

/* If it returns true, the caller owns the servers' name. */
static bool judge_servers(source from, place at, mcp_written_servers written,
	mcp_pool_options *options) {
	mcp_server_list_needs needs;
	options->servers = written;
	if (!judge(from, at,
			php_mcp_server_sets_judge(&options->servers, &options->servers_name, &needs))) {
		return false;
	}
	if (!judge_needs(from, at, options->traits.transport, needs)) {
		zend_string_release(options->servers_name);
		return false;
	}
	options->are_discovered = needs.discovery;
	return true;
}

static mcp_written_servers written_in(const char *setting) {
	return (mcp_written_servers){.text = mcp_bytes_of(setting, strlen(setting))};
}

static bool judge_server_arguments(source settings, const mcp_pool_arguments *arguments,
	mcp_pool_options *options) {
	if (!has_servers(arguments)) {
		return judge_servers(settings, servers_place, written_in(MCP_G(servers)), options);
	}
	mcp_written_servers written = {.texts = arguments->server_list};
	if (arguments->servers != NULL) {
		written.text = mcp_bytes_of(ZSTR_VAL(arguments->servers), ZSTR_LEN(arguments->servers));
	}
	return judge_servers(FROM_ARGUMENTS, servers_place, written, options);
}

/* Free what was validated before a mistake was found. */
static void forget(mcp_pool_options *options) {
	zend_string_release(options->prefix);
	php_mcp_format_free(&options->format);
	php_mcp_server_access_free(options->traits.access);
}

static mcp_pool *create(mcp_pool_options *options) {
	mcp_pool *pool = php_mcp_pool_create(options);
	zend_string_release(options->servers_name);
	zend_string_release(options->prefix);
	return pool;
}

static zend_string *text_of(const char *setting) {
	return zend_string_init_fast(setting, strlen(setting));
}

mcp_pool *php_mcp_pool_arguments_create(const mcp_pool_arguments *arguments) {
	zend_string *prefix = arguments->prefix;
	mcp_pool_options options = {
		.prefix = prefix != NULL ? zend_string_copy(prefix) : text_of(MCP_G(prefix)),
	};
	if (!judge_prefix(source_of(prefix, FROM_SETTINGS), prefix_place, options.prefix) ||
		!judge_traits(FROM_SETTINGS, arguments, &options.traits) ||
		!php_mcp_format_arguments_judge(&arguments->format, &options.format) ||
		!judge_server_arguments(FROM_SETTINGS, arguments, &options)) {
		forget(&options);
		return NULL;
	}
	return create(&options);
}

/* Resolve the names in the format settings, which may be missing in this build. */
static bool name_format(source from, mcp_format *format) {
	const char *setting;
	zend_string *rule = php_mcp_format_arguments_name(format, &setting);
	return judge(from, (place){0, setting}, rule);
}

/* Reject a path of PHP's own session files, the default of some systems. */
static bool judge_that_it_is_no_folder(const char *path) {
	const char *semicolon = strrchr(path, ';');
	const char *folder = semicolon != NULL ? semicolon + 1 : path;
	return folder[0] != '/' ||
		judge(FOR_SESSIONS, session_servers_place,
			zend_strpprintf(0,
				"be servers, or empty for those of mcpatterns.servers; \"%.100s\" is a directory",
				path));
}

static bool judge_compression_for_sessions(const mcp_format *format) {
	return format->compressor == NULL || php_mcp_compressors_is_built_in(format->compressor) ||
		judge(FOR_SESSIONS, (place){0, "mcpatterns.compression"},
			zend_strpprintf(0, "be built into mcpatterns, \"%s\" given", format->compressor->name));
}

mcp_pool *php_mcp_pool_arguments_for_sessions(const char *servers, const char *prefix) {
	mcp_pool_arguments none = php_mcp_pool_arguments_none();
	bool has_own_servers = servers != NULL && servers[0] != '\0', has_prefix = prefix[0] != '\0';
	mcp_pool_options options = {.prefix = text_of(has_prefix ? prefix : MCP_G(prefix))};
	if (!name_format(FOR_SESSIONS, &options.format) ||
		!judge_compression_for_sessions(&options.format) ||
		!judge_prefix(FOR_SESSIONS, has_prefix ? session_prefix_place : prefix_place,
			options.prefix) ||
		!judge_traits(FOR_SESSIONS, &none, &options.traits) ||
		(has_own_servers && !judge_that_it_is_no_folder(servers)) ||
		!judge_servers(FOR_SESSIONS, has_own_servers ? session_servers_place : servers_place,
			written_in(has_own_servers ? servers : MCP_G(servers)), &options)) {
		forget(&options);
		return NULL;
	}
	return create(&options);
}

/* Validate all but loaded extensions: several PHPs may share a php.ini. */
bool php_mcp_pool_arguments_judge_at_start(void) {
	mcp_pool_arguments none = php_mcp_pool_arguments_none();
	mcp_pool_options options = {.prefix = text_of(MCP_G(prefix))};
	bool is_right = name_format(AT_START, &options.format) &&
		judge_prefix(AT_START, prefix_place, options.prefix) &&
		judge_traits(AT_START, &none, &options.traits) &&
		judge_server_arguments(AT_START, &none, &options);
	if (is_right) {
		zend_string_release(options.servers_name);
	}
	forget(&options);
	return is_right;
}
