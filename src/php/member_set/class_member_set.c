/* The class McPatterns\MemberSet: its methods, and reading and writing shards. */
/* SPDX-License-Identifier: MIT */
#include "class_member_set.h"

#include "../host/environment.h"
#include "../objects/classes.h"
#include "../objects/object.h"
#include "../objects/failure.h"
#include "../objects/options.h"
#include "../pool/class_pool.h"

#include "class_member_set_arginfo.h"

/* Maximum length of a member in bytes. */
#define MCP_MEMBER_MAX 65536

/* Arguments of the pattern, on the stack of a method. Renew them after user code has run. */
typedef struct mcp_member_set_call {
	const mcp_member_set_object *object;
	mcp_member_set set;
} mcp_member_set_call;

/* 1 in N calls of has() on a long item checks whether to compact it, because the check reads the whole item. */
#define LOOKS_TO_A_REPLAY 16

static void *allocate(size_t size) {
	return emalloc(size);
}

static void release_memory(void *memory) {
	efree(memory);
}

const mcp_member_memory php_mcp_member_set_memory = {allocate, release_memory};

bool php_mcp_member_set_judge_member(const zend_string *member, uint32_t arg_num) {
	if (ZSTR_LEN(member) == 0) {
		zend_argument_value_error(arg_num, "must not be empty");
		return false;
	}
	if (ZSTR_LEN(member) > MCP_MEMBER_MAX) {
		zend_argument_value_error(arg_num, "must be at most %d bytes long, %zu given",
			MCP_MEMBER_MAX, ZSTR_LEN(member));
		return false;
	}
	return true;
}

/* Apply one operation to these members: 1 round trip for each shard that has any of the members. Stops at the first
 * failure. */
static mcp_status apply_to_members(const mcp_member_set *set, bool is_add, zend_string **members,
	uint32_t count) {
	size_t most = 0;
	for (uint32_t i = 0; i < count; i++) {
		most += mcp_member_op_length(ZSTR_LEN(members[i]));
	}
	char *ops = emalloc(most + 1);
	mcp_status status = MCP_OK;
	for (uint32_t shard = 0; shard < set->shards && status == MCP_OK; shard++) {
		char *to = ops;
		for (uint32_t i = 0; i < count; i++) {
			mcp_member_op op = {is_add, php_mcp_bytes_of(members[i])};
			if (mcp_member_set_shard_of(set, op.member) == shard) {
				to = mcp_member_op_write(&op, to);
			}
		}
		mcp_bytes written = mcp_bytes_of(ops, (size_t)(to - ops));
		if (written.length > 0) {
			status = is_add ? mcp_member_set_add(set, shard, written)
							: mcp_member_set_remove(set, shard, written);
		}
	}
	efree(ops);
	return status;
}

/* Read all shards. Free with efree(scratch.keys). */
static mcp_read_scratch read_shards(const mcp_member_set *set) {
	mcp_read_scratch scratch = php_mcp_read_scratch_make(set->shards, 0);
	for (uint32_t i = 0; i < set->shards; i++) {
		scratch.keys[i] = mcp_member_set_key(set, &scratch.buffers[i], i);
	}
	mcp_store_get_many(set->store, scratch.keys, set->shards, scratch.replies);
	return scratch;
}

static void add_members(zval *list, const mcp_members *members) {
	mcp_bytes member;
	for (size_t entry = 0; mcp_members_next(members, &entry, &member);) {
		add_next_index_stringl(list, member.data, member.length);
	}
}

/* Read a shard. Wasteful shards are compacted after all shards have been read, because a compaction can invalidate
 * views. */
static mcp_status read_shard(const mcp_member_set *set, const mcp_op *reply, zval *list,
	size_t *count, bool *is_wasteful) {
	mcp_member_shard shard;
	mcp_status status = mcp_member_set_parse(reply, &shard);
	if (status != MCP_OK || shard.ops_count == 0) {
		return status;
	}
	mcp_members members;
	void *memory = mcp_member_set_replay(set, &shard, &members);
	*count += members.count;
	*is_wasteful = mcp_member_set_is_wasteful(set, &members);
	if (list != NULL) {
		add_members(list, &members);
	}
	efree(memory);
	return MCP_OK;
}

mcp_status php_mcp_member_set_read(const mcp_member_set *set, zval *list, size_t *count) {
	mcp_read_scratch scratch = read_shards(set);
	mcp_status status = MCP_OK;
	uint32_t wasteful = set->shards; /* index of the last wasteful shard; set->shards: none */
	*count = 0;
	if (list != NULL) {
		array_init(list);
	}
	for (uint32_t i = 0; i < set->shards && status == MCP_OK; i++) {
		bool is_wasteful = false;
		status = read_shard(set, &scratch.replies[i], list, count, &is_wasteful);
		wasteful = is_wasteful ? i : wasteful;
	}
	mcp_member_shard shard;
	if (status == MCP_OK && wasteful < set->shards &&
		mcp_member_set_parse(&scratch.replies[wasteful], &shard) == MCP_OK) {
		mcp_member_set_compact(set, wasteful, &shard);
	}
	efree(scratch.keys);
	if (status != MCP_OK && list != NULL) {
		zval_ptr_dtor(list);
		ZVAL_UNDEF(list);
	}
	return status;
}

