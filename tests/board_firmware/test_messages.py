"""The catalogues are complete, and a word of the contract becomes the right sentence in each language."""

import re

import pytest

from board_firmware import messages
from board_firmware.messages import LANGUAGES, catalogue, choose_language, reason_sentence, sentence

FIELD = re.compile(r"\{(\w+)\}")
PARTICLE = re.compile(r"\}\s?(?:은|는|이|가|을|를|와|과|로|으로|아|야|이나|나|이라|라)(?![가-힣])")
ASKS = """promotion_piece which_capture which_move confirm_setup confirm_position actual_position confirm_result
    board_turned"""
TERMINATIONS = """checkmate stalemate dead_position agreement resignation resignation_no_mating_material time
    time_no_mating_material time_no_mating_line both_flags threefold_claim fifty_claim fivefold seventyfive_moves
    second_illegal_move second_illegal_move_no_mating_material arbiter abandoned game_cancelled_new_game"""
VIOLATIONS = """touch_move illegal_move_completed illegal_not_completed press_without_move castling_rook_first
    moved_after_release promotion_missing promotion_choice_changed king_captured displaced two_hands
    adjust_not_entitled claim_after_touch claim_inadmissible"""
REPORTS = """toucher_unverified touch_move_violation touch_waived claim_in_time claim_lapsed adjust_late
    adjust_out_of_turn adjust_not_entitled adjust_then_move possible_release possible_release_change
    simultaneous_lifts two_hands castling_rook_first wrong_rook castling_or_king_move transposition_castling
    silent_capture capture_or_putback promotion_unspecified promotion_missing promotion_choice_changed
    illegal_move_completed illegal_not_completed reply_to_illegal illegal_move_stands second_illegal_move
    press_without_move pressed_with_piece_in_air dead_press pressed_while_displaced displaced identity_unverified
    restore_from_history setup_incomplete king_lifted mate_not_final may_be_final dead_position_candidate
    unwinnable_candidate flag_indicated_before_mate flag_order clock_adjusted clock_hand unpressed_moves
    move_count_for_arbiter claim_incorrect claim_after_touch claim_before_press withdraw_ignored
    offer_irregular_time offer_refused_by_touch agreement_too_early arbiter_called possible_result_sign
    game_cancelled setup_claim_too_late colours_reversed_stands too_late blip"""
REASONS = """no_piece wrong_color not_its_way blocked own_piece_there pawn_cannot_capture_forward nothing_to_capture
    leaves_king_in_check en_passant_exposes_king en_passant_too_late en_passant_never castling_king_moved
    castling_rook_moved castling_rook_captured castling_no_rook castling_right_lost castling_blocked
    castling_in_check castling_through_attack castling_into_attack promotion_piece_not_allowed promotion_too_early
    game_over"""
STATUSES = "not_started thinking made completed identification irregularity paused ended"
LAMPS = """origin legal capture last_move place clear castling_rook en_passant_victim promotion question hint fault"""
WORDS = {
    "ask": ASKS, "termination": TERMINATIONS, "violation": VIOLATIONS, "report": REPORTS, "reason": REASONS,
    "status": STATUSES, "lamp": LAMPS, "confidence": "certain inferred ambiguous external",
}  # fmt: skip


@pytest.mark.parametrize("family", sorted(WORDS))
def test_every_word_of_the_contract_has_a_sentence(family: str) -> None:
    """No machine word can reach a person bare."""
    assert [word for word in WORDS[family].split() if f"{family}.{word}" not in catalogue("en")] == []


@pytest.mark.parametrize("lang", ["ja", "ko"])
def test_catalogues_have_the_same_entries(lang: str) -> None:
    """A sentence added in one language is added in all."""
    assert set(catalogue(lang)) == set(catalogue("en"))


@pytest.mark.parametrize("lang", ["ja", "ko"])
def test_placeholders_agree(lang: str) -> None:
    """Every form of a sentence fills the same fields in every language."""
    for key, forms in catalogue("en").items():
        expected = set(FIELD.findall(forms[0]))
        for form in (*forms, *catalogue(lang)[key]):
            assert set(FIELD.findall(form)) == expected, key


