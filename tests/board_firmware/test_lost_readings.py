"""What is read of a move while reeds are lost or lie: castling, answers, stuck landings, a line that comes back."""

from __future__ import annotations

from board_firmware.core.events import Answered, Chosen, Faulted, Recovered, SquareChanged
from hal.squares import squares_of_part
from tests.board_firmware.test_lost_sensors import MS, Game


class TournamentGame(Game):
    """As ever, with the arbiter there."""

    profile = "tournament"


CASTLING = "r3k2r/pppppppp/8/8/8/8/PPPPPPPP/R3K2R b KQkq - 0 1"


def test_castling_of_a_king_on_a_dead_file():
    """His lift is not seen; rook and king stand as castling leaves them, in whatever order they came down."""
    for acts in (("-h8", "+f8", "+g8"), ("+g8", "-h8", "+f8"), ("-h8", "+g8", "+f8")):
        game = Game(CASTLING)
        game.give(Faulted, part="line file e", reason="dead_line")
        game.does(*acts)
        game.press("black")
        assert game.state["moves"] == ["e8g8"], acts
        assert game.state["violations"] == [], acts


def test_castling_onto_a_dead_file():
    """King's or rook's new square, or the rook's old one, is lost: the other unit shows what it was."""
    for line, acts in (("g", ("-e8", "-h8", "+f8")), ("f", ("-e8", "+g8", "-h8")), ("h", ("-e8", "+g8", "+f8"))):
        game = Game(CASTLING)
        game.give(Faulted, part=f"line file {line}", reason="dead_line")
        game.does(*acts)
        game.press("black")
        assert game.state["moves"] == ["e8g8"], line


def test_a_rook_seen_first_is_still_no_castling():
    """With every reed trusted the order counts (4.4.2)."""
    game = Game(CASTLING)
    game.does("-h8", "+f8", "-e8", "+g8")
    game.press("black")
    assert game.state["moves"] == ["h8f8"]


def test_a_king_that_had_left_before_his_line_came_back():
    """The square opens in the scan in which its reed is trusted again: nobody lifts a king just then."""
    game = Game(CASTLING)
    game.give(Faulted, part="line file e", reason="dead_line")
    game.does("-h8", "+f8", "+g8")
    game.ns -= 400_000_000
    game.give(Recovered, part="line file e")
    game.ns -= 500_000_000
    game.does("-e8")
    game.press("black")
    assert (game.state["moves"], game.state["violations"]) == (["e8g8"], [])


def test_a_stuck_reed_on_a_legal_landing_is_asked_about():
    """The queen is in the air and d4 closes, then she stands on d3: one of the two reeds lies."""
    game = Game("4k3/8/8/8/8/8/8/3QK3 w - - 0 1")
    game.does("-d1", "+d4", "+d3")
    assert game.ask == ("which_move", ["d1d3", "d1d4"])
    game.give(Chosen, choice="d1d3")
    assert game.state["moves"] == ["d1d3"]


def test_a_stuck_reed_before_a_capture_is_asked_about_at_the_press():
    """Nothing opened and closed between the move and its press but a unit that the mover could take: he may have."""
    game = Game("4k3/8/8/3p4/8/8/8/3QK3 w - - 0 1")
    game.does("-d1", "+d4", "-d5", "+d5")
    game.press("white")
    assert game.ask == ("which_move", ["d1d4", "d1d5"])
    game.give(Chosen, choice="d1d5")
    assert game.state["moves"] == ["d1d5"]


def test_an_answer_from_a_lost_square_revises_nothing():
    """A pawn has taken on d4 and stays; what comes to c4 may come from the dead file b."""
    game = Game("4k3/8/1n6/8/3p4/2P5/8/4K3 w - - 0 1", control="none")
    game.give(Faulted, part="line file b", reason="dead_line")
    game.does("-d4", "-c3", "+d4", "+c4")
    assert game.state["moves"][0] == "c3d4"


def test_two_answers_from_a_lost_file_are_asked_about():
    """Queen and knight of a dead file reach the same square: no disorder, but a question for who says OK."""
    game = Game("4k3/2q5/2n5/8/8/8/4P3/4K3 w - - 0 1", control="none")
    game.give(Faulted, part="line file c", reason="dead_line")
    game.does("-e2", "+e3", "+a5")
    assert game.state["restore"] is None
    game.button("ok")
    assert game.ask == ("which_move", ["c6a5", "c7a5"])


