--TEST--
Audit covers its Cache and views until destroyed, replaced by later Audits
--EXTENSIONS--
mcpatterns
--FILE--
<?php
use McPatterns\{Audit, Cache, Pool};

require __DIR__ . '/../../_support/audit.inc';

$pool = new Pool(start_memcached()->address, timeout: 10);
$cache = new Cache($pool, ttl: 100);
$other = new Cache($pool, ttl: 100);
$view = $cache->tagged('t');
$read = fn (?Cache $by = null) => ($by ?? $cache)->remember($by === $view ? 'tagged' : 'k', 100, fn () => 'value');
$read();
$read($view);
Pool::endRequest();
$first = new Audit($cache, rate: 1);
echo 'its Cache: ', audited_by($cache, $read), ', a view: ', audited_by($cache, fn () => $read($view)), ', one made later: ',
    audited_by($cache, fn () => $cache->tagged('t')->remember('tagged', 100, fn () => 'value')), ', another Cache: ', audited_by($cache, fn () => $read($other)), "\n";
$second = new Audit($view, rate: 1, compare: fn () => false);
echo 'a later one, given the view: ', audited_by($cache, $read), "\n";
$first = null;
echo 'the earlier one has gone: ', audited_by($cache, $read), "\n";
$third = new Audit($cache, rate: 0);
echo 'at a rate of 0: ', audited_by($cache, $read), "\n";
$third = null;
echo 'the last one has gone, and one is left that was replaced: ', audited_by($cache, $read), "\n";
$short = new Audit($cache, rate: 1);
echo 'what was drawn while it lived: ', audited_by($cache, function () use ($read, &$short) { $read(); $short = null; }), "\n";

/** Holds itself by its Audit: the cycle is collected. */
final class Holder
{
    public Audit $audit;
    public Cache $cache;
    public function __construct(Cache $cache) { $this->cache = $cache; $this->audit = new Audit($cache, 1, fn () => $this !== null); }
    public function __destruct() { echo "collected\n"; }
}
$holder = new Holder(new Cache($pool));
unset($holder);
gc_collect_cycles();
var_dump(new Audit(new Cache($pool, 'p:'), rate: 0.25));
?>
--EXPECTF--
its Cache: checked 1, a view: checked 1, one made later: checked 1, another Cache: nothing
a later one, given the view: checked 1, different 1, still_stored 1
the earlier one has gone: checked 1, different 1, still_stored 1
at a rate of 0: nothing
the last one has gone, and one is left that was replaced: nothing
what was drawn while it lived: checked 1
collected
object(McPatterns\Audit)#%d (3) {
  ["prefix"]=>
  string(2) "p:"
  ["rate"]=>
  float(0.25)
  ["isOn"]=>
  bool(true)
}
