/* Queries nameservers for a server list. After a failure, the name is not tried in the next domain, because the list
 * found there could be another cluster's list. */
/* SPDX-License-Identifier: MIT */
#include "dns.h"

#include "address.h"
#include "addresses.h"

#include <stdio.h>

#ifndef _WIN32
#include <arpa/inet.h>
#endif

#define CLASS_IN 1
#define LABEL_MAX 63
#define POINTER 0xc0
#define HEADER 12

/* --- queries --- */

static char *put_number(char *to, unsigned number) {
	*to++ = (char)(number >> 8);
	*to++ = (char)number;
	return to;
}

size_t mcp_dns_write(const mcp_dns_question *asked, char query[MCP_DNS_QUERY_MAX]) {
	static const char flags_and_counts[HEADER - 2] = {1 /* recursion desired */, 0, 0, 1};
	mcp_bytes label, rest = mcp_bytes_text(asked->name);
	char *at = put_number(query, asked->id);
	memcpy(at, flags_and_counts, sizeof(flags_and_counts));
	at += sizeof(flags_and_counts);
	for (bool has_more = true; has_more; at += label.length) {
		has_more = mcp_bytes_take_until(&rest, '.', &label);
		if (label.length == 0 || label.length > LABEL_MAX) {
			return 0;
		}
		*at++ = (char)label.length;
		memcpy(at, label.data, label.length);
	}
	*at++ = '\0';
	return (size_t)(put_number(put_number(at, asked->type), CLASS_IN) - query);
}

/* --- replies --- */

typedef struct reader {
	const unsigned char *data;
	size_t length, at;
	bool is_short; /* the reply ended too early */
} reader;

static unsigned take_number(reader *self) {
	self->is_short |= self->at + 2 > self->length;
	if (self->is_short) {
		return 0;
	}
	self->at += 2;
	return (unsigned)self->data[self->at - 2] << 8 | self->data[self->at - 1];
}

/* Takes a name that consists of bytes of host names, and converts it to lower case. Each pointer must lead to an
 * earlier place than the previous pointer, so that there is no cycle. */
static bool take_name(reader *self, char name[MCP_DNS_NAME_MAX + 2]) {
	static const char allowed[] = "0123456789abcdefghijklmnopqrstuvwxyz-_";
	size_t length = 0, at = self->at, before = at, end = 0;
	while (at < self->length && self->data[at] != 0) {
		size_t count = self->data[at++];
		if (count >= POINTER && at < self->length) {
			end = end > 0 ? end : at + 1;
			at = (count - POINTER) << 8 | self->data[at];
			if (at >= before) {
				return false;
			}
			before = at;
			continue;
		}
		if (count > LABEL_MAX || count > self->length - at || length + count > MCP_DNS_NAME_MAX) {
			return false;
		}
		for (; count > 0; count--, at++) {
			unsigned char byte = self->data[at];
			name[length] = (char)(byte >= 'A' && byte <= 'Z' ? byte + 'a' - 'A' : byte);
			if (memchr(allowed, name[length++], sizeof(allowed) - 1) == NULL) {
				return false;
			}
		}
		name[length++] = '.';
	}
	self->at = end > 0 ? end : at + 1;
	name[length > 0 ? length - 1 : 0] = '\0';
	return at < self->length;
}

/* Inserts a server at its place in the list, in which each server ends with a comma. Returns false if the server does
 * not fit. */
static bool add_server(mcp_cluster *cluster, const char *host, unsigned port) {
	char text[MCP_ADDRESS_MAX + 1];
	mcp_address_write(text, host, (uint16_t)port);
	size_t length = strlen(text), at = 0;
	text[length++] = ',';
	while (at < cluster->length) {
		mcp_bytes other, rest = mcp_bytes_of(cluster->text + at, cluster->length - at);
		mcp_bytes_take_until(&rest, ',', &other);
		int order = strncmp(text, other.data, other.length + 1);
		if (order == 0) {
			return true;
		}
		if (order < 0) {
			break;
		}
		at += other.length + 1;
	}
	if (length > sizeof(cluster->text) - cluster->length) {
		return false;
	}
	memmove(cluster->text + at + length, cluster->text + at, cluster->length - at);
	memcpy(cluster->text + at, text, length);
	cluster->length += length;
	cluster->servers++;
	return true;
}

