# Finds out which Debian packages the tests need and the machine lacks, and installs just those. Sourced by
# bin/test; asks the network only when something is missing.
# SPDX-License-Identifier: MIT
# shellcheck shell=bash

has_command() {
	command -v "$1" > /dev/null 2>&1
}

has_php_module() {
	[ -e "$(php-config --extension-dir 2> /dev/null)/$1.so" ] || php -m 2> /dev/null | grep -qix "$1"
}

has_libfuzzer() {
	local probe status
	probe=$(mktemp -d)
	echo 'int LLVMFuzzerTestOneInput(const unsigned char *b, unsigned long n) { return b && n ? 0 : 0; }' > "$probe/f.c"
	clang -fsanitize=fuzzer,address "$probe/f.c" -o "$probe/f" > /dev/null 2>&1
	status=$?
	rm -rf "$probe"
	return "$status"
}

# What nothing works without, one package a line.
missing_packages() {
	if [ -z "${PHP_CONFIG:-}" ]; then
		has_command php || echo php-cli
		has_command phpize || echo php-dev
	fi
	has_command gcc && [ -e /usr/include/stdio.h ] || printf 'gcc\nlibc6-dev\n'
	has_command make || echo make
	has_command pkg-config || echo pkg-config
	pkg-config --exists libmemcached 2> /dev/null || echo libmemcached-dev
	[ -e /usr/include/cmocka.h ] || echo libcmocka-dev
	has_command memcached || echo memcached
	has_command clang || echo clang
	has_command clang-format || echo clang-format
	has_command git || echo git
	has_command setpriv || echo util-linux
	[ "$valgrind" = no ] || has_command valgrind || echo valgrind
	[ "$need_libfuzzer" = no ] || has_libfuzzer || echo libclang-rt-dev
}

# The other extensions that compatibility tests compare with; a test whose extension is not there is
# skipped. Only for the system's PHP.
missing_peers() {
	[ -z "${PHP_CONFIG:-}" ] || return 0
	has_php_module igbinary || echo php-igbinary
	has_php_module msgpack || echo php-msgpack
	has_php_module memcached || echo php-memcached
	has_php_module memcache || echo php-memcache
	has_php_module pdo_sqlite || echo php-sqlite3
	ls /usr/sbin/php-fpm* > /dev/null 2>&1 || echo php-fpm
}

as_root() {
	if [ "$(id -u)" -eq 0 ]; then
		env DEBIAN_FRONTEND=noninteractive "$@"
	else
		sudo -n env DEBIAN_FRONTEND=noninteractive "$@"
	fi
}


# Those of the named packages that apt knows.
known_packages() {
	local package
	for package in "$@"; do
		apt-cache show "$package" > /dev/null 2>&1 && echo "$package"
	done
}

cannot_install() {
	echo "${tool:-bin/test}: these packages are missing: $1" >&2
	echo "${tool:-bin/test}: $2; install them and run again, or as root:" >&2
	echo "    apt-get install --no-install-recommends $1" >&2
}

ensure_packages() {
	local missing peers
	missing=$(missing_packages | tr '\n' ' ')
	peers=$(missing_peers | tr '\n' ' ')
	[ -n "$missing$peers" ] || return 0
	if ! has_command apt-get || { [ "$(id -u)" -ne 0 ] && ! sudo -n true 2> /dev/null; }; then
		[ -n "$missing" ] || return 0
		cannot_install "$missing$peers" "there is no apt-get, or neither root nor a sudo without a password"
		return 1
	fi
	echo "installing   $missing$peers"
	# Of the peers, only what this release of Debian has: the lists may be empty before the update.
	if ! in_group "$logs/apt-update" as_root apt-get -q -y update; then
		[ -n "$missing" ] || { echo "             no network; going on without"; return 0; }
		show "$logs/apt-update" 20
		cannot_install "$missing$peers" "apt-get update failed"
		return 1
	fi
	# shellcheck disable=SC2046,SC2086
	if ! in_group "$logs/apt" as_root apt-get -q -y install --no-install-recommends $missing $(known_packages $peers); then
		show "$logs/apt" 20
		cannot_install "$missing$peers" "apt-get install failed"
		return 1
	fi
	hash -r
	missing=$(missing_packages | tr '\n' ' ')
	[ -z "$missing" ] && return 0
	cannot_install "$missing" "apt-get ran, and they are still missing"
	return 1
}
