/* Defines the TLS options in one table. Other options of PHP's ssl context are not for clients, or would run user
 * code. */
/* SPDX-License-Identifier: MIT */
#include "tls_options.h"

#include "../objects/failure.h"
#include "php_streams.h"
#include "zend_exceptions.h"

typedef struct known {
	const char *setting; /* "mcpatterns.tls_" and the option's name */
	zend_uchar type;
	bool is_secret;
} known;

#define SETTING_HEAD "mcpatterns.tls_"
#define SETTING(name) SETTING_HEAD name

static const known options_known[MCP_TLS_OPTIONS] = {
	[MCP_TLS_CAFILE] = {SETTING("cafile"), IS_STRING, false},
	[MCP_TLS_CAPATH] = {SETTING("capath"), IS_STRING, false},
	[MCP_TLS_PEER_NAME] = {SETTING("peer_name"), IS_STRING, false},
	[MCP_TLS_VERIFY_PEER] = {SETTING("verify_peer"), _IS_BOOL, false},
	[MCP_TLS_VERIFY_PEER_NAME] = {SETTING("verify_peer_name"), _IS_BOOL, false},
	[MCP_TLS_ALLOW_SELF_SIGNED] = {SETTING("allow_self_signed"), _IS_BOOL, false},
	[MCP_TLS_PEER_FINGERPRINT] = {SETTING("peer_fingerprint"), IS_STRING, false},
	[MCP_TLS_LOCAL_CERT] = {SETTING("local_cert"), IS_STRING, false},
	[MCP_TLS_LOCAL_PK] = {SETTING("local_pk"), IS_STRING, false},
	[MCP_TLS_PASSPHRASE] = {SETTING("passphrase"), IS_STRING, true},
	[MCP_TLS_CIPHERS] = {SETTING("ciphers"), IS_STRING, false},
	[MCP_TLS_CRYPTO_METHOD] = {SETTING("crypto_method"), IS_LONG, false},
};

#define METHODS_ALLOWED (STREAM_CRYPTO_METHOD_TLSv1_2_CLIENT | STREAM_CRYPTO_METHOD_TLSv1_3_CLIENT)

const char *php_mcp_tls_options_setting(mcp_tls_option option) {
	return options_known[option].setting;
}

static const char *name_of_option(mcp_tls_option option) {
	return options_known[option].setting + strlen(SETTING_HEAD);
}

static zend_string *keep_text(mcp_tls_options *options, mcp_tls_option option, const char *text,
	size_t length) {
	if (length == 0 || memchr(text, '\0', length) != NULL) {
		return zend_strpprintf(0, "have a non-empty string without null bytes for \"%s\"",
			name_of_option(option));
	}
	ZVAL_STR(&options->values[option], zend_string_init(text, length, 1));
	return NULL;
}

/* Accept PHP's constants for TLS 1.2, 1.3 or both. Older versions are rejected. */
static bool is_allowed(zend_long method) {
	return method > 1 && (method & ~(zend_long)METHODS_ALLOWED) == 0 && (method & 1) != 0;
}

static zend_string *keep_option(mcp_tls_options *options, mcp_tls_option option,
	const zval *given) {
	zend_uchar wanted = options_known[option].type;
	zend_uchar type =
		Z_TYPE_P(given) == IS_TRUE || Z_TYPE_P(given) == IS_FALSE ? _IS_BOOL : Z_TYPE_P(given);
	if (type != wanted) {
		return zend_strpprintf(0, "have %s for \"%s\", %s given",
			wanted == IS_STRING     ? "a string"
				: wanted == IS_LONG ? "an int"
									: "a bool",
			name_of_option(option), zend_zval_type_name(given));
	}
	if (type == IS_STRING) {
		return keep_text(options, option, Z_STRVAL_P(given), Z_STRLEN_P(given));
	}
	if (type == IS_LONG && !is_allowed(Z_LVAL_P(given))) {
		return zend_strpprintf(0,
			"have STREAM_CRYPTO_METHOD_TLSv1_2_CLIENT, STREAM_CRYPTO_METHOD_TLSv1_3_CLIENT or both"
			" for \"crypto_method\"");
	}
	ZVAL_COPY_VALUE(&options->values[option], given);
	return NULL;
}

/* Returns MCP_TLS_OPTIONS if there is no such option. */
static mcp_tls_option find_option(const zend_string *name) {
	mcp_tls_option option = 0;
	while (option < MCP_TLS_OPTIONS &&
		(name == NULL || strcmp(ZSTR_VAL(name), name_of_option(option)) != 0)) {
		option++;
	}
	return option;
}

static zend_string *refuse_name(const zend_string *name) {
	if (name == NULL) {
		return zend_strpprintf(0, "be an array of options by name");
	}
	zend_string *shown = php_mcp_failure_show_name(mcp_bytes_of(ZSTR_VAL(name), ZSTR_LEN(name)));
	zend_string *mistake = zend_strpprintf(0,
		"have no \"%s\": the options are cafile, capath, peer_name, verify_peer, verify_peer_name,"
		" allow_self_signed, peer_fingerprint, local_cert, local_pk, passphrase, ciphers and"
		" crypto_method",
		ZSTR_VAL(shown));
	zend_string_release(shown);
	return mistake;
}

