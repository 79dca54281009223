# What the demo and the benchmarks need before they can begin: packages, the extension as a user would build
# it, a private memcached, and that nothing of it is left. Sourced by bin/demo and bench/*.
# SPDX-License-Identifier: MIT
# shellcheck shell=bash

. "$root/bin/lib/report.sh"
. "$root/bin/lib/packages.sh"
. "$root/bin/lib/extension.sh"

tool=${0#"$root"/}
tool=${tool#./}
logs=$root/.build/bench/logs
readers='' memcached='' others=() socket=''

fail() {
	echo "$tool: $1" >&2
	exit "${2:-1}"
}

# What of Debian's PHP the demo and the benchmarks have and nothing else; bin/test runs them with just that.
php_packages() {
	printf '%s\n' "$(php_package cli)" "$(php_package dev)"
	local module
	for module in "${compared_modules[@]}"; do
		php_package "$module"
	done
}

# Fewer packages than the tests need, one a line. A benchmark adds its own in `missing_tools`.
missing_packages() {
	missing_to_build
	missing_tools
}

missing_tools() {
	return 0
}

# What to compare with; what is not to be had is left out, and said.
missing_peers() {
	local module
	for module in "${compared_modules[@]}"; do
		has_php_module "$module" || php_package "$module"
	done
}

compared_modules=(memcached)

# As a user would: without the developers' switch, which makes every warning an error.
configure_extension() {
	(cd "$build/source" && "$phpize") || return 1
	(cd "$build/out" && CC=$compiler ../source/configure --quiet \
		--with-php-config="$(command -v "$php_config")" --with-mcpatterns)
}

export MCP_BENCH_VENDOR=$root/.build/bench/vendor

# Nothing of it stands in the tree: not even a composer.lock.
install_symfony() {
	local folder=$root/.build/bench/composer
	[ -e "$MCP_BENCH_VENDOR/autoload.php" ] && return 0
	has_command composer || return 1
	mkdir -p "$folder"
	cp "$root/bench/operations/composer.json" "$folder/composer.json"
	in_group "$logs/composer" env COMPOSER_VENDOR_DIR="$MCP_BENCH_VENDOR" composer install --no-interaction --no-progress --working-dir="$folder"
	[ -e "$MCP_BENCH_VENDOR/autoload.php" ]
}

# Two runs at once build one after the other.
build_for_use() {
	compiler=gcc
	find_php || exit 1
	build=$root/.build/bench/$("$php_config" --version)-$(basename "$("$php_config" --extension-dir)")
	extension=$build/out/modules/mcpatterns.so
	exec 9> "$root/.build/bench/lock"
	flock 9
	build_extension || fail "the extension could not be built"
	exec 9>&-
}

# start_at SOCKET: `memcached` is its process. setpriv: nothing outlives this script, even when it is killed.
start_at() {
	setpriv --pdeathsig KILL memcached -u "$(id -un)" -s "$1" -U 0 -m 64 -c 2048 > "$scratch/log" 2>&1 &
	memcached=$!
	for _ in $(seq 100); do
		[ -S "$1" ] && return 0
		kill -0 "$memcached" 2> /dev/null || break
		sleep 0.05
	done
	sed 's/^/    /' "$scratch/log" >&2
	fail "memcached did not start"
}

start_memcached() {
	socket=$scratch/memcached
	start_at "$socket"
}

# Three more, where operations/several.php looks for them.
start_other_memcacheds() {
	local first=$memcached number
	for number in 2 3 4; do
		start_at "$socket-$number"
		others+=("$memcached")
	done
	memcached=$first
}

clean_up() {
	trap '' INT TERM HUP
	stop_group
	for pid in "$readers" "$memcached" "${others[@]}"; do
		[ -z "$pid" ] || { kill -TERM "$pid" && wait "$pid"; } 2> /dev/null
	done
	rm -rf "$scratch"
}

# Installs and builds; with MCPATTERNS_BENCH_EXTENSION that file is measured, and nothing is installed for it.
build_or_take() {
	if [ -z "${MCPATTERNS_BENCH_EXTENSION:-}" ]; then
		ensure_packages && build_for_use
		return
	fi
	compiler=gcc
	find_php || return 1
	extension=$MCPATTERNS_BENCH_EXTENSION
}

# From here on `php`, `extension` and `socket` are there.
prepare() {
	scratch=$(mktemp -d "${TMPDIR:-/tmp}/mcp.XXXXXX") || exit 1
	at_end clean_up
	mkdir -p "$logs" || exit 1
	build_or_take || exit 1
	start_memcached
}

# Runs a command in the background, because bash hears a signal while it waits and not while a command runs.
run() {
	local status
	setpriv --pdeathsig TERM "$@" &
	readers=$!
	wait "$readers"
	status=$?
	readers=''
	return "$status"
}
