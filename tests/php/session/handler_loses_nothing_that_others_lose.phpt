--TEST--
Expired locks, evictions and large sessions lose no change (E11, E17, E20)
--EXTENSIONS--
mcpatterns
session
pcntl
--SKIPIF--
<?php
require __DIR__ . '/../../_support/script.inc';
skip_without_extensions('session', 'pcntl');
?>
--FILE--
<?php
require __DIR__ . '/../../_support/session.inc';

$server = start_memcached();
use_sessions($server->address, ['mcpatterns.session_lock_wait' => '0']);
[$first, $second, $third] = [new SessionClient, new SessionClient, new SessionClient];

echo "A holder that outlives its lock\n";
$first->begin();
$first->set('from the first', 1);
$second->run('McPatterns\Clock::advance(32);'); // the lock's 30 seconds are over by all clocks
$second->begin();
$second->set('from the second', 2);
$first->close();
$third->run('McPatterns\Clock::advance(33);');
echo json_encode($third->begin()), "\n"; // the first one's close has not ended the second one's lock
$second->close();
$third->begin();
$third->set('from the third', 3);
$third->close();
echo json_encode($third->begin()), "\n";
$third->close();

echo "Evicted before an unchanged close\n";
$third->begin();
$server->raw('delete sess:one');
$third->close();
echo json_encode($third->begin()), "\n";

echo "Evicted before a changed close, in the middle of a lock\n";
$server->raw('delete sess:one');
$third->set('more', 4);
$third->close();
echo json_encode($third->begin()), "\n";
$third->close();

echo "1.2 MB over an old session\n";
$third->begin();
$third->run('$_SESSION["small"] = 1; $_SESSION["large"] = random_bytes(1_200_000);');
$third->close();
$found = $third->begin();
echo json_encode($found), "\n";
?>
--EXPECT--
A holder that outlives its lock
  [the session is locked by HOST (pid PID) for TIME (PATH); gave up after 0 s]
  [Failed to read session data: mcpatterns (path: SERVER)]
null
{"from the first":1,"from the second":2,"from the third":3}
Evicted before an unchanged close
{"from the first":1,"from the second":2,"from the third":3}
Evicted before a changed close, in the middle of a lock
{"from the first":1,"from the second":2,"from the third":3,"more":4}
1.2 MB over an old session
  [the session has 1200180 bytes, the limit is 1048064 (largest: "large", 1200013); the stored session was kept]
  [Failed to write session data (mcpatterns). Please verify that the current setting of session.save_path is correct (SERVER)]
{"from the first":1,"from the second":2,"from the third":3,"more":4}
