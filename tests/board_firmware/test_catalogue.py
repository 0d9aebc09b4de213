"""The reader of gettext text files."""

import pytest

from board_firmware.catalogue import read_po

HEADER = 'msgid ""\nmsgstr ""\n"Language: en\\n"\n\n'


def test_reads_entries_plurals_and_continued_strings() -> None:
    """Comments go, pieces are joined, escapes are undone, the header is left out."""
    text = HEADER + (
        '# a comment\n#: file.py:3\nmsgid "one"\nmsgstr "a \\"b\\"\\n"\n"c"\n\n'
        'msgid "two"\nmsgid_plural "two"\nmsgstr[0] "x"\nmsgstr[1] "xs"\n'
    )
    assert dict(read_po(text)) == {"one": ('a "b"\nc',), "two": ("x", "xs")}


@pytest.mark.parametrize(
    ("text", "fault"),
    [
        ('msgid "a"\nmsgstr "b"\n', "begins with its header"),
        (HEADER + 'msgid "a"\nmsgstr ""\n', "'a' has no sentence"),
        (HEADER + 'msgid "a"\n', "'a' has no sentence"),
        (HEADER + 'msgid "a"\nmsgstr "b"\nmsgid "a"\nmsgstr "c"\n', "line 7: 'a' stands here twice"),
        (HEADER + "hello\n", "line 5: not an entry"),
        ('"stray"\n', "line 1: a text before the first msgid"),
        (HEADER + 'msgid "a\nmsgstr "b"\n', "line 5"),
    ],
)
def test_refuses_what_is_no_catalogue(text: str, fault: str) -> None:
    """A slip of the pen is named with its line."""
    with pytest.raises(ValueError, match=fault):
        read_po(text)
