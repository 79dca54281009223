--TEST--
var_dump() and Pool::diagnose() show a discovered Pool's endpoint and version
--EXTENSIONS--
mcpatterns
--SKIPIF--
<?php
if (!extension_loaded('pcntl')) {
    die('skip needs pcntl');
}
?>
--FILE--
<?php
use McPatterns\{Clock, Pool};

require __DIR__ . '/../../../_support/memcached.inc';
require __DIR__ . '/../../../_support/discovery_endpoint.inc';

$node = start_memcached(['tcp' => true])->address;
$endpoint = start_discovery_endpoint();
$tell = function () use ($endpoint): void {
    $pool = new Pool("discover://$endpoint->address");
    ob_start();
    var_dump($pool);
    preg_match('/\["discovery"\]=>\s+array\(7\) \{.*?\n  \}/s', ob_get_clean(), $shown);
    $report = Pool::diagnose($pool);
    $codes = array_filter($report['findings'], fn (array $finding): bool => $finding['subject'] === $endpoint->address || str_ends_with($finding['code'], 'discovery'));
    var_dump($shown !== [], $report['discovery']['endpoint'] === $endpoint->address, array_diff_key($report['discovery'], ['endpoint' => 0, 'asked' => 0]), is_float($report['discovery']['asked']));
    foreach ($codes as $finding) {
        echo "$finding[severity] $finding[code]: ", $finding['subject'] === $endpoint->address ? 'ENDPOINT' : $finding['subject'], ": $finding[finding]\n";
    }
};
$tell();
$endpoint->tell(12, [$node]);
Clock::advance(2);
$tell();
$endpoint->tell(3, ['a:1', 'b:1']);
Clock::advance(60);
$tell();
var_dump(isset(Pool::diagnose(new Pool($node))['discovery']));
?>
--EXPECT--
bool(true)
bool(true)
array(5) {
  ["tls"]=>
  bool(false)
  ["version"]=>
  NULL
  ["servers"]=>
  int(0)
  ["error"]=>
  string(82) "the server replied "ERROR" to "config get cluster": it is not a discovery endpoint"
  ["shared"]=>
  bool(true)
}
bool(true)
error no_discovery: ENDPOINT: the endpoint replied "ERROR" to "config get cluster": it is not a discovery endpoint
bool(true)
bool(true)
array(5) {
  ["tls"]=>
  bool(false)
  ["version"]=>
  int(12)
  ["servers"]=>
  int(1)
  ["error"]=>
  NULL
  ["shared"]=>
  bool(true)
}
bool(true)
bool(true)
bool(true)
array(5) {
  ["tls"]=>
  bool(false)
  ["version"]=>
  int(12)
  ["servers"]=>
  int(1)
  ["error"]=>
  string(62) "the server replied with version 3 of its list after version 12"
  ["shared"]=>
  bool(true)
}
bool(true)
warning stale_discovery: ENDPOINT: the endpoint replied with version 3 of its list after version 12; version 12 of its list remains in use
bool(false)