def test_one_landing_of_two_captors_is_not_chosen_by_reseating():
    """A lit square that stands for two answers answers nothing."""
    game = Game("4r1k1/8/8/8/4P3/8/8/K6q b - - 0 1")
    game.give(Faulted, part="square e8", reason="stuck_open")
    game.give(Faulted, part="square h1", reason="stuck_open")
    game.does("-e4", "+e4")
    game.press("black")
    assert game.ask == ("which_capture", ["e8e4", "h1e4"])
    game.does("-e4", "+e4")
    assert game.ask == ("which_capture", ["e8e4", "h1e4"])


def test_nothing_is_inferred_of_a_unit_last_seen_elsewhere():
    """A rook slid along the eighth rank and was seen on d8 last: it did not take on a3, whatever else fits."""
    game = Game("r5k1/8/8/8/8/P7/8/4K3 b - - 0 1")
    for act in ("-a8", "+b8", "-b8", "+c8", "-c8", "+d8", "-d8"):
        game.does(act)
        game.ns -= 460 * MS
    game.ns += 460 * MS
    game.press("black")
    ask, candidates = game.ask
    assert ask == "which_move"
    assert {"a8a3", "a8e8"} <= set(candidates)
    assert game.state["moves"] == []


def test_a_capture_still_is_inferred_of_a_unit_seen_nowhere():
    """As ever: one legal move fits."""
    game = Game("r5k1/8/8/8/8/P7/8/4K3 b - - 0 1")
    game.does("-a8")
    game.press("black")
    assert game.state["moves"] == ["a8a3"]


def test_an_inferred_capture_that_is_taken_back_needs_no_exchange():
    """Its victim's reed never opened: the unit may still be the same, and the wood is right once the captor is back."""
    game = Game("r5k1/8/8/8/8/P7/8/4K3 b - - 0 1")
    game.does("-a8")
    game.press("black")
    game.takes_back("black")
    game.does("+a8")
    assert (game.state["restore"], game.state["status"]) == (None, "thinking")


def test_chatter_neither_forbids_nor_ends_an_adjustment():
    """A chattering square is open when "I adjust" is said, and closes while the other unit is in the air."""
    game = Game("3q2nk/8/8/8/8/8/8/4K3 b - - 0 1")
    game.does("-g8")
    game.give(Faulted, part="square g8", reason="chatter")
    game.button("adjust_black")
    game.does("-d8", "+g8", "+d8")
    game.button("adjust_black")
    assert (game.state["obligation"], game.state["board"]["report"]) == ("none", [])


def test_a_unit_that_left_a_stuck_square_is_asked_about_at_ok():
    """A square fills and nothing has opened: whoever says OK is asked which unit has come there."""
    game = Game("4k3/7p/8/1R6/8/8/8/4K3 w - - 0 1", control="none")
    game.does("+e5")
    assert game.state["restore"] == {"place": [], "clear": ["e5"]}
    game.button("ok")
    assert game.ask == ("which_move", ["b5e5"])
    game.give(Chosen, choice="b5e5")
    assert game.state["moves"] == ["b5e5"]


def test_a_square_that_was_named_as_stuck_may_be_a_landing():
    """The board has named the wrong one of two squares; the players can still say what was played."""
    game = Game("4k3/7p/8/1R6/8/8/8/4K3 w - - 0 1", control="none")
    game.does("+e5")
    game.give(Faulted, part="square e5", reason="stuck_closed")
    game.button("ok")
    assert "b5e5" in game.ask[1]
    game.give(Chosen, choice="b5e5")
    assert game.state["moves"] == ["b5e5"]


def test_a_unit_that_had_gone_on_when_its_line_failed_is_asked_about():
    """The pawn stopped on a3 and is in the air again; then the file dies, and a4 will never be seen."""
    game = Game("4k3/7p/8/8/8/8/P7/4K3 w - - 0 1")
    game.does("-a2", "+a3", "-a3")
    game.give(Faulted, part="line file a", reason="dead_line")
    game.press("white")
    assert game.ask == ("which_move", ["a2a3", "a2a4"])


