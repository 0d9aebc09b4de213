"""What all tests share: the research data beside the checkout, and no skips on the build server."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings

REQUIRE_ALL = os.environ.get("TOUCHMOVE_REQUIRE") == "all"

settings.register_profile(
    "house",
    deadline=None,  # a busy machine is no fault of the code
    suppress_health_check=[HealthCheck.too_slow],
    derandomize=REQUIRE_ALL,  # the build server repeats itself; new examples are looked for elsewhere
)
settings.load_profile("house")


@pytest.fixture(scope="session")
def shared() -> Path:
    """The folder of research data beside the checkout; a stranger's clone has none and skips."""
    folder = Path(__file__).resolve().parents[2] / "shared"
    if not folder.is_dir():
        pytest.skip("no ../shared beside this checkout: the research data is not here")
    return folder


@pytest.hookimpl(hookwrapper=True)
def pytest_make_collect_report(collector):
    """With TOUCHMOVE_REQUIRE=all a file that skips itself is a failed one, too."""
    outcome = yield
    report = outcome.get_result()
    if REQUIRE_ALL and report.skipped:
        report.outcome = "failed"
        report.longrepr = f"skipped, but TOUCHMOVE_REQUIRE=all: {report.longrepr}"


@pytest.hookimpl(hookwrapper=True)
def pytest_runtest_makereport(item, call):
    """With TOUCHMOVE_REQUIRE=all a skipped test is a failed one."""
    outcome = yield
    report = outcome.get_result()
    if REQUIRE_ALL and report.skipped and not hasattr(report, "wasxfail"):
        report.outcome = "failed"
        report.longrepr = f"skipped, but TOUCHMOVE_REQUIRE=all: {report.longrepr}"
