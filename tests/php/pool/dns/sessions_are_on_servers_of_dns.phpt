--TEST--
session.save_path and mcpatterns.servers accept names of DNS
--EXTENSIONS--
mcpatterns
--SKIPIF--
<?php
if (!extension_loaded("pcntl") || !is_readable("/proc/self/cmdline")) {
    die("skip needs pcntl and /proc");
}
?>
--FILE--
<?php
require __DIR__ . '/../../../_support/memcached.inc';
require __DIR__ . '/../../../_support/dns_server.inc';

$dns = start_dns_server();
$node = start_memcached(['tcp' => true]);
$dns->tell(['cache.test' => ['A' => [$node->host]], 'srv.test' => ['SRV' => [[0, 1, $node->port, $node->host]]]]);
$code = "session_id('abc'); session_start(); \$_SESSION['seen'] = (\$_SESSION['seen'] ?? 0) + 1; echo \$_SESSION['seen'], \"\\n\"; session_write_close(); echo (new McPatterns\\Counter(McPatterns\\Pool::default(), 'counter'))->increment(), \"\\n\";";
$settings = ['mcpatterns.resolv_conf' => ini_get('mcpatterns.resolv_conf'), 'mcpatterns.timeout' => 5, 'session.save_handler' => 'mcpatterns', 'session.use_strict_mode' => '0', 'session.use_cookies' => '0', 'session.cache_limiter' => ''];
foreach (["dns://cache.test:$node->port", 'dns+srv://srv.test.', $node->address] as $servers) {
    echo run_script($code, [], $settings + ['session.save_path' => $servers, 'mcpatterns.servers' => $servers]);
}
?>
--EXPECT--
1
1
2
2
3
3
