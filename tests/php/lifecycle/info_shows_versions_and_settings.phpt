--TEST--
php --ri mcpatterns shows versions, supported features and settings
--EXTENSIONS--
mcpatterns
--INI--
mcpatterns.timeout=0.5
--FILE--
<?php
ob_start();
(new ReflectionExtension('mcpatterns'))->info();
echo ob_get_clean();
var_dump(phpversion('mcpatterns') === (new ReflectionExtension('mcpatterns'))->getVersion());
?>
--EXPECTF--
%Amcpatterns support => enabled
version => %d.%d.%d%S
libmemcached version => 1.%d.%d
%Atransports => libmemcached, direct
%Aserializers => php%S, json%S
compression => %r(none|zlib \d\S*, zstd \d\S*|zlib \d\S*|zstd \d\S*)%r
session handler => %r(enabled|not available)%r
shared memory => 16 MiB
%Amcpatterns.servers => 127.0.0.1:11211 => 127.0.0.1:11211
mcpatterns.prefix => no value => no value
mcpatterns.distribution => ketama => ketama
mcpatterns.transport => %r(libmemcached => libmemcached|direct => direct)%r
mcpatterns.connect_timeout => 0.2 => 0.2
mcpatterns.timeout => 0.5 => 0.5
mcpatterns.retry_after => 1 => 1
mcpatterns.tcp_keepalive => 60 => 60
mcpatterns.dns_interval => 30 => 30
mcpatterns.resolv_conf => no value => no value
mcpatterns.persistent => On => On
mcpatterns.tls_cafile => no value => no value
mcpatterns.tls_capath => no value => no value
mcpatterns.tls_peer_name => no value => no value
mcpatterns.tls_peer_fingerprint => no value => no value
mcpatterns.tls_local_cert => no value => no value
mcpatterns.tls_local_pk => no value => no value
mcpatterns.tls_ciphers => no value => no value
mcpatterns.tls_crypto_method => no value => no value
mcpatterns.tls_verify_peer => On => On
mcpatterns.tls_verify_peer_name => On => On
mcpatterns.tls_allow_self_signed => Off => Off
mcpatterns.tls_passphrase => no value => no value
mcpatterns.user => no value => no value
mcpatterns.password => no value => no value
mcpatterns.serializer => no value => no value
mcpatterns.compression => no value => no value
mcpatterns.compress_above => 2000 => 2000
mcpatterns.zlib_level => 6 => 6
mcpatterns.zstd_level => 1 => 1
mcpatterns.decompress_limit => 16M => 16M
mcpatterns.memory_limit => 64M => 64M
mcpatterns.item_size_limit => 64M => 64M
mcpatterns.shared_memory => 16M => 16M
mcpatterns.shared_memory_path => no value => no value
mcpatterns.shared_memory_group => no value => no value
mcpatterns.shared_memory_mode => no value => no value
mcpatterns.metrics => On => On
mcpatterns.trace_file => no value => no value
mcpatterns.mc_alias => Off => Off
mcpatterns.mc_legacy => Off => Off
mcpatterns.report_key_drift => Off => Off
mcpatterns.session_locking => lock => lock
mcpatterns.session_lock_wait => 35 => 35
mcpatterns.session_lock_expire => 30 => 30
mcpatterns.session_merge_depth => 1 => 1
mcpatterns.session_prefix => no value => no value
mcpatterns.session_key_file => no value => no value
mcpatterns.session_failover => Off => Off
mcpatterns.session_foreign_prefix => no value => no value
%Abool(true)
