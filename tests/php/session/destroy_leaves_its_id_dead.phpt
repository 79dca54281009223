--TEST--
A destroyed session stays destroyed despite writes of earlier requests (E13)
--EXTENSIONS--
mcpatterns
session
--SKIPIF--
<?php
require __DIR__ . '/../../_support/script.inc';
skip_without_extensions('session');
?>
--FILE--
<?php
use McPatterns\{Locking, Pool, SessionHandler, Transport};

require __DIR__ . '/../../_support/session.inc';

$server = start_memcached();
by_each_transport(function (Transport $transport) use ($server): void {
    $pool = new Pool($server->address, transport: $transport, timeout: 10);
    foreach ([Locking::Merge, Locking::None] as $locking) {
        $begin = function () use ($pool, $locking): array {
            $handler = new SessionHandler($pool, $locking, format: 'php');
            return [$handler, $handler->read('id')];
        };
        $store = fn (string $data): bool => $begin()[0]->write('id', $data);
        $end = fn (): bool => $begin()[0]->destroy('id');
        $cases = [
            'nothing' => fn () => null,
            'a tombstone' => fn () => $store('z|i:1;') && $end(),
            'a session' => fn () => $store('z|i:1;'),
        ];
        foreach ($cases as $before => $prepare) {
            $server->raw('flush_all');
            $prepare();
            [$first] = $begin();
            $store('user|s:5:"alice";');
            $said = [$first->destroy('id'), $begin()[1]];
            [$earlier] = $begin();
            $store('a|i:1;') && $end() && $store('b|i:1;');
            array_push($said, $earlier->write('id', 'mine|i:1;'), $begin()[1]);
            [$earlier] = $begin();
            $end() && $store('c|i:1;');
            array_push($said, $earlier->destroy('id'), $begin()[1]);
            echo "$locking->name, $before: ", json_encode($said), "\n";
        }
        // Two that have read one tombstone are of one session.
        [[$one], [$other]] = [$begin(), $begin()];
        echo json_encode([$one->write('id', 'a|i:1;'), $other->write('id', 'b|i:1;'), $begin()[1]]), "\n";
    }
});
?>
--EXPECT--
Merge, nothing: [true,"",true,"b|i:1;",true,""]
Merge, a tombstone: [true,"",true,"b|i:1;",true,""]
Merge, a session: [true,"",true,"b|i:1;",true,""]
[true,true,"a|i:1;b|i:1;"]
None, nothing: [true,"",true,"b|i:1;",true,""]
None, a tombstone: [true,"",true,"b|i:1;",true,""]
None, a session: [true,"",true,"b|i:1;",true,""]
[true,true,"b|i:1;"]
