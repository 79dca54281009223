# Additions to the Makefile that phpize generates: objects follow their headers, and generated headers
# stay what was committed.
# SPDX-License-Identifier: MIT

# Cancels the pattern rule that would run the building PHP's generator when a stub is newer: every PHP
# version writes another header, and it wants the network. `tools/gen-arginfo` is the only writer.
%_arginfo.h: %.stub.php

# The Makefiles of older PHP versions know no header dependencies.
$(shared_objects_mcpatterns): $(wildcard $(srcdir)/*.h $(srcdir)/src/*/*.h $(srcdir)/src/*/*/*.h)
