--TEST--
Pool::diagnose() reports problems from a server's statistics, except invalid numbers
--EXTENSIONS--
mcpatterns
pcntl
--FILE--
<?php
use McPatterns\{Pool, Transport};

require __DIR__ . '/../../../_support/memcached.inc';
require __DIR__ . '/../../../_support/told_server.inc';
require __DIR__ . '/../../../_support/doctor.inc';

const NOTICES = ['no_meta', 'nearly_full', 'small_memory', 'restarted', 'public_address', 'any_class', 'different_versions', 'idle_timeout', 'no_statistics'];

function tell(string $what, array $statistics = [], array $settings = [], array $options = []): void
{
    $address = start_told_server($statistics, $settings, $options);
    echo "$what:\n";
    tell_findings(Pool::diagnose(new Pool($address, timeout: 4, connectTimeout: 4, transport: Transport::Direct)), NOTICES, [$address => 'SERVER']);
}

tell('good');
ob_start();
tell('ahead', ['ahead' => 7200]);
tell('behind', ['ahead' => -90]);
echo preg_replace('/clock is [\d.]+ (seconds|hours)/', 'clock is N $1', ob_get_clean());
tell('a second', ['ahead' => 1]);
tell('old', ['version' => '1.4.15'], options: ['meta' => false]);
tell('says it is new, and is not', ['version' => '1.6.30'], options: ['meta' => false]);
tell('escapes', ['version' => "1.6.18\x1b[31m"]);
tell('nearly full', ['bytes' => 1 << 30]);
tell('full', ['bytes' => 1 << 30], ['evictions' => 'off']);
tell('full, by sizes that leave room in the slabs', ['bytes' => 820 << 20], ['evictions' => 'off']);
tell('the same, and it evicts', ['bytes' => 820 << 20]);
tell('the default', ['limit_maxbytes' => 64 << 20]);
tell('restarted', ['uptime' => 5]);
tell('connections', ['curr_connections' => 1000]);
tell('rejected', ['rejected_connections' => 3]);
tell('ends connections', settings: ['idle_timeout' => 600]);
tell('ends none', settings: ['idle_timeout' => 0]);
tell('no cas', options: ['cas' => false]);
tell('no cas ids', settings: ['cas_enabled' => null], options: ['id' => 0]);
tell('no gets', options: ['gets' => false]);
tell('no cas and no statistics', options: ['cas' => false, 'statistics' => false]);
tell('UDP', settings: ['udpport' => 11211]);
tell('open', settings: ['inter' => 'NULL'], options: ['tcp' => true]);
tell('no numbers', ['uptime' => 'long', 'limit_maxbytes' => '-1', 'evictions' => '99999999999999999999'], ['item_size_max' => 'x', 'udpport' => '0x1', 'cas_enabled' => 'perhaps']);
tell('nothing', array_fill_keys(array_keys(TOLD_STATISTICS), null));
$many = [start_told_server(['version' => null]), start_told_server(), start_told_server(['version' => '1.6.20'])];
echo "versions:\n";
tell_findings(Pool::diagnose(new Pool($many, timeout: 4, connectTimeout: 4, transport: Transport::Direct)), NOTICES, array_combine($many, ['A', 'B', 'C']));
?>
--EXPECT--
good:
ahead:
warning clock SERVER: clock is N hours ahead of this host
behind:
warning clock SERVER: clock is N seconds behind this host
a second:
old:
warning old_version SERVER: memcached 1.4.15
notice no_meta SERVER: no meta commands, or only those from before 1.6.13, which are not used
says it is new, and is not:
notice no_meta SERVER: no meta commands, or only those from before 1.6.13, which are not used
escapes:
error invalid_response SERVER: the server replied "STAT version 1.6.18?[31m", which is not the memcached protocol
nearly full:
notice nearly_full SERVER: 1 GiB of 1 GiB in use
full:
error full SERVER: items use 1 GiB of 1 GiB, and the server evicts nothing (-M): it rejects writes, or soon will
full, by sizes that leave room in the slabs:
error full SERVER: items use 820 MiB of 1 GiB, and the server evicts nothing (-M): it rejects writes, or soon will
the same, and it evicts:
the default:
notice small_memory SERVER: memory is limited to 64 MiB (-m)
restarted:
notice restarted SERVER: started less than 5 minutes ago
connections:
warning many_connections SERVER: 1000 of 1024 connections in use
rejected:
warning rejected_connections SERVER: 3 connections rejected
ends connections:
notice idle_timeout SERVER: connections are closed after 10 minutes idle (-o idle_timeout)
ends none:
no cas:
error no_cas SERVER: no "cas" command, or no CAS values
no cas ids:
error no_cas SERVER: no "cas" command, or no CAS values
no gets:
error no_cas SERVER: no "cas" command, or no CAS values
no cas and no statistics:
notice no_statistics SERVER: replies without statistics: a proxy
error no_cas SERVER: no "cas" command, or no CAS values
UDP:
warning udp SERVER: listens on UDP port 11211
open:
notice public_address SERVER: listens on all addresses without a password
notice any_class SERVER: unsigned values come over a network and can create objects of any class
no numbers:
warning invalid_statistics SERVER: version, time, uptime or memory is missing from its statistics, or invalid
notice no_meta SERVER: no meta commands, or only those from before 1.6.13, which are not used
nothing:
warning invalid_statistics SERVER: version, time, uptime or memory is missing from its statistics, or invalid
notice no_meta SERVER: no meta commands, or only those from before 1.6.13, which are not used
versions:
warning invalid_statistics A: version, time, uptime or memory is missing from its statistics, or invalid
notice no_meta A: no meta commands, or only those from before 1.6.13, which are not used
notice different_versions C: memcached 1.6.20, but B runs 1.6.18
