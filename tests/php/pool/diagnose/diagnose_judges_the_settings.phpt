--TEST--
Pool::diagnose() reports invalid and risky settings
--EXTENSIONS--
mcpatterns
--SKIPIF--
<?php
require __DIR__ . '/../../../_support/script.inc';
skip_without_scripts();
?>
--FILE--
<?php
require __DIR__ . '/../../../_support/doctor.inc';

const CODE = 'require $argv[1]; foreach (McPatterns\Pool::diagnose()["findings"] as $f) { echo "  $f[severity] $f[code] $f[subject]: $f[finding]\n"; }';
const USUAL = '/^  \w+ (memory_server|no_opcache|shared_memory_alone|serializer) .*\n/m';

function tell(string $what, array $settings): void
{
    $told = run_script(CODE, [__DIR__ . '/../../../_support/doctor.inc'], $settings + ['mcpatterns.servers' => 'memory://m', 'opcache.enable' => '0']);
    echo "$what:\n", preg_replace(USUAL, '', $told);
}

tell('good', []);
tell('milliseconds', ['mcpatterns.connect_timeout' => 20, 'mcpatterns.timeout' => 50, 'mcpatterns.retry_after' => 1000]);
tell('too short', ['mcpatterns.timeout' => 0.005]);
tell('no pause', ['mcpatterns.retry_after' => 0]);
tell('connects anew', ['mcpatterns.persistent' => 0]);
tell('no bound', ['mcpatterns.item_size_limit' => 0]);
tell('no figures', ['mcpatterns.metrics' => 0]);
tell('no memory', ['mcpatterns.shared_memory' => 0]);
tell('for development', ['mcpatterns.report_key_drift' => 1]);
tell('shared', ['mcpatterns.shared_memory_group' => '0']);
tell('no such serializer', ['mcpatterns.serializer' => 'msgpack']);
$all = run_script(CODE, [__DIR__ . '/../../../_support/doctor.inc'], ['mcpatterns.servers' => 'memory://m', 'opcache.enable' => '0']);
echo implode(' ', array_map(fn ($line) => explode(' ', trim($line))[1], explode("\n", trim($all)))), "\n";
?>
--EXPECTF--
good:
milliseconds:
  warning long_timeout mcpatterns.connect_timeout: set to 20 seconds
  warning long_timeout mcpatterns.timeout: set to 50 seconds
  warning long_retry_after mcpatterns.retry_after: set to 17 minutes
too short:
  warning short_timeout mcpatterns.timeout: set to 0.005 seconds
no pause:
  warning no_retry_after mcpatterns.retry_after: set to 0: each call tries a failed server again
connects anew:
  notice not_persistent mcpatterns.persistent: connections are closed with each Pool
no bound:
  warning no_item_size_limit mcpatterns.item_size_limit: set to 0: replies of servers have no size limit
no figures:
  notice no_metrics mcpatterns.metrics: metrics are off
no memory:
  notice no_shared_memory mcpatterns.shared_memory: set to 0: processes share no near values and metrics, and do not wake each other
for development:
  notice key_drift mcpatterns.report_key_drift: on: Key::of() keeps all its parameters until the request ends
shared:
  warning unsigned_sharing mcpatterns.shared_memory_group: all users of group "0" can write the near values of others, and values are not signed
no such serializer:
  error settings php.ini: %smsgpack%s
memory_server serializer shared_memory_alone no_opcache
