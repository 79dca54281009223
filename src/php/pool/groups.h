/* A list of servers as one store: its members, where each key goes, and the store over all of them.
 * Groups are kept with the thread's connections, because placing keys on many servers is costly to set up. */
/* SPDX-License-Identifier: MIT */
#ifndef MCP_PHP_GROUPS_H
#define MCP_PHP_GROUPS_H

#include "../../store/router.h"
#include "members.h"

typedef struct mcp_group mcp_group;

typedef struct mcp_group_options {
	const mcp_server *servers;
	size_t count;
	mcp_distribution distribution;
	mcp_member_settings settings;
} mcp_group_options;

/* Closes nothing: members belong to their own table, which must be destroyed later. */
void mcp_groups_init(HashTable *groups);

/* Belongs to the thread; equal options are one group. */
mcp_group *mcp_groups_share(const mcp_group_options *options);
/* With connections of its own; belongs to the caller. */
mcp_group *mcp_groups_own(const mcp_group_options *options);
/* Frees an owned group with its connections; leaves a shared one alone. */
void mcp_groups_free(mcp_group *group);

/* The group's servers as one store, and one of them. Valid while mcp_members_generation answers the
 * same. */
mcp_store *mcp_group_store(mcp_group *group);
mcp_store *mcp_group_server_store(mcp_group *group, size_t index);
size_t mcp_group_count(const mcp_group *group);
const mcp_server *mcp_group_server(const mcp_group *group, size_t index);
void mcp_group_close(mcp_group *group);

#endif