def test_a_move_named_in_an_answer_is_not_revised_by_the_reply():
    """White's bishop went to c4 on a dead file; Black's bishop goes to a6, where White's could have gone as well."""
    game = Game("4k3/1b5p/8/8/8/8/7P/4KB2 w - - 0 1", control="none")
    game.give(Faulted, part="line file c", reason="dead_line")
    game.does("-f1")
    game.button("ok")
    game.give(Chosen, choice="f1c4")
    game.does("-b7", "+a6")
    assert game.state["moves"] == ["f1c4", "b7a6"]


def test_a_reed_that_sticks_with_a_capture_in_hand_makes_no_reply():
    """Black holds queen and bishop when c8 closes by itself, a square to which the bishop could have gone."""
    game = Game("4k3/8/8/8/6Bq/6P1/8/K7 b - - 0 1", control="none")
    game.does("-h4", "-g4", "+c8")
    game.ns += 1000 * MS
    assert game.state["moves"] == []
    game.does("+g4")
    game.give(Faulted, part="square c8", reason="stuck_closed")
    game.does("-g4", "+g4")
    assert game.state["moves"] == ["h4g4"]


def test_a_press_believes_no_answer_that_the_wood_does_not_show():
    """The bishop passes e6 as two men of White vanish with their file; it comes down on f5, which answers nothing."""
    game = Game("4k3/3b4/8/3P4/3P4/8/8/4K3 b - - 0 1", control="none")
    game.give(SquareChanged, square=51, occupied=False)
    for square, occupied, ms in ((44, True, 135), (27, False, 90), (35, False, 0), (44, False, 155), (37, True, 155)):
        game.ns += (ms - 500) * MS
        game.give(SquareChanged, square=square, occupied=occupied)
    game.press("black")
    assert game.state["completed"] is False
    game.give(Faulted, part="line file d", reason="dead_line")
    game.does("-f5", "+f5")
    assert (game.state["moves"], game.state["completed"]) == (["d7f5"], True)


def test_a_rook_that_left_unseen_may_have_left_after_the_king():
    """Its file was dead when Black castled, and comes back with the rook in the air."""
    game = Game("r3k2r/8/8/8/8/8/8/4K3 b kq - 0 1")
    game.give(Faulted, part="line file h", reason="dead_line")
    game.does("-e8")
    game.give(Recovered, part="line file h")
    game.ns -= 490 * MS
    game.does("-h8", "+f8", "+g8")
    game.press("black")
    assert (game.state["moves"], game.state["violations"]) == (["e8g8"], [])


def test_castling_named_in_an_answer_began_with_the_king():
    """The reed of e1 sticks closed, so that only the rook has been seen to leave."""
    game = Game("4k3/8/8/8/8/8/8/4K2R w K - 0 1")
    game.does("+g1", "-h1", "+f1")
    game.press("white")
    assert game.ask == ("which_move", ["e1g1"])
    game.give(Chosen, choice="e1g1")
    assert (game.state["moves"], game.state["violations"]) == (["e1g1"], [])


def test_silence_proves_nothing_on_a_board_that_has_failed():
    """Black's bishop may have captured on h2, or stand on a line that has died since."""
    for failed in (False, True):
        game = Game("4k3/8/3b4/8/8/8/7P/4K3 b - - 0 1")
        if failed:
            game.give(Faulted, part="line file a", reason="dead_line")
            game.give(Recovered, part="line file a")
        game.does("-d6")
        game.press("black")
        assert game.state["moves"] == ([] if failed else ["d6h2"])
        assert (game.ask[0] == "which_move") == failed


def test_an_exchange_that_players_insist_on_is_asked_about():
    """The reed of a6 stuck closed while White's bishop was in the air, which took on f5."""
    game = Game("4k3/8/8/5p2/8/3B4/8/4K3 w - - 0 1", control="none")
    game.does("-d3", "+a6", "-f5", "+f5")
    game.button("ok")
    assert game.ask == ("which_move", ["d3a6", "d3f5"])
    game.give(Chosen, choice="d3f5")
    assert game.state["moves"] == ["d3f5"]


def test_a_reed_that_sticks_beside_the_move_just_answered():
    """White takes the pawn from d5 when d6, which it has passed, closes by itself: that looks like d7d6 after all."""
    game = Game("4k3/3p4/8/8/4P3/8/8/4K3 b - - 0 1", control="none")
    game.does("-d7", "+d5", "-d5", "+d6", "-e4", "+d5")
    game.ns += 1000 * MS
    game.button("ok")
    assert game.ask == ("which_move", ["d7d5", "d7d6"])
    game.give(Chosen, choice="d7d5")
    assert game.state["moves"] == ["d7d5", "e4d5"]


