--TEST--
An invalid setting ends start-up with its name, and ini_set() returns false
--EXTENSIONS--
mcpatterns
--INI--
mcpatterns.timeout=0.5
--SKIPIF--
<?php
require __DIR__ . '/../../_support/script.inc';
skip_without_scripts();
?>
--FILE--
<?php
require __DIR__ . '/../../_support/script.inc';

$start = function (string ...$settings) {
    $given = [];
    foreach ($settings as $setting) {
        [$name, $value] = explode('=', $setting);
        $given["mcpatterns.$name"] = $value;
    }
    $code = 'echo "started with ", json_encode(array_map("ini_get", array_slice($argv, 1))), "\n";';
    preg_match_all('/The INI .*(?= in Unknown)|Unable to start.*module|started.*/', run_script($code, array_keys($given), $given), $said);
    echo implode("\n", $said[0]), "\n";
};
foreach (['retry_after=abc', 'timeout=0.5s', 'connect_timeout=', 'timeout=1,5', 'retry_after=0x10', 'persistent=abc', 'mc_alias=2', 'mc_legacy=onn', 'report_key_drift=all', 'memory_limit=abc', 'memory_limit=4X', 'memory_limit=', 'memory_limit=0', 'memory_limit=-1',
    'zlib_level=0', 'zlib_level=10', 'zstd_level=23', 'zstd_level=fast', 'decompress_limit=0', 'compress_above=-1', 'compress_above=',
    'item_size_limit=lots', 'item_size_limit=1023K', 'item_size_limit=-1', 'tcp_keepalive=-1', 'tcp_keepalive=1.5', 'tcp_keepalive=32768', 'tcp_keepalive=', 'dns_interval=0.5', 'dns_interval=61', 'resolv_conf=resolv.conf',
    'serializer=msgpak', 'compression=gzip', 'transport=Direkt', 'distribution=round-robin', 'prefix=lock:',
    'servers=localhost:', 'servers=', 'servers=a,b,a', 'timeout=500', 'connect_timeout=200', 'retry_after=-1', 'timeout=0',
    'shared_memory=lots', 'shared_memory=-1', 'shared_memory=63K', 'shared_memory=17G', 'shared_memory=', 'shared_memory_path=here', 'shared_memory_group=nosuchgroup', 'shared_memory_group=-1', 'shared_memory_mode=0666', 'shared_memory_mode=rw'] as $setting) {
    $start($setting);
}
echo "two at once\n";
$start('timeout=x', 'persistent=y');
echo "right ones\n";
$start('retry_after=0', 'timeout=.25', 'connect_timeout=1e-1', 'persistent=off', 'mc_alias=Yes', 'mc_legacy=true');
$start('timeout= 1.5 ', 'persistent=');
$start('memory_limit=4M', 'zlib_level=9', 'zstd_level=22', 'decompress_limit=1G', 'compress_above=0');
$start('shared_memory=64K', 'shared_memory_path=', 'item_size_limit=1M');
$start('shared_memory=0', 'item_size_limit=0', 'tcp_keepalive=0', 'dns_interval=1');
$start('servers=a,unix:///b:2', 'serializer=IGBINARY', 'compression=Zstd', 'transport=libmemcached', 'timeout=60', 'retry_after=3600');
echo "at run time\n";
var_dump(ini_set('mcpatterns.retry_after', 'abc'), ini_get('mcpatterns.retry_after'), ini_set('mcpatterns.persistent', 'abc'), ini_set('mcpatterns.timeout', '2'));
?>
--EXPECT--
The INI setting mcpatterns.retry_after must be a number of seconds, "abc" given
Unable to start mcpatterns module
The INI setting mcpatterns.timeout must be a number of seconds, "0.5s" given
Unable to start mcpatterns module
The INI setting mcpatterns.connect_timeout must be a number of seconds, "" given
Unable to start mcpatterns module
The INI setting mcpatterns.timeout must be a number of seconds, "1,5" given
Unable to start mcpatterns module
The INI setting mcpatterns.retry_after must be a number of seconds, "0x10" given
Unable to start mcpatterns module
The INI setting mcpatterns.persistent must be on or off, "abc" given
Unable to start mcpatterns module
The INI setting mcpatterns.mc_alias must be on or off, "2" given
Unable to start mcpatterns module
The INI setting mcpatterns.mc_legacy must be on or off, "onn" given
Unable to start mcpatterns module
The INI setting mcpatterns.report_key_drift must be on or off, "all" given
Unable to start mcpatterns module
The INI setting mcpatterns.memory_limit must be a number of bytes greater than 0, "abc" given
Unable to start mcpatterns module
The INI setting mcpatterns.memory_limit must be a number of bytes greater than 0, "4X" given
Unable to start mcpatterns module
The INI setting mcpatterns.memory_limit must be a number of bytes greater than 0, "" given
Unable to start mcpatterns module
The INI setting mcpatterns.memory_limit must be a number of bytes greater than 0, "0" given
Unable to start mcpatterns module
The INI setting mcpatterns.memory_limit must be a number of bytes greater than 0, "-1" given
Unable to start mcpatterns module
The INI setting mcpatterns.zlib_level must be between 1 and 9, "0" given
Unable to start mcpatterns module
The INI setting mcpatterns.zlib_level must be between 1 and 9, "10" given
Unable to start mcpatterns module
The INI setting mcpatterns.zstd_level must be between 1 and 22, "23" given
Unable to start mcpatterns module
The INI setting mcpatterns.zstd_level must be between 1 and 22, "fast" given
Unable to start mcpatterns module
The INI setting mcpatterns.decompress_limit must be a number of bytes greater than 0, "0" given
Unable to start mcpatterns module
The INI setting mcpatterns.compress_above must be a number of bytes, "-1" given
Unable to start mcpatterns module
The INI setting mcpatterns.compress_above must be a number of bytes, "" given
Unable to start mcpatterns module
The INI setting mcpatterns.item_size_limit must be 0 or at least 1M bytes, "lots" given
Unable to start mcpatterns module
The INI setting mcpatterns.item_size_limit must be 0 or at least 1M bytes, "1023K" given
Unable to start mcpatterns module
The INI setting mcpatterns.item_size_limit must be 0 or at least 1M bytes, "-1" given
Unable to start mcpatterns module
The INI setting mcpatterns.tcp_keepalive must be between 0 and 32767 seconds, "-1" given
Unable to start mcpatterns module
The INI setting mcpatterns.tcp_keepalive must be between 0 and 32767 seconds, "1.5" given
Unable to start mcpatterns module
The INI setting mcpatterns.tcp_keepalive must be between 0 and 32767 seconds, "32768" given
Unable to start mcpatterns module
The INI setting mcpatterns.tcp_keepalive must be between 0 and 32767 seconds, "" given
Unable to start mcpatterns module
The INI setting mcpatterns.dns_interval must be between 1 and 60 seconds, "0.5" given
Unable to start mcpatterns module
The INI setting mcpatterns.dns_interval must be between 1 and 60 seconds, "61" given
Unable to start mcpatterns module
The INI setting mcpatterns.resolv_conf must be an absolute path or empty, "resolv.conf" given
Unable to start mcpatterns module
The INI setting mcpatterns.serializer must be "php", "igbinary", "json" or "msgpack", "msgpak" given
Unable to start mcpatterns module
The INI setting mcpatterns.compression must be "none", "zlib" or "zstd", "gzip" given
Unable to start mcpatterns module
The INI setting mcpatterns.transport must be "libmemcached" or "direct", "Direkt" given
Unable to start mcpatterns module
The INI setting mcpatterns.distribution must be "ketama", "modulo" or "one_at_a_time", "round-robin" given
Unable to start mcpatterns module
The INI setting mcpatterns.prefix must not begin with "lock:", which keys of a class begin with
Unable to start mcpatterns module
The INI setting mcpatterns.servers must have ports between 1 and 65535, "localhost:" given
Unable to start mcpatterns module
The INI setting mcpatterns.servers must name servers as "host:port", "unix:///path" or "memory://name", "" given
Unable to start mcpatterns module
The INI setting mcpatterns.servers must not name a server twice, "a" given
Unable to start mcpatterns module
The INI setting mcpatterns.timeout must be between 0.001 and 60 seconds, not milliseconds, 500 given
Unable to start mcpatterns module
The INI setting mcpatterns.connect_timeout must be between 0.001 and 60 seconds, not milliseconds, 200 given
Unable to start mcpatterns module
The INI setting mcpatterns.retry_after must be between 0 and 3600 seconds, -1 given
Unable to start mcpatterns module
The INI setting mcpatterns.timeout must be between 0.001 and 60 seconds, 0 given
Unable to start mcpatterns module
The INI setting mcpatterns.shared_memory must be 0 or between 64K and 16G bytes, "lots" given
Unable to start mcpatterns module
The INI setting mcpatterns.shared_memory must be 0 or between 64K and 16G bytes, "-1" given
Unable to start mcpatterns module
The INI setting mcpatterns.shared_memory must be 0 or between 64K and 16G bytes, "63K" given
Unable to start mcpatterns module
The INI setting mcpatterns.shared_memory must be 0 or between 64K and 16G bytes, "17G" given
Unable to start mcpatterns module
The INI setting mcpatterns.shared_memory must be 0 or between 64K and 16G bytes, "" given
Unable to start mcpatterns module
The INI setting mcpatterns.shared_memory_path must be an absolute path or empty, "here" given
Unable to start mcpatterns module
The INI setting mcpatterns.shared_memory_group must be the name or number of a group of this system, or empty, "nosuchgroup" given
Unable to start mcpatterns module
The INI setting mcpatterns.shared_memory_group must be the name or number of a group of this system, or empty, "-1" given
Unable to start mcpatterns module
The INI setting mcpatterns.shared_memory_mode must be 0600, 0660 or empty, "0666" given
Unable to start mcpatterns module
The INI setting mcpatterns.shared_memory_mode must be 0600, 0660 or empty, "rw" given
Unable to start mcpatterns module
two at once
The INI setting mcpatterns.timeout must be a number of seconds, "x" given
The INI setting mcpatterns.persistent must be on or off, "y" given
Unable to start mcpatterns module
right ones
started with ["0",".25","1e-1","","1","1"]
started with [" 1.5 ",""]
started with ["4M","9","22","1G","0"]
started with ["64K","","1M"]
started with ["0","0","0","1"]
started with ["a,unix:\/\/\/b:2","IGBINARY","Zstd","libmemcached","60","3600"]
at run time
bool(false)
string(1) "1"
bool(false)
string(3) "0.5"
