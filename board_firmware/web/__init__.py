"""The page: play, watch and rule from a browser. A `Peer` of the running board; nothing here knows the session."""

from board_firmware.web.server import Page

__all__ = ["Page"]
