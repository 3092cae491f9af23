"""Decimals on the wire are text. Tables that are generated from the schemas say which fields are
decimals: ``D`` is a decimal, a dict has the fields of an object (``"*"`` is any field), a list the
form of each item, and a tuple the form of the item at each place."""

from __future__ import annotations

from decimal import Decimal
from typing import Any, Mapping

D = "decimal"


def received(value: Any, form: Any) -> Any:
    """Turns decimals in a reply into :class:`decimal.Decimal`. The reply is changed in place."""
    if form is None or value is None:
        return value
    if form == D:
        return Decimal(value) if isinstance(value, str) else value
    if isinstance(form, dict):
        if not isinstance(value, dict):
            return value
        each = form.get("*")
        for name, inner in value.items():
            value[name] = received(inner, form.get(name, each))
    elif isinstance(form, list):
        if isinstance(value, list):
            value[:] = [received(item, form[0]) for item in value]
        elif isinstance(form[0], dict):
            # One object is accepted in place of a list.
            return received(value, form[0])
    elif isinstance(form, tuple) and isinstance(value, list):
        value[:] = [received(item, inner) for item, inner in zip(value, form)]
    return value


def sent(value: Any, form: Any, at: str = "") -> Any:
    """Turns decimals of a request into text.

    :raises TypeError: A number is a float; the message names the field.
    :raises ValueError: A decimal is not finite.
    """
    if isinstance(value, float):
        raise TypeError(
            f'{at} is the float {value!r}: pass decimal.Decimal("{value!r}") or the text'
            if form == D
            else f"{at} is the float {value!r}: it must be an integer"
        )
    if isinstance(value, Decimal):
        if not value.is_finite():
            raise ValueError(f"{at} is {value}: it must be a finite number")
        return format(value, "f")
    if form == D and isinstance(value, int) and not isinstance(value, bool):
        return str(value)
    if isinstance(value, Mapping):
        form = form[0] if isinstance(form, list) else form
        inner = form if isinstance(form, dict) else {}
        return {
            name: sent(each, inner.get(name, inner.get("*")), f"{at}.{name}" if at else name)
            for name, each in value.items()
        }
    if isinstance(value, (list, tuple)):
        item = form[0] if isinstance(form, list) else None
        return [sent(each, item, f"{at}[{i}]") for i, each in enumerate(value)]
    return value
