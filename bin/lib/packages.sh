# Finds out which Debian packages the tests need and the machine lacks, installs just those, and unpacks applications without
# installing them. Sourced by bin/test and bench/*; asks the network only when something is missing.
# SPDX-License-Identifier: MIT
# shellcheck shell=bash

has_command() {
	command -v "$1" > /dev/null 2>&1
}

# Another PHP than the system's has what it has: Debian's modules are not for it.
has_php_module() {
	[ -n "${PHP_CONFIG:-}" ] || [ -e "$(php-config --extension-dir 2> /dev/null)/$1.so" ] || php -m 2> /dev/null | grep -qix "$1"
}

# The package of a PHP module, or of the FPM: of the PHP that is here, or before there is one of Debian's usual one.
php_package() {
	echo "php$(php -r 'echo PHP_MAJOR_VERSION, ".", PHP_MINOR_VERSION;' 2> /dev/null)-$1"
}

missing_php() {
	[ -z "${PHP_CONFIG:-}" ] || return 0
	has_command php || echo php-cli
	has_command phpize || php_package dev
}

has_libfuzzer() {
	ls "$(dirname "$(clang --rtlib=compiler-rt --print-libgcc-file-name 2> /dev/null)")"/libclang_rt.fuzzer* > /dev/null 2>&1
}

# What a build of the extension and a server want, one package a line.
missing_to_build() {
	missing_php
	has_command gcc && [ -e /usr/include/stdio.h ] || printf 'gcc\nlibc6-dev\n'
	has_command make || echo make
	has_command pkg-config || echo pkg-config
	pkg-config --exists libmemcached 2> /dev/null || echo libmemcached-dev
	pkg-config --exists zlib 2> /dev/null || echo zlib1g-dev
	pkg-config --exists libzstd 2> /dev/null || echo libzstd-dev
	has_command memcached || echo memcached
	has_command setpriv || echo util-linux
}

# What nothing works without.
missing_packages() {
	missing_to_build
	[ -e /usr/include/cmocka.h ] || echo libcmocka-dev
	has_command clang || echo clang
	has_command git || echo git
	has_command python3 || echo python3
	[ "$valgrind" = no ] || has_command valgrind || echo valgrind
	# clang's sanitizers come with it.
	[ "$compiler$fuzz_seconds" = gcc ] || has_libfuzzer || echo libclang-rt-dev
}

# What not every Debian has, and without which a test or check is skipped: the other extensions that
# compatibility tests compare with, only for the system's PHP, and the clang-format that decides.
missing_peers() {
	local module
	[ -n "$(find_clang_format)" ] || echo "clang-format-$deciding_clang_format"
	for module in igbinary msgpack memcached memcache; do
		has_php_module "$module" || php_package "$module"
	done
	! wants proxy || has_command nutcracker || echo nutcracker
	! wants musl || has_command musl-gcc || echo musl-tools
	if wants windows; then
		has_command x86_64-w64-mingw32-gcc || echo gcc-mingw-w64-x86-64
		[ -x /usr/lib/wine/wine64 ] || echo wine64
	fi
	! wants mediawiki || missing_for_mediawiki
	! wants wordpress || missing_for_wordpress
	! wants threads || missing_for_threads
	! wants dashboard || has_command chromium || echo chromium
	! wants docs || missing_for_docs
	! wants prose || has_command node || echo nodejs
	! wants prose || has_command npm || echo npm
	has_php_module pdo_sqlite || php_package sqlite3
	# PHPUnit and the frameworks of the adapters' tests, which composer brings as archives.
	has_php_module dom || php_package xml
	has_php_module mbstring || php_package mbstring
	has_command composer || echo composer
	has_command unzip || echo unzip
	[ -n "${PHP_CONFIG:-}" ] || ls /usr/sbin/php-fpm* > /dev/null 2>&1 || php_package fpm
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

# apt waits by itself for dpkg's lock, and not at all for those of its lists and its archives.
run_apt() {
	local log=$1 until=$((SECONDS + lock_timeout))
	shift
	until in_group "$log" as_root apt-get -q -y -o DPkg::Lock::Timeout="$lock_timeout" "$@"; do
		grep -qE 'Could not get lock|Unable to lock' "$log" && [ "$SECONDS" -lt "$until" ] || return 1
		sleep 1
	done
}

install_packages() {
	run_apt "$logs/apt" install --no-install-recommends "$@"
}

# Those that apt does not know are not to be had; while its lists are empty nothing is known.
possible_peers() {
	local peers
	mapfile -t peers < <(missing_peers)
	if [ -n "$(known_packages libmemcached-dev)" ]; then
		known_packages "${peers[@]}"
	elif [ "${#peers[@]}" -gt 0 ]; then
		printf '%s\n' "${peers[@]}"
	fi
}

lock_timeout=300

ensure_packages() {
	local missing peers
	missing=$(missing_packages | tr '\n' ' ')
	peers=$(possible_peers | tr '\n' ' ')
	[ -n "$missing$peers" ] || return 0
	if ! has_command apt-get || { [ "$(id -u)" -ne 0 ] && ! sudo -n true 2> /dev/null; }; then
		[ -n "$missing" ] || return 0
		cannot_install "$missing$peers" "there is no apt-get, or neither root nor a sudo without a password"
		return 1
	fi
	echo "installing   $missing$peers"
	# Of the peers, only what this release of Debian has: the lists may be empty before the update.
	if ! run_apt "$logs/apt-update" update; then
		[ -n "$missing" ] || { echo "             no network; going on without"; return 0; }
		show "$logs/apt-update" 20
		cannot_install "$missing$peers" "apt-get update failed"
		return 1
	fi
	# Twice: where apt is set to keep no archives, another apt's update empties the folder that this one installs from.
	# shellcheck disable=SC2046,SC2086
	if ! install_packages $missing $(known_packages $peers) && ! install_packages $missing $(known_packages $peers); then
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

download_packages() {
	cd "$1" && shift && apt-get -q download "$@" && ls -- *.deb
}

# unpack_once NAME MARK PACKAGE ...: into .build/NAME, where MARK is a file of theirs, without installing them. Why not is in $why_not.
unpack_once() {
	local name=$1 mark=$2 folder=$root/.build/$1.new package
	[ ! -e "$mark" ] || return 0
	has_command apt-get && has_command dpkg-deb || { why_not="there is no apt-get"; return 1; }
	rm -rf "$folder" "$root/.build/$name"
	mkdir -p "$folder"
	in_group "$logs/$name-package" download_packages "$folder" "${@:3}" ||
		{ why_not="no package $name can be had, see ${logs#"$root"/}/$name-package"; return 1; }
	for package in "$folder"/*.deb; do
		dpkg-deb -x "$package" "$folder" || { why_not="$package cannot be unpacked"; return 1; }
	done
	rm -f "$folder"/*.deb
	mv "$folder" "$root/.build/$name"
}
