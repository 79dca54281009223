/* The class McPatterns\Pool: validates the constructor's arguments, or the INI settings in their place. The same rules
 * apply to arguments and settings. Only the names in messages differ. */
/* SPDX-License-Identifier: MIT */
#include "class_pool.h"

#include "../engine/user_call.h"
#include "../engine/interrupt.h"
#include "../objects/classes.h"
#include "../objects/object.h"
#include "../objects/options.h"
#include "../tls/tls_stream.h"
#include "diagnosis/diagnosis.h"
#include "pool_listener.h"
#include "servers/connections.h"
#include "servers/server_sets.h"
#include "zend_attributes.h"
#include "zend_exceptions.h"
#include "php_mcpatterns.h"

#include "class_pool_arginfo.h"

#include <math.h>

/* --- arguments --- */

/* Parsed arguments, all borrowed. NULL: not given. */
typedef struct pool_arguments {
	zend_string *servers; /* or server_list */
	HashTable *server_list;
	zend_string *prefix;
	zend_object *distribution;
	mcp_format_arguments format;
	zval *connect_timeout;
	zval *timeout;
	zval *retry_after;
	bool failover;
	bool persistent, persistent_is_null;
	zend_object *transport;
	HashTable *tls;
	zend_string *user;
	zend_string *password;
} pool_arguments;

/* Arguments of a constructor call without arguments. */
static const pool_arguments no_arguments = {
	.format.compress_above_is_null = true,
	.persistent_is_null = true,
};

#define TIMEOUT_MIN_S 0.001
/* php-memcached takes milliseconds, so values of 100 or more are probably a mistake. Only its retry timeout is in
 * seconds. */
#define TIMEOUT_MAX_S 60.0
#define RETRY_AFTER_MAX_S 3600.0

#define DIRECT_ALONE "not be given without Transport::Direct: libmemcached "

/* Argument number, or the setting that replaces it. Messages never contain a secret. */
typedef struct place {
	uint32_t arg_num; /* 0: the setting */
	const char *setting;
} place;

static const place servers_place = {1, "mcpatterns.servers"};
static const place prefix_place = {2, "mcpatterns.prefix"};
static const place distribution_place = {3, "mcpatterns.distribution"};
static const place connect_timeout_place = {9, "mcpatterns.connect_timeout"};
static const place timeout_place = {10, "mcpatterns.timeout"};
static const place retry_after_place = {11, "mcpatterns.retry_after"};
static const place transport_place = {14, "mcpatterns.transport"};
static const place tls_place = {15, "mcpatterns.tls_*"};
static const place user_place = {16, "mcpatterns.user"};
static const place password_place = {17, "mcpatterns.password"};
static const place session_servers_place = {0, "session.save_path"};
static const place session_prefix_place = {0, "mcpatterns.session_prefix"};

/* All sources except the first are settings. */
typedef enum source {
	FROM_ARGUMENTS,
	FROM_SETTINGS,
	FOR_SESSIONS, /* mistakes are warnings */
	AT_START,     /* at PHP's start; mistakes are warnings */
} source;

static source source_of(const void *given, source settings) {
	return given != NULL ? FROM_ARGUMENTS : settings;
}

