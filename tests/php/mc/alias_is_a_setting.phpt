--TEST--
mcpatterns.mc_alias registers MC as a global class
--EXTENSIONS--
mcpatterns
--INI--
mcpatterns.mc_alias=On
mcpatterns.servers=memory://alias
--FILE--
<?php
var_dump(MC::set('k', 'value'), McPatterns\MC::get('k'), (new ReflectionClass('MC'))->getName());
class Site extends MC {}
var_dump(Site::get('k'), is_subclass_of('Site', McPatterns\MC::class));
?>
--EXPECT--
bool(true)
string(5) "value"
string(13) "McPatterns\MC"
string(5) "value"
bool(true)
