--TEST--
A claim outlives its Cache object: 1 of 8 processes computes (C1, C6)
--EXTENSIONS--
mcpatterns
pcntl
--FILE--
<?php
use McPatterns\{Cache, MC, Pool};

require __DIR__ . '/../../../_support/memcached.inc';
require __DIR__ . '/../../../_support/workers.inc';

$server = start_memcached();
$make = fn () => new Cache(new Pool($server->address, timeout: 10), ttl: 100, lease: 60);
$ways = [
    'get' => [fn () => $make()->get('k', 'elected'), fn ($value) => $make()->set('k', $value)],
    'lookup' => [fn () => ($entry = $make()->lookup('k'))->status->name === 'Elected' ? 'elected' : $entry->value, fn ($value) => $make()->publish('k', $value)],
    'getMultiple' => [fn () => $make()->getMultiple(['k'], 'elected')['k'], fn ($value) => $make()->setMultiple(['k' => $value])],
    'MC::get' => [fn () => MC::use($make()) ?? (MC::get('k') ?: 'elected'), fn ($value) => MC::use($make()) ?? MC::set('k', $value)],
];
foreach ($ways as $name => [$get, $set]) {
    $make()->set('k', 'old');
    $make()->expire('k');
    $answers = run_workers(8, function (int $index) use ($get, $set) {
        usleep($index * 10_000); // one after the other
        $answer = $get();
        usleep($answer === 'elected' ? 400_000 : 0); // all the others ask meanwhile
        return [$answer, $answer === 'elected' ? $set('new') : null];
    });
    $counts = array_count_values(array_column($answers, 0));
    ksort($counts);
    $stored = array_filter($answers, fn ($answer) => $answer[1] === true);
    echo $name, ': ', json_encode($counts), ', stored by ', count($stored), ', ', $make()->entry('k')->status->name, ' ', $make()->get('k'), "\n";
}
?>
--EXPECT--
get: {"elected":1,"old":7}, stored by 1, Fresh new
lookup: {"elected":1,"old":7}, stored by 1, Fresh new
getMultiple: {"elected":1,"old":7}, stored by 1, Fresh new
MC::get: {"elected":1,"old":7}, stored by 1, Fresh new
