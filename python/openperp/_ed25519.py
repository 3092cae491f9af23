"""Ed25519 signatures (RFC 8032) in pure Python, and with ``cryptography`` where it is installed.

The pure code is for sandboxes and tests: it is not protected against an observer that measures its
time. Install ``cryptography`` where a key controls real money.
"""

from __future__ import annotations

import hashlib
from typing import Callable, List, NamedTuple, Tuple

try:
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
except ImportError:  # The standard library is sufficient.
    Ed25519PrivateKey = None  # type: ignore[assignment,misc]

_P = 2**255 - 19
_ORDER = 2**252 + 27742317777372353535851937790883648493
_D = -121665 * pow(121666, _P - 2, _P) % _P
_BASE_Y = 4 * pow(5, _P - 2, _P) % _P
_BASE_X = 15112221349535400772501151409588531511454012693041857206046113283949847762202

# A point is (X, Y, Z, T) with x = X/Z, y = Y/Z and T = XY/Z. A summand has the form (Y+X, Y-X, 2Z,
# 2dT), which saves work when it is added many times.
_Point = Tuple[int, int, int, int]
_NEUTRAL: _Point = (0, 1, 1, 0)


def _summand(point: _Point) -> _Point:
    x, y, z, t = point
    return (y + x) % _P, (y - x) % _P, 2 * z % _P, 2 * _D * t % _P


def _add(point: _Point, summand: _Point) -> _Point:
    x, y, z, t = point
    sum_, difference, twice_z, twice_dt = summand
    a = (y - x) * difference % _P
    b = (y + x) * sum_ % _P
    c = t * twice_dt % _P
    d = z * twice_z % _P
    e, f, g, h = b - a, d - c, d + c, b + a
    return e * f % _P, g * h % _P, f * g % _P, e * h % _P


_table: List[List[_Point]] = []


def _base_table() -> List[List[_Point]]:
    """Row i has the summands 1 to 15 times 16**i of the base point: a product is 64 sums."""
    if not _table:
        rows = []
        base: _Point = (_BASE_X, _BASE_Y, 1, _BASE_X * _BASE_Y % _P)
        for _ in range(64):
            step = _summand(base)
            row = [step]
            point = base
            for _ in range(14):
                point = _add(point, step)
                row.append(_summand(point))
            rows.append(row)
            base = _add(point, step)
        _table.extend(rows)
    return _table


def _multiply(scalar: int) -> bytes:
    """Returns the encoded product of the base point."""
    point = _NEUTRAL
    for row in _base_table():
        digit = scalar & 15
        scalar >>= 4
        if digit:
            point = _add(point, row[digit - 1])
    x, y, z, _ = point
    inverse = pow(z, _P - 2, _P)
    x, y = x * inverse % _P, y * inverse % _P
    return (y | (x & 1) << 255).to_bytes(32, "little")


class KeyPair(NamedTuple):
    public_key: bytes
    sign: Callable[[bytes], bytes]


def pure_key_pair(seed: bytes) -> KeyPair:
    digest = hashlib.sha512(seed).digest()
    scalar = int.from_bytes(digest[:32], "little")
    scalar = (scalar & ((1 << 254) - 8)) | (1 << 254)
    prefix = digest[32:]
    public_key = _multiply(scalar)

    def hashed(*parts: bytes) -> int:
        return int.from_bytes(hashlib.sha512(b"".join(parts)).digest(), "little") % _ORDER

    def sign(message: bytes) -> bytes:
        nonce = hashed(prefix, message)
        point = _multiply(nonce)
        proof = (nonce + hashed(point, public_key, message) * scalar) % _ORDER
        return point + proof.to_bytes(32, "little")

    return KeyPair(public_key, sign)


def fast_key_pair(seed: bytes) -> KeyPair:
    """With ``cryptography``.

    :raises RuntimeError: Its public key differs from ours: one of the two is defective.
    """
    key = Ed25519PrivateKey.from_private_bytes(seed)
    public_key = pure_key_pair(seed).public_key
    # `public_bytes_raw` is not in older versions; a signature commits to the public key as well.
    if key.sign(b"openperp") != pure_key_pair(seed).sign(b"openperp"):
        raise RuntimeError("the installed cryptography signs differently from RFC 8032")
    return KeyPair(public_key, key.sign)


def key_pair(seed: bytes) -> KeyPair:
    return pure_key_pair(seed) if Ed25519PrivateKey is None else fast_key_pair(seed)
