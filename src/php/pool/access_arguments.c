/* No mistake says what was given for a secret. */
/* SPDX-License-Identifier: MIT */
#include "access_arguments.h"

#include "php_mcpatterns.h"

/* Where they stand in the constructor's signature. */
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

/* Returns a mistake of both, of which one was given at least. */
static mcp_access_mistake at(const mcp_access_arguments *arguments, uint32_t argument,
	const char *setting, zend_string *words) {
	bool is_given = arguments->user != NULL || arguments->password != NULL;
	return (mcp_access_mistake){is_given ? argument : 0, setting, words};
}

static mcp_access_mistake at_password(const mcp_access_arguments *arguments, zend_string *words) {
	return at(arguments, PASSWORD_ARGUMENT, PASSWORD_SETTING, words);
}

/* Returns an argument's or else a setting's text, with data that is NULL if there is neither: an empty argument is one. */
static mcp_bytes text_of(const zend_string *given, bool takes_settings, const char *setting) {
	if (given != NULL) {
		return mcp_bytes_of(ZSTR_VAL(given), ZSTR_LEN(given));
	}
	return takes_settings && *setting != '\0' ? mcp_bytes_of(setting, strlen(setting))
											  : mcp_bytes_none();
}

/* Reads both or neither. */
static mcp_access_mistake read_secret(const mcp_access_arguments *arguments, bool takes_settings,
	mcp_server_secret *secret) {
	mcp_bytes user = text_of(arguments->user, takes_settings, MCP_G(server_user));
	mcp_bytes password = text_of(arguments->password, takes_settings, MCP_G(server_password));
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

/* The settings by name, where a mistake is possible. */
static const char *const settings[MCP_TLS_OPTIONS] = {
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

/* Takes the switches where they say something else than PHP's own defaults do. */
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
		zend_string *words = settings[option] != NULL
			? php_mcp_tls_options_set(tls, option, MCP_G(tls)[option])
			: NULL;
		if (words != NULL) {
			php_mcp_tls_options_free(tls);
			return (mcp_access_mistake){0, settings[option], words};
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

/* Finds what libmemcached has no use for. */
static mcp_access_mistake refuse(const mcp_access_arguments *arguments,
	const mcp_server_secret *secret, const mcp_tls_options *tls) {
	if (php_mcp_server_secret_is_given(secret)) {
		return at_password(arguments, zend_strpprintf(0, DIRECT_ALONE "cannot say it"));
	}
	if (!php_mcp_tls_options_are_given(tls)) {
		return none();
	}
	return (mcp_access_mistake){arguments->tls != NULL ? TLS_ARGUMENT : 0, "mcpatterns.transport",
		zend_strpprintf(0, DIRECT_ALONE "has no TLS")};
}

mcp_access_mistake php_mcp_access_arguments_read(const mcp_access_arguments *arguments,
	bool takes_settings, bool is_direct, mcp_server_access **access) {
	mcp_server_secret secret = {0};
	mcp_tls_options tls = {0};
	*access = NULL;
	mcp_access_mistake mistake = read_secret(arguments, takes_settings, &secret);
	if (mistake.words == NULL) {
		mistake = read_tls(arguments->tls, takes_settings, &tls);
	}
	if (mistake.words == NULL && !is_direct) {
		mistake = refuse(arguments, &secret, &tls);
	}
	if (mistake.words == NULL) {
		*access = php_mcp_server_access_create(&secret, &tls);
	}
	php_mcp_tls_options_free(&tls);
	return mistake;
}
