--TEST--
rate_limit_with_headers.php sends limit headers and admits everybody without memcached
--EXTENSIONS--
mcpatterns
--SKIPIF--
<?php
require __DIR__ . '/../_support/script.inc';
skip_without_scripts();
?>
--FILE--
<?php
require __DIR__ . '/../_support/run_example.inc';

$server = start_memcached();
foreach (['10.0.0.1', '10.0.0.1', '10.0.0.2', '10.0.0.1', '10.0.0.1'] as $client) {
    echo "$client\n", run_example_script('rate_limit_with_headers', $server, [$client]);
}
$server->kill();
echo run_example_script('rate_limit_with_headers', $server, ['10.0.0.1']);
?>
--EXPECTF--
10.0.0.1
HTTP/1.1 200 OK
RateLimit-Limit: 3
RateLimit-Remaining: 2
10.0.0.1
HTTP/1.1 200 OK
RateLimit-Limit: 3
RateLimit-Remaining: 1
10.0.0.2
HTTP/1.1 200 OK
RateLimit-Limit: 3
RateLimit-Remaining: 2
10.0.0.1
HTTP/1.1 200 OK
RateLimit-Limit: 3
RateLimit-Remaining: 0
10.0.0.1
HTTP/1.1 429 Too Many Requests
RateLimit-Limit: 3
RateLimit-Remaining: 0
Retry-After: %d
HTTP/1.1 200 OK
