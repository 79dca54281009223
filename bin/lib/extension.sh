# Builds the extension in developer mode outside the tree, and again only what changed. Sourced by bin/test.
# SPDX-License-Identifier: MIT
# shellcheck shell=bash

# The newest releases that have compiled all of this without a warning: theirs, and older ones', are errors. What a newer
# one warns of is reported, and stops nobody.
newest_known_gcc=16
newest_known_clang=21

is_known_compiler() {
	local newest=$newest_known_gcc
	case "$("$1" --version 2> /dev/null)" in *clang*) newest=$newest_known_clang ;; esac
	[ "$("$1" -dumpversion 2> /dev/null | cut -d. -f1)" -le "$newest" ] 2> /dev/null
}

# What makes an error of this compiler's warnings, or nothing: for the Makefiles' WERROR and the checks.
strictness() {
	! is_known_compiler "$1" || echo -Werror
}

# What an unknown compiler has warned of, in the logs that are named.
report_warnings() {
	local warnings
	! is_known_compiler "$compiler" || return 0
	warnings=$(grep -hE ': warning: ' "$@" 2> /dev/null | sort -u)
	[ -n "$warnings" ] || return 0
	echo "  warnings of $compiler $("$compiler" -dumpversion), which is newer than those that are known:"
	head -n 20 <<< "$warnings" | sed 's/^/    /'
}

# How the extension is built, and what PHP's environment has beside what is there.
extension_flags='-g1 -O2' developer_mode=--enable-mcpatterns-dev configure_options=()
php_environment=()

# Which transport the tests' Pools have: the constructor's default is compiled in. Adds to `build`,
# `extension_flags` and `configure_options`, which the caller has set; $1: the transport where --transport does not say.
choose_transport() {
	if [ "${without_libmemcached:-no}" = yes ]; then
		build=$build-without-libmemcached
		configure_options=(--without-mcpatterns-libmemcached)
	elif [ "${transport:-$1}" = direct ]; then
		build=$build-direct
		extension_flags="$extension_flags -DMCP_DIRECT_BY_DEFAULT"
	fi
	extension=$build/out/modules/mcpatterns.so
}