def test_several_silent_captures_on_a_board_that_has_failed():
    """The queen may have gone anywhere unseen, not only where she captures."""
    game = Game("4k3/8/5p2/4Q3/8/4p3/8/2K5 w - - 0 1")
    game.give(Faulted, part="line file a", reason="dead_line")
    game.give(Recovered, part="line file a")
    game.does("-e5")
    game.press("white")
    word, candidates = game.ask
    assert word == "which_move"
    assert {"e5c7", "e5e3", "e5f6"} <= set(candidates)


def test_an_answer_to_a_unit_whose_reed_fails_under_it():
    """The bishop stands alone on the g file when that dies; Black answers, and insists: nothing is in the air."""
    game = Game("4k3/8/5r2/8/5B2/8/8/4K3 w - - 0 1", control="none")
    game.does("-f4", "+g5", "-g5", "-f6", "+f3")
    game.ns += 1000 * MS
    game.button("ok")
    assert game.state["moves"] == ["f4g5", "f6f3"]


def test_the_press_of_a_move_whose_reed_failed_under_it():
    """Black's rook stands alone on the c file when that dies; White answers, and then both press again."""
    game = Game("4k3/8/8/8/8/4P3/8/2r2K2 b - - 0 1")
    game.does("-c1", "+c5", "-c5")
    game.press("black")
    game.does("-e3", "+e4")
    game.press("black")
    game.press("white")
    assert (game.state["moves"], game.state["clock"]) == (["c1c5", "e3e4"], "black")


def test_an_adjustment_refused_for_a_line_that_had_died():
    """The two men of the b file had not been lifted: what was put right meanwhile has not been touched."""
    game = Game("4k3/1p2n1p1/8/8/8/8/1P6/4K3 b - - 0 1")
    game.lifts_at_once("b2", "b7")
    game.button("adjust_black")
    game.does("-g7", "+g7")
    game.give(Faulted, part="line file b", reason="dead_line")
    game.does("-e7", "+c6")
    game.press("black")
    assert (game.state["moves"], game.state["violations"]) == (["e7c6"], [])


def test_castling_behind_a_rook_whose_square_sticks():
    """The reed closed with the rook in the air; the players insist, and only the rook's own square is at fault."""
    game = Game(CASTLING, control="none")
    game.does("-e8", "-h8", "+f8", "+h8", "+g8")
    game.button("ok")
    assert game.ask == ("which_move", ["e8g8"])
    game.give(Chosen, choice="e8g8")
    assert (game.state["moves"], game.state["restore"]) == (["e8g8"], None)


def test_a_capture_that_may_have_been_a_touch_is_asked_about():
    """The pawn's rank is lost; a man it could take is lifted and put back, then the bishop goes where nobody sees it."""
    for kind in (Game, TournamentGame):
        game = kind("4k3/8/8/3p4/2P5/8/8/4KB2 w - - 0 1")
        game.give(Faulted, part="line rank 3 + line rank 4", reason="shorted_together")
        game.does("-d5", "+d5")
        game.ns += 1000 * MS
        assert game.state["moves"] == []
        game.does("-f1")
        game.press("white")
        assert game.state["moves"] == []
        word, candidates = game.ask
        assert (word, "f1d3" in candidates, "c4d5" in candidates) == ("which_move", True, False)
        game.give(Chosen, choice="f1d3")
        assert game.state["moves"] == ["f1d3"]


def test_a_capture_from_a_lost_square_is_asked_about():
    """At the press, beside what else nobody sees; without a clock when it has been answered."""
    game = Game("4k3/8/8/3p4/2P5/8/8/7K w - - 0 1")
    game.give(Faulted, part="square c4", reason="stuck_open")
    game.does("-d5", "+d5")
    assert game.state["moves"] == []
    game.press("white")
    assert (game.ask, game.state["moves"]) == (("which_move", ["c4c5", "c4d5"]), [])


