--TEST--
bench/compare divides within a round, shows the median and the middle half, and leaves blank what was not measured
--FILE--
<?php
require __DIR__ . '/../_support/process.inc';

$folder = make_temporary_folder('compare');
register_shutdown_function('remove_folder', $folder);
$lines = [
    // The machine is twice and four times as slow in the second and third round, for all.
    ['get', 'memcached', 'time', '10e-6 20e-6 40e-6 20e-6 20e-6'],
    ['get', 'memcached', 'processor', '5e-6 5e-6 5e-6 5e-6 5e-6'],
    ['get', 'direct', 'time', '8e-6 17e-6 36e-6 20e-6 22e-6'],
    ['get', 'direct', 'processor', '4e-6 4e-6 4e-6 4e-6 4e-6'],
    ['get', 'apcu', 'time', '0.1e-6 0.2e-6 0.4e-6 0.2e-6 0.2e-6'],
    ['get', 'apcu', 'processor', '0.1e-6 0.2e-6 0.4e-6 0.2e-6 0.2e-6'],
    ['get', 'direct', 'instructions', '1572'],
    ['get', 'direct', 'calls', 'sendto=1.00 recvfrom=1.02 poll=0.99'],
    ['get', 'apcu', 'calls', ''],
    ['set', 'memcached', 'time', '12e-6'],
    ['set', 'memcached', 'processor', '6e-6'],
    ['set', 'symfony-direct', 'time', '150e-6'],
    ['set', 'symfony-direct', 'processor', '60e-6'],
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
.............................us..time.of.php-memcached..of.APCu...................cpu...instr..calls
.php-memcached............20.00.........................100.(100-100)...........1.000........-.....-
.Direct...................20.00..0.900.(0.850-1.000)....90.0.(85.0-100).........0.800....1,572...3.0
.APCu......................0.20..0.0100.(0.0100-0.0100)........................0.0400........-...0.0
...Direct:.1.sendto,.1.02.recvfrom,.0.99.poll

set
.............................us..time.of.php-memcached............................cpu...instr..calls
.php-memcached............12.00.................................................1.000........-.....-
.Symfony,.Direct.........150.00..12.5.(12.5-12.5)................................10.0........-.....-

|.|.php-memcached.|.Direct.|.APCu.|.Symfony,.Direct.|
|.---.|.---:.|.---:.|.---:.|.---:.|
|.get.|.20.0.µs.·.-.·.-.|.0.900.·.1,572.·.3.0.|.0.0100.·.-.·.0.0.|..|
|.set.|.12.0.µs.·.-.·.-.|..|..|.12.5.·.-.·.-.|
