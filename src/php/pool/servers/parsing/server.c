/* Parses the texts of servers and server lists. */
/* SPDX-License-Identifier: MIT */
#include "server.h"

#include "../../../../core/bytes.h"
#include "../../../../store/cluster/router.h"
#include "ext/standard/url.h"
#include "php.h"

#include <string.h>

#ifdef _WIN32
#include <winsock2.h>
#include <ws2tcpip.h>
#else
#include <arpa/inet.h>
#endif

#define MCP_UNIX_SCHEME "unix://"
#define MCP_MEMORY_SCHEME "memory://"
#define MCP_TLS_SCHEME "tls://"
#define MCP_DISCOVERY_SCHEME "discover://"
#define MCP_DNS_SCHEME "dns://"
#define MCP_DNS_SRV_SCHEME "dns+srv://"

static mcp_bytes skip(mcp_bytes text, size_t length) {
	return mcp_bytes_of(text.data + length, text.length - length);
}

/* ASCII only, regardless of the locale. */
static bool is_blank(char byte) {
	return byte == ' ' || (byte >= '\t' && byte <= '\r');
}

static mcp_bytes trim(mcp_bytes text) {
	while (text.length > 0 && is_blank(text.data[0])) {
		text = skip(text, 1);
	}
	while (text.length > 0 && is_blank(text.data[text.length - 1])) {
		text.length--;
	}
	return text;
}

static bool begins_with(mcp_bytes text, const char *head) {
	size_t length = strlen(head);
	return text.length >= length && memcmp(text.data, head, length) == 0;
}

static bool contains(mcp_bytes text, const char *part) {
	size_t length = strlen(part);
	for (mcp_bytes rest = text; rest.length >= length; rest = skip(rest, 1)) {
		if (begins_with(rest, part)) {
			return true;
		}
	}
	return false;
}

/* Returns the text after user and password, for messages. */
static mcp_bytes without_secret(mcp_bytes text) {
	const char *at = text.length > 0 ? zend_memrchr(text.data, '@', text.length) : NULL;
	return at != NULL ? skip(text, (size_t)(at + 1 - text.data)) : text;
}

/* Let the system parse the address, without its zone ("fe80::1%eth0"). *zone is the text after '%', or "". */
static bool read_ipv6(const char *host, struct in6_addr *address, const char **zone) {
	char text[INET6_ADDRSTRLEN];
	size_t length = strcspn(host, "%");
	if (length >= sizeof(text)) {
		return false;
	}
	memcpy(text, host, length);
	text[length] = '\0';
	bool has_zone = host[length] == '%';
	*zone = host + length + has_zone;
	return (!has_zone || **zone != '\0') && inet_pton(AF_INET6, text, address) == 1;
}

/* True for an invalid address of digits and dots only ("256.0.0.1", "10.0.0"), which is never a name. */
static bool is_wrong_ipv4(const char *host) {
	struct in_addr address;
	return host[strspn(host, "0123456789.")] == '\0' && inet_pton(AF_INET, host, &address) != 1;
}

/* memcached splits requests at spaces, and lines of its authentication file at the first colon: a user can contain
 * neither. */

static bool is_sendable(mcp_bytes text, bool is_user) {
	for (size_t i = 0; i < text.length; i++) {
		unsigned char byte = (unsigned char)text.data[i];
		if (byte <= 0x20 || byte == 0x7f || (is_user && byte == ':')) {
			return false;
		}
	}
	return text.length > 0;
}

zend_string *php_mcp_server_secret_make(mcp_server_secret *secret, mcp_bytes user,
	mcp_bytes password) {
	if (!is_sendable(user, true)) {
		return zend_strpprintf(0,
			"have a user that is not empty and has no spaces, control characters or colons");
	}
	if (!is_sendable(password, false)) {
		return zend_strpprintf(0,
			"have a password that is not empty and has no spaces or control characters");
	}
	if (user.length + 1 + password.length > MCP_SECRET_MAX) {
		return zend_strpprintf(0, "have a user and a password of at most %d bytes together",
			MCP_SECRET_MAX - 1);
	}
	memcpy(secret->text, user.data, user.length);
	secret->text[user.length] = ' ';
	memcpy(secret->text + user.length + 1, password.data, password.length);
	secret->user_length = (uint16_t)user.length;
	secret->length = (uint16_t)(user.length + 1 + password.length);
	return NULL;
}