# phpize writes into the folder it is called in, and configure's objects lie beside their sources; so
# phpize is called in a folder of links to the tree, and configure in another.
find_php() {
	php_config=${PHP_CONFIG:-php-config}
	phpize=${php_config%php-config*}phpize${php_config##*php-config}
	php=$("$php_config" --php-binary 2> /dev/null)
	if [ ! -x "$php" ] || ! has_command "$phpize"; then
		echo "${tool:-bin/test}: $php_config, $phpize and PHP's binary must all be there" >&2
		return 1
	fi
	build=$root/.build/extension/$("$php_config" --version)-$(basename "$("$php_config" --extension-dir)")-$(basename "$compiler")
	choose_transport libmemcached
}

# The build whose Pools are direct, and wait for a handshake as a busy machine needs it; for the caller, who has made `build`,
# `extension`, `extension_flags` and `php_environment` local. Its PHP shows servers with TLS the certificates that lie beside it.
choose_tls() {
	local transport=direct
	build=$root/.build/extension/$("$php_config" --version)-$(basename "$("$php_config" --extension-dir)")-$(basename "$compiler")-tls
	extension_flags='-g1 -O2 -DMCP_DEFAULT_CONNECT_TIMEOUT_S=2.0'
	choose_transport direct
	php_environment=(LD_PRELOAD="$build/show_certificates.so" MCPATTERNS_TLS="$build/certificates")
}

# Made anew for each run: they are valid for a month. All users may read them, for tests that leave root.
make_certificates() {
	mkdir -p "$build/certificates" "$logs" &&
		"$php" -n -r 'require $argv[1]; new TestCertificates($argv[2]);' "$root/tests/_support/certificates.inc" "$build/certificates" > "$logs/certificates" 2>&1 &&
		chmod -R a+rX "$build/certificates"
}

# Without the libraries' headers: what is preloaded finds them in the process.
build_tls() {
	local plain=$build build extension extension_flags php_environment logs=$logs/tls
	choose_tls
	php_environment=() # the build needs none
	mkdir -p "$build" "$logs"
	# shellcheck disable=SC2086
	gcc -shared -fPIC -O1 -Wl,-z,lazy -Wall -Wextra $WERROR "$root/tests/_support/show_certificates.c" -o "$build/show_certificates.so" &&
		configure_once && borrow_objects "$plain" 'MCP_DEFAULT_' && make_extension && load_extension
}

link_source() {
	local entry
	mkdir -p "$build/source" "$build/out"
	for entry in config.m4 Makefile.frag mcpatterns.c php_mcpatterns.h src; do
		ln -sfn "$root/$entry" "$build/source/$entry"
	done
}

# What the generated Makefile depends on.
configuration() {
	"$php_config" --version
	echo "$compiler $extension_flags $developer_mode ${configure_options[*]}"
	pkg-config --modversion zlib libzstd 2>&1
	cksum < "$root/config.m4"
	cksum < "$root/Makefile.frag"
	ls -l --time-style=full-iso "$(command -v "$phpize")"
}

configure_extension() {
	(cd "$build/source" && "$phpize") || return 1
	(cd "$build/out" && CC=$compiler CFLAGS=$extension_flags ../source/configure --quiet \
		--with-php-config="$(command -v "$php_config")" --with-mcpatterns "$developer_mode" "${configure_options[@]}")
}

# Builds what a compiler alone can: without every library. Only what asks for one is compiled again; the rest is as in the
# build that is there. Sets `build` and `extension`, which the caller has made local.
build_without_libraries() {
	local plain=$build logs=$logs/without
	local configure_options=(--without-mcpatterns-libmemcached --without-mcpatterns-zlib --without-mcpatterns-zstd)
	build=$build-without
	extension=$build/out/modules/mcpatterns.so
	mkdir -p "$logs"
	configure_once && borrow_objects "$plain" 'HAVE_MCPATTERNS_|MCP_DEFAULT_TRANSPORT' && make_extension && load_extension
}

# Proves that configure says what both ways out are where libmemcached is not to be had.
refuses_with_advice() {
	local said status=0
	mkdir -p "$build/refused"
	said=$(cd "$build/refused" && PKG_CONFIG_LIBDIR=/nonexistent PKG_CONFIG_PATH='' ../source/configure --quiet \
		--with-php-config="$(command -v "$php_config")" --with-mcpatterns 2>&1) || status=1
	[ "$status" -eq 1 ] && [[ $said == *'apt-get install pkg-config libmemcached-dev'* ]] &&
		[[ $said == *'configure --without-mcpatterns-libmemcached'* ]] && return
	echo "configure without libmemcached (status $status) says: $said"
	return 1
}

# borrow_objects BUILD PATTERN: takes another build's, but of the files with this pattern. Their times say that they are newer
# than their sources, which they are in the other build, too: it has just been made.
borrow_objects() {
	local plain=$1 pattern=$2
	(cd "$plain/out" && find . \( -name '*.o' -o -name '*.lo' \) -print0 | tar --null -cf - -T -) | tar -xf - -C "$build/out" || return 1
	(cd "$root" && grep -lE "$pattern" $(tree_sources)) | sed 's/c$/lo/' |
		(cd "$build/out" && xargs rm -f)
	find "$build/out" -name '*.lo' -exec touch {} +
}

configure_once() {
	link_source
	if [ ! -e "$build/out/Makefile" ] || [ "$(configuration)" != "$(cat "$build/configured" 2> /dev/null)" ]; then
		rm -rf "$build/out" "$build/configured"
		mkdir -p "$build/out"
		in_group "$logs/configure" configure_extension || { explain_failure configure; return 1; }
		configuration > "$build/configured"
	fi
}

# Reads PHP's headers, most of what each file of src/php includes, once for all that make_extension compiles of them. Not in the plain
# build of --full, which shows that each file includes what it needs. The caller has made `headers` local.
read_headers_once() {
	local command
	headers=$build/out/php_headers.h
	[ ! -e "$headers.gch" ] || return 0
	command=$(make -s -Bn -C "$build/out" LIBTOOL= mcpatterns.lo | sed -n 's/.*--mode=compile \(.*\) -c .*/\1/p')
	echo '#include "php.h"' > "$headers"
	# shellcheck disable=SC2086
	(cd "$build/out" && $command -fPIC -DPIC -x c-header "$headers" -o "$headers.gch")
}

make_extension() {
	# make goes by the .la file alone.
	[ -e "$extension" ] || rm -f "${extension%.so}.la"
	HEADERS=${headers:-} in_group "$logs/make" make -C "$build/out" -j "$(nproc)" LIBTOOL="$root/bin/lib/libtool" || { explain_failure make; return 1; }
	[ -e "$extension" ] || { explain_failure make; return 1; }
}

load_extension() {
	in_group "$logs/load" env "${php_environment[@]}" "$php" -n -d extension="$extension" --ri mcpatterns || { explain_failure load; return 1; }
}

build_extension() {
	local headers=
	configure_once && { [ "${quick:-no}" = no ] || read_headers_once; } && make_extension && load_extension
}

explain_failure() {
	echo "  FAILED: $1"
	grep -nE 'error:|warning:|Error|undefined|cannot|needs' "$logs/$1" | sed 's/^/    /' | head -40
	tail -n 15 "$logs/$1" | sed 's/^/    | /'
	echo "    all of it is in ${logs#"$root"/}/$1"
}

# The other compiler's opinion, without building anything. It blames what PHP's macros declare on the line
# that uses them; so in src/php the missing prototypes and unused parameters are gcc's to find. PHP's headers, which are
# most of what each file of src/php includes, are read once for all.
compile_with_clang() {
	local includes common headers=$root/.build/clang-headers
	includes=$("$php_config" --includes | sed 's/-I/-isystem /g')
	common="$(strictness clang) -DHAVE_MCPATTERNS_LIBMEMCACHED -DHAVE_MCPATTERNS_ZLIB -DHAVE_MCPATTERNS_ZSTD -std=gnu11 -Wall -Wextra -Wshadow -Wstrict-prototypes -Wmissing-prototypes"
	common+=" -DCOMPILE_DL_MCPATTERNS=1 -DZEND_COMPILE_DL_EXT=1 -I$root $includes $(pkg-config --cflags libmemcached)"
	mkdir -p "$headers"
	echo '#include "php.h"' > "$headers/php_headers.h"
	# shellcheck disable=SC2086
	clang $common -x c-header "$headers/php_headers.h" -o "$headers/php_headers.pch" || return 1
	tree_sources | grep -E '^(mcpatterns\.c|src/php/.*)$' | (cd "$root" &&
		xargs -P "$(nproc)" -n 8 clang -fsyntax-only $common -Wno-unused-parameter -Wno-missing-prototypes -include-pch "$headers/php_headers.pch") || return 1
	tree_sources | grep -vE '^(mcpatterns\.c|src/php/.*)$' | (cd "$root" && xargs -P "$(nproc)" -n 16 clang -fsyntax-only $common)
}
