--TEST--
A proxy's error leaves a Counter's outcome unknown, memcached's own does not
--EXTENSIONS--
mcpatterns
pcntl
--FILE--
<?php
use McPatterns\{Counter, Pool, ServerException};

require __DIR__ . '/../../_support/wrong_server.inc';

foreach (['SERVER_ERROR Connection timed out', 'SERVER_ERROR out of memory', 'SERVER_ERROR Connection reset by peer'] as $answer) {
    $address = start_wrong_server("$answer\r\n");
    $counter = new Counter(new Pool($address), 'visits');
    foreach (['increment', 'increment', 'value'] as $method) {
        try {
            $counter->$method();
        } catch (ServerException $error) {
            echo str_replace($address, 'ADDRESS', $error->getMessage()), "\n";
        }
    }
}
?>
--EXPECT--
Cannot increment the counter "visits" on ADDRESS: outcome unknown: the server replied "SERVER_ERROR Connection timed out"
Cannot increment the counter "visits" on ADDRESS: outcome unknown: the server replied "SERVER_ERROR Connection timed out"
Cannot read the counter "visits" on ADDRESS: the server replied "SERVER_ERROR Connection timed out"
Cannot increment the counter "visits" on ADDRESS: the server replied "SERVER_ERROR out of memory"
Cannot increment the counter "visits" on ADDRESS: the server replied "SERVER_ERROR out of memory"
Cannot read the counter "visits" on ADDRESS: the server replied "SERVER_ERROR out of memory"
Cannot increment the counter "visits" on ADDRESS: outcome unknown: the server replied "SERVER_ERROR Connection reset by peer"
Cannot increment the counter "visits" on ADDRESS: outcome unknown: the server replied "SERVER_ERROR Connection reset by peer"
Cannot read the counter "visits" on ADDRESS: the server replied "SERVER_ERROR Connection reset by peer"
