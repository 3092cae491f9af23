"""The text that is signed for a request. docs/api/signing.md of openperp defines it."""

from __future__ import annotations

import json
from typing import Any, Callable, Mapping

__all__ = [
    "UnsignableError",
    "hardware_message",
    "signing_text",
    "subaccount_confirm_text",
    "subaccount_initiate_text",
]

_HEADER = frozenset(["account", "user", "signature", "timestamp", "expiry_window", "venue"])
# Operations where `agent_wallet` is a parameter, not the caller.
_AGENT_IS_PAYLOAD = frozenset(
    [
        "bind_agent_wallet",
        "set_agent_policy",
        "revoke_agent_wallet",
        "add_agent_whitelisted_ip",
        "remove_agent_whitelisted_ip",
        "set_agent_ip_whitelist_enabled",
    ]
)
_LEVELS_MAX = 16
_INTEGER_MAX = 2**53 - 1


class UnsignableError(ValueError):
    """A value that cannot be signed; the message names the field."""


def signing_text(type: str, body: Mapping[str, Any]) -> str:
    """The text to sign for a request body of an operation type, such as ``create_order``. A
    signature in the body is ignored."""

    def is_data(name: str) -> bool:
        return type in _AGENT_IS_PAYLOAD if name == "agent_wallet" else name not in _HEADER

    return _text_over(type, _fields(body, is_data, 1, ""), body)


def subaccount_initiate_text(main_account: str, header: Mapping[str, Any]) -> str:
    """The text that the key of a new subaccount signs."""
    return _text_over("subaccount_initiate", _any_fields({"account": main_account}), header)


def subaccount_confirm_text(sub_signature: Any, header: Mapping[str, Any]) -> str:
    """The text that the key of the main account signs next."""
    return _text_over("subaccount_confirm", _any_fields({"signature": sub_signature}), header)


def hardware_message(text: str) -> bytes:
    """The bytes that a hardware wallet signs for a text: Solana's off-chain form."""
    data = text.encode("ascii")
    if len(data) > 0xFFFF:
        raise UnsignableError("too long for a hardware wallet")
    return b"\xffsolana offchain\0\0" + len(data).to_bytes(2, "little") + data


def _any_fields(fields: Mapping[str, Any]) -> str:
    return _fields(fields, lambda _: True, 1, "")


def _text_over(type: str, data: str, header: Mapping[str, Any]) -> str:
    parts = [f'"data":{data}']
    for name in ("expiry_window", "timestamp"):
        if header.get(name) is not None:
            parts.append(f'"{name}":{_value(header[name], 1, name)}')
    parts.append(f'"type":"{type}"')
    if header.get("venue") is not None:
        parts.append(f'"venue":{_value(header["venue"], 1, "venue")}')
    return "{" + ",".join(parts) + "}"


def _fields(
    fields: Mapping[str, Any], is_wanted: Callable[[str], bool], level: int, at: str
) -> str:
    written = [
        f"{_string(name, at)}:{_value(fields[name], level, f'{at}.{name}' if at else name)}"
        for name in sorted(filter(is_wanted, fields))
    ]
    return "{" + ",".join(written) + "}"


def _string(text: str, at: str) -> str:
    if not text.isascii():
        raise UnsignableError(f"{at} has a character outside ASCII")
    return json.dumps(text, ensure_ascii=False)


def _value(value: Any, level: int, at: str) -> str:
    if isinstance(value, str):
        return _string(value, at)
    if value is None or isinstance(value, bool):
        return {None: "null", True: "true", False: "false"}[value]
    if isinstance(value, int):
        if abs(value) > _INTEGER_MAX:
            raise UnsignableError(f"{at} is {value}, beyond the safe integers: up to 2^53 - 1")
        return str(value)
    if isinstance(value, Mapping):
        return _fields(value, lambda _: True, _deeper(level, at), at)
    if isinstance(value, (list, tuple)):
        deeper = _deeper(level, at)
        return "[" + ",".join(_value(v, deeper, f"{at}[{i}]") for i, v in enumerate(value)) + "]"
    kind = type(value).__name__
    raise UnsignableError(f'{at} is the {kind} {value!r}: decimals are text, such as "1.5"')


def _deeper(level: int, at: str) -> int:
    if level >= _LEVELS_MAX:
        raise UnsignableError(f"{at} is nested deeper than {_LEVELS_MAX} levels")
    return level + 1
