/* The parser for one server's text. */
/* SPDX-License-Identifier: MIT */
#include "server.h"

#include "../../../../core/decimal.h"
#include "server_text.h"

#define DEFAULT_PORT 11211
#define PORT_MAX 65535
#define WEIGHT_MAX 65535
/* sockaddr_un's path, without its closing zero. */
#define UNIX_PATH_MAX_LENGTH 107

#define SCHEME_SEPARATOR "://"

#define WANTED_TCP \
	"name servers as \"host:port\", \"unix:///path\" or \"memory://name\", \"%s\" given"
#define WANTED_IPV4 "have IPv4 addresses of four numbers between 0 and 255, \"%s\" given"
#define WANTED_IPV6 "have IPv6 addresses as \"[address]:port\", \"%s\" given"
#define WANTED_DISCOVERY                                                                     \
	"name an endpoint as \"discover://host:port\" or \"discover://tls://host:port\", \"%s\"" \
	" given"
#define WANTED_SCHEME                                                                            \
	"have \"tcp\", \"memcached\", \"tls\", \"unix\" or \"memory\" as the scheme of a server, or" \
	" \"discover\" for an endpoint, \"%s\" given"
#define WANTED_ACCESS                                                                            \
	"not have a password behind \"discover://\": give it as user and password, for the endpoint" \
	" and its servers, \"...@%s\" given"
#define WANTED_MEMORY                                                                        \
	"have memory servers as \"memory://name\" with letters, digits, \".\", \"-\" and \"_\"," \
	" \"%s\" given"

/* Reads decimal digits only, 1 to max. */
static bool read_number(mcp_bytes text, uint32_t max, uint32_t *number) {
	uint64_t parsed;
	bool ends_in_digit =
		text.length > 0 && php_mcp_server_text_is_digit(text.data[text.length - 1]);
	bool is_number = ends_in_digit && mcp_decimal_parse_u64(text, &parsed) && parsed <= max;
	*number = is_number ? (uint32_t)parsed : 0;
	return *number > 0;
}

static zend_string *read_weight(mcp_server *server, mcp_bytes weight, mcp_bytes whole) {
	if (!read_number(weight, WEIGHT_MAX, &server->weight)) {
		return php_mcp_server_text_mistake("have weights between 1 and 65535, \"%s\" given", whole);
	}
	return NULL;
}

static zend_string *read_port(mcp_server *server, mcp_bytes port, mcp_bytes whole) {
	uint32_t number;
	if (!read_number(port, PORT_MAX, &number)) {
		return php_mcp_server_text_mistake("have ports between 1 and 65535, \"%s\" given", whole);
	}
	server->port = (uint16_t)number;
	return NULL;
}

static bool is_host_byte(char byte, bool is_bracketed) {
	return php_mcp_server_text_is_digit(byte) || php_mcp_server_text_is_letter(byte) ||
		byte == '.' || byte == '-' || byte == '_' || (is_bracketed && (byte == ':' || byte == '%'));
}

static bool copy_host(mcp_server *server, mcp_bytes host, bool is_bracketed) {
	if (host.length == 0 || host.length > MCP_HOST_MAX) {
		return false;
	}
	for (size_t i = 0; i < host.length; i++) {
		if (!is_host_byte(host.data[i], is_bracketed)) {
			return false;
		}
	}
	memcpy(server->host, host.data, host.length);
	server->host[host.length] = '\0';
	return true;
}

/* Reads "port" or "port:weight". */
static zend_string *read_port_and_weight(mcp_server *server, mcp_bytes rest, mcp_bytes whole) {
	bool has_weight;
	mcp_bytes port = php_mcp_server_text_take_until(&rest, ':', &has_weight);
	zend_string *error = read_port(server, port, whole);
	if (error == NULL && has_weight) {
		error = read_weight(server, rest, whole);
	}
	return error;
}

static zend_string *read_bracketed(mcp_server *server, mcp_bytes text) {
	bool is_closed;
	mcp_bytes rest = php_mcp_server_text_drop(text, 1);
	mcp_bytes host = php_mcp_server_text_take_until(&rest, ']', &is_closed);
	bool has_port = rest.length > 0 && rest.data[0] == ':';
	if (!is_closed || !copy_host(server, host, true) || !php_mcp_host_is_ipv6(server->host) ||
		(rest.length > 0 && !has_port)) {
		return php_mcp_server_text_mistake(WANTED_IPV6, text);
	}
	zend_string *error =
		has_port ? read_port_and_weight(server, php_mcp_server_text_drop(rest, 1), text) : NULL;
	snprintf(server->address, sizeof(server->address), "[%s]:%u", server->host, server->port);
	return error;
}

