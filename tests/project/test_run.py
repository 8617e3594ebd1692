"""run.py: its error sentences, and that set-up steps are not repeated."""

import subprocess
import sys
from pathlib import Path

import pytest

import run

ROOT = Path(__file__).parents[2]


def python(code: str, *arguments: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-c", code, *arguments],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )


def test_old_python_gets_a_sentence():
    done = python(
        "import sys, runpy; sys.version_info = (3, 9, 18, 'final', 0);"
        " runpy.run_path('run.py', run_name='__main__')"
    )
    assert done.returncode == 1
    assert "needs Python 3.11 or newer; this is Python 3.9." in done.stderr
    assert "Traceback" not in done.stderr


def test_windows_gets_a_sentence():
    done = python(
        "import sys, runpy; sys.platform = 'win32';"
        " runpy.run_path('run.py', run_name='__main__')"
    )
    assert done.returncode == 1
    assert "on Windows, inside WSL" in done.stderr


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (["dance"], "There is no command 'dance'. Commands: play, test, build"),
        (["play", "now"], "`play` takes no arguments."),
    ],
)
def test_wrong_command_gets_a_sentence(arguments, sentence):
    done = subprocess.run(
        [sys.executable, "run.py", *arguments],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 1
    assert sentence in done.stderr
    assert "Traceback" not in done.stderr


@pytest.mark.parametrize(
    ("output", "sentence"),
    [
        ("Because x has no wheels with a matching platform tag", "for this platform"),
        ("ERROR: No matching distribution found for uv==9", "for this platform"),
        ("error sending request for url: dns error", "needs a network"),
        ("NewConnectionError(...): No matching distribution found", "needs a network"),
        ("npm error code EAI_AGAIN", "needs a network"),
        ("something else", "uv failed; its output is above."),
    ],
)
def test_failed_step_is_explained(output, sentence):
    assert sentence in run.failure_text(output, "uv")


def test_step_is_repeated_only_when_its_inputs_change(tmp_path, monkeypatch):
    monkeypatch.setattr(run, "ROOT", tmp_path)
    monkeypatch.setattr(run, "STAMPS", tmp_path / "stamps")
    source, output = tmp_path / "source", tmp_path / "output"
    done = []

    def step():
        run.step("x", "x", lambda: done.append(output.touch()), [source], output=output)

    source.write_text("one")
    step()
    step()
    assert len(done) == 1
    source.write_text("two")
    step()
    assert len(done) == 2
    output.unlink()
    step()
    assert len(done) == 3


def test_failed_step_is_repeated(tmp_path, monkeypatch):
    monkeypatch.setattr(run, "STAMPS", tmp_path / "stamps")

    def fail():
        raise run.Stop("no")

    for _ in range(2):
        with pytest.raises(run.Stop):
            run.step("x", "x", fail)
    assert not (tmp_path / "stamps" / "x").exists()


def test_caches_move_if_the_home_is_not_writable(tmp_path, monkeypatch):
    monkeypatch.setenv("HOME", str(tmp_path / "absent"))
    for name in ("UV_CACHE_DIR", "PIP_CACHE_DIR", "npm_config_cache"):
        monkeypatch.delenv(name, raising=False)
    environ = run.environment()
    assert environ["UV_CACHE_DIR"] == str(run.CACHE / "uv")
    assert environ["npm_config_cache"] == str(run.CACHE / "npm")
