/* The bounds are those of docs/operate/operations.md. */
/* SPDX-License-Identifier: MIT */
#include "server_judging.h"

#include "failure_judging.h"
#include "findings.h"

#include <math.h>

/* memcached tells a whole second, and looks at the time once in each, now and then once in two. */
#define SKEW_MAX_S 3.0
#define ITEM_SIZE_LEAST ((uint64_t)1024 * 1024)
#define MEMORY_DEFAULT ((uint64_t)64 * 1024 * 1024)
#define RESTARTED_S 300
#define NEARLY 0.9
/* Items take between this and all of a memory that is handed out to slabs as a whole, by their sizes. */
#define FULL_FROM 0.8
#define MS_PER_S 1000.0

typedef struct view {
	zval *list;
	const mcp_server_facts *facts;
	const char *address;
} view;

static uint64_t number(const view *of, mcp_server_number which) {
	return of->facts->numbers[which];
}

static bool has(const view *of, mcp_server_number which) {
	return php_mcp_server_facts_has(of->facts, which);
}

/* Says whether it is more than nothing. */
static bool counts(const view *of, mcp_server_number which) {
	return has(of, which) && number(of, which) > 0;
}

/* Says whether the first is at least that part of what the second allows. */
static bool is_part(const view *of, mcp_server_number some, mcp_server_number all, double part) {
	return has(of, some) && counts(of, all) &&
		(double)number(of, some) >= part * (double)number(of, all);
}

static bool is(const view *of, mcp_server_switch which, mcp_told told) {
	return of->facts->switches[which] == told;
}

/* Takes 1.6.2 for the first that is not: one request ends 1.6.0 (CVE-2020-10931), and what is older has others. */
static bool is_old(const mcp_server_version *version) {
	return version->major == 1 &&
		(version->minor < 6 || (version->minor == 6 && version->patch < 2));
}

static void judge_version(const view *of, const mcp_server_terms *terms) {
	mcp_server_version version;
	int parts = php_mcp_server_facts_version(of->facts, &version);
	if (parts < 2 || !has(of, MCP_FACT_TIME) || !has(of, MCP_FACT_UPTIME) ||
		!counts(of, MCP_FACT_MEMORY)) {
		php_mcp_findings_add(of->list, MCP_FINDING_STRANGE_STATISTICS, of->address,
			"its statistics lack a version, the time, its uptime or its memory, or they make no sense");
	}
	if (parts == 3 && is_old(&version)) {
		php_mcp_findings_add(of->list, MCP_FINDING_OLD_VERSION, of->address, "it is memcached %s",
			of->facts->version);
	}
	if (terms->is_direct && of->facts->knows_meta == MCP_TOLD_NO) {
		php_mcp_findings_add(of->list, MCP_FINDING_NO_META, of->address,
			"it does not know the meta commands, or those of before 1.6.13, which are not used");
	}
}

static void judge_clock(const view *of) {
	char text[MCP_FINDING_TEXT_MAX];
	double skew = of->facts->skew;
	if (has(of, MCP_FACT_TIME) && fabs(skew) > SKEW_MAX_S) {
		php_mcp_findings_add(of->list, MCP_FINDING_CLOCK, of->address,
			"its clock is %s %s this host's", php_mcp_findings_seconds(text, round(fabs(skew))),
			skew > 0 ? "ahead of" : "behind");
	}
	if (has(of, MCP_FACT_UPTIME) && number(of, MCP_FACT_UPTIME) < RESTARTED_S) {
		php_mcp_findings_add(of->list, MCP_FINDING_RESTARTED, of->address,
			"it was started less than %d minutes ago", RESTARTED_S / 60);
	}
}

static void judge_items(const view *of, const mcp_server_terms *terms) {
	char text[MCP_FINDING_TEXT_MAX], limit[MCP_FINDING_TEXT_MAX];
	uint64_t size = number(of, MCP_FACT_ITEM_SIZE);
	if (!has(of, MCP_FACT_ITEM_SIZE)) {
		return;
	}
	php_mcp_findings_bytes(text, size);
	if (size < ITEM_SIZE_LEAST) {
		php_mcp_findings_add(of->list, MCP_FINDING_SMALL_ITEMS, of->address,
			"it takes no value of more than %s (-I)", text);
	}
	if (terms->answer_limit > 0 && size > terms->answer_limit) {
		php_mcp_findings_add(of->list, MCP_FINDING_LARGE_ITEMS, of->address,
			"it takes values of up to %s (-I), and mcpatterns.answer_limit is %s", text,
			php_mcp_findings_bytes(limit, terms->answer_limit));
	}
}

