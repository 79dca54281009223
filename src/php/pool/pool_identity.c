/* A cryptographic hash: the name of a server or a prefix that gives another user's identity must be found by nobody, as he
 * may name any. Each part that may be of any length has its length before it. */
/* SPDX-License-Identifier: MIT */
#include "pool_identity.h"

#include "../../core/sha256/sha256.h"
#include "../host/user.h"

#ifndef PHP_WIN32
#include <sys/stat.h>
#endif

static void add(mcp_sha256 *state, const void *bytes, size_t length) {
	mcp_sha256_add(state, mcp_bytes_of(bytes, length));
}

static void add_number(mcp_sha256 *state, uint64_t number) {
	add(state, &number, sizeof(number));
}

static void add_text(mcp_sha256 *state, const char *text, size_t length) {
	add_number(state, length);
	add(state, text, length);
}

/* Adds where paths begin. Workers of one master may have each another (php-fpm's `chroot`), where one socket's path is
 * another server, and an endpoint's name another host. False if that is not known. */
static bool add_root(mcp_sha256 *state) {
#ifndef PHP_WIN32
	struct stat status;
	if (stat("/", &status) != 0) {
		return false;
	}
	add_number(state, (uint64_t)status.st_dev);
	add_number(state, (uint64_t)status.st_ino);
#endif
	return true;
}

/* Adds the servers; false if some of what they hold lives in this process alone. */
static bool add_servers(mcp_sha256 *state, const mcp_pool_origin *origin) {
	bool depends_on_root = false, is_shareable = true;
	add_number(state, origin->server_count);
	for (size_t i = 0; i < origin->server_count; i++) {
		const mcp_server *server = &origin->servers[i];
		add_text(state, server->address, strlen(server->address));
		add_number(state, server->weight);
		add_number(state, server->is_tls);
		add_text(state, server->secret.text, server->secret.length);
		is_shareable &= server->kind != MCP_SERVER_MEMORY;
		depends_on_root |= server->kind == MCP_SERVER_UNIX || server->is_discovery;
	}
	return is_shareable && (!depends_on_root || add_root(state));
}

/* Adds the reader: another user may not open the servers' socket, or does not have their password; and who lacks a
 * key is not to read unverified what those who have it verified. */
static void add_reader(mcp_sha256 *state, const mcp_pool_origin *origin) {
	mcp_user user = php_mcp_user_ask();
	add_number(state, user.id);
	add_number(state, user.group);
	add_number(state, user.namespace_id);
	add_number(state, origin->access != NULL);
	if (origin->access != NULL) {
		add(state, origin->access->fingerprint, sizeof(origin->access->fingerprint));
	}
	const mcp_signing_keys *keys = origin->signing_keys;
	add_number(state, keys != NULL);
	if (keys != NULL) {
		unsigned char fingerprint[MCP_SIGNATURE_LENGTH];
		mcp_signature_fingerprint(keys, fingerprint);
		add(state, fingerprint, sizeof(fingerprint));
	}
}

mcp_pool_identity php_mcp_pool_identity_ask(const mcp_pool_origin *origin) {
	unsigned char digest[MCP_SHA256_LENGTH];
	mcp_sha256 state;
	mcp_pool_identity identity;
	mcp_sha256_begin(&state);
	add_number(&state, origin->distribution);
	add_number(&state, origin->fails_over);
	add_text(&state, origin->prefix.data, origin->prefix.length);
	identity.is_shareable = add_servers(&state, origin);
	add_reader(&state, origin);
	mcp_sha256_finish(&state, digest);
	memcpy(identity.hash, digest, sizeof(identity.hash));
	identity.hash[0] += identity.hash[0] == 0;
	identity.hash[1] += identity.hash[1] == 0;
	return identity;
}
