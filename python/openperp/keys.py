"""Keys that sign requests."""

from __future__ import annotations

import hashlib
import os
from typing import Protocol, Union

from . import _base58
from ._ed25519 import key_pair

__all__ = ["Key", "Signer", "sandbox_key"]

_SEED = 32


class Signer(Protocol):
    """Anything that can sign: a :class:`Key`, or an object of yours that calls a wallet."""

    @property
    def address(self) -> str:
        """Base58 of the public key: the account, or the agent."""

    def sign(self, text: str) -> Union[str, bytes]:
        """Returns the Ed25519 signature of the text: 64 bytes, or their base58."""


class Key:
    """A key whose secret is in this process."""

    def __init__(self, seed: bytes) -> None:
        """Makes the key of a seed of 32 bytes."""
        if not isinstance(seed, bytes) or len(seed) != _SEED:
            raise ValueError(f"a seed has {_SEED} bytes; Key.of_secret reads base58 text")
        pair = key_pair(seed)
        self._sign = pair.sign
        self._seed = seed
        self._public_key = pair.public_key
        self._address = _base58.encode(pair.public_key)

    @classmethod
    def new(cls) -> Key:
        """Makes a key from the machine's randomness."""
        return cls(os.urandom(_SEED))

    @classmethod
    def of_secret(cls, secret: str) -> Key:
        """Makes the key of a secret: the base58 of a seed (32 bytes), or of seed and public key
        (64 bytes), as ``openperp start`` prints it and wallets export it."""
        whole = _base58.decode(secret, 2 * _SEED)
        seed = whole[:_SEED] if whole is not None else _base58.decode(secret, _SEED)
        if seed is None:
            raise ValueError(
                "a secret key is the base58 of 32 bytes (seed) or 64 bytes (seed and public key)"
            )
        key = cls(seed)
        if whole is not None and whole[_SEED:] != key._public_key:
            raise ValueError(
                "the public key in this secret key does not match its seed; was the key cut or "
                "mixed up?"
            )
        return key

    @property
    def address(self) -> str:
        """Base58 of the public key: the account, or the agent."""
        return self._address

    @property
    def secret(self) -> str:
        """Base58 of seed and public key. Anyone who has it controls the account."""
        return _base58.encode(self._seed + self._public_key)

    def sign(self, text: str) -> str:
        """Returns the signature of the text, in base58."""
        return _base58.encode(self._sign(text.encode("ascii")))

    def __repr__(self) -> str:
        return f"Key({self._address})"


def sandbox_key(name: str) -> Key:
    """The published key of this name in every sandbox, such as ``alice``. Anyone has it."""
    return Key(hashlib.sha256(f"openperp sandbox trader {name}".encode()).digest())
