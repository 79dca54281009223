--TEST--
Early refresh of near hits samples by the value's own expiry (P3)
--EXTENSIONS--
mcpatterns
--FILE--
<?php
use McPatterns\{Cache, Clock, Pool, Status};

require __DIR__ . '/../../../_support/memcached.inc';

// Of a value that took a millisecond at least, 20 ms before its end: never drawn, and 98 times of 100.
const NEVER = 1e-12;
const OFTEN = 1000;

$server = start_memcached();
$pool = new Pool($server->address);
Clock::freeze();
foreach (['memo' => true, 'host' => false] as $where => $is_one) {
    $make = fn () => new Cache($pool, ttl: 0.02, grace: 60, near: 60);
    $one = $make();
    $cache = fn () => $is_one ? $one : $make();
    $computed = 0;
    $compute = function () use (&$computed) {
        return 'value ' . ++$computed;
    };
    $one->delete('k');
    $one->remember('k', null, $compute);
    $one->get('k');
    $near = function (callable $do) use ($cache): string {
        $of = $cache();
        $before = $of->stats();
        $value = $do($of);
        $after = $of->stats();
        return "$value, " . ($after['near'] > $before['near'] ? 'near' : 'asked') . ', early ' . ($after['early'] - $before['early']);
    };
    $until_drawn = function () use ($near, $compute): string {
        for ($i = 0; $i < 20; $i++) {
            $story = $near(fn ($of) => $of->remember('k', null, $compute, early: OFTEN));
            if (!str_contains($story, 'near')) {
                break;
            }
        }
        return $story;
    };
    echo "$where\n";
    echo '  not drawn: ', $near(fn ($of) => $of->remember('k', null, $compute, early: NEVER)), "\n";
    echo '  drawn: ', $until_drawn(), "\n";
    echo '  then: ', $near(fn ($of) => $of->get('k')), "\n";
    echo '  then: ', $near(fn ($of) => $of->get('k')), "\n";
    // Elected while another is: who is drawn then gets what is there, without waiting.
    $claim = (new Cache($pool, ttl: 0.02, grace: 60));
    do {
        $is_elected = false;
        $claim->remember('k', null, function () use ($until_drawn, &$is_elected) {
            $is_elected = true;
            echo '  beside it: ', $until_drawn(), "\n";
            return 'of another';
        }, early: OFTEN);
    } while (!$is_elected);
    echo '  of another: ', $near(fn ($of) => $of->get('k')), "\n";
}
// Nothing of the host's memory counts for a clock that was moved; of the object's, as long as it is fresh.
$cache = new Cache($pool, near: 60);
$cache->get('k');
$cache->get('k');
Clock::advance(0.019);
$cache->remember('k', 20, fn () => 'new', entry: $entry, early: NEVER);
var_dump($entry->status, $entry->value, $cache->stats()['near']);
Clock::advance(0.001);
echo $cache->remember('k', 20, fn () => 'rebuilt', early: NEVER), "\n";
?>
--EXPECT--
memo
  not drawn: value 1, near, early 0
  drawn: value 2, asked, early 1
  then: value 2, asked, early 0
  then: value 2, near, early 0
  beside it: value 2, asked, early 0
  of another: of another, asked, early 0
host
  not drawn: value 1, near, early 0
  drawn: value 2, asked, early 1
  then: value 2, asked, early 0
  then: value 2, near, early 0
  beside it: value 2, asked, early 0
  of another: of another, asked, early 0
enum(McPatterns\Status::Fresh)
string(10) "of another"
int(3)
rebuilt