static mcp_dns_verdict take_address(const mcp_dns_question *asked, const reader *record,
	mcp_cluster *cluster) {
	char host[INET6_ADDRSTRLEN];
	bool is_ipv6 = asked->type == MCP_DNS_AAAA;
	if (record->length - record->at != (is_ipv6 ? 16 : 4)) {
		return MCP_DNS_WRONG;
	}
	inet_ntop(is_ipv6 ? AF_INET6 : AF_INET, record->data + record->at, host, sizeof(host));
	return add_server(cluster, host, asked->port) ? MCP_DNS_FOUND : MCP_DNS_TOO_LONG;
}

/* A record with a lower priority number replaces the previous records. The target "." means that there is no server. */
static mcp_dns_verdict take_service(reader *record, unsigned *lowest, mcp_cluster *cluster) {
	char host[MCP_DNS_NAME_MAX + 2];
	unsigned priority = take_number(record);
	take_number(record);
	unsigned port = take_number(record);
	if (record->is_short || !take_name(record, host) || record->at != record->length ||
		(port == 0 && host[0] != '\0')) { /* without a port, it would be a Unix socket's path */
		return MCP_DNS_WRONG;
	}
	if (priority > *lowest || host[0] == '\0') {
		return MCP_DNS_FOUND;
	}
	if (priority < *lowest) {
		cluster->servers = cluster->length = 0;
		*lowest = priority;
	}
	return add_server(cluster, host, port) ? MCP_DNS_FOUND : MCP_DNS_TOO_LONG;
}

/* Takes the records of the requested name. A CNAME record replaces this name. */
static mcp_dns_verdict take_records(const mcp_dns_question *asked, reader *self, unsigned count,
	mcp_cluster *cluster) {
	char name[MCP_DNS_NAME_MAX + 2], owner[MCP_DNS_NAME_MAX + 2];
	unsigned lowest = UINT16_MAX;
	mcp_dns_verdict verdict = MCP_DNS_FOUND;
	strcpy(name, asked->name);
	for (; count > 0 && verdict == MCP_DNS_FOUND; count--) {
		bool has_owner = take_name(self, owner);
		unsigned type = take_number(self), class = take_number(self);
		take_number(self);
		take_number(self); /* the rest of the TTL */
		unsigned length = take_number(self);
		if (!has_owner || self->is_short || length > self->length - self->at) {
			return MCP_DNS_WRONG;
		}
		reader record = {self->data, self->at + length, self->at, false};
		self->at += length;
		if (class != CLASS_IN || mcp_caseless_compare(owner, name) != 0) {
			continue;
		}
		if (type == MCP_DNS_CNAME) {
			verdict = take_name(&record, name) ? MCP_DNS_FOUND : MCP_DNS_WRONG;
		} else if (type == asked->type) {
			verdict = type == MCP_DNS_SRV ? take_service(&record, &lowest, cluster)
										  : take_address(asked, &record, cluster);
		}
	}
	cluster->length -= cluster->length > 0;
	return verdict == MCP_DNS_FOUND && cluster->servers == 0 ? MCP_DNS_EMPTY : verdict;
}

#define FLAGS_OF_REPLY 0xf800 /* the reply bit, and the operation, which is 0 */
#define REPLY 0x8000
#define TRUNCATED 0x0200
#define CODE 0x000f

