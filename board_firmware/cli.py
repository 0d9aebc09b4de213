"""The command line: every command's words, and which file answers it.

Nothing is computed here. A command's module is imported when it is called, so that ``touchmove --help`` costs nothing on a
small board. What goes wrong by the user's input ends with one line on stderr and exit code 2; a chess-level "no" is 1;
the reader of a pipe that has left, 141; Ctrl-C, 130; SIGTERM, 143.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable, Sequence

from board_firmware import arguments, stopping, streams
from board_firmware.complaint import Complaint
from board_firmware.streams import OutputLost


def main(argv: Sequence[str] | None = None) -> int:
    """Run a command; returns its exit code. Every way in which a run can end comes through here."""
    streams.settle()
    name = "touchmove"
    try:
        with stopping.heard():
            try:
                given = _parser().parse_args(argv)
                name = f"touchmove {given.command}"
                run: Callable[[argparse.Namespace], int] = given.run
                code = run(given)
            except SystemExit as done:  # argparse has said it, on one stream or the other
                code = int(done.code or 0)
            except Complaint as complaint:
                print(f"{name}: {complaint}", file=sys.stderr)
                code = complaint.code
            streams.flush()
        return code
    except OutputLost as lost:
        streams.abandon()
        if lost.sentence:
            print(f"{name}: {lost.sentence}", file=sys.stderr)
        return lost.code
    except KeyboardInterrupt as stop:
        return stopping.code(stop)
    except Exception as error:  # noqa: BLE001 ours: told in full to a file
        from board_firmware import crash

        print(f"{name}: {crash.told(error)}", file=sys.stderr)
        return 2


class _Parser(argparse.ArgumentParser):
    """Usage errors in one line."""

    def error(self, message: str) -> None:  # type: ignore[override]
        self.exit(2, f"{self.prog}: {message} (try {self.prog} --help)\n")


def _parser() -> argparse.ArgumentParser:
    parser = _Parser(prog="touchmove", description="Firmware and controller of an electronic chessboard.")
    parser.add_argument("--version", action="version", version=f"touchmove {_version()}")
    commands = parser.add_subparsers(dest="command", required=True, metavar="COMMAND", parser_class=_Parser)

    def command(
        name: str, what: str, example: str, run: Callable[[argparse.Namespace], int]
    ) -> argparse.ArgumentParser:
        sub = commands.add_parser(name, help=what, description=what, epilog=f"example: {example}")
        sub.set_defaults(run=run)
        return sub

    play = command("play", "run a board: page, lamps, clock, journal, PGN", "touchmove play --time 300+3", _play)
    play.add_argument("--config", type=arguments.path, metavar="FILE", help="configuration file (TOML)")
    play.add_argument(
        "--board", type=arguments.name, metavar="URL", help="sim:, reed:, dgt:/dev/ttyACM0, ... (default: sim:)"
    )
    play.add_argument("--profile", choices=("friendly", "tournament", "practice"))
    play.add_argument(
        "--time", type=arguments.name, metavar="CONTROL", help="such as 300+3 or 40/6000+30:900+30; none for no clock"
    )
    play.add_argument("--fen", type=arguments.name, help="the position to begin with")
    play.add_argument(
        "--chess960", nargs="?", type=arguments.CHESS960, const=-1, metavar="N", help="start position 0..959, or by lot"
    )
    play.add_argument("--lang", choices=("en", "ja", "ko"), help="of the page; default: what each browser asks for")
    play.add_argument("--port", type=arguments.PORT, help="of the page (default 8064)")
    play.add_argument("--no-page", action="store_true", help="run without the page")
    play.add_argument("--new", action="store_true", help="begin a new game although the last is unfinished")
    play.add_argument("--record", type=arguments.name, metavar="FILE", help="keep raw sensor frames, for replay --raw")
    play.add_argument(
        "--emulate", type=arguments.name, metavar="PROTOCOL:PLACE",
        help="also be a board others know: sentio:/tmp/board",
    )  # fmt: skip

    replay = command("replay", "feed a trace or a journal through the core", "touchmove replay game.trace", _replay)
    replay.add_argument("file", type=arguments.path)
    replay.add_argument("--json", action="store_true", help="one JSON object a line")
    replay.add_argument("--game", type=arguments.name, metavar="ID", help="of a journal; default: the newest")
    replay.add_argument("--raw", action="store_true", help="raw frames, as play and doctor --record keep them")
    replay.add_argument("--debounce", metavar="CLOSE/OPEN", help="with --raw: other debounce times in ms, as 60/30")
    replay.add_argument("--until", type=arguments.SECONDS, metavar="S", help="stop at this many seconds of the game")
    replay.add_argument(
        "--speed", type=arguments.SPEED, metavar="N", help="N times as fast as it was; default: at once"
    )

    conform = command("conform", "run a conformance set", "touchmove conform laws.json", _conform)
    conform.add_argument("file", type=arguments.path)
    conform.add_argument("--states", action="store_true", help="print each case's state, compare nothing")
    conform.add_argument("--json", action="store_true")

    simulate = command(
        "simulate",
        "simulated hands play games on simulated reeds",
        "touchmove simulate games.pgn --hands human",
        _simulate,
    )
    simulate.add_argument("file", type=arguments.path, metavar="GAMES.pgn")
    simulate.add_argument("--hands", choices=("tidy", "human", "rough", "blitz"), default="human")
    simulate.add_argument("--seed", type=arguments.SEED, default=1)
    simulate.add_argument("--games", type=arguments.GAMES, metavar="N", help="only the first N games")
    simulate.add_argument(
        "--board", metavar="NAME", help="through a wire format: dgt, sentio, chesslink, scanner, wires"
    )
    simulate.add_argument("--faults", metavar="PROFILE", help="healthy, aged or broken (with --board wires)")
    simulate.add_argument(
        "--jobs", type=arguments.JOBS, default=1, metavar="N", help="processes to spread the games on"
    )
    simulate.add_argument("--pgn-out", type=arguments.path, metavar="FILE", help="write what was recorded")
    simulate.add_argument("--json", action="store_true")

    judge = command("judge", "is a move legal, and if not, why", 'touchmove judge "FEN" e1g1', _judge)
    judge.add_argument("fen", type=arguments.name)
    judge.add_argument("move", type=arguments.name)
    judge.add_argument("--after", default="", metavar="MOVES", help="moves in UCI to play first")
    judge.add_argument("--chess960", action="store_true")
    judge.add_argument("--lang", choices=("en", "ja", "ko"), default="en")
    judge.add_argument("--json", action="store_true")

    perft = command("perft", "count the move sequences of a position", 'touchmove perft "FEN" 4 --divide', _perft)
    perft.add_argument("fen", type=arguments.name)
    perft.add_argument("depth", type=arguments.DEPTH)
    perft.add_argument("--divide", action="store_true")
    perft.add_argument("--chess960", action="store_true")

    pgn = command("pgn", "read, check and rewrite PGN", "touchmove pgn games.pgn", _pgn)
    pgn.add_argument("file", type=arguments.path)
    pgn.add_argument("--json", action="store_true")

    doctor = command("doctor", "test squares, lamps, buttons and lines", "touchmove doctor --board reed:", _doctor)
    doctor.add_argument("--board", type=arguments.name, metavar="URL", help="default: the configuration's, else sim:")
    doctor.add_argument("--config", type=arguments.path, metavar="FILE")
    doctor.add_argument(
        "--record", type=arguments.path, metavar="FILE", help="keep raw sensor frames, for replay --raw"
    )
    doctor.add_argument("--json", action="store_true")

    export = command("export", "take a game out of the journal", "touchmove export --pgn", _export)
    export.add_argument("--game", type=arguments.name, metavar="ID", help="default: the newest")
    export.add_argument("--config", type=arguments.path, metavar="FILE")
    kinds = export.add_mutually_exclusive_group()
    for kind in ("pgn", "trace", "journal", "report"):
        kinds.add_argument(f"--{kind}", dest="kind", action="store_const", const=kind)
    export.add_argument(
        "--lang", choices=("en", "ja", "ko"), help="of the report; default: as configured, else English"
    )
    export.set_defaults(kind="pgn")

    sniff = command(
        "sniff", "print a serial link, decoded and time-stamped", "touchmove sniff dgt:/dev/ttyACM0", _sniff
    )
    sniff.add_argument("url", type=arguments.name)
    return parser


def _version() -> str:
    from importlib.metadata import PackageNotFoundError, version

    try:
        return version("touchmove")
    except PackageNotFoundError:
        return "unknown"


def _play(a: argparse.Namespace) -> int:
    from board_firmware import play

    return play.run(
        play.Options(
            config=a.config,
            board=a.board,
            profile=a.profile,
            control=a.time,
            fen=a.fen,
            chess960=a.chess960,
            lang=a.lang,
            port=a.port,
            page=False if a.no_page else None,
            record=a.record,
            emulate=a.emulate,
            new=a.new,
        )
    )


def _replay(a: argparse.Namespace) -> int:
    from board_firmware.commands import replay

    return replay.run(
        a.file, as_json=a.json, until_s=a.until, speed=a.speed, game=a.game, raw=a.raw, debounce=a.debounce
    )


def _conform(a: argparse.Namespace) -> int:
    from board_firmware.commands import conform as conform_command

    return conform_command.run(a.file, states=a.states, as_json=a.json)


def _simulate(a: argparse.Namespace) -> int:
    from board_firmware.commands import simulate

    return simulate.run(
        a.file,
        hands=a.hands,
        seed=a.seed,
        games=a.games,
        board=a.board,
        faults=a.faults,
        jobs=a.jobs,
        pgn_out=a.pgn_out,
        as_json=a.json,
    )


def _judge(a: argparse.Namespace) -> int:
    from board_firmware.commands import verdict

    return verdict.judge_command(a.fen, a.move, after=a.after, chess960=a.chess960, lang=a.lang, as_json=a.json)


def _perft(a: argparse.Namespace) -> int:
    from board_firmware.commands import verdict

    return verdict.perft_command(a.fen, a.depth, divided=a.divide, chess960=a.chess960)


def _pgn(a: argparse.Namespace) -> int:
    from board_firmware.commands import pgn as pgn_command

    return pgn_command.run(a.file, as_json=a.json)


def _doctor(a: argparse.Namespace) -> int:
    from board_firmware.commands import doctor

    return doctor.run(a.board, config=a.config, record=a.record, as_json=a.json)


def _export(a: argparse.Namespace) -> int:
    from board_firmware.commands import export

    return export.run(a.kind, game=a.game, config=a.config, lang=a.lang)


def _sniff(a: argparse.Namespace) -> int:
    from board_firmware.commands import sniff

    return sniff.run(a.url)
