--TEST--
Audit checks a value whose decoding destroyed or replaced the Audit
--EXTENSIONS--
mcpatterns
--FILE--
<?php
use McPatterns\{Audit, Cache, Pool};

require __DIR__ . '/../../_support/audit.inc';

/** Does something once, as it is decoded. */
final class Row
{
    public static ?Closure $work = null;
    public function __wakeup(): void
    {
        [$work, self::$work] = [self::$work, null];
        $work !== null && $work();
    }
}

$cache = new Cache(new Pool(start_memcached()->address, timeout: 10), ttl: 100);
$read = fn () => $cache->remember('row', 100, fn () => new Row());
$read();
foreach ([
    'let go' => function () use (&$audit) { $audit = null; },
    'let go, and its memory used again' => function () use (&$audit, &$others) { $audit = null; $others = array_map(fn ($length) => str_repeat('x', $length), range(8, 512, 8)); },
    'replaced' => function () use (&$audit, $cache) { $audit = new Audit($cache, rate: 0); },
    'not decoded' => function () use (&$audit) { $audit = null; throw new DomainException('not today'); },
] as $name => $work) {
    $audit = new Audit($cache, rate: 1, compare: fn (Row $cached, Row $computed): bool => $cached == $computed);
    Row::$work = $work;
    echo "$name: ", audited_by($cache, $read), "\n";
}
?>
--EXPECT--
let go: checked 1
let go, and its memory used again: checked 1
replaced: checked 1
not decoded: nothing
