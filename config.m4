dnl Configures the extension for phpize: finds libmemcached, refuses what is too old, and names every
dnl source file. tools/check-lists proves that the list is what is in the tree.
dnl SPDX-License-Identifier: MIT

PHP_ARG_WITH([mcpatterns],
  [for mcpatterns support],
  [AS_HELP_STRING([--with-mcpatterns],
    [Include mcpatterns: caching patterns over memcached])])

PHP_ARG_WITH([mcpatterns-zlib],
  [whether mcpatterns compresses by zlib],
  [AS_HELP_STRING([--without-mcpatterns-zlib],
    [mcpatterns: no zlib, even where pkg-config finds it])],
  [auto],
  [no])

PHP_ARG_WITH([mcpatterns-zstd],
  [whether mcpatterns compresses by zstd],
  [AS_HELP_STRING([--without-mcpatterns-zstd],
    [mcpatterns: no zstd, even where pkg-config finds it])],
  [auto],
  [no])

PHP_ARG_ENABLE([mcpatterns-dev],
  [whether mcpatterns' own warnings are errors],
  [AS_HELP_STRING([--enable-mcpatterns-dev],
    [mcpatterns: turn compiler warnings on, and into errors; =warn: on])],
  [no],
  [no])

mcpatterns_sources="
	mcpatterns.c
	src/core/answer.c
	src/core/append_head.c
	src/core/backoff.c
	src/core/decimal.c
	src/core/envelope.c
	src/core/expiry.c
	src/core/fastlz.c
	src/core/foreign.c
	src/core/freshness.c
	src/core/hyperloglog.c
	src/core/key.c
	src/core/limit.c
	src/core/lock_item.c
	src/core/log_cursor.c
	src/core/log_record.c
	src/core/member_ops.c
	src/core/metrics.c
	src/core/metrics_rebuilds.c
	src/core/metrics_strip.c
	src/core/metrics_text.c
	src/core/near_room.c
	src/core/row_head.c
	src/core/serialized.c
	src/core/serialized_igbinary.c
	src/core/serialized_json.c
	src/core/serialized_msgpack.c
	src/core/sha256.c
	src/core/signature.c
	src/core/sketch.c
	src/core/window.c
	src/patterns/append.c
	src/patterns/cache_claim.c
	src/patterns/cache_ends.c
	src/patterns/cache_envelope.c
	src/patterns/cache_foreign.c
	src/patterns/cache_look.c
	src/patterns/cache_lookup.c
	src/patterns/cache_meter.c
	src/patterns/cache_near.c
	src/patterns/cache_number.c
	src/patterns/cache_remember.c
	src/patterns/cache_rivals.c
	src/patterns/cache_side_number.c
	src/patterns/cache_store_over.c
	src/patterns/cache_tags.c
	src/patterns/cache_tags_look.c
	src/patterns/cache_tags_many.c
	src/patterns/cache_tags_noted.c
	src/patterns/cache_update.c
	src/patterns/cache_write.c
	src/patterns/cache_write_many.c
	src/patterns/copies_change.c
	src/patterns/copies_look.c
	src/patterns/copies_many.c
	src/patterns/copies_read.c
	src/patterns/copies_result.c
	src/patterns/copies_store.c
	src/patterns/copies_write.c
	src/patterns/counter.c
	src/patterns/counter_guard.c
	src/patterns/event_log.c
	src/patterns/event_log_last.c
	src/patterns/event_log_since.c
	src/patterns/event_log_slots.c
	src/patterns/lock.c
	src/patterns/lock_hold.c
	src/patterns/lock_release.c
	src/patterns/lock_terms.c
	src/patterns/member_set.c
	src/patterns/online_counter.c
	src/patterns/online_hit.c
	src/patterns/online_slots.c
	src/patterns/rate_bucket.c
	src/patterns/rate_limiter.c
	src/patterns/semaphore.c
	src/patterns/settle.c
	src/patterns/table.c
	src/patterns/table_clear.c
	src/patterns/unique_known.c
	src/patterns/unique_visitors.c
	src/php/cache/after_response.c
	src/php/cache/cache_arguments.c
	src/php/cache/cache_claims.c
	src/php/cache/cache_collect.c
	src/php/cache/cache_lifetime.c
	src/php/cache/cache_looks.c
	src/php/cache/cache_many.c
	src/php/cache/cache_many_get.c
	src/php/cache/cache_many_near.c
	src/php/cache/cache_many_write.c
	src/php/cache/cache_memo.c
	src/php/cache/cache_nearby.c
	src/php/cache/cache_object.c
	src/php/cache/cache_tag_names.c
	src/php/cache/cache_tagging.c
	src/php/cache/cache_trouble.c
	src/php/cache/cache_update.c
	src/php/cache/cache_value.c
	src/php/cache/class_cache.c
	src/php/cache/class_cache_many.c
	src/php/cache/class_entry.c
	src/php/cache/remember.c
	src/php/cache/remember_cause.c
	src/php/cache/remember_compute.c
	src/php/cache/remember_many.c
	src/php/cache/remember_many_compute.c
	src/php/cache/remember_story.c
	src/php/cache/remember_tags.c
	src/php/cache/remember_trouble.c
	src/php/cache/remembering.c
	src/php/cache/remembering_many.c
	src/php/canonical.c
	src/php/class_clock.c
	src/php/class_key.c
	src/php/class_online_counter.c
	src/php/class_rate_limiter.c
	src/php/class_unique_visitors.c
	src/php/computing.c
	src/php/counter/class_counter.c
	src/php/counter/counter_drain.c
	src/php/counter/counter_initial.c
	src/php/counter/counter_object.c
	src/php/deferred.c
	src/php/duration.c
	src/php/engine_throw.c
	src/php/enums.c
	src/php/environment.c
	src/php/event_log/class_event_log.c
	src/php/event_log/event_log_events.c
	src/php/event_log/event_log_object.c
	src/php/exceptions.c
	src/php/failure.c
	src/php/give_back.c
	src/php/incomplete.c
	src/php/interrupt.c
	src/php/key_drift.c
	src/php/key_likeness.c
	src/php/lock/class_lock.c
	src/php/lock/class_semaphore.c
	src/php/lock/lock_arguments.c
	src/php/lock/lock_object.c
	src/php/lock/lock_run.c
	src/php/mc/class_mc.c
	src/php/mc/legacy.c
	src/php/member_set/class_member_set.c
	src/php/member_set/member_changes.c
	src/php/member_set/member_set_arguments.c
	src/php/member_set/member_set_object.c
	src/php/metrics/class_metrics.c
	src/php/metrics/metering.c
	src/php/metrics/metrics_reading.c
	src/php/metrics/processes.c
	src/php/metrics/prometheus.c
	src/php/metrics/strip_file.c
	src/php/named_object.c
	src/php/near.c
	src/php/object.c
	src/php/pool/class_pool.c
	src/php/pool/connections.c
	src/php/pool/host.c
	src/php/pool/listener.c
	src/php/pool/pool.c
	src/php/pool/pool_arguments.c
	src/php/pool/pool_identity.c
	src/php/pool/pool_report.c
	src/php/pool/server_knowledge.c
	src/php/pool/server_rings.c
	src/php/pool/server_sets.c
	src/php/pool/servers.c
	src/php/pool/telling.c
	src/php/process.c
	src/php/randomness.c
	src/php/reference.c
	src/php/settings.c
	src/php/shared_access.c
	src/php/shared_file.c
	src/php/shared_memory.c
	src/php/silence.c
	src/php/storable.c
	src/php/switch_argument.c
	src/php/table/class_table.c
	src/php/table/table_object.c
	src/php/table/table_rows.c
	src/php/table/table_update.c
	src/php/user.c
	src/php/user_call.c
	src/php/value/compressor_fastlz.c
	src/php/value/compressor_zlib.c
	src/php/value/compressor_zstd.c
	src/php/value/compressors.c
	src/php/value/format.c
	src/php/value/format_arguments.c
	src/php/value/plain.c
	src/php/value/serializer_igbinary.c
	src/php/value/serializer_json.c
	src/php/value/serializer_msgpack.c
	src/php/value/serializer_php.c
	src/php/value/serializers.c
	src/php/value/value.c
	src/php/when_down.c
	src/php/window_arguments.c
	src/store/bounded_read.c
	src/store/buffer.c
	src/store/candidates.c
	src/store/connection.c
	src/store/connection_batch.c
	src/store/connection_many.c
	src/store/connection_write.c
	src/store/exchange.c
	src/store/exchange_failure.c
	src/store/inbox.c
	src/store/inquiry.c
	src/store/journal.c
	src/store/known_servers.c
	src/store/late_writes.c
	src/store/libmemcached_version.c
	src/store/mark.c
	src/store/memory_count.c
	src/store/memory_items.c
	src/store/memory_number.c
	src/store/memory_server.c
	src/store/memory_statistics.c
	src/store/multi_get.c
	src/store/one_by_one.c
	src/store/reason.c
	src/store/router_ketama.c
	src/store/router_libmemcached.c
	src/store/socket.c
	src/store/sorting.c
	src/store/stat_lines.c
	src/store/store_changes.c
	src/store/store_cluster.c
	src/store/store_failover.c
	src/store/store_marked.c
	src/store/store_memory.c
	src/store/store_watched.c
	src/store/visit.c
	src/store/wire_cause.c
	src/store/wire_direct.c
	src/store/wire_direct_batch.c
	src/store/wire_direct_line.c
	src/store/wire_direct_meta.c
	src/store/wire_direct_write.c
	src/store/wire_libmemcached.c
	src/store/wire_libmemcached_line.c
	src/store/wire_memory.c
	src/store/wire_results.c
	src/store/wire_statistics.c
"

if test "$PHP_MCPATTERNS" != "no"; then
  AC_MSG_CHECKING([whether PHP is 8.2 or newer])
  mcpatterns_php_version=`$PHP_CONFIG --version 2>/dev/null`
  mcpatterns_php_id=`$PHP_CONFIG --vernum 2>/dev/null`
  if test "${mcpatterns_php_id:-0}" -lt 80200; then
    AC_MSG_RESULT([no])
    AC_MSG_ERROR([mcpatterns needs PHP 8.2 or newer; $PHP_CONFIG belongs to PHP ${mcpatterns_php_version:-unknown}])
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
     AC_MSG_ERROR([mcpatterns needs a PHP with 64-bit integers])])
  CPPFLAGS=$mcpatterns_cppflags

  dnl Versions before this one can return another request's answer after a timeout.
  mcpatterns_need=1.1.4
  test -n "$PKG_CONFIG" && test "$PKG_CONFIG" != "no" || PKG_CONFIG=pkg-config
  AC_MSG_CHECKING([for libmemcached $mcpatterns_need or newer])
  mcpatterns_found=`$PKG_CONFIG --modversion libmemcached 2>/dev/null`
  if test -z "$mcpatterns_found"; then
    AC_MSG_RESULT([not found])
    AC_MSG_ERROR([mcpatterns needs libmemcached $mcpatterns_need or newer, and $PKG_CONFIG finds none.
  Debian 12 or newer, Ubuntu 24.04 or newer: apt-get install pkg-config libmemcached-dev
  Installed elsewhere: set PKG_CONFIG_PATH to the folder of libmemcached.pc])
  fi
  if ! $PKG_CONFIG --atleast-version=$mcpatterns_need libmemcached; then
    AC_MSG_RESULT([no, $mcpatterns_found])
    AC_MSG_ERROR([mcpatterns needs libmemcached $mcpatterns_need or newer, and $PKG_CONFIG finds $mcpatterns_found, which can return wrong values after a timeout.
  Debian 12 or newer, Ubuntu 24.04 or newer: apt-get install libmemcached-dev
  Ubuntu 22.04's package is too old: build https://github.com/awesomized/libmemcached and set PKG_CONFIG_PATH])
  fi
  AC_MSG_RESULT([yes, $mcpatterns_found])

  PKG_CHECK_MODULES([LIBMEMCACHED], [libmemcached >= $mcpatterns_need])
  PHP_EVAL_INCLINE([$LIBMEMCACHED_CFLAGS])
  PHP_EVAL_LIBLINE([$LIBMEMCACHED_LIBS], [MCPATTERNS_SHARED_LIBADD])
  PHP_ADD_LIBRARY([m], [], [MCPATTERNS_SHARED_LIBADD])

  dnl Part of libmemcached, and beside it; libmemcached.pc does not name it.
  PHP_CHECK_LIBRARY([hashkit], [libhashkit_md5_signature],
    [PHP_ADD_LIBRARY([hashkit], [], [MCPATTERNS_SHARED_LIBADD])],
    [AC_MSG_ERROR([mcpatterns needs libhashkit, which comes with libmemcached.
  Debian 12 or newer, Ubuntu 24.04 or newer: apt-get install libhashkit-dev])],
    [$LIBMEMCACHED_LIBS])

  dnl Both are optional: whatever was found is used, and what was asked for must be there.
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
    AC_MSG_RESULT([not found: values are not compressed by it (Debian: apt-get install zlib1g-dev)])
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
    AC_MSG_RESULT([not found: values are not compressed by it (Debian: apt-get install libzstd-dev)])
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

  AC_MSG_CHECKING([whether the linker binds all at once and for reading alone])
  LDFLAGS="$mcpatterns_old_ldflags -Wl,-z,relro -Wl,-z,now"
  AC_LINK_IFELSE([AC_LANG_PROGRAM([], [])],
    [AC_MSG_RESULT([yes])
     MCPATTERNS_SHARED_LIBADD="$MCPATTERNS_SHARED_LIBADD -Wl,-z,relro -Wl,-z,now"],
    [AC_MSG_RESULT([no])])
  LDFLAGS=$mcpatterns_old_ldflags

  PHP_NEW_EXTENSION([mcpatterns], [$mcpatterns_sources], [$ext_shared],, [$mcpatterns_cflags])
  PHP_SUBST([MCPATTERNS_SHARED_LIBADD])
  PHP_ADD_BUILD_DIR([$ext_builddir/src/core])
  PHP_ADD_BUILD_DIR([$ext_builddir/src/patterns])
  PHP_ADD_BUILD_DIR([$ext_builddir/src/php])
  PHP_ADD_BUILD_DIR([$ext_builddir/src/php/cache])
  PHP_ADD_BUILD_DIR([$ext_builddir/src/php/counter])
  PHP_ADD_BUILD_DIR([$ext_builddir/src/php/event_log])
  PHP_ADD_BUILD_DIR([$ext_builddir/src/php/lock])
  PHP_ADD_BUILD_DIR([$ext_builddir/src/php/mc])
  PHP_ADD_BUILD_DIR([$ext_builddir/src/php/member_set])
  PHP_ADD_BUILD_DIR([$ext_builddir/src/php/metrics])
  PHP_ADD_BUILD_DIR([$ext_builddir/src/php/pool])
  PHP_ADD_BUILD_DIR([$ext_builddir/src/php/table])
  PHP_ADD_BUILD_DIR([$ext_builddir/src/php/value])
  PHP_ADD_BUILD_DIR([$ext_builddir/src/store])
  PHP_ADD_EXTENSION_DEP([mcpatterns], [spl])
  PHP_ADD_MAKEFILE_FRAGMENT
fi