/* Decode into `decoded`, which has room for the text and a NUL. */
static mcp_bytes decode(mcp_bytes text, char *decoded) {
	memcpy(decoded, text.data, text.length);
	return mcp_bytes_of(decoded, php_raw_url_decode(decoded, text.length));
}

#define CODED_MAX (3 * MCP_SECRET_MAX)

/* Take "user:password@" from the start of `text`, if it has an '@'. %40 is an '@' in user and password. Returns NULL,
 * or the mistake as text after "must ". */
static zend_string *take_secret(mcp_server_secret *secret, mcp_bytes *text) {
	const char *at = text->length > 0 ? memchr(text->data, '@', text->length) : NULL;
	if (at == NULL) {
		return NULL;
	}
	mcp_bytes both = mcp_bytes_of(text->data, (size_t)(at - text->data));
	*text = mcp_bytes_of(at + 1, text->length - both.length - 1);
	const char *colon = both.length > 0 ? memchr(both.data, ':', both.length) : NULL;
	if (colon == NULL || both.length > CODED_MAX) {
		return zend_strpprintf(0,
			"have a user and a password before a server's \"@\" as"
			" \"user:password@\"");
	}
	char user[CODED_MAX + 1], password[CODED_MAX + 1];
	size_t user_length = (size_t)(colon - both.data);
	mcp_bytes coded = mcp_bytes_of(colon + 1, both.length - user_length - 1);
	return php_mcp_server_secret_make(secret, decode(mcp_bytes_of(both.data, user_length), user),
		decode(coded, password));
}

/* Maximum length of printable text quoted in a message. */

#define QUOTED_MAX 100

/* Make the text of a mistake from a format with one %s for the invalid part, which is shortened. The caller adds the
 * argument or setting. */
static zend_string *mistake_about(const char *format, mcp_bytes part) {
	char quoted[QUOTED_MAX + 4];
	size_t length = part.length < QUOTED_MAX ? part.length : QUOTED_MAX;
	for (size_t i = 0; i < length; i++) {
		unsigned char byte = (unsigned char)part.data[i];
		quoted[i] = byte < 0x20 || byte == 0x7f ? '?' : part.data[i];
	}
	strcpy(quoted + length, length < part.length ? "..." : "");
	return zend_strpprintf(0, format, quoted);
}

#define DEFAULT_PORT 11211
#define PORT_MAX 65535
#define WEIGHT_MAX 65535
/* Size of sockaddr_un's path without the NUL. */
#define UNIX_PATH_MAX_LENGTH 107

#define SCHEME_SEPARATOR "://"

#define WANTED_TCP \
	"name servers as \"host:port\", \"unix:///path\" or \"memory://name\", \"%s\" given"
#define WANTED_IPV4 "have IPv4 addresses of 4 numbers between 0 and 255, \"%s\" given"
#define WANTED_IPV6 "have IPv6 addresses as \"[address]:port\", \"%s\" given"
#define WANTED_DISCOVERY                                                                     \
	"name an endpoint as \"discover://host:port\" or \"discover://tls://host:port\", \"%s\"" \
	" given"
#define WANTED_DNS "name a list in DNS as \"dns://name:port\" or \"dns+srv://name\", \"%s\" given"
#define WANTED_SCHEME                                                                            \
	"have \"tcp\", \"memcached\", \"tls\", \"unix\" or \"memory\" as the scheme of a server, or" \
	" \"discover\", \"dns\" or \"dns+srv\" for a list, \"%s\" given"
#define WANTED_ACCESS                                                                           \
	"not have a password after \"discover://\": pass it as user and password, for the endpoint" \
	" and its servers, \"...@%s\" given"
#define WANTED_MEMORY                                                                        \
	"have memory servers as \"memory://name\" with letters, digits, \".\", \"-\" and \"_\"," \
	" \"%s\" given"

/* Reads a number from 1 to max of decimal digits only. */
static bool read_number(mcp_bytes text, uint32_t max, uint32_t *number) {
	uint64_t parsed;
	bool ends_in_digit = text.length > 0 && mcp_is_digit(text.data[text.length - 1]);
	bool is_number = ends_in_digit && mcp_decimal_parse_u64(text, &parsed) && parsed <= max;
	*number = is_number ? (uint32_t)parsed : 0;
	return *number > 0;
}

