--TEST--
MC returns false without exceptions if settings form no valid Pool
--EXTENSIONS--
mcpatterns
--FILE--
<?php
use McPatterns\{MC, Pool};

ini_set('mcpatterns.servers', 'not a server:x:y:z');
try {
    Pool::default();
} catch (ValueError $error) {
    echo "Pool::default() refuses\n";
}
echo json_encode([MC::get('k'), MC::set('k', 1), MC::delete('k'), MC::increment('k')]), "\n";
?>
--EXPECT--
Pool::default() refuses
[false,false,false,false]
