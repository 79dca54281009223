--TEST--
A SessionHandler's new id is valid once written, without a read
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
use McPatterns\{Pool, SessionHandler};

require __DIR__ . '/../../_support/memcached.inc';

$server = start_memcached();
$handler = new SessionHandler(new Pool($server->address), lockWait: 0, format: 'php_serialize');
$id = $handler->create_sid();
var_dump($handler->validateId($id)); // nothing is there: PHP may take the id
var_dump($handler->write($id, serialize(['a' => 1])));
var_dump($handler->validateId($id));
var_dump($handler->read($id));
var_dump($handler->destroy($id), $handler->validateId($id));
?>
--EXPECT--
bool(false)
bool(true)
bool(true)
string(18) "a:1:{s:1:"a";i:1;}"
bool(true)
bool(false)