mcp_dns_verdict mcp_dns_read(const mcp_dns_question *asked, mcp_bytes reply, mcp_cluster *cluster) {
	reader self = {(const unsigned char *)reply.data, reply.length, 0, false};
	char name[MCP_DNS_NAME_MAX + 2];
	unsigned id = take_number(&self), flags = take_number(&self);
	unsigned questions = take_number(&self), answers = take_number(&self);
	take_number(&self);
	take_number(&self);
	if (self.is_short || id != asked->id || (flags & FLAGS_OF_REPLY) != REPLY || questions != 1 ||
		!take_name(&self, name) || mcp_caseless_compare(name, asked->name) != 0 ||
		take_number(&self) != (unsigned)asked->type || take_number(&self) != CLASS_IN) {
		return MCP_DNS_FOREIGN;
	}
	cluster->version = cluster->servers = cluster->length = 0;
	if ((flags & CODE) != 0) {
		return (mcp_dns_verdict)(MCP_DNS_CODE + (flags & CODE));
	}
	return (flags & TRUNCATED) != 0 ? MCP_DNS_TRUNCATED
									: take_records(asked, &self, answers, cluster);
}

/* --- resolv.conf --- */

#define NAMESERVERS_MAX 3
#define HOST_LENGTH "63"
#define LINE_LENGTH 2048
#define PORT 53
#define BLANKS " \t\r\n"

typedef struct configuration {
	struct {
		char host[64];
		unsigned short port;
	} nameservers[NAMESERVERS_MAX];
	size_t count;
	unsigned ndots;
	char search[LINE_LENGTH]; /* domains */
} configuration;

/* Reads the address of a nameserver. A port can follow, in the form of OpenBSD. Names are ignored, because the system
 * would look them up without a deadline. */
static void read_nameserver(configuration *read, const char *line) {
	struct in_addr address;
	char *host = read->nameservers[read->count].host;
	unsigned short *port = &read->nameservers[read->count].port;
	*port = PORT;
	bool is_read = sscanf(line, "nameserver [%" HOST_LENGTH "[^] \t\n]]:%hu", host, port) == 2 ||
		sscanf(line, "nameserver %" HOST_LENGTH "s", host) == 1;
	read->count +=
		is_read && (strchr(host, ':') != NULL || inet_pton(AF_INET, host, &address) == 1);
}

static void read_configuration(configuration *read, const char *path) {
	char line[LINE_LENGTH];
	FILE *file = fopen(path, "r");
	*read = (configuration){.ndots = 1};
	while (file != NULL && fgets(line, sizeof(line), file) != NULL) {
		const char *dots = strncmp(line, "options", 7) == 0 ? strstr(line, "ndots:") : NULL;
		if (read->count < NAMESERVERS_MAX) {
			read_nameserver(read, line);
		}
		if (dots != NULL) {
			sscanf(dots, "ndots:%2u", &read->ndots);
		} else if (strncmp(line, "search", 6) == 0 || strncmp(line, "domain", 6) == 0) {
			strcpy(read->search, line + 6);
		}
	}
	if (file != NULL) {
		fclose(file);
	}
}

/* --- requests --- */

/* The first nameserver gets half of the time, the next nameserver half of the rest, and so on. */
#define TRIES 3 /* attempts per nameserver */
#define WAIT_MS_MIN 50

typedef struct resolver {
	const mcp_dns_settings *settings;
	mcp_deadline deadline; /* deadline of all requests */
	configuration configuration;
	mcp_dns_question asked;
	const char *nameserver; /* the nameserver that was queried last */
	mcp_cluster *cluster;
	char reply[MCP_CLUSTER_ANSWER_MAX];
} resolver;

/* Replies to other questions do not extend the wait. */
static mcp_socket_outcome receive_datagrams(resolver *self, mcp_socket *socket,
	mcp_deadline *deadline, mcp_dns_verdict *verdict) {
	mcp_socket_outcome outcome;
	do {
		size_t received;
		outcome = mcp_socket_receive(socket, self->reply, sizeof(self->reply), deadline, &received);
		deadline->moved = 0;
		*verdict = mcp_dns_read(&self->asked, mcp_bytes_of(self->reply, received), self->cluster);
	} while (outcome == MCP_SOCKET_DONE && *verdict == MCP_DNS_FOREIGN);
	return outcome;
}

