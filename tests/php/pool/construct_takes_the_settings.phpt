--TEST--
Each null parameter of Pool uses its setting
--EXTENSIONS--
mcpatterns
--INI--
mcpatterns.servers=unix:///nowhere/a:2,unix:///nowhere/b
mcpatterns.prefix=ini:
mcpatterns.distribution=modulo
mcpatterns.transport=direct
mcpatterns.connect_timeout=0.1
mcpatterns.timeout=0.3
mcpatterns.retry_after=7
mcpatterns.persistent=0
mcpatterns.serializer=json
mcpatterns.compression="none"
mcpatterns.compress_above=11
mcpatterns.user=ada
mcpatterns.password=secret
mcpatterns.tls_peer_name=cache.example
--FILE--
<?php
use McPatterns\{Distribution, Pool, Serializer, Transport};

/** What the Pool shows of itself, each as one line. */
function shown(Pool $pool): array
{
    preg_match_all('/^    \[(\w+)\] => (.*)$/m', print_r($pool, true), $found);
    $shown = array_combine($found[1], $found[2]);
    $shown['servers'] = implode(' ', array_map(fn (array $server) => "$server[host]:$server[weight]", $pool->servers()));
    return array_diff_key($shown, ['lastErrors' => 0]);
}

$default = shown(Pool::default());
echo json_encode($default, JSON_UNESCAPED_SLASHES), "\n";
$nulls = array_fill_keys(['servers', 'prefix', 'distribution', 'serializer', 'signingKey', 'compression', 'compressAbove', 'connectTimeout',
    'timeout', 'retryAfter', 'persistent', 'transport', 'tls', 'user', 'password'], null);
var_dump(shown(new Pool) === $default, shown(new Pool(...$nulls)) === $default);
foreach ([
    'servers' => 'unix:///nowhere/c', 'prefix' => '', 'distribution' => Distribution::Ketama, 'serializer' => Serializer::Php,
    'compressAbove' => 0, 'connectTimeout' => 2, 'timeout' => 3, 'retryAfter' => 0, 'persistent' => true, 'user' => 'bob',
    'tls' => ['verify_peer' => false],
] as $parameter => $value) {
    $shown = shown(new Pool(...[$parameter => $value]));
    echo $parameter, ': ', json_encode(array_diff_assoc($shown, $default), JSON_UNESCAPED_SLASHES), implode(' without ', ['', ...array_keys(array_diff_key($default, $shown))]), "\n";
}
echo preg_match('/\[tls\] => Array\s+\(\s+([^)]+?)\s+\)/', print_r(new Pool(tls: ['verify_peer' => false]), true), $tls) ? $tls[1] : 'none', "\n";
?>
--EXPECT--
{"servers":"unix:///nowhere/a:2 unix:///nowhere/b:1","prefix":"ini:","distribution":"modulo","transport":"direct","serializer":"json","compression":"none","compressAbove":"11","connectTimeout":"0.1","timeout":"0.3","retryAfter":"7","tls":"Array","user":"ada","password":"1","failover":"","persistent":""}
bool(true)
bool(true)
servers: {"servers":"unix:///nowhere/c:1"} without tls without user without password
prefix: {"prefix":""}
distribution: {"distribution":"ketama"}
serializer: {"serializer":"php"}
compressAbove: {"compressAbove":"0"}
connectTimeout: {"connectTimeout":"2"}
timeout: {"timeout":"3"}
retryAfter: {"retryAfter":"0"}
persistent: {"persistent":"1"}
user: {"user":"bob"}
tls: []
[verify_peer] => 
