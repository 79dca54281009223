--TEST--
A test runs each script in examples/
--FILE--
<?php
$names = fn (string $folder, string $suffix) => array_map(fn ($file) => basename($file, $suffix), glob("$folder/*$suffix"));
$missing = array_diff($names(__DIR__ . '/../../examples', '.php'), $names(__DIR__, '.phpt'));
echo $missing === [] ? 'all' : implode(', ', $missing), "\n";
?>
--EXPECT--
all