static void compact_if_wasteful(const mcp_member_set *set, uint32_t number,
	const mcp_member_shard *shard) {
	mcp_members members;
	void *memory = mcp_member_set_replay(set, shard, &members);
	bool is_wasteful = mcp_member_set_is_wasteful(set, &members);
	efree(memory);
	if (is_wasteful) {
		mcp_member_set_compact(set, number, shard);
	}
}

static mcp_status find_member(const mcp_member_set *set, const zend_string *member, bool *is_in) {
	mcp_key_buffer buffer;
	uint32_t number = mcp_member_set_shard_of(set, php_mcp_bytes_of(member));
	mcp_key key = mcp_member_set_key(set, &buffer, number);
	mcp_op reply;
	mcp_member_shard shard;
	reply.status = mcp_store_get(set->store, &key, &reply.item);
	mcp_status status = mcp_member_set_parse(&reply, &shard);
	if (status != MCP_OK) {
		return status;
	}
	*is_in = mcp_member_ops_have(shard.ops, php_mcp_bytes_of(member));
	if (shard.ops.length > set->compact_above &&
		mcp_random_u64(set->environment) % LOOKS_TO_A_REPLAY == 0) {
		compact_if_wasteful(set, number, &shard);
	}
	return MCP_OK;
}

#define SHARDS_MAX 256

bool php_mcp_member_set_object_construct(zend_execute_data *execute_data,
	mcp_member_set_object *object, mcp_key_space space) {
	zend_object *pool_object;
	zend_string *name;
	zval *ttl = NULL;
	zend_long shards = 1;
	ZEND_PARSE_PARAMETERS_START(2, 4)
		Z_PARAM_OBJ_OF_CLASS(pool_object, php_mcp_pool_class_entry)
		Z_PARAM_STR(name)
		Z_PARAM_OPTIONAL
		Z_PARAM_ZVAL(ttl)
		Z_PARAM_LONG(shards)
	ZEND_PARSE_PARAMETERS_END_EX(return false);

	uint64_t ttl_ms = 0;
	mcp_pool *pool = php_mcp_named_object_judge(pool_object, name);
	/* Parse the duration, which can run a deprecation handler, before checking that the object is new. */
	if (pool == NULL || !php_mcp_options_is_between(4, shards, 1, SHARDS_MAX) ||
		(ttl != NULL && !php_mcp_duration_parse(ttl, 3, MCP_DURATION_ANY, &ttl_ms)) ||
		!php_mcp_object_require_new(&object->named.std, object->named.pool)) {
		return false;
	}
	object->ttl_ms = ttl_ms;
	object->shards = (uint32_t)shards;
	php_mcp_named_object_construct(&object->named, space, pool, name);
	return true;
}

void php_mcp_member_set_object_show(const mcp_named_object *named, zval *info) {
	const mcp_member_set_object *object = (const mcp_member_set_object *)((const char *)named -
		offsetof(mcp_member_set_object, named));
	php_mcp_object_add_seconds(Z_ARRVAL_P(info), "ttl", object->ttl_ms);
	add_assoc_long(info, "shards", object->shards);
}

/* Begin a call. Returns false with an Error if the object was never constructed. */
static bool begin_set_call(mcp_member_set_call *call, zend_object *std) {
	const mcp_member_set_object *object = php_mcp_named_object_get(std);
	if (object == NULL) {
		return false;
	}
	call->object = object;
	call->set = (mcp_member_set){
		.store = php_mcp_pool_store(object->named.pool),
		.environment = php_mcp_environment_get(),
		.key = &object->named.kept.key,
		.memory = php_mcp_member_set_memory,
		.ttl_ms = object->ttl_ms,
		.shards = object->shards,
		.compact_above = MCP_MEMBER_SET_COMPACT_ABOVE,
	};
	return true;
}

static void throw_set_failure(const mcp_member_set_call *call, mcp_status status,
	const char *action) {
	mcp_bytes shown = php_mcp_bytes_of(call->object->named.name);
	if (status == MCP_NOT_STORED) {
		php_mcp_failure_throw_about(php_mcp_stored_value_exception, "The member set", shown,
			"has no space for the change: a shard is full (use more shards), or the server is out of memory");
		return;
	}
	/* Each shard has its own server. With one shard, report that server. */
	mcp_key_buffer buffer;
	mcp_key key = mcp_member_set_key(&call->set, &buffer, 0);
	php_mcp_failure_throw(status, action, shown,
		php_mcp_failure_server(status, call->set.store, call->set.shards == 1 ? &key : NULL));
}

