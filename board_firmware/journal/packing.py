"""A row's texts as few bytes: its JSON deflated against a fixed text of what rows usually say.

Each row is packed by itself, so that damage to one never reaches another, and its hash is over the texts, never over
the packed bytes: another library may pack otherwise and still read what it finds. A decision is nearly always made at
its event's own time; that time is left out and put back from the row's.

Source: RFC 1951 (deflate), zlib.net/manual.html, ``deflateSetDictionary``.
"""

from __future__ import annotations

import json
import zlib

_FORM = b"\1"
"""First byte of a packed row: which text it was packed against. That text can never change, only get a successor."""

_WINDOW = 13
"""Two to this power bytes are looked back upon: no more than the text below and a long row, or each row costs more."""

_LONGEST = 1 << 24
"""Bytes that a row may unpack to: a turned bit must not ask for all the memory."""

_USUAL = b"""{"event":"GameStarted","fen":"rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1","chess960":false,\
"history":[],"control":"none","profile":"tournament","prior":{"started":false},"settings":{},\
"occupancy":18446462598732906495,"game_id":"20","tags":{"Event":"","Site":"","Date":"","Round":"","White":"","Black":"",\
"Result":"WhiteElo":"BlackElo":"},"scan_ns":5000000}
[{"at_s":@,"kind":"game_started","fen":"rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1","profile":"friendly",\
"control":"5400+30"}]
{"event":"Ruled","verb":"resume","arguments":["white"],"author":"","reason":""}
[{"at_s":@,"kind":"ruled","verb":"resume","arguments":["white"]}]
{"event":"Analysed","fen":"","side":"black","verdict":"winnable","nodes":20000,"line":[
[{"at_s":@,"kind":"analysis_wanted","fen":"[{"at_s":@,"kind":"analysed","fen":"","side":"black","verdict":"unknown",\
"nodes":20000,"final":false}
{"event":"Restarted","occupancy":{"event":"BoardSnapshot","occupancy":{"event":"Faulted","part":"square e4","reason":"
{"event":"Claimed","side":"white","kind":"threefold"}{"event":"Objected","side":"black","about":"touch-move"}
[{"at_s":@,"kind":"claim_judged","side":"white","claim":"threefold","correct":false,"article":"9.5.3"}]
{"event":"Noted","what":"other-hand","subject":"white"}[{"at_s":@,"kind":"noted"{"event":"ClockShown","seconds":
{"event":"TakebackAsked","kind":"takeback_asked""kind":"move_taken_back","kind":"penalty_proposed",\
"penalty":"add_time","to":"black","seconds":120}"kind":"violation_recorded","violation":"touch_move:"kind":"flag_fell"
{"event":"DrawOffered","side":"black"}[{"at_s":@,"kind":"draw_offered","side":"white","article":"9.1.2"}]
{"event":"DrawAccepted","side":"white"}{"event":"Resigned","side":"black"}
[{"at_s":@,"kind":"game_over","result":"1-0","termination":"resignation","article":"5.1.2"}]
{"event":"StartAsked"}{"event":"PauseAsked""kind":"paused"
[{"at_s":@,"kind":"move_illegal","move":"e2e4","reasons":[{"word":"not_its_way","squares":[],"by":[],"article":"3.
[{"at_s":@,"kind":"touch_broken","move":"e2e4","owed":"move:e2","refused":true,"article":"4.3.1"}]
[{"at_s":@,"kind":"board_disarranged","squares":["e2"],"article":"7.4.1"}]
[{"at_s":@,"kind":"board_restored"}]
[{"at_s":@,"kind":"asked","ask":"promotion_piece","candidates":["e7e8b","e7e8n","e7e8q","e7e8r"],"final":false}]
{"event":"Chosen","choice":"q"}{"event":"ButtonPressed","button":"promote_q"}
[{"at_s":@,"kind":"answered","ask":"promotion_piece","choice":"q","move":"e7e8q"}]
{"event":"ButtonPressed","button":"adjust_white"}
[{"at_s":@,"kind":"adjusting_announced","side":"white","article":"4.2.1"}]
[{"at_s":@,"kind":"adjusting_ended","side":"white"}]
[{"at_s":@,"kind":"touch_reattributed","square":"
[{"at_s":@,"kind":"press_ignored","side":"white","reason":"no_move"}]
[{"at_s":@,"kind":"move_revised","was":"e2e3","now":"e2e4","final":false}]
{"event":"Blipped","square":1,"ms":0.0
{"event":"LeverMoved","down":"white"}
[{"at_s":@,"kind":"move_made","move":"e2e4","side":"white","final":false,"article":"4.7"},\
{"at_s":@,"kind":"clock_pressed","side":"white","clock":"black"},\
{"at_s":@,"kind":"move_completed","move":"e2e4","side":"white","pressed":true,"article":"6.2.1"}]
{"event":"LeverMoved","down":"black"}
[{"at_s":@,"kind":"move_made","move":"e7e5","side":"black","final":false,"article":"4.7"},\
{"at_s":@,"kind":"clock_pressed","side":"black","clock":"white"},\
{"at_s":@,"kind":"move_completed","move":"e7e5","side":"black","pressed":true,"article":"6.2.1"}]
{"event":"Tick"}
[{"at_s":@,"kind":"move_made","move":"e7e5","side":"black","final":false,"article":"4.7"}]
{"event":"Tick"}
[{"at_s":@,"kind":"move_made","move":"e2e4","side":"white","final":false,"article":"4.7"}]
{"event":"SquareChanged","square":12,"occupied":false}
[{"at_s":@,"kind":"touched","square":"e2","side":"white","obligation":"exact:e2","final":false,"article":"4.3.1"}]
[{"at_s":@,"kind":"touched","square":"e2","side":"white","obligation":"capture:e2","final":false,"article":"4.3.2"}]
[{"at_s":@,"kind":"touched","square":"e2","side":"black","obligation":"move:e2","final":false,"article":"4.3.1"}]
[{"at_s":@,"kind":"touched","square":"e2","side":"white","obligation":"move:e2","final":false,"article":"4.3.1"}]
{"event":"SquareChanged","square":34,"occupied":true}
[{"at_s":@,"kind":"move_seen","move":"e2e4","final":false}]"""
"""What rows usually say, the most usual last; ``@`` stands for the event's own time."""