static zend_string *read_weight(mcp_server *server, mcp_bytes weight, mcp_bytes whole) {
	if (!read_number(weight, WEIGHT_MAX, &server->weight)) {
		return mistake_about("have weights between 1 and 65535, \"%s\" given", whole);
	}
	return NULL;
}

#define HOST_BYTES "0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ.-_"

static bool copy_host(mcp_server *server, mcp_bytes host, bool is_bracketed) {
	if (host.length == 0 || host.length > MCP_HOST_MAX) {
		return false;
	}
	memcpy(server->host, host.data, host.length);
	server->host[host.length] = '\0';
	return strspn(server->host, is_bracketed ? HOST_BYTES ":%" : HOST_BYTES) == host.length;
}

/* Reads "port" or "port:weight". */
static zend_string *read_port_and_weight(mcp_server *server, mcp_bytes rest, mcp_bytes whole) {
	mcp_bytes number;
	uint32_t port;
	bool has_weight = mcp_bytes_take_until(&rest, ':', &number);
	if (!read_number(number, PORT_MAX, &port)) {
		return mistake_about("have ports between 1 and 65535, \"%s\" given", whole);
	}
	server->port = (uint16_t)port;
	return has_weight ? read_weight(server, rest, whole) : NULL;
}

static zend_string *read_bracketed(mcp_server *server, mcp_bytes text) {
	struct in6_addr address;
	const char *zone;
	mcp_bytes host, rest = skip(text, 1);
	bool is_closed = mcp_bytes_take_until(&rest, ']', &host);
	bool has_port = rest.length > 0 && rest.data[0] == ':';
	if (!is_closed || !copy_host(server, host, true) || !read_ipv6(server->host, &address, &zone) ||
		(rest.length > 0 && !has_port)) {
		return mistake_about(WANTED_IPV6, text);
	}
	zend_string *error = has_port ? read_port_and_weight(server, skip(rest, 1), text) : NULL;
	snprintf(server->address, sizeof(server->address), "[%s]:%u", server->host, server->port);
	return error;
}

/* Reject parts of a URL that the address of a memcached server does not have. Never quotes a password. */
static zend_string *refuse_url_parts(mcp_bytes text) {
	mcp_bytes shown = without_secret(text);
	if (shown.length < text.length) {
		return mistake_about(
			"not have a user or password before a host that is not \"tls://\": they would"
			" be sent unencrypted, \"...@%s\" given",
			shown);
	}
	if (contains(text, SCHEME_SEPARATOR)) {
		bool means_endpoint = contains(text, "discover");
		return mistake_about(means_endpoint ? WANTED_DISCOVERY : WANTED_SCHEME, text);
	}
	if (begins_with(text, "/") || begins_with(text, "unix:/")) {
		return mistake_about("have unix sockets as \"unix:///path\", \"%s\" given", text);
	}
	if (contains(text, "/") || contains(text, "?") || contains(text, "#")) {
		return mistake_about(
			"not have a path, query or fragment after a server's port, \"%s\" given", text);
	}
	return NULL;
}

/* Skip schemes that settings of other programs use, and that do not change the address. */
static mcp_bytes without_scheme(mcp_bytes text) {
	static const char *const schemes[] = {"tcp" SCHEME_SEPARATOR, "memcached" SCHEME_SEPARATOR};
	for (size_t i = 0; i < sizeof(schemes) / sizeof(schemes[0]); i++) {
		if (begins_with(text, schemes[i])) {
			return skip(text, strlen(schemes[i]));
		}
	}
	return text;
}

/* True for seven colons or two adjacent colons, which host, port and weight cannot have. */
static bool is_unbracketed_ipv6(mcp_bytes text) {
	size_t colons = 0;
	for (size_t i = 0; i < text.length; i++) {
		colons += text.data[i] == ':';
	}
	return colons >= 7 || contains(text, "::");
}

static zend_string *read_tcp(mcp_server *server, mcp_bytes whole, mcp_bytes text) {
	server->kind = MCP_SERVER_TCP;
	server->port = DEFAULT_PORT;
	zend_string *refused = refuse_url_parts(text);
	if (refused != NULL) {
		return refused;
	}
	if (begins_with(text, "[")) {
		return read_bracketed(server, text);
	}
	if (is_unbracketed_ipv6(text)) {
		return mistake_about(WANTED_IPV6, text);
	}
	mcp_bytes host, rest = text;
	bool has_port = mcp_bytes_take_until(&rest, ':', &host);
	if (!copy_host(server, host, false)) {
		return mistake_about(WANTED_TCP, whole);
	}
	if (is_wrong_ipv4(server->host)) {
		return mistake_about(WANTED_IPV4, text);
	}
	zend_string *error = has_port ? read_port_and_weight(server, rest, text) : NULL;
	snprintf(server->address, sizeof(server->address), "%s:%u", server->host, server->port);
	return error;
}

