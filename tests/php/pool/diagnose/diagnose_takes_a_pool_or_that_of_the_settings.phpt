--TEST--
Pool::diagnose() accepts a Pool or null, and ignores a frozen clock
--EXTENSIONS--
mcpatterns
--FILE--
<?php
use McPatterns\{Clock, Pool};

require __DIR__ . '/../../../_support/doctor.inc';

ini_set('mcpatterns.servers', 'memory://default');
$pool = new Pool(['memory://given'], failover: true, signingKey: 'secret');
Clock::freeze(1000);
foreach ([Pool::diagnose(), Pool::diagnose(null), $pool->diagnose(), Pool::diagnose($pool), Pool::diagnose(pool: $pool)] as $report) {
    echo implode(' ', array_keys($report['servers'])), ': ', implode(' ', array_diff(codes_of($report, true), ['no_opcache', 'serializer', 'shared_memory_alone'])), "\n";
}
var_dump(abs(Pool::diagnose()['host']['time'] - microtime(true)) < 60);
Clock::unfreeze();
ini_set('mcpatterns.servers', 'memory://default:0');
foreach (Pool::diagnose()['findings'] as $finding) {
    echo $finding['severity'] === 'error' ? "$finding[code] $finding[subject]: $finding[finding]\n" : '';
}
var_dump(Pool::diagnose()['servers']);
ini_restore('mcpatterns.servers');
try {
    Pool::diagnose('memory://m');
} catch (TypeError $error) {
    echo $error->getMessage(), "\n";
}
?>
--EXPECTF--
memory://default: memory_server
memory://default: memory_server
memory://default: memory_server
memory://given: memory_server failover_single_server
memory://given: memory_server failover_single_server
bool(true)
settings php.ini: %s
array(0) {
}
McPatterns\Pool::diagnose(): Argument #1 ($pool) must be of type ?McPatterns\Pool, string given