def pack(event: str, decisions: str, at_ns: int) -> bytes | None:
    """Both texts of a row in one blob; None where they would not come back from it the same, or come out no shorter."""
    text = f"{event}\n{decisions.replace(_said(at_ns), _UNSAID)}".encode()
    deflater = zlib.compressobj(9, zlib.DEFLATED, -_WINDOW, 7, zlib.Z_DEFAULT_STRATEGY, _USUAL)
    blob = _FORM + deflater.compress(text) + deflater.flush()
    try:
        same = unpack(blob, at_ns) == (event, decisions)
    except ValueError:
        same = False
    return blob if same and len(blob) < len(text) else None


def unpack(blob: bytes, at_ns: int) -> tuple[str, str]:
    """The texts of event and decisions; ``ValueError`` for what `pack` did not write."""
    if not blob.startswith(_FORM):
        raise ValueError("a row packed in a way that is not known here")
    inflater = zlib.decompressobj(-_WINDOW, _USUAL)
    try:
        text = inflater.decompress(blob[len(_FORM) :], _LONGEST)
    except zlib.error as error:
        raise ValueError(f"a packed row that cannot be unpacked ({error})") from None
    if not inflater.eof or inflater.unused_data:
        raise ValueError("a packed row that is cut, or goes on after its end")
    event, _, decisions = text.decode().partition("\n")
    return event, decisions.replace(_UNSAID, _said(at_ns))


_UNSAID = '"at_s":@'


def _said(at_ns: int) -> str:
    """A decision's time as its JSON has it when it was made at the event's own."""
    return f'"at_s":{json.dumps(round(at_ns / 1e9, 3))}'