/* The reply's length comes first. A reply that is longer than the buffer is not read. */
static mcp_socket_outcome receive_stream(resolver *self, mcp_socket *socket, mcp_deadline *deadline,
	mcp_dns_verdict *verdict) {
	mcp_socket_outcome outcome = MCP_SOCKET_DONE;
	size_t have = 0, wanted = 2, received;
	*verdict = MCP_DNS_TOO_LONG;
	while (outcome == MCP_SOCKET_DONE && have < wanted && wanted <= sizeof(self->reply)) {
		outcome =
			mcp_socket_receive(socket, self->reply + have, wanted - have, deadline, &received);
		have += received;
		if (have == 2) {
			wanted += (size_t)(unsigned char)self->reply[0] << 8 | (unsigned char)self->reply[1];
		}
	}
	if (have == wanted) {
		*verdict =
			mcp_dns_read(&self->asked, mcp_bytes_of(self->reply + 2, have - 2), self->cluster);
	}
	return outcome;
}

static mcp_dns_verdict ask_nameserver(resolver *self, size_t index, bool is_datagram,
	uint32_t wait_ms) {
	char query[MCP_DNS_QUERY_MAX], length[2];
	mcp_bytes sent[] = {{length, 2}, {query, mcp_dns_write(&self->asked, query)}};
	put_number(length, (unsigned)sent[1].length);
	mcp_socket socket = {.descriptor = -1, .is_datagram = is_datagram};
	mcp_socket_address address = {self->nameserver, self->configuration.nameservers[index].port};
	mcp_deadline deadline = mcp_deadline_begin(self->deadline.environment, wait_ms);
	mcp_dns_verdict verdict;
	mcp_socket_outcome outcome = mcp_socket_connect(&socket, &address, &deadline, wait_ms);
	if (outcome == MCP_SOCKET_DONE) {
		outcome = mcp_socket_send(&socket, sent + is_datagram, 2 - is_datagram, &deadline);
	}
	if (outcome == MCP_SOCKET_DONE) {
		outcome = is_datagram ? receive_datagrams(self, &socket, &deadline, &verdict)
							  : receive_stream(self, &socket, &deadline, &verdict);
	}
	mcp_socket_close(&socket);
	if (outcome != MCP_SOCKET_DONE) {
		return outcome == MCP_SOCKET_LATE ? MCP_DNS_SILENT : MCP_DNS_BROKEN;
	}
	return verdict;
}

static bool is_elsewhere(mcp_dns_verdict verdict) {
	return verdict == MCP_DNS_EMPTY || verdict == MCP_DNS_NO_NAME;
}

static bool is_settled(mcp_dns_verdict verdict) {
	return verdict == MCP_DNS_FOUND || verdict == MCP_DNS_TOO_LONG || is_elsewhere(verdict);
}

static mcp_dns_verdict ask_in_turn(resolver *self) {
	mcp_dns_verdict verdict = MCP_DNS_SILENT;
	for (size_t try = 0; try < TRIES * self->configuration.count && !is_settled(verdict); try++) {
		uint64_t left_ms = mcp_deadline_left_ms(&self->deadline);
		uint64_t wait_ms = left_ms >= 2 * WAIT_MS_MIN ? left_ms / 2 : left_ms;
		size_t index = try % self->configuration.count;
		if (left_ms == 0) {
			break;
		}
		self->nameserver = self->configuration.nameservers[index].host;
		self->asked.id = (uint16_t)mcp_random_u64(self->deadline.environment);
		verdict = ask_nameserver(self, index, true, (uint32_t)wait_ms);
		left_ms = mcp_deadline_left_ms(&self->deadline);
		if (verdict == MCP_DNS_TRUNCATED && left_ms > 0) {
			verdict = ask_nameserver(self, index, false, (uint32_t)left_ms);
		}
	}
	return verdict;
}