/* Refuses what a URL may have and a memcached server has not. Never quotes anything of a password. */
static zend_string *refuse_url_parts(mcp_bytes text) {
	bool has_user = false;
	mcp_bytes rest = text;
	for (bool was_found = true; was_found; has_user |= was_found) {
		text = rest;
		php_mcp_server_text_take_until(&rest, '@', &was_found);
	}
	if (has_user) {
		return php_mcp_server_text_mistake(
			"not have a user or password before a host that is not \"tls://\": they would"
			" travel unencrypted, \"...@%s\" given",
			text);
	}
	if (php_mcp_server_text_contains(text, SCHEME_SEPARATOR)) {
		bool means_endpoint = php_mcp_server_text_contains(text, "discover");
		return php_mcp_server_text_mistake(means_endpoint ? WANTED_DISCOVERY : WANTED_SCHEME, text);
	}
	if (php_mcp_server_text_begins_with(text, "/")) {
		return php_mcp_server_text_mistake("have unix sockets as \"unix:///path\", \"%s\" given",
			text);
	}
	if (php_mcp_server_text_contains(text, "/") || php_mcp_server_text_contains(text, "?") ||
		php_mcp_server_text_contains(text, "#")) {
		return php_mcp_server_text_mistake(
			"not have a path, query or fragment behind a server's port, \"%s\" given", text);
	}
	return NULL;
}

/* Skips the schemes that other programs' settings have; they say nothing that the address does not. */
static mcp_bytes without_scheme(mcp_bytes text) {
	static const char *const schemes[] = {"tcp" SCHEME_SEPARATOR, "memcached" SCHEME_SEPARATOR};
	for (size_t i = 0; i < sizeof(schemes) / sizeof(schemes[0]); i++) {
		if (php_mcp_server_text_begins_with(text, schemes[i])) {
			return php_mcp_server_text_drop(text, strlen(schemes[i]));
		}
	}
	return text;
}

/* Finds seven colons, or two at once: more than a host, a port and a weight have between them. */
static bool is_unbracketed_ipv6(mcp_bytes text) {
	size_t colons = 0;
	for (size_t i = 0; i < text.length; i++) {
		colons += text.data[i] == ':';
	}
	return colons >= 7 || php_mcp_server_text_contains(text, "::");
}

static zend_string *read_tcp(mcp_server *server, mcp_bytes whole, mcp_bytes text) {
	server->kind = MCP_SERVER_TCP;
	server->port = DEFAULT_PORT;
	zend_string *refused = refuse_url_parts(text);
	if (refused != NULL) {
		return refused;
	}
	if (php_mcp_server_text_begins_with(text, "[")) {
		return read_bracketed(server, text);
	}
	if (is_unbracketed_ipv6(text)) {
		return php_mcp_server_text_mistake(WANTED_IPV6, text);
	}
	bool has_port;
	mcp_bytes rest = text;
	mcp_bytes host = php_mcp_server_text_take_until(&rest, ':', &has_port);
	if (!copy_host(server, host, false)) {
		return php_mcp_server_text_mistake(WANTED_TCP, whole);
	}
	if (php_mcp_host_is_numeric(server->host) && !php_mcp_host_is_ipv4(server->host)) {
		return php_mcp_server_text_mistake(WANTED_IPV4, text);
	}
	zend_string *error = has_port ? read_port_and_weight(server, rest, text) : NULL;
	snprintf(server->address, sizeof(server->address), "%s:%u", server->host, server->port);
	return error;
}

/* Reads the address behind "tls://": that of the same server without TLS, and as one it is named. */
static zend_string *read_tls(mcp_server *server, mcp_bytes text) {
	mcp_bytes rest = php_mcp_server_text_drop(text, strlen(MCP_TLS_SCHEME));
	zend_string *error = php_mcp_server_secret_take(&server->secret, &rest);
	server->is_tls = true;
	return error != NULL ? error : read_tcp(server, rest, rest);
}

