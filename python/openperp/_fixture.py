"""Starts ``openperp start --fixture`` and ends it."""

from __future__ import annotations

import json
import os
import secrets
import shlex
import shutil
import socket
import subprocess
import sys
import tempfile
import threading
from typing import Any, Dict, List, NamedTuple, Optional, Sequence

from .errors import OpenperpError


class FixtureError(OpenperpError):
    """The fixture could not be started; the message has what it printed."""


_WITHOUT_PROGRAM = (
    "no exchange to start: name the openperp program in OPENPERP_BIN or in the setting program "
    "(in pytest: in the fixture openperp_options), or install it here: npm i openperp"
)


def is_named(program: Optional[str]) -> bool:
    """Whether the program is known, so that it is not looked for by npx."""
    return bool(program or os.environ.get("OPENPERP_BIN"))


def program_command(program: Optional[str]) -> List[str]:
    """The command before ``start --fixture``: ``program``, OPENPERP_BIN or ``npx openperp``."""
    given = program or os.environ.get("OPENPERP_BIN")
    if given:
        parts = [given] if os.path.exists(given) else shlex.split(given)
        is_script = parts[0].endswith((".js", ".mjs", ".cjs"))
        return [_found("node"), *parts] if is_script else [_found(parts[0]), *parts[1:]]
    if shutil.which("npx") is None:
        raise FixtureError(f"{_WITHOUT_PROGRAM} (it needs Node 20.19 or newer)")
    return [_found("npx"), "--yes", "openperp"]


def container_command(image: str) -> List[str]:
    """The command before ``start --fixture`` that runs it in a container, with its ports on the
    loopback of this machine."""
    runtime = next((name for name in ("docker", "podman") if shutil.which(name)), None)
    if runtime is None:
        raise FixtureError(f"image={image!r} needs docker or podman, and neither is installed")
    return [_found(runtime), "run", "--rm", "--interactive"]


def container_flags(ports: Sequence[int]) -> List[str]:
    """The flags of a fixture in a container, which must listen outside of its own loopback."""
    api, compat, admin = map(str, ports)
    flags = ["--host", "0.0.0.0", "--port", api, "--compat-port", compat]
    flags += ["--admin-host", "0.0.0.0", "--admin-port", admin]
    return [*flags, "--sandbox-token", secrets.token_hex(16)]


def free_ports(count: int) -> List[int]:
    sockets = [socket.socket() for _ in range(count)]
    try:
        for each in sockets:
            each.bind(("127.0.0.1", 0))
        return [each.getsockname()[1] for each in sockets]
    finally:
        for each in sockets:
            each.close()


def _found(name: str) -> str:
    path = shutil.which(name)
    if path is None:
        raise FixtureError(f"there is no program {name}")
    return path


def without_program(error: FixtureError) -> FixtureError:
    """The error if npx has not found the program."""
    said = [line for line in str(error).splitlines() if "npm err" in line.lower()]
    return FixtureError(f"{_WITHOUT_PROGRAM} (npx: {' '.join(said[0].split())[:160]})")


class Line(NamedTuple):
    """What a fixture prints when it is ready."""

    url: str
    ws: Optional[str]
    compat_url: Optional[str]
    admin_url: Optional[str]
    accounts: Optional[Dict[str, Dict[str, str]]]
    sandbox_token: Optional[str]


class Fixture:
    """A process that ends with its standard input, and therefore with this process."""

    def __init__(self, command: Sequence[str], timeout: float) -> None:
        self._errors = tempfile.TemporaryFile()
        self._process = subprocess.Popen(
            list(command),
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=self._errors,
            # Ctrl-C must reach the tests first, which then end the fixture.
            start_new_session=sys.platform != "win32",
        )
        try:
            self.line = self._first_line(timeout)
        except BaseException:
            self.close()
            raise

    def _first_line(self, timeout: float) -> Line:
        found: List[bytes] = []
        stdout = self._process.stdout
        assert stdout is not None
        reader = threading.Thread(target=lambda: found.append(stdout.readline()), daemon=True)
        reader.start()
        reader.join(timeout)
        if not found:
            raise FixtureError(f"the fixture was not ready within {timeout} s{self._said()}")
        try:
            fields: Dict[str, Any] = json.loads(found[0])
        except ValueError:
            begins = found[0].decode(errors="replace").strip()
            self._process.wait(timeout)
            said = f"the fixture did not start{self._said()} {begins}".strip()
            raise FixtureError(said) from None
        return Line(**{name: fields.get(name) for name in Line._fields})  # type: ignore[arg-type]

    def _said(self) -> str:
        self._errors.seek(0)
        text = self._errors.read().decode(errors="replace").strip()
        return f": {text}" if text else ""

    @property
    def pid(self) -> int:
        return self._process.pid

    def close(self, timeout: float = 10.0) -> None:
        process = self._process
        assert process.stdin is not None and process.stdout is not None
        process.stdin.close()
        try:
            process.wait(timeout)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()
        process.stdout.close()
        self._errors.close()
