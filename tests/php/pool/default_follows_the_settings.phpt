--TEST--
Pool::default() returns the same object while settings are the same
--EXTENSIONS--
mcpatterns
--INI--
mcpatterns.servers=memory://one
--FILE--
<?php
use McPatterns\Pool;

$first = Pool::default();
var_dump($first === Pool::default(), $first->servers()[0]['host']);

ini_set('mcpatterns.servers', 'memory://one, memory://two:3');
$second = Pool::default();
var_dump($first === $second, $second->servers()[1]);
var_dump($first->servers()[0]['host']);

foreach ([
    'servers' => 'memory://', 'prefix' => 'set:', 'distribution' => 'round-robin',
    'connect_timeout' => '0', 'timeout' => '500', 'retry_after' => '-1',
] as $setting => $value) {
    $before = ini_set("mcpatterns.$setting", $value);
    try {
        Pool::default();
        echo "accepted: $setting=$value\n";
    } catch (ValueError $error) {
        echo $error->getMessage(), "\n";
    }
    ini_set("mcpatterns.$setting", $before);
}
foreach (['Modulo', 'one_at_a_time'] as $distribution) {
    ini_set('mcpatterns.distribution', $distribution);
    echo preg_match('/\[distribution\] => \K\w+/', print_r(Pool::default(), true), $shown) ? $shown[0] : 'none', "\n";
}
var_dump(ini_set('mcpatterns.mc_alias', '1'));
?>
--EXPECT--
bool(true)
string(12) "memory://one"
bool(false)
array(3) {
  ["host"]=>
  string(12) "memory://two"
  ["port"]=>
  int(0)
  ["weight"]=>
  int(3)
}
string(12) "memory://one"
The INI setting mcpatterns.servers must have memory servers as "memory://name" with letters, digits, ".", "-" and "_", "memory://" given
The INI setting mcpatterns.prefix must not begin with "set:", which keys of a class begin with
The INI setting mcpatterns.distribution must be "ketama", "modulo" or "one_at_a_time", "round-robin" given
The INI setting mcpatterns.connect_timeout must be between 0.001 and 60 seconds, 0 given
The INI setting mcpatterns.timeout must be between 0.001 and 60 seconds, not milliseconds, 500 given
The INI setting mcpatterns.retry_after must be between 0 and 3600 seconds, -1 given
modulo
one_at_a_time
bool(false)
