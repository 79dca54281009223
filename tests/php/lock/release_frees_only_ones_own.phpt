--TEST--
release() frees only the object's own lock (L2)
--EXTENSIONS--
mcpatterns
--FILE--
<?php
use McPatterns\{Clock, Lock, Pool};

Clock::freeze();
$pool = new Pool('memory://m');
$late = new Lock($pool, 'job', ttl: 1, owner: 'same owner');
$next = new Lock($pool, 'job', ttl: 10, owner: 'same owner');

echo 'never acquired: ', json_encode($late->release()), "\n";
$late->acquire();
Clock::advance(2);
$next->acquire();
echo 'lost: ', json_encode($late->release()), ', the next one still holds it: ', json_encode($next->isHeld(verify: true)), "\n";
echo 'refreshed by who lost it: ', json_encode($late->refresh()), "\n";
unset($late);
echo 'after who lost it died: ', json_encode($next->isHeld(verify: true)), "\n";
echo 'own: ', json_encode($next->release()), ', twice: ', json_encode($next->release()), "\n";

$next->acquire();
echo 'locked: ', json_encode($next->isLocked()), "\n";
$admin = new Lock($pool, 'job');
echo 'by force: ', json_encode($admin->forceRelease()), ', twice: ', json_encode($admin->forceRelease()), "\n";
echo 'the holder thinks ', json_encode($next->isHeld()), ', asks ', json_encode($next->isHeld(verify: true)),
    ' and knows ', json_encode($next->isHeld()), "\n";
echo 'locked: ', json_encode($next->isLocked()), "\n";
?>
--EXPECT--
never acquired: false
lost: false, the next one still holds it: true
refreshed by who lost it: false
after who lost it died: true
own: true, twice: false
locked: true
by force: true, twice: false
the holder thinks true, asks false and knows false
locked: false
