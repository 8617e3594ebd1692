"""The generated documents in the repository match the code."""

import shutil

from scoundrel_site.documents import (
    ASYNCAPI,
    BEGIN,
    END,
    OPENAPI,
    PROTOCOL,
    ROOT,
    replace_table,
    stale_documents,
)


def test_no_document_is_stale():
    assert [file.name for file, _ in stale_documents()] == []


def test_a_stale_document_is_found(tmp_path):
    for name in (OPENAPI, ASYNCAPI, PROTOCOL):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(ROOT / name, tmp_path / name)
    (tmp_path / OPENAPI).unlink()
    changed = tmp_path / PROTOCOL
    changed.write_text(changed.read_text().replace("`move.play`", "`gone`"))
    found = dict(stale_documents(tmp_path))
    assert sorted(found) == [changed, tmp_path / OPENAPI]
    assert "`move.play`" in found[changed]


def test_text_around_the_table_is_kept():
    made = replace_table("# The protocol\n\nBefore.\n", "| a |")
    assert made == f"# The protocol\n\nBefore.\n\n{BEGIN}\n\n| a |\n{END}\n"
    again = replace_table(made + "After.\n", "| b |")
    assert again == f"# The protocol\n\nBefore.\n\n{BEGIN}\n\n| b |\n{END}\nAfter.\n"
