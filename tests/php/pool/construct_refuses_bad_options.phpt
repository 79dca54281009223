--TEST--
Pool::__construct() rejects each invalid option by the parameter's name
--EXTENSIONS--
mcpatterns
--FILE--
<?php
use McPatterns\{Compression, Pool, Serializer, Transport};

$mistakes = [
    ['prefix' => 'a b'], ['prefix' => "a\n"], ['prefix' => str_repeat('x', 65)],
    ['prefix' => 'row:'], ['prefix' => 'lock:shop:'], ['prefix' => 'unique:'],
    ['prefix' => 'cache2:11211'], ['prefix' => '10.0.0.2:11211:2'], ['prefix' => '[::1]:1'], ['prefix' => 'localhost:22122'], ['prefix' => 'a.example:22122:1'], ['prefix' => 'unix:///' . str_repeat('x', 65)],
    ['prefix' => 'memory://b'], ['prefix' => 'tls://cache2'],
    ['connectTimeout' => 0], ['connectTimeout' => -0.5], ['connectTimeout' => NAN],
    ['connectTimeout' => 200], ['timeout' => INF], ['timeout' => 500], ['timeout' => 60.001], ['timeout' => 0.0001],
    ['retryAfter' => -1], ['retryAfter' => 3601], ['retryAfter' => NAN],
    ['signingKey' => ''], ['signingKey' => []], ['signingKey' => ['secret', '']],
    ['compressAbove' => -1],
];
foreach ($mistakes as $options) {
    try {
        new Pool(...$options);
        echo 'accepted: ', json_encode($options), "\n";
    } catch (ValueError $error) {
        echo substr($error->getMessage(), strlen('McPatterns\Pool::__construct(): Argument ')), "\n";
    }
}
foreach ([['timeout' => 'soon'], ['allowedClasses' => new stdClass], ['allowedClasses' => 'A'], ['allowedClasses' => null], ['allowedClasses' => ['A', 1]], ['signingKey' => ['s', 1]], ['distribution' => 'Ketama'], ['transport' => 'direct']] as $options) {
    try {
        new Pool(...$options);
    } catch (TypeError $error) {
        echo $error->getMessage(), "\n";
    }
}
foreach (['row', 'Lock:', ':lock:', 'shop:lock:', 'ro', '', 'site:', 'site:1:', 'site:1.', 'site1', '17', 'unix:', 'a:b2', 'tenant:17', 'tenant:40017', 'v1.2:3', ':11211', 'localhost:'] as $prefix) {
    new Pool('memory://a', $prefix);
}
new Pool('memory://a', str_repeat('x', 64), McPatterns\Distribution::Modulo, Serializer::Php, true, null,
    Compression::None, 2000, 60, 0.001, 3600, false, false, Transport::Libmemcached);
echo "accepted\n";
?>
--EXPECT--
#2 ($prefix) must not contain spaces or control characters
#2 ($prefix) must not contain spaces or control characters
#2 ($prefix) must be at most 64 bytes, 65 given
#2 ($prefix) must not begin with "row:", which keys of a class begin with
#2 ($prefix) must not begin with "lock:", which keys of a class begin with
#2 ($prefix) must not begin with "unique:", which keys of a class begin with
#2 ($prefix) must not look like a server (pass several servers as an array), "cache2:11211" given
#2 ($prefix) must not look like a server (pass several servers as an array), "10.0.0.2:11211:2" given
#2 ($prefix) must not look like a server (pass several servers as an array), "[::1]:1" given
#2 ($prefix) must not look like a server (pass several servers as an array), "localhost:22122" given
#2 ($prefix) must not look like a server (pass several servers as an array), "a.example:22122:1" given
#2 ($prefix) must not look like a server (pass several servers as an array), "unix:///xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx" given
#2 ($prefix) must not look like a server (pass several servers as an array), "memory://b" given
#2 ($prefix) must not look like a server (pass several servers as an array), "tls://cache2" given
#9 ($connectTimeout) must be between 0.001 and 60 seconds, 0 given
#9 ($connectTimeout) must be between 0.001 and 60 seconds, -0.5 given
#9 ($connectTimeout) must be between 0.001 and 60 seconds, NAN given
#9 ($connectTimeout) must be between 0.001 and 60 seconds, not milliseconds, 200 given
#10 ($timeout) must be between 0.001 and 60 seconds, not milliseconds, INF given
#10 ($timeout) must be between 0.001 and 60 seconds, not milliseconds, 500 given
#10 ($timeout) must be between 0.001 and 60 seconds, not milliseconds, 60.001 given
#10 ($timeout) must be between 0.001 and 60 seconds, 0.0001 given
#11 ($retryAfter) must be between 0 and 3600 seconds, -1 given
#11 ($retryAfter) must be between 0 and 3600 seconds, 3601 given
#11 ($retryAfter) must be between 0 and 3600 seconds, NAN given
#6 ($signingKey) must not be or contain an empty string
#6 ($signingKey) must not be an empty list
#6 ($signingKey) must not be or contain an empty string
#8 ($compressAbove) must be greater than or equal to 0, -1 given
McPatterns\Pool::__construct(): Argument #10 ($timeout) must be of type int|float|null, string given
McPatterns\Pool::__construct(): Argument #5 ($allowedClasses) must be of type array|bool, stdClass given
McPatterns\Pool::__construct(): Argument #5 ($allowedClasses) must be of type array|bool, string given
McPatterns\Pool::__construct(): Argument #5 ($allowedClasses) must be of type array|bool, null given
McPatterns\Pool::__construct(): Argument #5 ($allowedClasses) must be a list of class names, int found
McPatterns\Pool::__construct(): Argument #6 ($signingKey) must be a list of strings, int found
McPatterns\Pool::__construct(): Argument #3 ($distribution) must be of type ?McPatterns\Distribution, string given
McPatterns\Pool::__construct(): Argument #14 ($transport) must be of type ?McPatterns\Transport, string given
accepted