static void judge_evictions(const view *of, const mcp_server_terms *terms) {
	char time[MCP_FINDING_TEXT_MAX], memory[MCP_FINDING_TEXT_MAX];
	uint64_t unfetched = has(of, MCP_FACT_UNFETCHED) ? number(of, MCP_FACT_UNFETCHED) : 0;
	uint64_t uptime = has(of, MCP_FACT_UPTIME) ? number(of, MCP_FACT_UPTIME) : 0;
	uint64_t limit = has(of, MCP_FACT_MEMORY) ? number(of, MCP_FACT_MEMORY) : 0;
	php_mcp_findings_add(of->list,
		terms->has_sessions ? MCP_FINDING_SESSION_EVICTIONS : MCP_FINDING_EVICTIONS, of->address,
		"it has evicted %llu items in %s, %llu of them never read: its memory of %s is full",
		(unsigned long long)number(of, MCP_FACT_EVICTIONS),
		php_mcp_findings_seconds(time, (double)uptime), (unsigned long long)unfetched,
		php_mcp_findings_bytes(memory, limit));
}

static void judge_fullness(const view *of, bool evicts) {
	char used[MCP_FINDING_TEXT_MAX], memory[MCP_FINDING_TEXT_MAX];
	php_mcp_findings_add(of->list, evicts ? MCP_FINDING_NEARLY_FULL : MCP_FINDING_FULL, of->address,
		evicts ? "%s of its %s are in use"
			   : "items take %s of its %s, and it evicts nothing (-M): it refuses what is written, "
				 "or is about to",
		php_mcp_findings_bytes(used, number(of, MCP_FACT_MEMORY_USED)),
		php_mcp_findings_bytes(memory, number(of, MCP_FACT_MEMORY)));
}

static void judge_memory(const view *of, const mcp_server_terms *terms) {
	char memory[MCP_FINDING_TEXT_MAX];
	bool evicts = !is(of, MCP_FACT_EVICTS, MCP_TOLD_NO);
	if (!evicts) {
		php_mcp_findings_add(of->list, MCP_FINDING_NEVER_EVICTS, of->address,
			"it evicts nothing (-M), and refuses what is written when it is full");
	}
	if (counts(of, MCP_FACT_EVICTIONS)) {
		judge_evictions(of, terms);
	} else if (is_part(of, MCP_FACT_MEMORY_USED, MCP_FACT_MEMORY, evicts ? NEARLY : FULL_FROM)) {
		judge_fullness(of, evicts);
	}
	if (counts(of, MCP_FACT_MEMORY) && number(of, MCP_FACT_MEMORY) <= MEMORY_DEFAULT) {
		php_mcp_findings_add(of->list, MCP_FINDING_SMALL_MEMORY, of->address,
			"it has no more than %s of memory (-m)",
			php_mcp_findings_bytes(memory, number(of, MCP_FACT_MEMORY)));
	}
}

static void judge_connections(const view *of) {
	char time[MCP_FINDING_TEXT_MAX];
	if (counts(of, MCP_FACT_IDLE_TIMEOUT)) {
		php_mcp_findings_add(of->list, MCP_FINDING_IDLE_TIMEOUT, of->address,
			"it ends connections that were idle for %s (-o idle_timeout)",
			php_mcp_findings_seconds(time, (double)number(of, MCP_FACT_IDLE_TIMEOUT)));
	}
	if (counts(of, MCP_FACT_REJECTED)) {
		php_mcp_findings_add(of->list, MCP_FINDING_REJECTED_CONNECTIONS, of->address,
			"it has rejected %llu connections", (unsigned long long)number(of, MCP_FACT_REJECTED));
	}
	if (is_part(of, MCP_FACT_CONNECTIONS, MCP_FACT_CONNECTIONS_MAX, NEARLY)) {
		php_mcp_findings_add(of->list, MCP_FINDING_MANY_CONNECTIONS, of->address,
			"%llu of its %llu connections are in use",
			(unsigned long long)number(of, MCP_FACT_CONNECTIONS),
			(unsigned long long)number(of, MCP_FACT_CONNECTIONS_MAX));
	}
}

static void judge_cas(const view *of) {
	if (is(of, MCP_FACT_GIVES_CAS, MCP_TOLD_NO)) {
		php_mcp_findings_add(of->list, MCP_FINDING_NO_CAS, of->address, "it gives no cas ids (-C)");
	} else if (of->facts->takes_cas == MCP_TOLD_NO) {
		php_mcp_findings_add(of->list, MCP_FINDING_NO_CAS, of->address,
			"it takes no \"cas\", or gives no ids for it");
	}
}

static void judge_settings(const view *of) {
	const mcp_server *server = of->facts->server;
	judge_cas(of);
	if (counts(of, MCP_FACT_UDP_PORT)) {
		php_mcp_findings_add(of->list, MCP_FINDING_UDP, of->address,
			"it listens to UDP on port %llu", (unsigned long long)number(of, MCP_FACT_UDP_PORT));
	}
	if (is(of, MCP_FACT_FLUSHES, MCP_TOLD_NO)) {
		php_mcp_findings_add(of->list, MCP_FINDING_NO_FLUSH, of->address,
			"it refuses to be emptied");
	}
	if (server->kind == MCP_SERVER_TCP && !server->is_tls &&
		of->facts->is_on_all_addresses == MCP_TOLD_YES &&
		is(of, MCP_FACT_WANTS_PASSWORD, MCP_TOLD_NO)) {
		php_mcp_findings_add(of->list, MCP_FINDING_OPEN_TO_ALL, of->address,
			"it listens on all addresses of its host, and asks nobody for a password");
	}
}

