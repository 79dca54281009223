dnl Configures the extension for phpize: finds libmemcached unless it is not wanted, refuses what is too old, and
dnl names every source file. tools/gen-lists writes the list.
dnl SPDX-License-Identifier: MIT

PHP_ARG_WITH([mcpatterns],
  [for mcpatterns support],
  [AS_HELP_STRING([--with-mcpatterns],
    [Include mcpatterns: caching patterns over memcached])])

PHP_ARG_WITH([mcpatterns-libmemcached],
  [whether mcpatterns has libmemcached],
  [AS_HELP_STRING([--without-mcpatterns-libmemcached],
    [mcpatterns: no libmemcached and no Transport::Libmemcached, only Transport::Direct])],
  [yes],
  [no])

PHP_ARG_WITH([mcpatterns-zlib],
  [whether mcpatterns compresses with zlib],
  [AS_HELP_STRING([--without-mcpatterns-zlib],
    [mcpatterns: no zlib, even if pkg-config finds it])],
  [auto],
  [no])

PHP_ARG_WITH([mcpatterns-zstd],
  [whether mcpatterns compresses with zstd],
  [AS_HELP_STRING([--without-mcpatterns-zstd],
    [mcpatterns: no zstd, even if pkg-config finds it])],
  [auto],
  [no])

