--TEST--
Enum cases outside allowedClasses are misses and load no enum
--EXTENSIONS--
mcpatterns
--FILE--
<?php
use McPatterns\{Cache, Pool};

require __DIR__ . '/../../_support/envelope.inc';

enum Suit: string
{
    case Hearts = 'h';
}
spl_autoload_register(function (string $name) {
    echo "  loaded: $name\n";
});
$server = start_memcached();
$texts = [
    'a case' => serialize(Suit::Hearts),
    'in an array' => serialize([1, ['x' => Suit::Hearts]]),
    'by its full name' => 'E:12:"\Suit:Hearts";',
    'of an enum that is not there' => 'E:9:"Nothing:A";',
    'twice' => serialize([Suit::Hearts, Suit::Hearts]),
    'no case' => serialize(['E:9:"Nothing:A"', 'key E:1' => 'E:']),
    'one that looks like it' => serialize([';E:9:"Nothing:A";']),
    'cut' => ';E:', 'cut too' => 'E:9:"', 'and so' => 'E:9:"N',
];
foreach (['none' => false, 'others' => ['ArrayObject'], 'it' => ['suit']] as $name => $allowed) {
    $cache = new Cache(new Pool($server->address, allowedClasses: $allowed));
    echo "allowed: $name\n";
    foreach ($texts as $what => $text) {
        put_raw($server, 'k', make_envelope('k', $text), envelope_flags(4));
        echo "  $what: ", json_encode($cache->get('k', 'miss')), "\n";
    }
}
?>
--EXPECT--
allowed: none
  a case: "miss"
  in an array: "miss"
  by its full name: "miss"
  of an enum that is not there: "miss"
  twice: "miss"
  no case: {"0":"E:9:\"Nothing:A\"","key E:1":"E:"}
  one that looks like it: "miss"
  cut: "miss"
  cut too: "miss"
  and so: "miss"
allowed: others
  a case: "miss"
  in an array: "miss"
  by its full name: "miss"
  of an enum that is not there: "miss"
  twice: "miss"
  no case: {"0":"E:9:\"Nothing:A\"","key E:1":"E:"}
  one that looks like it: "miss"
  cut: "miss"
  cut too: "miss"
  and so: "miss"
allowed: it
  a case: "h"
  in an array: [1,{"x":"h"}]
  by its full name: "h"
  of an enum that is not there: "miss"
  twice: ["h","h"]
  no case: {"0":"E:9:\"Nothing:A\"","key E:1":"E:"}
  one that looks like it: "miss"
  cut: "miss"
  cut too: "miss"
  and so: "miss"