static bool refuse_option(source from, place at, const char *mistake) {
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
static bool accept_unless(source from, place at, zend_string *mistake) {
	if (mistake == NULL) {
		return true;
	}
	refuse_option(from, at, ZSTR_VAL(mistake));
	zend_string_release(mistake);
	return false;
}

static bool judge_prefix(source from, place at, zend_string *prefix) {
	if (from == FROM_ARGUMENTS && php_mcp_server_likeness_is_sure(prefix)) {
		return accept_unless(from, at,
			zend_strpprintf(0,
				"not look like a server (pass several servers as an array), \"%s\" given",
				ZSTR_VAL(prefix)));
	}
	if (ZSTR_LEN(prefix) > MCP_PREFIX_MAX) {
		return accept_unless(from, at,
			zend_strpprintf(0, "be at most %d bytes, %zu given", MCP_PREFIX_MAX, ZSTR_LEN(prefix)));
	}
	mcp_bytes bytes = php_mcp_bytes_of(prefix);
	if (!mcp_key_prefix_is_valid(bytes)) {
		return refuse_option(from, at, "not contain spaces or control characters");
	}
	const char *head = mcp_key_head_of(bytes);
	return head == NULL ||
		accept_unless(from, at,
			zend_strpprintf(0, "not begin with \"%s\", which keys of a class begin with", head));
}

/* Rounds up, so that a timeout is never shorter than requested. */
static bool judge_seconds(source settings, place at, const zval *given, double setting,
	uint32_t *duration_ms) {
	bool is_timeout = at.arg_num != retry_after_place.arg_num;
	double least = is_timeout ? TIMEOUT_MIN_S : 0;
	double most = is_timeout ? TIMEOUT_MAX_S : RETRY_AFTER_MAX_S;
	double seconds = setting;
	if (given != NULL) {
		seconds = Z_TYPE_P(given) == IS_LONG ? (double)Z_LVAL_P(given) : Z_DVAL_P(given);
	}
	if (!(seconds >= least && seconds <= most)) {
		return accept_unless(source_of(given, settings), at,
			zend_strpprintf(0, "be between %g and %g seconds%s, %g given", least, most,
				is_timeout && seconds > most ? ", not milliseconds" : "", seconds));
	}
	*duration_ms = (uint32_t)ceil(seconds * 1000.0 - 1e-6);
	return true;
}

static bool judge_distribution(source settings, zend_object *given,
	mcp_distribution *distribution) {
	const char *setting = MCP_G(distribution);
	if (given != NULL) {
		*distribution = (mcp_distribution)php_mcp_enums_case(given);
		return true;
	}
	return php_mcp_server_sets_find_distribution(setting, distribution) ||
		accept_unless(settings, distribution_place,
			zend_strpprintf(0, "be \"ketama\", \"modulo\" or \"one_at_a_time\", \"%.100s\" given",
				setting));
}

/* Reject transports that are missing in this build. */
static bool judge_transport(source settings, zend_object *given, mcp_transport *transport) {
	const char *setting = MCP_G(transport);
	if (given != NULL) {
		*transport = (mcp_transport)php_mcp_enums_case(given);
	} else if (!php_mcp_connections_find_transport(setting, transport)) {
		return accept_unless(settings, transport_place,
			zend_strpprintf(0, "be \"libmemcached\" or \"direct\", \"%.100s\" given", setting));
	}
	return php_mcp_connections_have_transport(*transport) ||
		refuse_option(source_of(given, settings), transport_place,
			given != NULL ? "be Transport::Direct: this build has no libmemcached"
						  : "be \"direct\": this build has no libmemcached");
}

static bool has_servers(const pool_arguments *arguments) {
	return arguments->servers != NULL || arguments->server_list != NULL;
}

/* Text of an argument or, if the argument is not given, of the setting. Data is NULL if neither is given. An empty
 * argument counts as given. */
static mcp_bytes access_text_of(const zend_string *given, bool takes_settings,
	const char *setting) {
	if (given != NULL) {
		return php_mcp_bytes_of(given);
	}
	return takes_settings && *setting != '\0' ? mcp_bytes_text(setting) : mcp_bytes_none();
}

/* Read user and password, or neither. Returns a mistake. *about is set if the mistake concerns the user. */
static zend_string *read_secret(const pool_arguments *arguments, bool takes_settings,
	mcp_server_secret *secret, place *about) {
	mcp_bytes user = access_text_of(arguments->user, takes_settings, MCP_G(server_user));
	mcp_bytes password =
		access_text_of(arguments->password, takes_settings, MCP_G(server_password));
	if (user.data == NULL && password.data == NULL) {
		return NULL;
	}
	if (password.data == NULL) {
		return zend_strpprintf(0, "be given with a user");
	}
	if (user.data == NULL) {
		*about = user_place;
		return zend_strpprintf(0, "be given with a password");
	}
	return php_mcp_server_secret_make(secret, user, password);
}

/* Take the settings. Switches are taken only if they differ from PHP's defaults. */
static zend_string *read_tls_settings(mcp_tls_options *tls, place *about) {
	if (!MCP_G(tls_verify_peer)) {
		ZVAL_FALSE(&tls->values[MCP_TLS_VERIFY_PEER]);
	}
	if (!MCP_G(tls_verify_peer_name)) {
		ZVAL_FALSE(&tls->values[MCP_TLS_VERIFY_PEER_NAME]);
	}
	if (MCP_G(tls_allow_self_signed)) {
		ZVAL_TRUE(&tls->values[MCP_TLS_ALLOW_SELF_SIGNED]);
	}
	zend_string *mistake = NULL;
	for (mcp_tls_option option = 0; option < MCP_TLS_OPTIONS && mistake == NULL; option++) {
		about->setting = php_mcp_tls_options_setting(option);
		mistake = php_mcp_tls_options_set(tls, option, MCP_G(tls)[option]);
	}
	return mistake;
}

/* Read user, password and TLS options. The settings apply only to servers that come from the settings. Rejects options
 * that libmemcached does not support. */
static bool judge_access(source settings, const pool_arguments *arguments,
	mcp_connection_settings *connection) {
	mcp_server_secret secret = {0};
	mcp_tls_options tls = {0};
	bool takes_settings = !has_servers(arguments);
	bool is_direct = connection->transport == MCP_TRANSPORT_DIRECT;
	bool has_secret = arguments->user != NULL || arguments->password != NULL;
	if (!takes_settings && !has_secret && arguments->tls == NULL) {
		return true;
	}
	place at = password_place;
	source from = has_secret ? FROM_ARGUMENTS : settings;
	zend_string *mistake = read_secret(arguments, takes_settings, &secret, &at);
	if (mistake == NULL && (arguments->tls != NULL || takes_settings)) {
		at = tls_place;
		from = source_of(arguments->tls, settings);
		mistake = arguments->tls != NULL ? php_mcp_tls_options_read(&tls, arguments->tls)
										 : read_tls_settings(&tls, &at);
	}
	if (mistake == NULL && !is_direct && php_mcp_server_secret_is_given(&secret)) {
		at = password_place;
		from = has_secret ? FROM_ARGUMENTS : settings;
		mistake = zend_strpprintf(0, DIRECT_ALONE "does not support passwords");
	} else if (mistake == NULL && !is_direct && php_mcp_tls_options_are_given(&tls)) {
		at = tls_place;
		mistake = zend_strpprintf(0, DIRECT_ALONE "does not support TLS");
	} else if (mistake == NULL) {
		connection->access = php_mcp_server_access_create(&secret, &tls);
	}
	php_mcp_tls_options_free(&tls);
	return accept_unless(from, at, mistake);
}

/* Validate all options except servers, prefix and format. */
static bool judge_traits(source settings, const pool_arguments *arguments,
	mcp_pool_traits *traits) {
	traits->is_persistent =
		arguments->persistent_is_null ? MCP_G(persistent) : arguments->persistent;
	traits->fails_over = arguments->failover;
	mcp_connection_settings *connection = &traits->connection;
	return judge_distribution(settings, arguments->distribution, &traits->distribution) &&
		judge_transport(settings, arguments->transport, &connection->transport) &&
		judge_seconds(settings, connect_timeout_place, arguments->connect_timeout,
			MCP_G(connect_timeout), &connection->connect_timeout_ms) &&
		judge_seconds(settings, timeout_place, arguments->timeout, MCP_G(timeout),
			&connection->timeout_ms) &&
		judge_seconds(settings, retry_after_place, arguments->retry_after, MCP_G(retry_after),
			&connection->retry_after_ms) &&
		judge_access(settings, arguments, connection);
}

/* Check the transport against the servers. A missing extension is not a mistake at start-up. */
static bool judge_needs(source from, place at, mcp_transport transport,
	mcp_server_list_needs needs) {
	if (transport == MCP_TRANSPORT_DIRECT) {
		return !needs.tls || from == AT_START || php_mcp_tls_stream_is_supported() ||
			refuse_option(from, at, "not have \"tls://\" without PHP's openssl extension");
	}
	if (needs.tls) {
		return refuse_option(from, at,
			"not have \"tls://\" without Transport::Direct: libmemcached does not support TLS");
	}
	return !needs.secret ||
		refuse_option(from, at,
			"not have a password without Transport::Direct: libmemcached does not support passwords");
}

static bool judge_servers(source from, place at, mcp_written_servers written,
	mcp_pool_options *options) {
	mcp_server_list_needs needs;
	options->servers = written;
	if (!accept_unless(from, at,
			php_mcp_server_sets_judge(&options->servers, &options->servers_name, &needs)) ||
		!judge_needs(from, at, options->traits.connection.transport, needs)) {
		return false;
	}
	options->are_discovered = needs.discovery;
	return true;
}

static mcp_written_servers written_in(const char *setting) {
	return (mcp_written_servers){.text = mcp_bytes_text(setting)};
}

static bool judge_server_arguments(source settings, const pool_arguments *arguments,
	mcp_pool_options *options) {
	if (!has_servers(arguments)) {
		return judge_servers(settings, servers_place, written_in(MCP_G(servers)), options);
	}
	mcp_written_servers written = {.texts = arguments->server_list};
	if (arguments->servers != NULL) {
		written.text = php_mcp_bytes_of(arguments->servers);
	}
	return judge_servers(FROM_ARGUMENTS, servers_place, written, options);
}

/* Free the options that were validated before a mistake was found. */
static void forget(mcp_pool_options *options) {
	if (options->servers_name != NULL) {
		zend_string_release(options->servers_name);
	}
	zend_string_release(options->prefix);
	php_mcp_format_free(&options->format);
	php_mcp_server_access_free(options->traits.connection.access);
}

static zend_string *text_of(const char *setting) {
	return zend_string_init_fast(setting, strlen(setting));
}

static mcp_pool *create_pool(const pool_arguments *arguments) {
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
	return php_mcp_pool_create(&options);
}

/* Find what the format settings name. The named serializer or compression can be missing in this build. */
static bool name_format(source from, mcp_format *format) {
	const char *setting;
	zend_string *rule = php_mcp_format_arguments_name(format, &setting);
	return accept_unless(from, (place){0, setting}, rule);
}

/* Reject a path of PHP's own session files, the default of some systems. */
static bool judge_that_it_is_no_folder(const char *path) {
	const char *semicolon = strrchr(path, ';');
	const char *folder = semicolon != NULL ? semicolon + 1 : path;
	return folder[0] != '/' ||
		accept_unless(FOR_SESSIONS, session_servers_place,
			zend_strpprintf(0,
				"be servers, such as unix:///path, or empty for those of mcpatterns.servers; \"%.100s\" is a path",
				path));
}

static bool judge_compression_for_sessions(const mcp_format *format) {
	return format->compressor == NULL || php_mcp_compressors_is_built_in(format->compressor) ||
		accept_unless(FOR_SESSIONS, (place){0, "mcpatterns.compression"},
			zend_strpprintf(0, "be built into mcpatterns, \"%s\" given", format->compressor->name));
}

mcp_pool *php_mcp_class_pool_for_sessions(const char *servers, const char *prefix) {
	bool has_own_servers = servers != NULL && servers[0] != '\0', has_prefix = prefix[0] != '\0';
	mcp_pool_options options = {.prefix = text_of(has_prefix ? prefix : MCP_G(prefix))};
	if (!name_format(FOR_SESSIONS, &options.format) ||
		!judge_compression_for_sessions(&options.format) ||
		!judge_prefix(FOR_SESSIONS, has_prefix ? session_prefix_place : prefix_place,
			options.prefix) ||
		!judge_traits(FOR_SESSIONS, &no_arguments, &options.traits) ||
		(has_own_servers && !judge_that_it_is_no_folder(servers)) ||
		!judge_servers(FOR_SESSIONS, has_own_servers ? session_servers_place : servers_place,
			written_in(has_own_servers ? servers : MCP_G(servers)), &options)) {
		forget(&options);
		return NULL;
	}
	return php_mcp_pool_create(&options);
}

/* Validate all settings, but not whether extensions are loaded, because several PHPs can share a php.ini. */
bool php_mcp_class_pool_judge_at_start(void) {
	mcp_pool_options options = {.prefix = text_of(MCP_G(prefix))};
	bool is_right = name_format(AT_START, &options.format) &&
		judge_prefix(AT_START, prefix_place, options.prefix) &&
		judge_traits(AT_START, &no_arguments, &options.traits) &&
		judge_server_arguments(AT_START, &no_arguments, &options);
	forget(&options);
	return is_right;
}

/* --- the object --- */

/* `pool` is NULL until the constructor has succeeded. */
typedef struct pool_object {
	mcp_pool *pool;
	zend_object std;
} pool_object;

zend_class_entry *php_mcp_pool_class_entry;

static zend_object_handlers handlers;

static pool_object *from_std(zend_object *object) {
	return (pool_object *)((char *)object - offsetof(pool_object, std));
}

static zend_object *create_pool_object(zend_class_entry *type) {
	return php_mcp_object_create(type, &handlers);
}

static void free_object(zend_object *std) {
	mcp_pool *pool = from_std(std)->pool;
	if (pool != NULL) {
		from_std(std)->pool = NULL;
		php_mcp_pool_belong_to(pool, NULL);
		php_mcp_pool_listener_set(pool, NULL);
		php_mcp_pool_release(pool);
	}
	zend_object_std_dtor(std);
}

/* Shows the settings without the signing keys. */
static HashTable *get_debug_info(zend_object *std, int *is_temporary) {
	mcp_pool *pool = from_std(std)->pool;
	zval info;
	*is_temporary = 1;
	array_init(&info);
	if (pool != NULL) {
		php_mcp_pool_report_settings(&info, pool);
	}
	return Z_ARRVAL(info);
}

static HashTable *get_gc(zend_object *std, zval **table, int *count) {
	const mcp_pool *pool = from_std(std)->pool;
	zend_get_gc_buffer *buffer = zend_get_gc_buffer_create();
	if (pool != NULL && php_mcp_pool_listener(pool) != NULL) {
		php_mcp_user_call_show(&php_mcp_pool_listener(pool)->call, buffer);
	}
	zend_get_gc_buffer_use(buffer, table, count);
	return NULL;
}

static void construct(pool_object *object, mcp_pool *pool) {
	object->pool = pool;
	php_mcp_pool_belong_to(pool, &object->std);
}

mcp_pool *php_mcp_class_pool_get(zend_object *std) {
	mcp_pool *pool = php_mcp_object_has(std, &handlers) ? from_std(std)->pool : NULL;
	return php_mcp_object_require_constructed(std, pool) ? pool : NULL;
}

void php_mcp_class_pool_release_default(void) {
	zend_object *std = MCP_REQUEST(default_pool);
	MCP_REQUEST(default_pool) = NULL;
	if (std != NULL) {
		OBJ_RELEASE(std);
	}
}

static zend_object *default_object(void) {
	if (MCP_REQUEST(default_pool) != NULL &&
		MCP_REQUEST(default_pool_version) == MCP_G(settings_version)) {
		return MCP_REQUEST(default_pool);
	}
	php_mcp_class_pool_release_default();
	mcp_pool *pool = create_pool(&no_arguments);
	if (pool == NULL) {
		return NULL;
	}
	zend_object *std = create_pool_object(php_mcp_pool_class_entry);
	construct(from_std(std), pool);
	MCP_REQUEST(default_pool) = std;
	MCP_REQUEST(default_pool_version) = MCP_G(settings_version);
	return std;
}

mcp_pool *php_mcp_class_pool_default(void) {
	zend_object *std = default_object();
	return std != NULL ? from_std(std)->pool : NULL;
}

ZEND_METHOD(McPatterns_Pool, __construct) {
	pool_arguments arguments = no_arguments;

	if (!php_mcp_options_judge_strict(execute_data, 2, MAY_BE_LONG | MAY_BE_DOUBLE, "string",
			"specify the port in $servers, as in \"127.0.0.1:11211\"")) {
		RETURN_THROWS();
	}
	ZEND_PARSE_PARAMETERS_START(0, 17)
		Z_PARAM_OPTIONAL
		Z_PARAM_ARRAY_HT_OR_STR_OR_NULL(arguments.server_list, arguments.servers)
		Z_PARAM_STR_OR_NULL(arguments.prefix)
		Z_PARAM_OBJ_OF_CLASS_OR_NULL(arguments.distribution, php_mcp_distribution_enum)
		Z_PARAM_OBJ_OF_CLASS_OR_NULL(arguments.format.serializer, php_mcp_serializer_enum)
		Z_PARAM_ZVAL(arguments.format.allowed_classes)
		Z_PARAM_ARRAY_HT_OR_STR_OR_NULL(arguments.format.signing_keys, arguments.format.signing_key)
		Z_PARAM_OBJ_OF_CLASS_OR_NULL(arguments.format.compression, php_mcp_compression_enum)
		Z_PARAM_LONG_OR_NULL(arguments.format.compress_above,
			arguments.format.compress_above_is_null)
		Z_PARAM_NUMBER_OR_NULL(arguments.connect_timeout)
		Z_PARAM_NUMBER_OR_NULL(arguments.timeout)
		Z_PARAM_NUMBER_OR_NULL(arguments.retry_after)
		Z_PARAM_BOOL(arguments.failover)
		Z_PARAM_BOOL_OR_NULL(arguments.persistent, arguments.persistent_is_null)
		Z_PARAM_OBJ_OF_CLASS_OR_NULL(arguments.transport, php_mcp_transport_enum)
		Z_PARAM_ARRAY_HT_OR_NULL(arguments.tls)
		Z_PARAM_STR_OR_NULL(arguments.user)
		Z_PARAM_STR_OR_NULL(arguments.password)
	ZEND_PARSE_PARAMETERS_END();

	pool_object *object = from_std(Z_OBJ_P(ZEND_THIS));
	/* A deprecation handler might have constructed the object meanwhile. */
	if (!php_mcp_object_require_new(&object->std, object->pool)) {
		RETURN_THROWS();
	}
	mcp_pool *pool = create_pool(&arguments);
	if (pool == NULL) {
		RETURN_THROWS();
	}
	construct(object, pool);
}

ZEND_METHOD(McPatterns_Pool, default) {
	ZEND_PARSE_PARAMETERS_NONE();
	zend_object *std = default_object();
	if (std == NULL) {
		RETURN_THROWS();
	}
	RETURN_OBJ_COPY(std);
}

ZEND_METHOD(McPatterns_Pool, endRequest) {
	ZEND_PARSE_PARAMETERS_NONE();
	php_mcp_request_scopes_between();
}

/* Report the current exception instead of a Pool, and clear the exception. */
static void diagnose_mistake(zval *report) {
	zval room, servers;
	const zval *message = php_mcp_exception_property_read(EG(exception), ZEND_STR_MESSAGE, &room);
	zend_string *mistake =
		Z_TYPE_P(message) == IS_STRING ? zend_string_copy(Z_STR_P(message)) : ZSTR_EMPTY_ALLOC();
	zend_clear_exception();
	array_init(&servers);
	php_mcp_diagnosis_make(report, &servers, NULL, ZSTR_VAL(mistake));
	zend_string_release(mistake);
}

ZEND_METHOD(McPatterns_Pool, diagnose) {
	zend_object *given = NULL;
	ZEND_PARSE_PARAMETERS_START(0, 1)
		Z_PARAM_OPTIONAL
		Z_PARAM_OBJ_OF_CLASS_OR_NULL(given, php_mcp_pool_class_entry)
	ZEND_PARSE_PARAMETERS_END();

	mcp_pool *pool = given != NULL ? php_mcp_class_pool_get(given) : php_mcp_class_pool_default();
	if (pool != NULL) {
		php_mcp_pool_report_diagnosis(return_value, pool);
	} else if (given == NULL) {
		diagnose_mistake(return_value);
	}
}

/* A method without parameters that returns a report. */
static void report(INTERNAL_FUNCTION_PARAMETERS, void (*make)(zval *report, mcp_pool *pool)) {
	ZEND_PARSE_PARAMETERS_NONE();
	mcp_pool *pool = php_mcp_class_pool_get(Z_OBJ_P(ZEND_THIS));
	if (pool != NULL) {
		make(return_value, pool);
	}
}

ZEND_METHOD(McPatterns_Pool, servers) {
	report(INTERNAL_FUNCTION_PARAM_PASSTHRU, php_mcp_pool_report_servers);
}

ZEND_METHOD(McPatterns_Pool, serverFor) {
	zend_string *name;

	ZEND_PARSE_PARAMETERS_START(1, 1)
		Z_PARAM_STR(name)
	ZEND_PARSE_PARAMETERS_END();

	mcp_pool *pool = php_mcp_class_pool_get(Z_OBJ_P(ZEND_THIS));
	if (pool == NULL) {
		RETURN_THROWS();
	}
	if (ZSTR_LEN(name) == 0) {
		zend_argument_value_error(1, "must not be empty");
		RETURN_THROWS();
	}
	mcp_key_buffer buffer;
	mcp_key key = php_mcp_pool_key_make(MCP_SPACE_CACHE, pool, name, &buffer);
	RETURN_STRING(mcp_store_owner(php_mcp_pool_store(pool), &key)->address);
}

ZEND_METHOD(McPatterns_Pool, ping) {
	report(INTERNAL_FUNCTION_PARAM_PASSTHRU, php_mcp_pool_report_ping);
}

ZEND_METHOD(McPatterns_Pool, stats) {
	report(INTERNAL_FUNCTION_PARAM_PASSTHRU, php_mcp_pool_report_stats);
}

ZEND_METHOD(McPatterns_Pool, lastErrors) {
	report(INTERNAL_FUNCTION_PARAM_PASSTHRU, php_mcp_pool_report_failures);
}

ZEND_METHOD(McPatterns_Pool, onError) {
	mcp_user_call listener = php_mcp_user_call_none();
	ZEND_PARSE_PARAMETERS_START(1, 1)
		Z_PARAM_FUNC_OR_NULL(listener.info, listener.cache)
	ZEND_PARSE_PARAMETERS_END();

	mcp_pool *pool = php_mcp_class_pool_get(Z_OBJ_P(ZEND_THIS));
	if (pool == NULL) {
		RETURN_THROWS();
	}
	php_mcp_pool_listener_set(pool, php_mcp_user_call_is_none(&listener) ? NULL : &listener);
}

ZEND_METHOD(McPatterns_Pool, flush) {
	ZEND_PARSE_PARAMETERS_NONE();
	mcp_pool *pool = php_mcp_class_pool_get(Z_OBJ_P(ZEND_THIS));
	if (pool == NULL) {
		RETURN_THROWS();
	}
	RETURN_BOOL(php_mcp_pool_flush(pool));
}

ZEND_METHOD(McPatterns_Pool, close) {
	ZEND_PARSE_PARAMETERS_NONE();
	mcp_pool *pool = php_mcp_class_pool_get(Z_OBJ_P(ZEND_THIS));
	if (pool == NULL) {
		RETURN_THROWS();
	}
	php_mcp_pool_close(pool);
}

void php_mcp_class_pool_register(void) {
	php_mcp_pool_class_entry = register_class_McPatterns_Pool();
	php_mcp_pool_class_entry->create_object = create_pool_object;
	php_mcp_object_handlers_init(&handlers, offsetof(pool_object, std), free_object);
	handlers.get_gc = get_gc;
	handlers.get_debug_info = get_debug_info;
}
