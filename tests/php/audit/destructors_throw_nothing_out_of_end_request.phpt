--TEST--
Pool::endRequest() logs exceptions from destructors of audited values and continues
--EXTENSIONS--
mcpatterns
--FILE--
<?php
use McPatterns\{Audit, Cache, Pool};

require __DIR__ . '/../../_support/audit.inc';

final class Row
{
    public bool $throws = false;
    public function __destruct() { $this->throws && throw new DomainException('destructor'); }
}

ini_set('log_errors', '1');
ini_set('error_log', $log = tempnam(sys_get_temp_dir(), 'audit'));
$pool = new Pool(start_memcached()->address, timeout: 10);
$cache = new Cache($pool, ttl: 100);
$cache->remember('k', 100, fn () => 'value');
$cache->set('claimed', 1);
$cache->expire('claimed');
$cache->get('claimed');
$audit = new Audit($cache, rate: 1);
$row = new Row();
$cache->remember('k', 100, function () use ($row) { return 'value'; });
$row->throws = true;
unset($row);
Pool::endRequest();
echo audited($cache), ', the claim: ', $cache->entry('claimed')->status->name, "\n";
echo preg_replace('/^\[.*?\] /m', '', file_get_contents($log));
unlink($log);
?>
--EXPECT--
checked 1, the claim: Stale
mcpatterns: auditing "a value" after the response failed: DomainException: destructor
