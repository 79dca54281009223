--TEST--
Each method treats values from another client as stale (C19)
--EXTENSIONS--
mcpatterns
--FILE--
<?php
use McPatterns\{Cache, Clock, MC, Pool, Status};

require __DIR__ . '/../../../_support/envelope.inc';

$server = start_memcached();
$pool = new Pool($server->address);
$make = fn (mixed ...$options): Cache => new Cache($pool, ...['ttl' => 100, 'grace' => 50, 'foreign' => true, ...$options]);
$cache = $make();
$put = function (string $bytes = 'theirs', int $flags = 0, int $expiry = 0) use ($server) {
    put_raw($server, 'k', $bytes, $flags, $expiry);
};
$ends = function () use ($server): string {
    $envelope = get_envelope($server, 'k');
    $now = (int) round(microtime(true) * 1000);
    return sprintf('%d s to its soft end, %d s of grace', round(($envelope['soft'] - $now) / 1000), round(($envelope['hard'] - $envelope['soft']) / 1000));
};

echo "nothing is written by reading\n";
$put(expiry: 1000);
var_dump([$cache->peek('k'), $cache->has('k'), $cache->entry('k')->status, $cache->entry('k')->age] === ['theirs', true, Status::Stale, null]);
var_dump(get_raw($server, 'k') === ['theirs', 0], get_seconds_left($server, 'k') > 900);

echo "get, and getMultiple\n";
echo json_encode([$cache->get('k', 'rebuild'), $cache->get('k', 'rebuild')]), ' ', $ends(), "\n";
$put();
echo json_encode([$cache->getMultiple(['k', 'none'], 'rebuild'), $cache->getMultiple(['k', 'none'], 'rebuild')]), "\n";
$cache->abandon('k');

echo "remember, and rememberMany\n";
$put();
$story = null;
echo json_encode([$cache->remember('k', null, fn (McPatterns\Entry $old) => "after $old->value"), $cache->get('k')]), ' ', $ends(), "\n";
$put();
echo json_encode($cache->rememberMany(['k'], null, fn (array $keys) => ['k' => 'many'])), ' ', $ends(), "\n";
$put();
try {
    $cache->remember('k', null, fn () => throw new Exception('computing fails'));
} catch (Exception $failure) {
    echo $failure->getMessage(), ': ', json_encode($cache->get('k')), ' ', $ends(), "\n";
}

echo "changes\n";
$put();
echo json_encode([$cache->add('k', 'added'), $cache->get('k')]), "\n";
$put();
echo json_encode([$cache->replace('k', 'replaced'), $cache->get('k')]), ' ', $ends(), "\n";
$put();
echo json_encode([$cache->update('k', fn ($old) => "$old, changed"), $cache->get('k')]), ' ', $ends(), "\n";
$put();
echo json_encode([$cache->touch('k', 30), $cache->get('k')]), ' ', $ends(), "\n";
$put();
echo json_encode([$cache->expire('k'), $cache->peek('k'), $cache->entry('k')->status->name]), ' ', $ends(), "\n";
$put();
echo json_encode([$cache->pull('k'), $cache->pull('k')]), "\n";
$put();
echo json_encode([$cache->forget('k'), $cache->delete('k')]), "\n";
$put('41', 1);
echo json_encode([$cache->increment('k'), $cache->increment('k'), $cache->peek('k')]), ' ', $ends(), "\n";

echo "grace 0, and stale: false\n";
$put();
$strict = $make(grace: 0);
echo json_encode([$strict->get('k', 'none'), $strict->has('k'), $strict->remember('k', null, fn () => 'computed')]), "\n";
$put();
$strict = $make(stale: false);
echo json_encode([$strict->get('k', 'none'), $strict->has('k'), $strict->pull('k', 'none'), $strict->entry('k')->value, $strict->remember('k', null, fn () => 'computed')]), "\n";

echo "without an end\n";
$put();
$make(grace: INF)->get('k');
var_dump(get_envelope($server, 'k')['hard'] === ENVELOPE_NEVER, get_seconds_left($server, 'k'));

echo "MC\n";
MC::use($cache);
$put();
echo json_encode([MC::get('k'), MC::get('k')]), "\n";
echo "what neither client writes\n";
foreach (['text' => 8, 'a:0:{' => 4, 'damaged' => ENVELOPE_FLAG] as $bytes => $flags) {
    $put($bytes, $flags);
    echo json_encode([$cache->peek('k', 'none'), $cache->remember('k', null, fn () => 'computed')]), ' ';
}
echo $cache->stats()['unreadable'], "\n";
?>
--EXPECT--
nothing is written by reading
bool(true)
bool(true)
bool(true)
get, and getMultiple
["rebuild","theirs"] 0 s to its soft end, 50 s of grace
[{"k":"rebuild","none":"rebuild"},{"k":"theirs","none":"rebuild"}]
remember, and rememberMany
["after theirs","after theirs"] 100 s to its soft end, 50 s of grace
{"k":"many"} 100 s to its soft end, 50 s of grace
computing fails: "theirs" 0 s to its soft end, 50 s of grace
changes
[true,"added"]
[true,"replaced"] 100 s to its soft end, 50 s of grace
["theirs, changed","theirs, changed"] 100 s to its soft end, 50 s of grace
[true,"theirs"] 30 s to its soft end, 50 s of grace
[true,"theirs","Stale"] 0 s to its soft end, 50 s of grace
["theirs",null]
[true,true]
[42,43,43] 0 s to its soft end, 50 s of grace
grace 0, and stale: false
["none",false,"computed"]
["none",false,"none","theirs","computed"]
without an end
bool(true)
int(-1)
MC
[false,"theirs"]
what neither client writes
["none","computed"] ["none","computed"] ["none","computed"] 5