zend_string *php_mcp_tls_options_read(mcp_tls_options *options, HashTable *given) {
	zend_string *name, *mistake = NULL;
	zval *value;
	*options = (mcp_tls_options){0};
	ZEND_HASH_FOREACH_STR_KEY_VAL(given, name, value) {
		mcp_tls_option option = find_option(name);
		ZVAL_DEREF(value);
		if (option == MCP_TLS_OPTIONS) {
			mistake = refuse_name(name);
		} else if (Z_TYPE_P(value) != IS_NULL) {
			mistake = keep_option(options, option, value);
		}
		if (mistake != NULL) {
			break;
		}
	}
	ZEND_HASH_FOREACH_END();
	if (mistake != NULL) {
		php_mcp_tls_options_free(options);
	}
	return mistake;
}

/* Parse "TLSv1.2", "TLSv1.3" or both, separated by a comma. */
static zend_string *set_method(zval *value, const char *text) {
	static const struct {
		const char *text;
		zend_long method;
	} methods[] = {
		{"TLSv1.2", STREAM_CRYPTO_METHOD_TLSv1_2_CLIENT},
		{"TLSv1.3", STREAM_CRYPTO_METHOD_TLSv1_3_CLIENT},
		{"TLSv1.2,TLSv1.3", METHODS_ALLOWED},
	};
	for (size_t i = 0; i < sizeof(methods) / sizeof(methods[0]); i++) {
		if (strcasecmp(text, methods[i].text) == 0) {
			ZVAL_LONG(value, methods[i].method);
			return NULL;
		}
	}
	return zend_strpprintf(0, "be \"TLSv1.2\", \"TLSv1.3\" or \"TLSv1.2,TLSv1.3\"");
}

zend_string *php_mcp_tls_options_set(mcp_tls_options *options, mcp_tls_option option,
	const char *text) {
	if (text == NULL || *text == '\0') {
		return NULL;
	}
	return options_known[option].type == IS_LONG ? set_method(&options->values[option], text)
												 : keep_text(options, option, text, strlen(text));
}

void php_mcp_tls_options_free(mcp_tls_options *options) {
	for (mcp_tls_option option = 0; option < MCP_TLS_OPTIONS; option++) {
		if (Z_TYPE(options->values[option]) == IS_STRING) {
			zend_string_release(Z_STR(options->values[option]));
		}
	}
	*options = (mcp_tls_options){0};
}

bool php_mcp_tls_options_are_given(const mcp_tls_options *options) {
	mcp_tls_option option = 0;
	while (option < MCP_TLS_OPTIONS && Z_ISUNDEF(options->values[option])) {
		option++;
	}
	return option < MCP_TLS_OPTIONS;
}

void php_mcp_tls_options_visit(const mcp_tls_options *options,
	void (*visit)(void *context, const void *bytes, size_t length), void *context) {
	for (mcp_tls_option option = 0; option < MCP_TLS_OPTIONS; option++) {
		const zval *value = &options->values[option];
		zend_uchar type = Z_TYPE_P(value);
		visit(context, &type, sizeof(type));
		if (type == IS_STRING) {
			visit(context, &Z_STRLEN_P(value), sizeof(Z_STRLEN_P(value)));
			visit(context, Z_STRVAL_P(value), Z_STRLEN_P(value));
		} else if (type == IS_LONG) {
			visit(context, &Z_LVAL_P(value), sizeof(Z_LVAL_P(value)));
		}
	}
}

/* Copies the texts, because the context belongs to the request. */
struct _php_stream_context *php_mcp_tls_options_context(const mcp_tls_options *options) {
	php_stream_context *context = php_stream_context_alloc();
	for (mcp_tls_option option = 0; option < MCP_TLS_OPTIONS; option++) {
		zval value = options->values[option];
		if (Z_ISUNDEF(value) || Z_TYPE(value) == IS_LONG) {
			continue;
		}
		if (Z_TYPE(value) == IS_STRING) {
			ZVAL_STRINGL(&value, Z_STRVAL(value), Z_STRLEN(value));
		}
		php_stream_context_set_option(context, "ssl", name_of_option(option), &value);
		zval_ptr_dtor(&value);
	}
	return context;
}

/* Exclude versions before TLS 1.2, unless this host's OpenSSL does so already. */
int php_mcp_tls_options_method(const mcp_tls_options *options) {
	const zval *method = &options->values[MCP_TLS_CRYPTO_METHOD];
	return (int)(Z_ISUNDEF_P(method) ? METHODS_ALLOWED : Z_LVAL_P(method));
}

void php_mcp_tls_options_show(zval *array, const mcp_tls_options *options) {
	for (mcp_tls_option option = 0; option < MCP_TLS_OPTIONS; option++) {
		zval value = options->values[option];
		if (Z_ISUNDEF(value)) {
			continue;
		}
		if (options_known[option].is_secret) {
			ZVAL_TRUE(&value);
		} else if (Z_TYPE(value) == IS_STRING) {
			ZVAL_STRINGL(&value, Z_STRVAL(value), Z_STRLEN(value));
		}
		add_assoc_zval(array, name_of_option(option), &value);
	}
}
