--TEST--
A serializer whose extension is missing throws ValueError, its values are misses
--EXTENSIONS--
mcpatterns
--SKIPIF--
<?php
require __DIR__ . '/../../_support/script.inc';
skip_without_scripts();
?>
--FILE--
<?php
require __DIR__ . '/../../_support/script.inc';

// In a process without them, whatever this one has.
echo run_script(<<<'PHP'
    use McPatterns\{Cache, Pool, Serializer};

    require $argv[1];

    $mistake = function (callable $call): string {
        try {
            $call();
            return 'none';
        } catch (ValueError $error) {
            return $error->getMessage();
        }
    };
    foreach ([Serializer::Igbinary, Serializer::Msgpack] as $serializer) {
        echo $mistake(fn () => new Pool('memory://m', serializer: $serializer)), "\n";
    }
    foreach (['igbinary', 'msgpack', 'yaml', 'PHP', 'json', ''] as $setting) {
        ini_set('mcpatterns.serializer', $setting);
        echo $mistake(fn () => Pool::default()), "\n";
    }
    $server = start_memcached();
    $cache = new Cache(new Pool($server->address));
    $cache->set('k', [1]);
    echo get_raw($server, 'k')[1] >> 17, "\n";
    foreach ([[5, "\0\0\0\2\x14\1\x06\0\x06\1"], [7, "\x91\1"], [6, '[1]']] as [$type, $bytes]) {
        put_raw($server, 'k', make_envelope('k', $bytes), envelope_flags($type));
        echo json_encode($cache->get('k', 'miss')), ' ', $cache->stats()['unreadable'], "\n";
    }
    PHP, [__DIR__ . '/../../_support/envelope.inc']);
?>
--EXPECT--
McPatterns\Pool::__construct(): Argument #4 ($serializer) must be available: the extension igbinary is not loaded
McPatterns\Pool::__construct(): Argument #4 ($serializer) must be available: the extension msgpack is not loaded
The INI setting mcpatterns.serializer must be available: the extension igbinary is not loaded
The INI setting mcpatterns.serializer must be available: the extension msgpack is not loaded
The INI setting mcpatterns.serializer must be "php", "igbinary", "json" or "msgpack", "yaml" given
none
none
none
4
"miss" 1
"miss" 2
[1] 2
