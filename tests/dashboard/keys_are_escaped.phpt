--TEST--
The dashboard escapes keys, prefixes and lock names in HTML and JSON
--EXTENSIONS--
mcpatterns
--SKIPIF--
<?php
require __DIR__ . '/../_support/script.inc';
skip_without_extensions('session');
skip_without_scripts();
?>
--FILE--
<?php
require __DIR__ . '/../_support/dashboard.inc';

$dashboard = start_dashboard();
$evil = '</script><script>alert(1)</script>';
$keys = ['script' => $evil, 'comment' => '<!--<script>', 'entity' => '&lt;b&gt;"\'', 'binary' => "\xff\x00\x1b[2J", 'turned' => "a\u{202e}b\u{2028}c", 'braces' => '{look}{nonce}', 'umlaut' => 'Käse 🧀'];
$dashboard->run('foreach (' . var_export($keys, true) . ' as $key) {
    (new McPatterns\Cache(new McPatterns\Pool("memory://x"), prefix: "<i>"))->remember($key, 60, fn () => 1);
    (new McPatterns\Lock(new McPatterns\Pool("memory://x"), $key))->acquire();
}
(new McPatterns\SessionHandler(new McPatterns\Pool("memory://x", prefix: "<script>")))->read("one");');
$json = $dashboard->ask('?format=json');
$look = json_decode($json['body'], true, flags: JSON_THROW_ON_ERROR);
echo $look['metrics']['groups'][0]['group'], "\n";
foreach (['rebuilds' => 'key', 'locks' => 'lock'] as $list => $name) {
    $names = array_column($look['metrics'][$list], $name);
    sort($names);
    echo "--- $list\n", implode("\n", $names), "\n";
}
echo "--- sessions\n", $look['metrics']['sessions'][0]['prefix'], "\n";
echo "--- as bytes\n";
var_dump(preg_match('/[\x00-\x09\x0b-\x1f<>&\']/', $json['body']));     // nothing that HTML or a terminal minds
$page = $dashboard->ask();
preg_match('~<script type="application/json" id="look" nonce="[^"{]+">(.*)</script>\n<script nonce="[^"{]+">~', $page['body'], $found);
$embedded = json_decode($found[1], true, flags: JSON_THROW_ON_ERROR);
var_dump($embedded['metrics']['rebuilds'] === $look['metrics']['rebuilds'], $embedded['metrics']['locks'] === $look['metrics']['locks']);
var_dump(substr_count($page['body'], '<script'), substr_count($page['body'], '</script'), str_contains($page['body'], 'alert(1)</'));
echo preg_replace('/nonce-[A-Za-z0-9+\/]{24}/', 'nonce-NONCE', preg_replace('/.*(Content-Security-Policy: [^\n]*).*/s', '$1', $page['headers'])), "\n";
preg_match_all('/nonce[-=]"?([A-Za-z0-9+\/]{24})/', $page['headers'] . $page['body'], $nonces);
echo count($nonces[1]), ' nonces, ', count(array_unique($nonces[1])), " of them different; another page's differs: ";
var_dump(!str_contains($dashboard->ask()['body'], $nonces[1][0]));
?>
--EXPECT--
<i>
--- rebuilds
&lt;b&gt;"'
<!--<script>
</script><script>alert(1)</script>
Käse 🧀
\xff\x00\x1b[2J
a\u202eb\u2028c
{look}{nonce}
--- locks
&lt;b&gt;"'
<!--<script>
</script><script>alert(1)</script>
Käse 🧀
\xff\x00\x1b[2J
a\u202eb\u2028c
{look}{nonce}
--- sessions
<script>
--- as bytes
int(0)
bool(true)
bool(true)
int(2)
int(2)
bool(false)
Content-Security-Policy: default-src 'none'; script-src 'nonce-NONCE'; style-src 'nonce-NONCE'; connect-src 'self'; img-src data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'; require-trusted-types-for 'script'
5 nonces, 1 of them different; another page's differs: bool(true)
