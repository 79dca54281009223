--TEST--
bench/compare prints medians of ratios per round, blank if not measured
--FILE--
<?php
require __DIR__ . '/../_support/process.inc';

$folder = make_temporary_folder('compare');
register_shutdown_function('remove_folder', $folder);
$lines = [
    // The machine is twice and four times as slow in the second and third round, for all.
    ['get', 'memcached', 'time one', '10e-6 20e-6 40e-6 20e-6 20e-6'],
    ['get', 'memcached', 'processor one', '5e-6 5e-6 5e-6 5e-6 5e-6'],
    ['get', 'memcached', 'time free', '13e-6 61e-6 13e-6 61e-6 61e-6'],
    ['get', 'memcached', 'processor free', '5e-6 5e-6 5e-6 5e-6 5e-6'],
    ['get', 'direct', 'time one', '8e-6 17e-6 36e-6 20e-6 22e-6'],
    ['get', 'direct', 'processor one', '4e-6 4e-6 4e-6 4e-6 4e-6'],
    ['get', 'direct', 'time free', '61e-6 61e-6 13e-6 61e-6 61e-6'],
    ['get', 'direct', 'processor free', '10e-6 10e-6 10e-6 10e-6 10e-6'],
    ['get', 'apcu', 'time one', '0.1e-6 0.2e-6 0.4e-6 0.2e-6 0.2e-6'],
    ['get', 'apcu', 'processor one', '0.1e-6 0.2e-6 0.4e-6 0.2e-6 0.2e-6'],
    ['get', 'apcu', 'time free', '0.1e-6 0.1e-6 0.1e-6 0.1e-6 0.1e-6'],
    ['get', 'apcu', 'processor free', '0.1e-6 0.1e-6 0.1e-6 0.1e-6 0.1e-6'],
    ['get', 'direct', 'instructions', '1572'],
    ['get', 'direct', 'calls', 'sendto=1.00 recvfrom=1.02 poll=0.99'],
    ['get', 'apcu', 'calls', ''],
    ['set', 'memcached', 'time own', '12e-6'],
    ['set', 'memcached', 'processor own', '6e-6'],
    ['set', 'symfony-direct', 'time own', '150e-6'],
    ['set', 'symfony-direct', 'processor own', '60e-6'],
];
file_put_contents("$folder/measured", implode("\n", array_map(fn (array $line): string => implode("\t", $line), $lines)) . "\n");

foreach (['text %s get', 'text %s set', 'markdown %s'] as $arguments) {
    $command = sprintf("%s -n %s $arguments", PHP_BINARY, escapeshellarg(__DIR__ . '/../../bench/operations/report.php'), escapeshellarg("$folder/measured"));
    exec($command, $output);
}
echo str_replace(' ', '.', implode("\n", $output)), "\n";
?>
--EXPECT--
get
.all.on.one.processor.................us.....................time.of.php-memcached..of.APCu...................cpu
..php-memcached.......................20.00.(20.00-20.00)...........................100.(100-100)...........1.000
..Direct..............................20.00.(17.00-22.00)....0.900.(0.850-1.000)....90.0.(85.0-100).........0.800
..APCu................................0.20.(0.20-0.20).......0.0100.(0.0100-0.0100)........................0.0400
.as.the.system.places.them............us.....................time.of.php-memcached..of.APCu...................cpu
..php-memcached.......................61.00.(13.00-61.00)...........................610.(130-610)...........1.000
..Direct..............................61.00.(61.00-61.00)....1.000.(1.000-1.000)....610.(610-610)...........2.000
..APCu................................0.10.(0.10-0.10).......0.0016.(0.0016-0.0077)........................0.0200
.in.each.state..........................instr..calls
..php-memcached..............................-.....-
..Direct.................................1,572...3.0..1.sendto,.1.02.recvfrom,.0.99.poll
..APCu.......................................-...0.0

set
.client.and.memcached.each.on.its.own.us.....................time.of.php-memcached............................cpu
..php-memcached.......................12.00.(12.00-12.00)...................................................1.000
..Symfony,.Direct.....................150.(150-150)..........12.5.(12.5-12.5)................................10.0

|.|.php-memcached.|.Direct.|.APCu.|.Symfony,.Direct.|
|.---.|.---:.|.---:.|.---:.|.---:.|
|.get.|.20.0./.61.0.µs.·.-.·.-.|.0.900./.1.000.·.1,572.·.3.0.|.0.0100./.0.0016.·.-.·.0.0.|..|
|.set.|.12.0.µs.·.-.·.-.|..|..|.12.5.·.-.·.-.|
