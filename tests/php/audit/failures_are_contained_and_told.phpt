--TEST--
Audit counts, reports and logs failed checks and discards their output
--EXTENSIONS--
mcpatterns
--INI--
error_log=
log_errors=1
--FILE--
<?php
use McPatterns\{Audit, Cache, Pool};

require __DIR__ . '/../../_support/audit.inc';

ini_set('error_log', $log = tempnam(sys_get_temp_dir(), 'audit'));
$pool = new Pool(start_memcached()->address, timeout: 10);
$pool->onError(fn (string $message, array $context) => print "told: $message ($context[kind])\n");
$cache = new Cache($pool, ttl: 100);
$run = function (string $name, callable $compute, ?callable $compare = null) use ($cache) {
    static $audit;
    $audit = new Audit($cache, rate: 1, compare: $compare);
    $is_first = true;
    $read = function () use ($cache, $name, &$is_first, $compute) {
        return $cache->remember($name, 100, function () use (&$is_first, $compute) {
            return $is_first ? 'value' : $compute();
        });
    };
    $read();
    $is_first = false;
    ob_start();
    $found = audited_by($cache, $read);
    $told = ob_get_clean();
    echo "$name: $found\n", $told;
};
class Late { public function __destruct() { throw new RuntimeException('too late'); } }
$run('throws', fn () => throw new DomainException('no database'));
$run('closure', fn () => fn () => 1);
$run('compare', fn () => 'value', fn () => throw new LogicException('cannot tell'));
$run('destructor', function () { new Late; return 'value'; });
$run('prints', function () { echo 'SEEN'; ob_start(); echo 'SEEN'; return 'value'; });
$run('compares', fn () => 'VALUE', fn (string $cached, string $computed): bool => strtolower($cached) === strtolower($computed));
$run('differs', fn () => 'another');
echo preg_replace('/^\[.*?\] /m', '', file_get_contents($log));
unlink($log);
?>
--EXPECT--
throws: failed 1
told: The computation of "throws" failed after the response: DomainException: no database (computation)
closure: failed 1
compare: failed 1
destructor: failed 1
prints: checked 1
compares: checked 1
differs: checked 1, different 1, still_stored 1
told: The served value of "differs" differs from the recomputed value (different)
mcpatterns: auditing "throws" after the response failed: DomainException: no database
mcpatterns: auditing "closure" after the response failed: McPatterns\NotSerializableException: Cannot store the value of "closure": not serializable: Serialization of 'Closure' is not allowed
mcpatterns: auditing "compare" after the response failed: LogicException: cannot tell
mcpatterns: auditing "destructor" after the response failed: RuntimeException: too late
