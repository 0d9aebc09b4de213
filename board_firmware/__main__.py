"""``python -m board_firmware`` is ``touchmove``."""

import sys

from board_firmware.cli import main

sys.exit(main())