PHP_ARG_ENABLE([mcpatterns-dev],
  [whether mcpatterns' own warnings are errors],
  [AS_HELP_STRING([--enable-mcpatterns-dev],
    [mcpatterns: enable compiler warnings as errors; =warn: as warnings])],
  [no],
  [no])

mcpatterns_sources="
	mcpatterns.c
	src/core/backoff.c
	src/core/bytes.c
	src/core/discovery/registry.c
	src/core/envelope/envelope.c
	src/core/envelope/foreign.c
	src/core/envelope/signature.c
	src/core/fastlz.c
	src/core/holders/holders.c
	src/core/items/item_head.c
	src/core/items/log_record.c
	src/core/items/member_ops.c
	src/core/items/sketch.c
	src/core/items/window.c
	src/core/key/key.c
	src/core/md5.c
	src/core/metrics/metrics.c
	src/core/near/shm_cache.c
	src/core/protocol/answer.c
	src/core/serialized/serialized.c
	src/core/serialized/serialized_igbinary.c
	src/core/session/session_parts.c
	src/core/sha256/sha256.c
	src/core/sha256/sha256_instructions.c
	src/core/sha256/sha256_portable.c
	src/core/waking/wakeups.c
	src/patterns/append.c
	src/patterns/cache/election/cache_claim.c
	src/patterns/cache/election/cache_election.c
	src/patterns/cache/entry/cache_envelope.c
	src/patterns/cache/entry/cache_meter.c
	src/patterns/cache/entry/cache_tags.c
	src/patterns/cache/guarded/cache_guarded.c
	src/patterns/cache/look/cache_look.c
	src/patterns/cache/look/cache_near.c
	src/patterns/cache/write/cache_expire.c
	src/patterns/cache/write/cache_set_many.c
	src/patterns/cache/write/cache_write.c
	src/patterns/copies/copies_read.c
	src/patterns/copies/copies_write.c
	src/patterns/counter/counter.c
	src/patterns/discovery/discovered.c
	src/patterns/event_log/event_log.c
	src/patterns/lock/late_locks.c
	src/patterns/lock/lock.c
	src/patterns/lock/semaphore.c
	src/patterns/member_set/member_set.c
	src/patterns/online_counter/online_counter.c
	src/patterns/rate_limiter/rate_limiter.c
	src/patterns/session/session_lock.c
	src/patterns/session/session_write.c
	src/patterns/table/table.c
	src/patterns/unique_visitors/unique_visitors.c
	src/patterns/waiting.c
	src/php/audit/class_audit.c
	src/php/cache/claims/cache_claims.c
	src/php/cache/class_cache.c
	src/php/cache/entry/class_entry.c
	src/php/cache/many/cache_many.c
	src/php/cache/many/cache_many_write.c
	src/php/cache/near/cache_nearby.c
	src/php/cache/object/cache_memo.c
	src/php/cache/object/cache_object.c
	src/php/cache/reads/kept_reads.c
	src/php/cache/remember/after_response.c
	src/php/cache/remember/remember.c
	src/php/cache/remember/remember_call.c
	src/php/cache/remember/remember_many.c
	src/php/cache/value/cache_value.c
	src/php/clock/class_clock.c
	src/php/counter/class_counter.c
	src/php/engine/bailout.c
	src/php/engine/computing.c
	src/php/engine/interrupt.c
	src/php/engine/user.c
	src/php/engine/user_call.c
	src/php/engine/value_watch.c
	src/php/event_log/class_event_log.c
	src/php/host/environment.c
	src/php/host/give_back.c
	src/php/host/process.c
	src/php/host/shared_access.c
	src/php/host/shared_memory.c
	src/php/key/class_key.c
	src/php/key/key_drift.c
	src/php/library/library.c
	src/php/lock/class_lock.c
	src/php/lock/lock_object.c
	src/php/mc/class_mc.c
	src/php/member_set/class_member_set.c
	src/php/metrics/class_metrics.c
	src/php/metrics/meters.c
	src/php/objects/enums.c
	src/php/objects/failure.c
	src/php/objects/object.c
	src/php/objects/options.c
	src/php/online_counter/class_online_counter.c
	src/php/pool/class_pool.c
	src/php/pool/diagnosis/diagnosis.c
	src/php/pool/pool.c
	src/php/pool/pool_listener.c
	src/php/pool/servers/connections.c
	src/php/pool/servers/discovery.c
	src/php/pool/servers/idle_table.c
	src/php/pool/servers/parsing/server.c
	src/php/pool/servers/server_access.c
	src/php/pool/servers/server_sets.c
	src/php/pooled/pooled_object.c
	src/php/rate_limiter/class_rate_limiter.c
	src/php/session/class_session_handler.c
	src/php/session/open_session.c
	src/php/session/session_module.c
	src/php/settings/settings.c
	src/php/table/class_table.c
	src/php/tls/tls_options.c
	src/php/tls/tls_stream.c
	src/php/unique_visitors/class_unique_visitors.c
	src/php/value/compressors.c
	src/php/value/format.c
	src/php/value/serializers.c
	src/php/value/value.c
	src/store/cluster/router.c
	src/store/cluster/sorting.c
	src/store/cluster/store_cluster.c
	src/store/failover/failover_marks.c
	src/store/failover/server_health.c
	src/store/failover/store_failover.c
	src/store/memory/memory_server.c
	src/store/memory/store_memory.c
	src/store/reason.c
	src/store/server/connection.c
	src/store/server/connection_write.c
	src/store/server/exchange.c
	src/store/server/inquiry.c
	src/store/server/stat_lines.c
	src/store/store.c
	src/store/wire/addresses.c
	src/store/wire/direct/wire_direct.c
	src/store/wire/direct/wire_direct_cluster.c
	src/store/wire/direct/wire_direct_line.c
	src/store/wire/direct/wire_direct_write.c
	src/store/wire/dns.c
	src/store/wire/late_writes.c
	src/store/wire/socket.c
	src/store/wire/socket_windows.c
	src/store/wrapped/change_notifier.c
	src/store/wrapped/error_observer.c
"
mcpatterns_libmemcached_sources="
	src/store/wire/libmemcached/libmemcached_version.c
	src/store/wire/libmemcached/wire_libmemcached.c
	src/store/wire/libmemcached/wire_libmemcached_line.c
	src/store/wire/libmemcached/wire_results.c
"

if test "$PHP_MCPATTERNS" != "no"; then
  AC_MSG_CHECKING([whether PHP is 8.2 or newer])
  mcpatterns_php_version=`$PHP_CONFIG --version 2>/dev/null`
  mcpatterns_php_id=`$PHP_CONFIG --vernum 2>/dev/null`
  if test "${mcpatterns_php_id:-0}" -lt 80200; then
    AC_MSG_RESULT([no])
    AC_MSG_ERROR([mcpatterns requires PHP 8.2 or later; $PHP_CONFIG belongs to PHP ${mcpatterns_php_version:-unknown}])
  fi
  AC_MSG_RESULT([yes, $mcpatterns_php_version])

  dnl Counters, tokens and times have 64 bits, and none of them may be cut.
  AC_MSG_CHECKING([whether PHP has 64-bit integers])
  mcpatterns_cppflags=$CPPFLAGS
  CPPFLAGS="$CPPFLAGS `$PHP_CONFIG --includes 2>/dev/null`"
  AC_COMPILE_IFELSE([AC_LANG_PROGRAM([[#include <php.h>]],
      [[char has_64_bits[sizeof(zend_long) == 8 ? 1 : -1]; (void)has_64_bits;]])],
    [AC_MSG_RESULT([yes])],
    [AC_MSG_RESULT([no])
     AC_MSG_ERROR([mcpatterns requires a PHP with 64-bit integers])])
  CPPFLAGS=$mcpatterns_cppflags

  test -n "$PKG_CONFIG" && test "$PKG_CONFIG" != "no" || PKG_CONFIG=pkg-config
  if test "$PHP_MCPATTERNS_LIBMEMCACHED" != "no"; then
    dnl Versions before this one can return another request's answer after a timeout.
    mcpatterns_need=1.1.4
    mcpatterns_without="Or build without it, which leaves Transport::Direct and wants no library: ./configure --without-mcpatterns-libmemcached
  (pie install mcpatterns/mcpatterns --without-mcpatterns-libmemcached; pecl asks)"
    AC_MSG_CHECKING([for libmemcached $mcpatterns_need or newer])
    mcpatterns_found=`$PKG_CONFIG --modversion libmemcached 2>/dev/null`
    if test -z "$mcpatterns_found"; then
      AC_MSG_RESULT([not found])
      AC_MSG_ERROR([mcpatterns requires libmemcached $mcpatterns_need or later, and $PKG_CONFIG finds none. Install it:
  Debian 12 or newer, Ubuntu 24.04 or newer: apt-get install pkg-config libmemcached-dev
  Alpine: apk add pkgconf libmemcached-dev; macOS: brew install pkgconf libmemcached
  Installed elsewhere: set PKG_CONFIG_PATH to the folder of libmemcached.pc
  $mcpatterns_without])
    fi
    if ! $PKG_CONFIG --atleast-version=$mcpatterns_need libmemcached; then
      AC_MSG_RESULT([no, $mcpatterns_found])
      AC_MSG_ERROR([mcpatterns requires libmemcached $mcpatterns_need or later, and $PKG_CONFIG finds $mcpatterns_found, which can return wrong values after a timeout. Install a newer one:
  Debian 12 or newer, Ubuntu 24.04 or newer: apt-get install libmemcached-dev
  Ubuntu 22.04's package is too old: build https://github.com/awesomized/libmemcached and set PKG_CONFIG_PATH
  $mcpatterns_without])
    fi
    AC_MSG_RESULT([yes, $mcpatterns_found])

    PKG_CHECK_MODULES([LIBMEMCACHED], [libmemcached >= $mcpatterns_need])
    PHP_EVAL_INCLINE([$LIBMEMCACHED_CFLAGS])
    PHP_EVAL_LIBLINE([$LIBMEMCACHED_LIBS], [MCPATTERNS_SHARED_LIBADD])
    AC_DEFINE([HAVE_MCPATTERNS_LIBMEMCACHED], [1], [Whether mcpatterns has libmemcached])
    mcpatterns_sources="$mcpatterns_sources $mcpatterns_libmemcached_sources"
  fi
  PHP_ADD_LIBRARY([m], [], [MCPATTERNS_SHARED_LIBADD])

  dnl Both are optional without a word: whatever was found is used, and what was asked for must be there.
  AC_MSG_CHECKING([for zlib])
  if test "$PHP_MCPATTERNS_ZLIB" = "no"; then
    AC_MSG_RESULT([not wanted])
  elif $PKG_CONFIG --exists zlib 2>/dev/null; then
    AC_MSG_RESULT([yes, `$PKG_CONFIG --modversion zlib`])
    mcpatterns_zlib_cflags=`$PKG_CONFIG --cflags zlib`
    mcpatterns_zlib_libs=`$PKG_CONFIG --libs zlib`
    PHP_EVAL_INCLINE([$mcpatterns_zlib_cflags])
    PHP_EVAL_LIBLINE([$mcpatterns_zlib_libs], [MCPATTERNS_SHARED_LIBADD])
    AC_DEFINE([HAVE_MCPATTERNS_ZLIB], [1], [Whether mcpatterns compresses by zlib])
  elif test "$PHP_MCPATTERNS_ZLIB" = "auto"; then
    AC_MSG_RESULT([not found: no compression with it (Debian: apt-get install zlib1g-dev)])
  else
    AC_MSG_ERROR([$PKG_CONFIG finds no zlib. Debian: apt-get install pkg-config zlib1g-dev])
  fi
  AC_MSG_CHECKING([for zstd])
  if test "$PHP_MCPATTERNS_ZSTD" = "no"; then
    AC_MSG_RESULT([not wanted])
  elif $PKG_CONFIG --exists libzstd 2>/dev/null; then
    AC_MSG_RESULT([yes, `$PKG_CONFIG --modversion libzstd`])
    mcpatterns_zstd_cflags=`$PKG_CONFIG --cflags libzstd`
    mcpatterns_zstd_libs=`$PKG_CONFIG --libs libzstd`
    PHP_EVAL_INCLINE([$mcpatterns_zstd_cflags])
    PHP_EVAL_LIBLINE([$mcpatterns_zstd_libs], [MCPATTERNS_SHARED_LIBADD])
    AC_DEFINE([HAVE_MCPATTERNS_ZSTD], [1], [Whether mcpatterns compresses by zstd])
  elif test "$PHP_MCPATTERNS_ZSTD" = "auto"; then
    AC_MSG_RESULT([not found: no compression with it (Debian: apt-get install libzstd-dev)])
  else
    AC_MSG_ERROR([$PKG_CONFIG finds no zstd. Debian: apt-get install pkg-config libzstd-dev])
  fi

  mcpatterns_cflags="-std=gnu11 -fvisibility=hidden"
  if test "$PHP_MCPATTERNS_DEV" != "no"; then
    mcpatterns_cflags="$mcpatterns_cflags -Wall -Wextra -Wshadow -Wstrict-prototypes"
    if test "$PHP_MCPATTERNS_DEV" != "warn"; then
      mcpatterns_cflags="$mcpatterns_cflags -Werror"
    fi
    mcpatterns_cflags="$mcpatterns_cflags -Wmissing-prototypes -Wpointer-arith -Wwrite-strings -Wvla"
    dnl PHP's headers are not ours to warn about, nor what their macros declare, which clang blames on
    dnl the line that uses them.
    INCLUDES=`echo "$INCLUDES" | $SED -e 's/-I/-isystem /g'`
    if $CC --version 2>/dev/null | grep -q clang; then
      mcpatterns_cflags="$mcpatterns_cflags -Wno-unused-parameter -Wno-missing-prototypes"
    fi
  fi

  dnl What ends the process at an overflow that nobody has found yet, and keeps it from running another's code: as
  dnl far as compiler and linker know it. What CFLAGS say stands behind these, and wins.
  mcpatterns_old_cflags=$CFLAGS
  mcpatterns_old_ldflags=$LDFLAGS
  AC_MSG_CHECKING([whether the compiler protects the stack])
  CFLAGS="$mcpatterns_old_cflags -Werror -fstack-protector-strong"
  AC_LINK_IFELSE([AC_LANG_PROGRAM([], [])],
    [AC_MSG_RESULT([yes])
     mcpatterns_cflags="$mcpatterns_cflags -fstack-protector-strong"],
    [AC_MSG_RESULT([no])])

  dnl It needs an optimizing compiler. Sanitizers find the same and more, and do not see into its functions; and some
  dnl compilers, or the user, have set it.
  AC_MSG_CHECKING([whether to set _FORTIFY_SOURCE])
  CFLAGS=$mcpatterns_old_cflags
  AC_COMPILE_IFELSE([AC_LANG_SOURCE([[
#if defined(_FORTIFY_SOURCE) || !defined(__OPTIMIZE__) || defined(__SANITIZE_ADDRESS__)
#error not to be set
#endif
#if defined(__has_feature)
#if __has_feature(address_sanitizer)
#error not to be set
#endif
#endif
]])],
    [AC_MSG_RESULT([yes, 2])
     mcpatterns_cflags="$mcpatterns_cflags -D_FORTIFY_SOURCE=2"],
    [AC_MSG_RESULT([no])])

  AC_MSG_CHECKING([whether the linker supports immediate binding and read-only relocations])
  LDFLAGS="$mcpatterns_old_ldflags -Wl,-z,relro -Wl,-z,now"
  AC_LINK_IFELSE([AC_LANG_PROGRAM([], [])],
    [AC_MSG_RESULT([yes])
     MCPATTERNS_SHARED_LIBADD="$MCPATTERNS_SHARED_LIBADD -Wl,-z,relro -Wl,-z,now"],
    [AC_MSG_RESULT([no])])
  LDFLAGS=$mcpatterns_old_ldflags

  PHP_NEW_EXTENSION([mcpatterns], [$mcpatterns_sources], [$ext_shared],, [$mcpatterns_cflags])
  PHP_SUBST([MCPATTERNS_SHARED_LIBADD])
  for mcpatterns_source in $mcpatterns_sources; do
    PHP_ADD_BUILD_DIR([$ext_builddir/`dirname $mcpatterns_source`])
  done
  PHP_ADD_EXTENSION_DEP([mcpatterns], [spl])
  PHP_ADD_MAKEFILE_FRAGMENT
fi