ZEND_METHOD(McPatterns_MemberSet, __construct) {
	(void)return_value;
	php_mcp_member_set_object_construct(execute_data,
		php_mcp_named_object_derived(Z_OBJ_P(ZEND_THIS)), MCP_SPACE_SET);
}

/* Read the parameter `string ...$members` in place, which can run user code. The caller frees the array. Returns NULL
 * with an exception. */
static zend_string **read_members(zval *arguments, uint32_t count) {
	zend_string **members = safe_emalloc(count, sizeof(*members), 1);
	for (uint32_t i = 0; i < count; i++) {
		if (!php_mcp_options_read_variadic_text(i + 1, &arguments[i], &members[i]) ||
			!php_mcp_member_set_judge_member(members[i], i + 1)) {
			efree(members);
			return NULL;
		}
	}
	return members;
}

static void change(INTERNAL_FUNCTION_PARAMETERS, bool is_add, const char *action) {
	zval *arguments;
	uint32_t count;
	(void)return_value;
	ZEND_PARSE_PARAMETERS_START(0, -1)
		Z_PARAM_VARIADIC('*', arguments, count)
	ZEND_PARSE_PARAMETERS_END();

	zend_string **members = read_members(arguments, count);
	mcp_member_set_call call;
	if (members == NULL) {
		RETURN_THROWS();
	}
	if (begin_set_call(&call, Z_OBJ_P(ZEND_THIS))) {
		mcp_status status = apply_to_members(&call.set, is_add, members, count);
		if (status != MCP_OK) {
			throw_set_failure(&call, status, action);
		}
	}
	efree(members);
}

ZEND_METHOD(McPatterns_MemberSet, add) {
	change(INTERNAL_FUNCTION_PARAM_PASSTHRU, true, "add to the member set");
}

ZEND_METHOD(McPatterns_MemberSet, remove) {
	change(INTERNAL_FUNCTION_PARAM_PASSTHRU, false, "remove from the member set");
}

ZEND_METHOD(McPatterns_MemberSet, has) {
	zend_string *member;
	ZEND_PARSE_PARAMETERS_START(1, 1)
		Z_PARAM_STR(member)
	ZEND_PARSE_PARAMETERS_END();

	mcp_member_set_call call;
	if (!begin_set_call(&call, Z_OBJ_P(ZEND_THIS)) || !php_mcp_member_set_judge_member(member, 1)) {
		RETURN_THROWS();
	}
	bool is_in = false;
	mcp_status status = find_member(&call.set, member, &is_in);
	if (status != MCP_OK) {
		throw_set_failure(&call, status, "read the member set");
		RETURN_THROWS();
	}
	RETURN_BOOL(is_in);
}

/* Count the members, and list them unless `list` is NULL. */
static size_t read_set(zend_object *std, zval *list) {
	size_t count = 0;
	mcp_member_set_call call;
	if (begin_set_call(&call, std)) {
		mcp_status status = php_mcp_member_set_read(&call.set, list, &count);
		if (status != MCP_OK) {
			throw_set_failure(&call, status, "read the member set");
		}
	}
	return count;
}

ZEND_METHOD(McPatterns_MemberSet, members) {
	ZEND_PARSE_PARAMETERS_NONE();
	read_set(Z_OBJ_P(ZEND_THIS), return_value);
}

ZEND_METHOD(McPatterns_MemberSet, count) {
	ZEND_PARSE_PARAMETERS_NONE();
	RETURN_LONG((zend_long)read_set(Z_OBJ_P(ZEND_THIS), NULL));
}

ZEND_METHOD(McPatterns_MemberSet, clear) {
	ZEND_PARSE_PARAMETERS_NONE();
	mcp_member_set_call call;
	if (!begin_set_call(&call, Z_OBJ_P(ZEND_THIS))) {
		RETURN_THROWS();
	}
	mcp_status status = MCP_OK;
	for (uint32_t i = 0; i < call.set.shards && (status == MCP_OK || status == MCP_NOT_FOUND);
		 i++) {
		mcp_key_buffer buffer;
		mcp_key key = mcp_member_set_key(&call.set, &buffer, i);
		status = mcp_store_delete(call.set.store, &key);
	}
	if (status != MCP_OK && status != MCP_NOT_FOUND) {
		throw_set_failure(&call, status, "clear the member set");
	}
}

void php_mcp_class_member_set_register(void) {
	static mcp_named_class set = {
		.offset = offsetof(mcp_member_set_object, named),
		.show = php_mcp_member_set_object_show,
	};
	php_mcp_named_class_register(&set, register_class_McPatterns_MemberSet());
}