/* A pod with two addresses must not be two servers, so IPv6 addresses are used only for names without IPv4
 * addresses. */
static mcp_dns_verdict ask_name(resolver *self, const char *domain, size_t length) {
	char query[MCP_DNS_QUERY_MAX], *name = self->asked.name;
	size_t written = (size_t)snprintf(name, sizeof(self->asked.name), "%s%s%.*s",
		self->settings->name, length > 0 ? "." : "", (int)length, domain);
	if (written < sizeof(self->asked.name) && name[written - 1] == '.') {
		name[written - 1] = '\0';
	}
	self->asked.type = self->settings->type;
	if (written >= sizeof(self->asked.name) || mcp_dns_write(&self->asked, query) == 0) {
		return MCP_DNS_NO_NAME;
	}
	mcp_dns_verdict verdict = ask_in_turn(self);
	if (verdict == MCP_DNS_EMPTY && self->asked.type == MCP_DNS_A) {
		self->asked.type = MCP_DNS_AAAA;
		verdict = ask_in_turn(self);
	}
	return verdict;
}

/* Like the system's resolver: try a name with enough dots as written first, and any other name within the domains
 * first. */
static mcp_dns_verdict search(resolver *self) {
	const char *name = self->settings->name, *domain = self->configuration.search;
	bool is_absolute = name[strlen(name) - 1] == '.';
	unsigned dots = 0;
	for (const char *at = name; *at != '\0'; at++) {
		dots += *at == '.';
	}
	bool begins_as_written = is_absolute || dots >= self->configuration.ndots;
	mcp_dns_verdict verdict = begins_as_written ? ask_name(self, "", 0) : MCP_DNS_NO_NAME;
	for (size_t length; !is_absolute && is_elsewhere(verdict); domain += length) {
		domain += strspn(domain, BLANKS);
		length = strcspn(domain, BLANKS);
		if (length == 0) {
			return begins_as_written ? verdict : ask_name(self, "", 0);
		}
		verdict = ask_name(self, domain, length);
	}
	return verdict;
}

/* --- reasons --- */

static void explain(const resolver *self, mcp_dns_verdict verdict, mcp_reason *reason) {
	static const char *const words[] = {
		[MCP_DNS_EMPTY] = "replied with none",
		[MCP_DNS_TOO_LONG] = "replied with too many servers",
		[MCP_DNS_SILENT] = "did not reply in time",
		[MCP_DNS_BROKEN] = "could not be reached",
		[MCP_DNS_CODE + 2] = "replied SERVFAIL",
		[MCP_DNS_NO_NAME] = "replied NXDOMAIN",
		[MCP_DNS_CODE + 5] = "replied REFUSED",
	};
	bool is_known = (size_t)verdict < sizeof(words) / sizeof(words[0]) && words[verdict] != NULL;
	if (self->nameserver == NULL) {
		snprintf(reason->text, sizeof(reason->text), "was not found: %.100s names no nameserver",
			self->settings->resolv_conf);
		return;
	}
	snprintf(reason->text, sizeof(reason->text),
		"was not found: nameserver %.40s, asked for %s records of %.70s, %s", self->nameserver,
		self->settings->type == MCP_DNS_SRV ? "SRV" : "address", self->settings->name,
		is_known ? words[verdict] : "sent no usable reply");
}

mcp_status mcp_dns_discover(const mcp_dns_settings *settings, const mcp_environment *environment,
	mcp_cluster *cluster, mcp_reason *reason) {
	resolver self = {
		.settings = settings,
		.deadline = mcp_deadline_begin(environment, settings->timeout_ms),
		.asked.port = settings->port,
		.cluster = cluster,
	};
	read_configuration(&self.configuration, settings->resolv_conf);
	mcp_dns_verdict verdict = search(&self);
	if (verdict == MCP_DNS_FOUND) {
		return MCP_OK;
	}
	explain(&self, verdict, reason);
	return MCP_UNREACHABLE;
}