/* Parse the address after "tls://". This address must also be valid without TLS. */
static zend_string *read_tls(mcp_server *server, mcp_bytes text) {
	mcp_bytes rest = skip(text, strlen(MCP_TLS_SCHEME));
	zend_string *error = take_secret(&server->secret, &rest);
	server->is_tls = true;
	return error != NULL ? error : read_tcp(server, rest, rest);
}

/* Remove ":digits" from the end of a path or name. */
static zend_string *cut_weight(mcp_server *server, mcp_bytes *text, mcp_bytes whole) {
	size_t digits = 0;
	while (digits < text->length && mcp_is_digit(text->data[text->length - digits - 1])) {
		digits++;
	}
	if (digits == 0 || digits == text->length || text->data[text->length - digits - 1] != ':') {
		return NULL;
	}
	mcp_bytes weight = skip(*text, text->length - digits);
	text->length -= digits + 1;
	return read_weight(server, weight, whole);
}

static zend_string *read_unix(mcp_server *server, mcp_bytes text) {
	server->kind = MCP_SERVER_UNIX;
	mcp_bytes path = skip(text, strlen(MCP_UNIX_SCHEME));
	zend_string *error = NULL;
	if (!begins_with(path, "/") && contains(path, "@")) {
		error = take_secret(&server->secret, &path);
		text = path;
	}
	if (error == NULL) {
		error = cut_weight(server, &path, text);
	}
	if (error != NULL) {
		return error;
	}
	if (path.length < 2 || path.data[0] != '/' || memchr(path.data, '\0', path.length) != NULL) {
		return mistake_about("have unix sockets as \"unix:///path\", \"%s\" given", text);
	}
	if (path.length > UNIX_PATH_MAX_LENGTH) {
		return mistake_about("have unix sockets with paths of at most 107 bytes, \"%s\" given",
			text);
	}
	memcpy(server->host, path.data, path.length);
	server->host[path.length] = '\0';
	snprintf(server->address, sizeof(server->address), MCP_UNIX_SCHEME "%s", server->host);
	return NULL;
}

static zend_string *read_memory(mcp_server *server, mcp_bytes text) {
	server->kind = MCP_SERVER_MEMORY;
	mcp_bytes name = skip(text, strlen(MCP_MEMORY_SCHEME));
	mcp_bytes shown = without_secret(text);
	zend_string *error = cut_weight(server, &name, shown);
	if (error != NULL) {
		return error;
	}
	if (!copy_host(server, name, false)) {
		return mistake_about(WANTED_MEMORY, shown);
	}
	snprintf(server->address, sizeof(server->address), MCP_MEMORY_SCHEME "%s", server->host);
	return NULL;
}

/* Parse a discovery endpoint. Servers of its list are reached in the same way as the endpoint. Mistakes never quote a
 * password. */
static zend_string *read_discovery(mcp_server *server, mcp_bytes text) {
	mcp_bytes endpoint = skip(text, strlen(MCP_DISCOVERY_SCHEME));
	bool is_tls = begins_with(endpoint, MCP_TLS_SCHEME);
	if (endpoint.length == (is_tls ? strlen(MCP_TLS_SCHEME) : 0)) {
		return mistake_about(WANTED_DISCOVERY, text);
	}
	if (!is_tls && contains(endpoint, SCHEME_SEPARATOR)) {
		return mistake_about(WANTED_DISCOVERY, without_secret(endpoint));
	}
	zend_string *error = is_tls ? read_tls(server, endpoint) : read_tcp(server, endpoint, endpoint);
	if (error == NULL && php_mcp_server_secret_is_given(&server->secret)) {
		return mistake_about(WANTED_ACCESS, without_secret(endpoint));
	}
	if (error == NULL && server->weight != 1) {
		return mistake_about("not have a weight after \"discover://\", \"%s\" given", endpoint);
	}
	server->is_discovery = true;
	return error;
}

