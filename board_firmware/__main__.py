"""``python -m board_firmware`` and the script ``touchmove``: little is imported before Ctrl-C is answered quietly."""

import sys


def main() -> int:
    """Run the command line; returns its exit code."""
    try:
        from board_firmware import cli

        return cli.main()
    except KeyboardInterrupt:
        return 130


if __name__ == "__main__":
    sys.exit(main())