/* Cuts ":digits" off the end of a path or name. */
static zend_string *cut_weight(mcp_server *server, mcp_bytes *text, mcp_bytes whole) {
	size_t digits = 0;
	while (digits < text->length &&
		php_mcp_server_text_is_digit(text->data[text->length - digits - 1])) {
		digits++;
	}
	if (digits == 0 || digits == text->length || text->data[text->length - digits - 1] != ':') {
		return NULL;
	}
	mcp_bytes weight = php_mcp_server_text_drop(*text, text->length - digits);
	text->length -= digits + 1;
	return read_weight(server, weight, whole);
}

static zend_string *read_unix(mcp_server *server, mcp_bytes text) {
	server->kind = MCP_SERVER_UNIX;
	mcp_bytes path = php_mcp_server_text_drop(text, strlen(MCP_UNIX_SCHEME));
	zend_string *error = NULL;
	if (!php_mcp_server_text_begins_with(path, "/") && php_mcp_server_text_contains(path, "@")) {
		error = php_mcp_server_secret_take(&server->secret, &path);
		text = path;
	}
	if (error == NULL) {
		error = cut_weight(server, &path, text);
	}
	if (error != NULL) {
		return error;
	}
	if (path.length < 2 || path.data[0] != '/' || memchr(path.data, '\0', path.length) != NULL) {
		return php_mcp_server_text_mistake("have unix sockets as \"unix:///path\", \"%s\" given",
			text);
	}
	if (path.length > UNIX_PATH_MAX_LENGTH) {
		return php_mcp_server_text_mistake(
			"have unix sockets with paths of at most 107 bytes, \"%s\" given", text);
	}
	memcpy(server->host, path.data, path.length);
	server->host[path.length] = '\0';
	snprintf(server->address, sizeof(server->address), MCP_UNIX_SCHEME "%s", server->host);
	return NULL;
}

static zend_string *read_memory(mcp_server *server, mcp_bytes text) {
	server->kind = MCP_SERVER_MEMORY;
	mcp_bytes name = php_mcp_server_text_drop(text, strlen(MCP_MEMORY_SCHEME));
	mcp_bytes shown = php_mcp_server_text_without_secret(text);
	zend_string *error = cut_weight(server, &name, shown);
	if (error != NULL) {
		return error;
	}
	if (!copy_host(server, name, false)) {
		return php_mcp_server_text_mistake(WANTED_MEMORY, shown);
	}
	snprintf(server->address, sizeof(server->address), MCP_MEMORY_SCHEME "%s", server->host);
	return NULL;
}

/* Reads the address of an endpoint, by which its servers are reached, too. Its mistakes never quote a password. */
static zend_string *read_discovery(mcp_server *server, mcp_bytes text) {
	mcp_bytes endpoint = php_mcp_server_text_drop(text, strlen(MCP_DISCOVERY_SCHEME));
	bool is_tls = php_mcp_server_text_begins_with(endpoint, MCP_TLS_SCHEME);
	bool is_empty = endpoint.length == (is_tls ? strlen(MCP_TLS_SCHEME) : 0);
	if (is_empty) {
		return php_mcp_server_text_mistake(WANTED_DISCOVERY, text);
	}
	if (!is_tls && php_mcp_server_text_contains(endpoint, SCHEME_SEPARATOR)) {
		return php_mcp_server_text_mistake(WANTED_DISCOVERY,
			php_mcp_server_text_without_secret(endpoint));
	}
	zend_string *error = is_tls ? read_tls(server, endpoint) : read_tcp(server, endpoint, endpoint);
	if (error == NULL && php_mcp_server_secret_is_given(&server->secret)) {
		return php_mcp_server_text_mistake(WANTED_ACCESS,
			php_mcp_server_text_without_secret(endpoint));
	}
	if (error == NULL && server->weight != 1) {
		return php_mcp_server_text_mistake("not have a weight behind \"discover://\", \"%s\" given",
			endpoint);
	}
	server->is_discovery = true;
	return error;
}

zend_string *php_mcp_server_read(mcp_server *server, mcp_bytes text) {
	*server = (mcp_server){.weight = 1};
	if (php_mcp_server_text_begins_with(text, MCP_DISCOVERY_SCHEME)) {
		return read_discovery(server, text);
	}
	if (php_mcp_server_text_begins_with(text, MCP_UNIX_SCHEME)) {
		return read_unix(server, text);
	}
	if (php_mcp_server_text_begins_with(text, MCP_MEMORY_SCHEME)) {
		return read_memory(server, text);
	}
	if (php_mcp_server_text_begins_with(text, MCP_TLS_SCHEME)) {
		return read_tls(server, text);
	}
	return read_tcp(server, text, without_scheme(text));
}
