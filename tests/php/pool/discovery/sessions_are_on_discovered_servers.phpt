--TEST--
session.save_path = discover:// stores sessions on the discovered servers
--EXTENSIONS--
mcpatterns
--SKIPIF--
<?php
require __DIR__ . '/../../../_support/script.inc';
skip_without_scripts();
if (!extension_loaded('pcntl')) {
    die('skip needs pcntl');
}
?>
--FILE--
<?php

require __DIR__ . '/../../../_support/memcached.inc';
require __DIR__ . '/../../../_support/discovery_endpoint.inc';
require __DIR__ . '/../../../_support/script.inc';

$node = start_memcached(['tcp' => true])->address;
$endpoint = start_discovery_endpoint();
$endpoint->tell(12, [$node]);
$code = "session_id('abc'); session_start(); \$_SESSION['seen'] = (\$_SESSION['seen'] ?? 0) + 1; echo \$_SESSION['seen'], \"\\n\";";
$settings = ['session.save_handler' => 'mcpatterns', 'session.use_strict_mode' => '0', 'session.use_cookies' => '0', 'session.cache_limiter' => '', 'mcpatterns.session_locking' => 'lock'];
echo run_script($code, [], $settings + ['session.save_path' => "discover://$endpoint->address"]);
echo run_script($code, [], $settings + ['session.save_path' => $node]);
echo 'asked ', $endpoint->asked(), "\n";
?>
--EXPECT--
1
2
asked 1