/* Takes for slow who needs half of the time for an answer that has nothing to do with its items. */
static void judge_speed(const view *of, const mcp_server_terms *terms) {
	char text[MCP_FINDING_TEXT_MAX], limit[MCP_FINDING_TEXT_MAX];
	double timeout = terms->timeout_ms / MS_PER_S;
	if (of->facts->is_cut_short) {
		php_mcp_findings_add(of->list, MCP_FINDING_SLOW, of->address,
			"its statistics took %s, so that it was asked no more",
			php_mcp_findings_seconds(text, of->facts->seconds));
	} else if (of->facts->quickest > timeout / 2) {
		php_mcp_findings_add(of->list, MCP_FINDING_SLOW, of->address,
			"it takes %s to answer, and is waited for %s",
			php_mcp_findings_seconds(text, of->facts->quickest),
			php_mcp_findings_seconds(limit, timeout));
	}
}

static void judge_answers(const view *of, const mcp_server_terms *terms) {
	judge_speed(of, terms);
	judge_version(of, terms);
	judge_clock(of);
	judge_items(of, terms);
	judge_memory(of, terms);
	judge_connections(of);
	judge_settings(of);
}

void php_mcp_server_judging_look(zval *list, const mcp_server_facts *facts,
	const mcp_server_terms *terms) {
	view of = {list, facts, facts->server->address};
	if (facts->server->kind == MCP_SERVER_MEMORY) {
		php_mcp_findings_add(list,
			terms->has_sessions ? MCP_FINDING_SESSION_MEMORY : MCP_FINDING_MEMORY_SERVER,
			of.address, "it is in the memory of this process alone");
		return;
	}
	php_mcp_failure_judging_look_at_socket(list, facts->server);
	if (facts->status == MCP_UNSUPPORTED) {
		php_mcp_findings_add(list, MCP_FINDING_NO_STATISTICS, of.address,
			"it answers, but tells no statistics: a proxy");
		judge_cas(&of);
	} else if (facts->status == MCP_OK) {
		judge_answers(&of, terms);
	} else {
		php_mcp_failure_judging_add(list, facts);
	}
}

/* A trait that may differ from server to server. */
typedef struct trait {
	bool (*is_told)(const mcp_server_facts *facts);
	bool (*is_same)(const mcp_server_facts *some, const mcp_server_facts *other);
} trait;

/* Finds the first that differs from the first that has told it. False if there is none. */
static bool find_different(const trait *which, const mcp_server_facts *facts, size_t count,
	const mcp_server_facts **first, const mcp_server_facts **other) {
	*first = NULL;
	for (*other = facts; *other < facts + count; (*other)++) {
		if (!which->is_told(*other)) {
			continue;
		}
		if (*first == NULL) {
			*first = *other;
		} else if (!which->is_same(*first, *other)) {
			return true;
		}
	}
	return false;
}

static bool tells_version(const mcp_server_facts *facts) {
	return *facts->version != '\0';
}

static bool is_same_version(const mcp_server_facts *some, const mcp_server_facts *other) {
	return strcmp(some->version, other->version) == 0;
}

static bool tells_size(const mcp_server_facts *facts) {
	return php_mcp_server_facts_has(facts, MCP_FACT_ITEM_SIZE);
}

static bool is_same_size(const mcp_server_facts *some, const mcp_server_facts *other) {
	return some->numbers[MCP_FACT_ITEM_SIZE] == other->numbers[MCP_FACT_ITEM_SIZE];
}

static void compare_versions(zval *list, const mcp_server_facts *facts, size_t count) {
	const mcp_server_facts *first, *other;
	if (find_different(&(trait){tells_version, is_same_version}, facts, count, &first, &other)) {
		php_mcp_findings_add(list, MCP_FINDING_DIFFERENT_VERSIONS, other->server->address,
			"it is memcached %s, and %s is %s", other->version, first->server->address,
			first->version);
	}
}

static void compare_sizes(zval *list, const mcp_server_facts *facts, size_t count) {
	char text[MCP_FINDING_TEXT_MAX], of_first[MCP_FINDING_TEXT_MAX];
	const mcp_server_facts *first, *other;
	if (find_different(&(trait){tells_size, is_same_size}, facts, count, &first, &other)) {
		php_mcp_findings_add(list, MCP_FINDING_DIFFERENT_ITEM_SIZES, other->server->address,
			"it takes values of up to %s, and %s of up to %s",
			php_mcp_findings_bytes(text, other->numbers[MCP_FACT_ITEM_SIZE]),
			first->server->address,
			php_mcp_findings_bytes(of_first, first->numbers[MCP_FACT_ITEM_SIZE]));
	}
}

void php_mcp_server_judging_compare(zval *list, const mcp_server_facts *facts, size_t count) {
	compare_versions(list, facts, count);
	compare_sizes(list, facts, count);
}
