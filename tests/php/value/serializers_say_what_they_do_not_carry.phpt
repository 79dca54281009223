--TEST--
Flags identify the serializer, and unsupported values are rejected or use PHP's
--EXTENSIONS--
igbinary
msgpack
mcpatterns
--SKIPIF--
<?php
require __DIR__ . '/../../_support/script.inc';
skip_without_extensions('igbinary', 'msgpack');
?>
--FILE--
<?php
use McPatterns\{Cache, Compression, Pool, Serializer};

require __DIR__ . '/../../_support/envelope.inc';

$server = start_memcached();
function stored_as(?Serializer $serializer, mixed $value): string
{
    global $server;
    try {
        $cache = new Cache(new Pool($server->address, serializer: $serializer, compression: Compression::None));
        $cache->set('k', $value);
    } catch (TypeError $error) {
        return substr(strstr($error->getMessage(), 'not serializable: '), strlen('not serializable: '));
    }
    [$item, $flags] = get_raw($server, 'k');
    $bytes = read_envelope($item)['payload'];
    $shown = ($flags >> 17) === 6 || ($flags >> 17) === 0 ? " $bytes" : '';
    return sprintf('%x%s%s', $flags >> 17, $shown, serialize($cache->get('k')) === serialize($value) ? '' : ' differs');
}

$recursive = [1];
$recursive[1] = &$recursive;
$number = 1;
$values = [
    'null' => null, 'string' => 'text', 'list' => [1, 'ü/', 1.0, -0.0, [true, []]], 'map' => ['a' => 1, 7 => 2, '' => null],
    'reference' => [&$number, &$number], 'recursive' => $recursive, 'object' => [new stdClass], 'enum' => [Serializer::Php],
    'binary' => ["\xFF"], 'infinite' => [INF], 'closure' => [fn () => 1], 'resource' => [STDIN],
];
foreach ([null, ...Serializer::cases()] as $serializer) {
    echo $serializer->name ?? 'null', "\n";
    foreach ($values as $name => $value) {
        if ($serializer !== Serializer::Php || in_array($name, ['list', 'closure', 'resource'])) {
            echo "  $name: ", stored_as($serializer, $value), "\n";
        }
    }
}
json_decode('[');
(new Cache(new Pool('memory://m', serializer: Serializer::Json)))->set('k', [1]);
var_dump(json_last_error() === JSON_ERROR_SYNTAX);

$deep = fn (int $depth): array => $depth === 1 ? [] : [$GLOBALS['deep']($depth - 1)];
foreach (Serializer::cases() as $serializer) {
    echo $serializer->name;
    foreach ([512, 513, 4096, 4097] as $depth) {
        $told = stored_as($serializer, $deep($depth));
        echo ' ', str_contains($told, ' levels ') ? $told : $told[0];
    }
    echo "\n";
}
echo 'Json with keys';
foreach ([1600, 1666, 1667, 4096] as $depth) {
    $told = stored_as(Serializer::Json, array_reduce(range(1, $depth), fn (mixed $inner): array => ['a' => 1, 'b' => $inner]));
    echo ' ', str_contains($told, ' deep') ? $told : (str_contains($told, 'differs') ? 'differs' : $told[0]);
}
echo "\n";
?>
--EXPECT--
null
  null: 5
  string: 0 text
  list: 5
  map: 5
  reference: 5
  recursive: 5
  object: 5
  enum: 4
  binary: 5
  infinite: 5
  closure: Serialization of 'Closure' is not allowed
  resource: the value contains a resource
Php
  list: 4
  closure: Serialization of 'Closure' is not allowed
  resource: the value contains a resource
Igbinary
  null: 5
  string: 0 text
  list: 5
  map: 5
  reference: 5
  recursive: 5
  object: 5
  enum: 4
  binary: 5
  infinite: 5
  closure: Serialization of 'Closure' is not allowed
  resource: the value contains a resource
Json
  null: 6 null
  string: 0 text
  list: 6 [1,"ü/",1.0,-0.0,[true,[]]]
  map: 6 {"a":1,"7":2,"":null}
  reference: 6 [1,1] differs
  recursive: Serializer::Json does not support arrays that contain themselves
  object: Serializer::Json does not support objects
  enum: Serializer::Json does not support objects
  binary: Serializer::Json requires UTF-8 strings
  infinite: Serializer::Json does not support INF and NAN
  closure: Serializer::Json does not support objects
  resource: the value contains a resource
Msgpack
  null: 7
  string: 0 text
  list: 7
  map: 7
  reference: 4
  recursive: 4
  object: 4
  enum: 4
  binary: 7
  infinite: 7
  closure: Serialization of 'Closure' is not allowed
  resource: the value contains a resource
bool(true)
Php 4 4 4 the value is nested more than 4096 levels deep
Igbinary 5 5 5 the value is nested more than 4096 levels deep
Json 6 6 6 the value is nested more than 4096 levels deep
Msgpack 7 4 4 the value is nested more than 4096 levels deep
Json with keys 6 6 PHP's JSON parser cannot read arrays that are nested so deep PHP's JSON parser cannot read arrays that are nested so deep
