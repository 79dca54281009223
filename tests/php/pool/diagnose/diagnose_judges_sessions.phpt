--TEST--
Pool::diagnose() reports how PHP stores sessions, and unused session settings
--EXTENSIONS--
mcpatterns
session
pcntl
--SKIPIF--
<?php
require __DIR__ . '/../../../_support/script.inc';
skip_without_scripts();
?>
--FILE--
<?php
require __DIR__ . '/../../../_support/doctor.inc';
require __DIR__ . '/../../../_support/told_server.inc';

const CODE = 'ini_set("max_execution_time", $argv[1] ?? 0); foreach (McPatterns\Pool::diagnose()["findings"] as $f) { echo "  $f[severity] $f[code] $f[subject]: $f[finding]\n"; }';
const USUAL = '/^  \w+ (memory_server|no_opcache|shared_memory_alone|serializer) .*\n/m';
const OURS = ['session.save_handler' => 'mcpatterns', 'session.save_path' => '', 'session.use_strict_mode' => 1];

$server = start_told_server();
$full = start_told_server(['evictions' => 7]);

function tell(string $what, array $settings, string $servers, int $longest = 0): void
{
    global $server, $full;
    $told = run_script(CODE, [(string) $longest], $settings + ['mcpatterns.servers' => $servers, 'mcpatterns.timeout' => 4]);
    echo "$what:\n", strtr(preg_replace(USUAL, '', $told), [$server => 'SERVER', $full => 'FULL']);
}

tell('files', ['session.save_handler' => 'files'], $server);
tell('ours', OURS, $server);
tell('memory', OURS, 'memory://m');
tell('full', OURS, $full);
tell('unlocked', OURS + ['mcpatterns.session_locking' => '"none"'], $server);
tell('short lock', OURS, $server, 60);
tell('short wait', OURS + ['mcpatterns.session_lock_wait' => 10], $server);
tell('cannot be merged', OURS + ['mcpatterns.session_locking' => 'merge', 'session.serialize_handler' => 'php_binary'], $server);
tell('merged', OURS + ['mcpatterns.session_locking' => 'merge', 'session.serialize_handler' => 'php_serialize'], $server);
tell('any id', ['session.use_strict_mode' => 0] + OURS, $server);
tell('elsewhere', ['session.save_path' => 'memory://elsewhere'] + OURS, $full);
tell('in a folder', ['session.save_path' => '/var/lib/php/sessions'] + OURS, $server);
tell('unused', ['session.save_handler' => 'files', 'mcpatterns.session_prefix' => 'shop.'], $server);
?>
--EXPECT--
files:
ours:
  notice session_unsigned mcpatterns.session_key_file: sessions are not signed
memory:
  error session_memory memory://m: stored in the memory of this process only
  notice session_unsigned mcpatterns.session_key_file: sessions are not signed
full:
  error session_evictions FULL: 7 items evicted in 24 hours, 0 of them never read: memory of 1 GiB is full
  notice session_unsigned mcpatterns.session_key_file: sessions are not signed
unlocked:
  warning session_unlocked mcpatterns.session_locking: set to none: requests of one session run concurrently
  notice session_unsigned mcpatterns.session_key_file: sessions are not signed
short lock:
  warning session_lock_short mcpatterns.session_lock_expire: set to 30 seconds, max_execution_time is 60 seconds
  notice session_unsigned mcpatterns.session_key_file: sessions are not signed
short wait:
  warning session_wait_short mcpatterns.session_lock_wait: set to 10 seconds, a lock lasts 30 seconds
  notice session_unsigned mcpatterns.session_key_file: sessions are not signed
cannot be merged:
  warning session_merge session.serialize_handler: set to php_binary, which cannot be merged
  notice session_unsigned mcpatterns.session_key_file: sessions are not signed
merged:
  notice session_unsigned mcpatterns.session_key_file: sessions are not signed
any id:
  warning session_strict_mode session.use_strict_mode: off
  notice session_unsigned mcpatterns.session_key_file: sessions are not signed
elsewhere:
  warning evictions FULL: 7 items evicted in 24 hours, 0 of them never read: memory of 1 GiB is full
  notice session_servers session.save_path: has a server list of its own, not checked
  notice session_unsigned mcpatterns.session_key_file: sessions are not signed
in a folder:
  error session_path_is_directory session.save_path: "/var/lib/php/sessions" is a path, not a server list
  notice session_unsigned mcpatterns.session_key_file: sessions are not signed
unused:
  warning session_settings_unused mcpatterns.session_prefix: set, but session.save_handler is files