@pytest.mark.parametrize("lang", ["ja", "ko"])
def test_nothing_is_left_in_english(lang: str) -> None:
    """A translation that equals its English was forgotten."""
    english = catalogue("en")
    same = [key for key, forms in catalogue(lang).items() if set(forms) & set(english[key])]
    assert same == []


def test_japanese_and_korean_are_written_in_their_scripts() -> None:
    """Each sentence holds at least one letter of its language's script."""
    scripts = {"ja": re.compile(r"[぀-ヿ一-鿿]"), "ko": re.compile(r"[가-힣]")}
    for lang, script in scripts.items():
        missing = [key for key, forms in catalogue(lang).items() if not all(map(script.search, forms))]
        assert missing == []


def test_no_korean_particle_follows_a_placeholder() -> None:
    """The particle's form would depend on a name that nobody knows yet."""
    assert [key for key, forms in catalogue("ko").items() if any(map(PARTICLE.search, forms))] == []
    assert PARTICLE.search("{square}은 비어"), "the pattern itself finds one"


def test_brackets_of_a_tail_are_balanced() -> None:
    """A tail that may be cut begins and ends with the same kind of bracket."""
    for lang in LANGUAGES:
        for key, forms in catalogue(lang).items():
            for form in forms:
                assert form.count("(") == form.count(")"), (lang, key)
                assert form.count("（") == form.count("）"), (lang, key)


def test_reason_names_squares_and_attackers() -> None:
    """Numbers become square names, one or many; what is not known is left out with its brackets."""
    reason = {"word": "castling_through_attack", "squares": (5,), "by": ("Bc4",)}
    assert reason_sentence(reason) == "castling through check (f1 is attacked by Bc4)"
    reason = {"word": "castling_through_attack", "squares": ["f1", "e1"], "by": ["Bc4", "Ba5"]}
    assert reason_sentence(reason) == "castling through check (f1, e1 are attacked by Bc4, Ba5)"
    assert reason_sentence({"word": "castling_through_attack", "squares": ["f1"], "by": []}) == "castling through check"
    assert reason_sentence({"word": "blocked", "squares": ["d2"]}, "ko") == "가는 길이 막혀 있습니다 (d2)"
    assert reason_sentence({"word": "blocked"}, "ja") == "途中に駒があります"


def test_reason_may_be_an_object() -> None:
    """The rules' own reasons have attributes instead of keys."""

    class Reason:
        word = "no_piece"
        squares = (12,)
        by = ()

    assert reason_sentence(Reason(), "en") == "no piece stands there (e2)"


def test_subject_and_sides_are_filled_in() -> None:
    """A word carries its subject; sides are translated, squares are not."""
    assert sentence("report.promotion_choice_changed:q>n") == "The promotion piece was changed (q → n)"
    assert sentence("penalty.add_time", "ko", seconds=120, to="black") == "120초 추가 (흑)"
    assert sentence("ask.confirm_result", "en", result="1-0") == "Do the kings show the result (1-0)?"


def test_an_unknown_word_or_language_is_refused() -> None:
    """A forgotten sentence is noticed where it is asked for, not on the page."""
    with pytest.raises(ValueError, match="no sentence for 'nonsense'"):
        sentence("nonsense")
    with pytest.raises(ValueError, match="choose one of en, ja, ko"):
        sentence("blip", "de")


@pytest.mark.parametrize(
    ("accepted", "chosen"),
    [("", "en"), ("ja", "ja"), ("de, ko;q=0.9, en;q=0.8", "ko"), ("en;q=0.2,ja;q=0.3", "ja"), ("ko;q=0", "en"),
     ("ko_KR.UTF-8", "ko"), (";;,,q=9", "en"), ("*", "en")],
)  # fmt: skip
def test_language_is_chosen_by_preference(accepted: str, chosen: str) -> None:
    """The reader's first language that we have, else English."""
    assert choose_language(accepted) == chosen


def test_catalogues_live_beside_the_program() -> None:
    """They are package files, found however the package was installed."""
    assert (messages.files("board_firmware") / "locale" / "ko" / "LC_MESSAGES" / "touchmove.po").is_file()