/* Parse a DNS name, which must not be an address. The scheme is part of the name's identity, also in reports. */
static zend_string *read_dns(mcp_server *server, mcp_bytes text) {
	struct in_addr address;
	char query[MCP_DNS_QUERY_MAX];
	mcp_dns_question asked = {.type = MCP_DNS_A};
	bool is_srv = begins_with(text, MCP_DNS_SRV_SCHEME);
	mcp_bytes name = skip(text, strlen(is_srv ? MCP_DNS_SRV_SCHEME : MCP_DNS_SCHEME));
	zend_string *error =
		name.length > 0 ? read_tcp(server, name, name) : mistake_about(WANTED_DNS, text);
	if (error != NULL) {
		return error;
	}
	size_t length = strlen(server->host);
	snprintf(asked.name, sizeof(asked.name), "%.*s",
		(int)length - (server->host[length - 1] == '.'), server->host);
	if (server->weight != 1 || (is_srv && length < name.length) || begins_with(name, "[") ||
		inet_pton(AF_INET, server->host, &address) == 1 || mcp_dns_write(&asked, query) == 0) {
		return mistake_about(WANTED_DNS, text);
	}
	server->is_discovery = true;
	server->dns = is_srv ? MCP_DNS_SRV : MCP_DNS_A;
	snprintf(server->address, sizeof(server->address),
		is_srv ? MCP_DNS_SRV_SCHEME "%s" : MCP_DNS_SCHEME "%s:%u", server->host, server->port);
	return NULL;
}

static const struct {
	const char *scheme;
	zend_string *(*read)(mcp_server *server, mcp_bytes text);
} forms[] = {
	{MCP_DISCOVERY_SCHEME, read_discovery},
	{MCP_DNS_SCHEME, read_dns},
	{MCP_DNS_SRV_SCHEME, read_dns},
	{MCP_UNIX_SCHEME, read_unix},
	{MCP_MEMORY_SCHEME, read_memory},
	{MCP_TLS_SCHEME, read_tls},
	{NULL, NULL},
};

/* Parse a server. Returns NULL, or the mistake as text after "must " that quotes the invalid part. The caller
 * releases it. */
static zend_string *read_server(mcp_server *server, mcp_bytes text) {
	*server = (mcp_server){.weight = 1};
	for (size_t i = 0; forms[i].scheme != NULL; i++) {
		if (begins_with(text, forms[i].scheme)) {
			return forms[i].read(server, text);
		}
	}
	return read_tcp(server, text, without_scheme(text));
}

#define USER_PORT_MIN 1024
#define USER_PORT_MAX 65535
/* Default port of memcached and of further instances. */
#define MEMCACHED_PORT_MIN 11211
#define MEMCACHED_PORT_MAX 11299

/* Remove text such as ":17" from the end. Returns false if there is no such text. */
static bool take_number(mcp_bytes *text, uint64_t *number) {
	const char *colon = zend_memrchr(text->data, ':', text->length);
	if (colon == NULL || colon == text->data) {
		return false;
	}
	size_t length = colon - text->data;
	if (!mcp_decimal_parse_u64(mcp_bytes_of(colon + 1, text->length - length - 1), number)) {
		return false;
	}
	text->length = length;
	return true;
}

static bool may_be_a_host(mcp_bytes name, uint64_t port) {
	if (name.data[name.length - 1] == ']' ||
		(port >= MEMCACHED_PORT_MIN && port <= MEMCACHED_PORT_MAX)) {
		return true;
	}
	return port >= USER_PORT_MIN && port <= USER_PORT_MAX &&
		(memchr(name.data, '.', name.length) != NULL ||
			zend_binary_strcmp(name.data, name.length, ZEND_STRL("localhost")) == 0);
}

/* Recognizes "cache2:11211", "10.0.0.2:22122:1" and "[::1]:1". "tenant:17" and "v1.2:3" can be prefixes. */
static bool ends_as_an_address(mcp_bytes text) {
	uint64_t port;
	while (take_number(&text, &port)) {
		if (may_be_a_host(text, port)) {
			return true;
		}
	}
	return false;
}

bool php_mcp_server_likeness_is_sure(const zend_string *text) {
	mcp_bytes bytes = mcp_bytes_of(ZSTR_VAL(text), ZSTR_LEN(text));
	if (bytes.length == 0) {
		return false; /* fast path: most prefixes are empty */
	}
	for (size_t i = 0; forms[i].scheme != NULL; i++) {
		if (begins_with(bytes, forms[i].scheme)) {
			return true;
		}
	}
	return ends_as_an_address(bytes);
}

