--TEST--
A failed large write is reported and counted like a small one
--EXTENSIONS--
mcpatterns
--FILE--
<?php
use McPatterns\{Cache, Metrics, Pool, Transport};

require __DIR__ . '/../../../_support/process.inc';
require __DIR__ . '/../../../_support/told.inc';

$folder = make_temporary_folder('inquiries');
$values = ['small' => str_repeat('x', 10), 'large' => random_bytes(20_000), 'too large' => random_bytes(2_000_000)];
$writes = [
    'set' => fn (Cache $cache, string $value) => $cache->set('k', $value),
    'setMultiple' => fn (Cache $cache, string $value) => $cache->setMultiple(['k' => $value, 'l' => $value]),
    'remember' => fn (Cache $cache, string $value) => strlen($cache->remember('k', null, fn () => $value)) > 0,
];
foreach (Transport::cases() as $transport) {
    foreach ($writes as $how => $write) {
        foreach ($values as $name => $value) {
            $address = "unix://$folder/{$transport->name}-$how-" . strtr($name, ' ', '-');
            $pool = new Pool($address, transport: $transport);
            $pool->onError(show_what_is_told([$address => 'server']));
            echo "$transport->name, $how, $name\n";
            try {
                $answer = $write(new Cache($pool), $value);
            } catch (McPatterns\TooLargeException $exception) {
                $answer = $exception->getMessage();
            }
            $name === 'too large' && (new Cache($pool))->has('k'); // what failed is told by the next call
            $counted = array_column(Metrics::read()['servers'], null, 'server')[$address];
            echo '  ', json_encode($answer), ', ', json_encode(array_intersect_key($counted, ['calls' => 1, 'failures' => 1, 'breaker_openings' => 1, 'is_open' => 1])), "\n";
        }
    }
}
remove_folder($folder);
?>
--EXPECT--
Libmemcached, set, small
  told: server: the server could not be reached: no such file
  false, {"calls":1,"failures":1,"breaker_openings":1,"is_open":true}
Libmemcached, set, large
  told: server: the server could not be reached: no such file
  false, {"calls":1,"failures":1,"breaker_openings":1,"is_open":true}
Libmemcached, set, too large
  told: The value of "k" cannot be stored: McPatterns\TooLargeException: Cannot store the value of "k": it is larger than memcached's limit of 1 MiB
  told: server: the server could not be reached: no such file
  "Cannot store the value of \"k\": it is larger than memcached's limit of 1 MiB", {"calls":1,"failures":1,"breaker_openings":1,"is_open":true}
Libmemcached, setMultiple, small
  told: server: the server could not be reached: no such file
  false, {"calls":1,"failures":1,"breaker_openings":1,"is_open":true}
Libmemcached, setMultiple, large
  told: server: the server could not be reached: no such file
  false, {"calls":1,"failures":1,"breaker_openings":1,"is_open":true}
Libmemcached, setMultiple, too large
  told: The value of "k" cannot be stored: McPatterns\TooLargeException: Cannot store the value of "k": it is larger than memcached's limit of 1 MiB
  told: server: the server could not be reached: no such file
  "Cannot store the value of \"k\": it is larger than memcached's limit of 1 MiB", {"calls":1,"failures":1,"breaker_openings":1,"is_open":true}
Libmemcached, remember, small
  told: server: the server could not be reached: no such file
  true, {"calls":1,"failures":1,"breaker_openings":1,"is_open":true}
Libmemcached, remember, large
  told: server: the server could not be reached: no such file
  true, {"calls":1,"failures":1,"breaker_openings":1,"is_open":true}
Libmemcached, remember, too large
  told: server: the server could not be reached: no such file
  true, {"calls":1,"failures":1,"breaker_openings":1,"is_open":true}
Direct, set, small
  told: server: the server could not be reached: no such file
  false, {"calls":1,"failures":1,"breaker_openings":1,"is_open":true}
Direct, set, large
  told: server: the server could not be reached: no such file
  false, {"calls":1,"failures":1,"breaker_openings":1,"is_open":true}
Direct, set, too large
  told: The value of "k" cannot be stored: McPatterns\TooLargeException: Cannot store the value of "k": it is larger than memcached's limit of 1 MiB
  told: server: the server could not be reached: no such file
  "Cannot store the value of \"k\": it is larger than memcached's limit of 1 MiB", {"calls":1,"failures":1,"breaker_openings":1,"is_open":true}
Direct, setMultiple, small
  told: server: the server could not be reached: no such file
  false, {"calls":1,"failures":1,"breaker_openings":1,"is_open":true}
Direct, setMultiple, large
  told: server: the server could not be reached: no such file
  false, {"calls":1,"failures":1,"breaker_openings":1,"is_open":true}
Direct, setMultiple, too large
  told: The value of "k" cannot be stored: McPatterns\TooLargeException: Cannot store the value of "k": it is larger than memcached's limit of 1 MiB
  told: server: the server could not be reached: no such file
  "Cannot store the value of \"k\": it is larger than memcached's limit of 1 MiB", {"calls":1,"failures":1,"breaker_openings":1,"is_open":true}
Direct, remember, small
  told: server: the server could not be reached: no such file
  true, {"calls":1,"failures":1,"breaker_openings":1,"is_open":true}
Direct, remember, large
  told: server: the server could not be reached: no such file
  true, {"calls":1,"failures":1,"breaker_openings":1,"is_open":true}
Direct, remember, too large
  told: server: the server could not be reached: no such file
  true, {"calls":1,"failures":1,"breaker_openings":1,"is_open":true}
