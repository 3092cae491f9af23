"""The body of a batch: one signature for all of its actions, or one for each."""

from __future__ import annotations

from typing import Any, Callable, Dict, Mapping

from ._decimals import sent
from ._operation import UNSET
from ._operations import BATCH_ACTIONS, OPERATIONS, QUOTE

_Sign = Callable[[str, Mapping[str, Any]], Dict[str, Any]]


def batch_body(fields: Mapping[str, Any], signed: _Sign) -> Dict[str, Any]:
    actions = fields.get("actions")
    if not isinstance(actions, (list, tuple)):
        raise TypeError("actions must be a list of {'type': …, 'data': …}")
    unsigned = [_action(action, f"actions[{i}]") for i, action in enumerate(actions)]
    if fields.get("together"):
        return signed("batch_orders", {"actions": unsigned})
    for action in unsigned:
        if action["type"] == "Quote":
            raise ValueError("a Quote needs one signature for the batch: together=True")
    return {
        "actions": [
            {"type": action["type"], "data": signed(BATCH_ACTIONS[action["type"]], action["data"])}
            for action in unsigned
        ]
    }


def _action(action: Any, at: str) -> Dict[str, Any]:
    if not isinstance(action, Mapping) or set(action) != {"type", "data"}:
        raise TypeError(f"{at} must be {{'type': …, 'data': …}}")
    type, data = action["type"], action["data"]
    name = BATCH_ACTIONS.get(type)
    if name is None and type != "Quote":
        types = ", ".join([*BATCH_ACTIONS, "Quote"])
        raise ValueError(f"{at}.type is {type!r}; actions: {types}")
    form = QUOTE if name is None else OPERATIONS[name].request
    given = {field: value for field, value in data.items() if value is not UNSET}
    return {"type": type, "data": sent(given, form, f"{at}.data")}