def test_a_capture_from_a_lost_square_without_a_clock():
    """No press will ask: it is asked once the board rests; also about the answer to a move that is not final."""
    for answer, moves in (("c4d5", ["c4d5"]), ("no", [])):
        game = Game("4k3/8/8/3p4/2P5/8/8/7K w - - 0 1", control="none")
        game.give(Faulted, part="square c4", reason="stuck_open")
        game.does("-d5", "+d5")
        assert game.ask == ("which_move", ["c4c5", "c4d5"])
        if answer == "no":
            game.give(Answered, yes=False)
        else:
            game.give(Chosen, choice=answer)
        assert (game.ask, game.state["moves"]) == ((None, None), moves)
        game.does("-h1", "+h1")
        assert game.ask == (None, None)
    game = Game("1n2k3/8/p7/1P6/8/8/8/4K3 w - - 0 1", control="none")
    game.give(Faulted, part="line rank 8", reason="dead_line")
    game.does("-a6", "-b5", "+a6")
    assert game.state["moves"] == ["b5a6"]
    game.does("-a6", "+a6")
    assert game.ask[0] == "which_move"
    game.give(Chosen, choice="b8a6")
    assert game.state["moves"] == ["b5a6", "b8a6"]


def test_a_capture_from_a_lost_square_that_is_answered_at_once():
    """Both moves before the board has rested: the first is asked about."""
    game = Game("4k3/8/8/3p4/2P5/8/8/7K w - - 0 1", control="none")
    game.give(Faulted, part="square c4", reason="stuck_open")
    for act in ("-d5", "+d5", "-e8", "+e7"):
        game.does(act)
        game.ns -= 400 * MS
    game.ns += 1000 * MS
    assert game.ask == ("which_capture", ["c4d5"])
    game.give(Chosen, choice="c4d5")
    assert game.state["moves"] == ["c4d5", "e8e7"]


def test_a_landing_that_a_short_circuit_has_closed():
    """Two files touch with the knight in the air: it seems to land on d3, and stands on a square that nobody sees."""
    for kind in (Game, TournamentGame):
        for flaw in ("shorted_together", "dead_line"):
            game = kind("4k3/8/8/2n5/8/4K3/8/8 b - - 0 1")
            game.does("-c5", "+d3")
            assert game.state["moves"] == ["c5d3"]
            hidden = squares_of_part("line file d + line file e") if flaw == "shorted_together" else None
            game.give(Faulted, part="line file d + line file e", reason=flaw, hidden=hidden)
            game.press("black")
            if flaw == "dead_line":
                assert game.state["moves"] == ["c5d3"]
                continue
            assert game.ask == ("which_move", ["c5d3", "c5d7", "c5e4", "c5e6"])
            game.give(Chosen, choice="c5e6")
            assert (game.state["moves"], game.state["violations"]) == (["c5e6"], [])


def test_a_landing_that_is_being_answered_when_a_short_circuit_is_found():
    """No clock, or the king in the air already: the answer shows that the knight has landed."""
    for control, acts in (("none", ()), ("5400+30", ("-e3",))):
        game = Game("4k3/8/8/2n5/8/4K3/8/8 b - - 0 1", control=control)
        game.does("-c5", "+b3", *acts)
        hidden = squares_of_part("line file a + line file b")
        game.give(Faulted, part="line file a + line file b", reason="shorted_together", hidden=hidden)
        assert game.state["moves"] == ["c5b3"]


def test_a_landing_that_was_seen_long_before_a_short_circuit():
    """No wire was at fault when the knight came down."""
    game = Game("4k3/8/8/2n5/8/4K3/8/8 b - - 0 1")
    game.does("-c5", "+d3")
    game.ns += 5000 * MS
    hidden = squares_of_part("line file d + line file e")
    game.give(Faulted, part="line file d + line file e", reason="shorted_together", hidden=hidden)
    game.press("black")
    assert game.state["moves"] == ["c5d3"]


def test_a_landing_that_no_reed_shows_is_asked_for_beside_a_single_lost_reed():
    """It may be the first of a dead line: the pawn went where the next reed of it is, and took nothing."""
    game = Game("4k3/8/8/2p5/3P4/8/8/4K3 w - - 0 1")
    game.give(Faulted, part="square c5", reason="stuck_open")
    game.lift("d4")
    game.press("white")
    assert game.ask == ("which_move", ["d4c5", "d4d5"])
    game = Game("4k3/8/8/2p5/3P4/8/8/4K3 w - - 0 1")
    game.give(Faulted, part="line file c", reason="dead_line")
    game.lift("d4")
    game.press("white")
    assert game.state["moves"] == ["d4c5"]