/* Builds a list without duplicates. A list of one server is not checked. */
typedef struct filling {
	mcp_server_list *list;
	bool is_alone;
	HashTable seen; /* identities of servers */
} filling;

#define IDENTITY_MAX (2 * MCP_SERVER_ADDRESS_MAX)

/* Write an identity that is the same for all spellings of this server: port and host, or the address. Host names ignore
 * case, and an IPv6 address has many spellings. */
static size_t identify(char *identity, const mcp_server *server) {
	struct in6_addr address;
	const char *host = server->host, *zone;
	if (server->kind != MCP_SERVER_TCP) {
		size_t length = strlen(server->address);
		memcpy(identity, server->address, length);
		return length;
	}
	identity[0] = (char)(server->port >> 8);
	identity[1] = (char)(server->port & 0xff);
	if (strchr(host, ':') == NULL || !read_ipv6(host, &address, &zone)) {
		zend_str_tolower_copy(identity + 2, host, strlen(host));
		return 2 + strlen(host);
	}
	identity[2] = ':'; /* never in a name */
	memcpy(identity + 3, &address, sizeof(address));
	memcpy(identity + 3 + sizeof(address), zone, strlen(zone));
	return 3 + sizeof(address) + strlen(zone);
}

static zend_string *append(filling *work, mcp_bytes text) {
	mcp_server_list *list = work->list;
	if (list->count == MCP_SERVERS_MAX) {
		return mistake_about(
			"have at most " ZEND_TOSTR(MCP_SERVERS_MAX) " servers, \"%s\" is one too many",
			without_secret(text));
	}
	mcp_server *server = &list->servers[list->count];
	zend_string *error = read_server(server, text);
	if (error != NULL) {
		return error;
	}
	if (!work->is_alone && server->is_discovery) {
		return mistake_about(server->dns != 0
				? "name no other server with \"%s\", which reports all servers"
				: "name no other server with \"discover://%s\", which reports all servers",
			mcp_bytes_text(server->address));
	}
	char identity[IDENTITY_MAX];
	size_t length = identify(identity, server);
	if (!work->is_alone && zend_hash_str_add_empty_element(&work->seen, identity, length) == NULL) {
		return mistake_about("not name a server twice, \"%s\" given", without_secret(text));
	}
	list->count++;
	return NULL;
}

static zend_string *append_parts(filling *work, mcp_bytes rest) {
	zend_string *error = NULL;
	bool has_more = true;
	while (has_more && error == NULL) {
		mcp_bytes part;
		has_more = mcp_bytes_take_until(&rest, ',', &part);
		error = append(work, trim(part));
	}
	return error;
}

static zend_string *append_texts(filling *work, HashTable *texts) {
	zend_string *error = NULL;
	zval *text;
	ZEND_HASH_FOREACH_VAL(texts, text) {
		ZVAL_DEREF(text);
		error = Z_TYPE_P(text) == IS_STRING
			? append(work, mcp_bytes_of(Z_STRVAL_P(text), Z_STRLEN_P(text)))
			: zend_strpprintf(0, "be a list of strings, %s found", zend_zval_type_name(text));
		if (error != NULL) {
			break;
		}
	}
	ZEND_HASH_FOREACH_END();
	return error;
}

zend_string *php_mcp_servers_parse(mcp_server_list *list, const mcp_written_servers *written) {
	size_t count = written->texts != NULL ? zend_hash_num_elements(written->texts) : 1;
	for (size_t i = 0; written->texts == NULL && i < written->text.length; i++) {
		count += written->text.data[i] == ',';
	}
	if (count == 0) {
		return zend_strpprintf(0, "name at least one server");
	}
	filling work = {.list = list, .is_alone = count == 1};
	list->count = 0;
	list->servers = safe_emalloc(MIN(count, MCP_SERVERS_MAX), sizeof(mcp_server), 0);
	zend_hash_init(&work.seen, 0, NULL, NULL, 0);
	zend_string *error = written->texts != NULL ? append_texts(&work, written->texts)
												: append_parts(&work, written->text);
	zend_hash_destroy(&work.seen);
	if (error != NULL) {
		php_mcp_servers_free(list);
	}
	return error;
}

void php_mcp_servers_free(mcp_server_list *list) {
	efree(list->servers);
	*list = (mcp_server_list){0};
}
