--TEST--
Parent and forked children never draw the same random number
--EXTENSIONS--
mcpatterns
pcntl
--FILE--
<?php
$pool = new McPatterns\Pool('memory://m');
$draw = fn () => array_map(fn ($i) => (new McPatterns\Lock($pool, "l$i"))->owner(), range(1, 40));

$drawn = $draw();
[$ours, $theirs] = stream_socket_pair(STREAM_PF_UNIX, STREAM_SOCK_STREAM, 0);
if (($child = pcntl_fork()) === 0) {
    // A child that draws before its own child, and that child.
    $grandchild = pcntl_fork();
    fwrite($theirs, implode("\n", $draw()) . "\n");
    if ($grandchild > 0) {
        pcntl_waitpid($grandchild, $status);
    }
    exit;
}
fclose($theirs);
array_push($drawn, ...$draw());
pcntl_waitpid($child, $status);
array_push($drawn, ...explode("\n", trim(stream_get_contents($ours))));
echo count($drawn), ' drawn, ', count(array_unique($drawn)), " differ\n";
?>
--EXPECT--
160 drawn, 160 differ
