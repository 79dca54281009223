/* Hosts by the system's own reading of addresses. */
/* SPDX-License-Identifier: MIT */
#include "host.h"

#include "php.h"

#include <string.h>

#ifdef _WIN32
#include <winsock2.h>
#include <ws2tcpip.h>
#else
#include <arpa/inet.h>
#endif

/* Reads the address without its zone, which is "" if there is none, or behind the '%'. */
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

bool php_mcp_host_is_numeric(const char *host) {
	return host[strspn(host, "0123456789.")] == '\0';
}

bool php_mcp_host_is_ipv4(const char *host) {
	struct in_addr address;
	return inet_pton(AF_INET, host, &address) == 1;
}

bool php_mcp_host_is_ipv6(const char *host) {
	struct in6_addr address;
	const char *zone;
	return read_ipv6(host, &address, &zone);
}

size_t php_mcp_host_identify(char *identity, const char *host, size_t length) {
	struct in6_addr address;
	const char *zone;
	if (memchr(host, ':', length) == NULL || !read_ipv6(host, &address, &zone)) {
		zend_str_tolower_copy(identity, host, length);
		return length;
	}
	size_t zone_length = strlen(zone);
	identity[0] = ':'; /* as in no name */
	memcpy(identity + 1, &address, sizeof(address));
	memcpy(identity + 1 + sizeof(address), zone, zone_length);
	return 1 + sizeof(address) + zone_length;
}
