--TEST--
A forced remember() that is not elected waits, unless stale is true (C17)
--EXTENSIONS--
mcpatterns
--FILE--
<?php
use McPatterns\{Cache, Pool};

require __DIR__ . '/../../../_support/envelope.inc';

$server = start_memcached();
$cache = new Cache(new Pool($server->address, timeout: 10), ttl: 100, wait: 0.3);
$ask = function (string $name, ...$options) use ($cache) {
    $waited = $cache->stats()['waited'];
    $value = $cache->remember(...$options + ['key' => 'k', 'ttl' => null, 'compute' => fn () => 'new', 'force' => true, 'entry' => &$entry]);
    echo "$name: $value, {$entry->status->name}, ", $cache->stats()['waited'] > $waited ? 'waited' : 'at once', "\n";
};
$now = (int) (microtime(true) * 1000);
$claimed = ['newest' => 1, 'claim' => [1, $now + 100_000, 100_000]];
$put = fn (array $fields) => put_raw($server, 'k', make_envelope('k', 'old', $fields));

$put([]);
$ask('fresh');
$put($claimed);
$ask('claimed');
$ask('claimed, stale: true', stale: true);
$ask('claimed, wait: 0', wait: 0);
$put(['soft' => $now] + $claimed);
$ask('old and claimed');
$cache->expire('k');
$ask('expired: what was being computed is not to be stored');
$put(['soft' => $now, 'failure' => [10, $now + 50_000]]);
$ask('paused for long');
$put(['failure' => [1, $now + 1]]);
$ask('after the pause');
$put([]);
try {
    $ask('fails', compute: fn () => throw new DomainException('failed'));
} catch (DomainException $error) {
    echo $error->getMessage(), ', and the value is still ', $cache->entry('k')->status->name, ': ', $cache->peek('k'), "\n";
}
?>
--EXPECT--
fresh: new, Elected, at once
claimed: old, Fresh, waited
claimed, stale: true: old, Fresh, at once
claimed, wait: 0: old, Fresh, at once
old and claimed: old, Busy, waited
expired: what was being computed is not to be stored: new, Elected, at once
paused for long: old, Stale, at once
after the pause: new, Elected, at once
failed, and the value is still Fresh: old
