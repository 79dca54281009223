--TEST--
Audit without $compare compares serialized bytes, whatever the stored compression and serializer
--EXTENSIONS--
mcpatterns
--FILE--
<?php
use McPatterns\{Audit, Cache, Compression, Pool};

require __DIR__ . '/../../_support/audit.inc';

final class Money
{
    public function __construct(public int $cents, private ?Closure $shown = null) {}
    public function __serialize(): array { return ['cents' => $this->cents]; }
    public function __unserialize(array $data): void { $this->cents = $data['cents']; }
}
/** Says at each reading how often it was read. */
final class Traveller
{
    public int $trips = 0;
    public function __wakeup(): void { $this->trips++; }
}
$address = start_memcached()->address;
$pool = new Pool($address, timeout: 10, compression: Compression::None);
$packed = new Pool($address, timeout: 10, compressAbove: 10); // by what this build has
$text = str_repeat('text ', 100);
foreach ([
    'the same string' => ['value', 'value'],
    'another string' => ['value', 'valu'],
    'the empty string' => ['', ''],
    'null and false' => [null, false],
    '1 and "1"' => [1, '1'],
    '1 and 1.0' => [1, 1.0],
    'NAN' => [NAN, NAN],
    'the same array' => [['a' => 1, 'b' => [1, 2]], ['a' => 1, 'b' => [1, 2]]],
    'another order' => [['a' => 1, 'b' => 2], ['b' => 2, 'a' => 1]],
    'equal objects' => [new Money(5), new Money(5, fn () => '0.05')],
    'other objects' => [new Money(5), new Money(6)],
    'what changes when it is read' => [new Traveller, new Traveller],
    'text, stored compressed' => [$text, $text, $packed],
    'an array, stored compressed' => [[$text], [$text], $packed],
    'other text, stored compressed' => [$text, "$text.", $packed],
] as $name => $values) {
    [$first, $second] = $values;
    $stores = new Cache($values[2] ?? $pool, ttl: 100);
    $cache = new Cache($pool, ttl: 100);
    $stores->delete('k');
    $stores->remember('k', 100, fn () => $first);
    $audit = new Audit($cache, rate: 1);
    $found = audited_by($cache, fn () => $cache->remember('k', 100, fn () => $second));
    echo "$name: ", ['checked 1' => 'equal', 'checked 1, different 1, still_stored 1' => 'different'][$found] ?? $found, "\n";
}
?>
--EXPECT--
the same string: equal
another string: different
the empty string: equal
null and false: different
1 and "1": different
1 and 1.0: different
NAN: equal
the same array: equal
another order: different
equal objects: equal
other objects: different
what changes when it is read: equal
text, stored compressed: equal
an array, stored compressed: equal
other text, stored compressed: different
