"""Base58 with the alphabet of Bitcoin, in which addresses, keys and signatures are written."""

from __future__ import annotations

from typing import Optional

_ALPHABET = "123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz"
_DIGITS = {letter: digit for digit, letter in enumerate(_ALPHABET)}


def encode(data: bytes) -> str:
    number = int.from_bytes(data, "big")
    text = ""
    while number:
        number, digit = divmod(number, 58)
        text = _ALPHABET[digit] + text
    return "1" * (len(data) - len(data.lstrip(b"\0"))) + text


def decode(text: str, size: int) -> Optional[bytes]:
    """Returns the bytes, or None if the text is not the base58 of exactly ``size`` bytes."""
    number = 0
    for letter in text:
        digit = _DIGITS.get(letter)
        if digit is None:
            return None
        number = number * 58 + digit
    zeros = len(text) - len(text.lstrip("1"))
    body = number.to_bytes((number.bit_length() + 7) // 8, "big")
    return b"\0" * zeros + body if zeros + len(body) == size else None
