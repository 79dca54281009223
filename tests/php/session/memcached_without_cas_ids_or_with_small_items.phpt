--TEST--
Small items or missing CAS values fail without blocking the session (E15, E20)
--EXTENSIONS--
mcpatterns
session
--SKIPIF--
<?php
require __DIR__ . '/../../_support/script.inc';
skip_without_extensions('session');
skip_without_scripts();
?>
--FILE--
<?php
require __DIR__ . '/../../_support/session.inc';

const WORK = <<<'PHP'
    ob_start();
    $told = 'nothing';
    set_error_handler(function (int $level, string $text) use (&$told): bool {
        $told = preg_match('/mcpatterns: (.*)/', $text, $found) ? preg_replace(['~unix:\S+sock|127\.0\.0\.1:\d+~', '/\d{4,}/'], ['SERVER', 'N'], $found[1]) : $told;
        return true;
    });
    session_id('s');
    $begun_ns = hrtime(true);
    if (session_start()) {
        echo json_encode(array_map(fn (int|string $value) => is_int($value) ? $value : strlen($value), $_SESSION)), ' ';
        $_SESSION['n'] = ($_SESSION['n'] ?? 0) + 1;
        $argv[1] === '0' || $_SESSION['large'] = random_bytes((int) $argv[1]);
        session_write_close();
    }
    echo 'told ', $told, hrtime(true) - $begun_ns > 20_000_000_000 ? ', late' : '', "\n";
    PHP;

/** Each with the lengths of what its requests store. */
$kinds = [
    'small items' => [['arguments' => ['-I', '512k']], [0, 600_000, 400_000, 0]],
    'no cas ids' => [['arguments' => ['-C']], [0, 0]],
];
by_each_transport(function (McPatterns\Transport $transport) use ($kinds): void {
    foreach (['lock', 'merge'] as $locking) {
        foreach ($kinds as $name => [$options, $lengths]) {
            $server = start_memcached($options);
            echo "$locking, $name\n";
            foreach ($lengths as $length) {
                echo '  ', run_script(WORK, [$length], session_settings($server->address, ['mcpatterns.transport' => strtolower($transport->name), 'mcpatterns.session_locking' => $locking]));
            }
            $server->kill();
        }
    }
});
?>
--EXPECT--
lock, small items
  [] told nothing
  {"n":1} told the session has N bytes, the limit is N (largest: "large", N); the stored session was kept
  {"n":1} told nothing
  {"n":2,"large":400000} told nothing
lock, no cas ids
  told the session could not be read on SERVER: memcached runs without CAS (option -C): cache rebuilds and locks need it
  told the session could not be read on SERVER: memcached runs without CAS (option -C): cache rebuilds and locks need it
merge, small items
  [] told nothing
  {"n":1} told the session has N bytes, the limit is N (largest: "large", N); the stored session was kept
  {"n":1} told nothing
  {"n":2,"large":400000} told nothing
merge, no cas ids
  [] told nothing
  told the session could not be read on SERVER: memcached runs without CAS (option -C): cache rebuilds and locks need it
