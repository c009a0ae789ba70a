"""`python -m brelan` is the command `brelan`."""

import sys

from brelan.cli import main

sys.exit(main())
