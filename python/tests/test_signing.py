"""Signatures against the published vectors, and against ``cryptography`` where it is installed."""

import json
import os
import unittest
from pathlib import Path

from openperp import Key, sandbox_key
from openperp._base58 import decode, encode
from openperp._ed25519 import Ed25519PrivateKey, fast_key_pair, pure_key_pair
from openperp.signing import (
    UnsignableError,
    hardware_message,
    signing_text,
    subaccount_confirm_text,
    subaccount_initiate_text,
)

FILE = Path(__file__).resolve().parents[2] / "docs" / "api" / "signing-vectors.json"
VECTORS = json.loads(FILE.read_text())
KEYS = {name: Key(bytes.fromhex(key["seed_hex"])) for name, key in VECTORS["keys"].items()}
BY_ADDRESS = {key.address: key for key in KEYS.values()}


class Vectors(unittest.TestCase):
    def test_each_seed_has_its_address(self):
        for name, key in VECTORS["keys"].items():
            self.assertEqual(KEYS[name].address, key["address"])

    def test_each_valid_vector_has_our_text_and_signature(self):
        by_agent = 0
        for vector in VECTORS["valid"]:
            with self.subTest(vector["name"]):
                body = vector["body"]
                self.assertEqual(signing_text(vector["type"], body), vector["text"])
                signature = body["signature"]
                value = signature if isinstance(signature, str) else signature["value"]
                message = vector["text"].encode()
                if "message_hex" in vector:
                    message = bytes.fromhex(vector["message_hex"])
                    self.assertEqual(hardware_message(vector["text"]), message)
                made = {encode(key._sign(message)) for key in KEYS.values()}
                self.assertIn(value, made)
                by_agent += value == encode(KEYS["agent"]._sign(message))
        self.assertGreater(by_agent, 0)

    def test_a_subaccount_is_signed_by_both_keys(self):
        for name in ("subaccount", "venue_subaccount"):
            vector = VECTORS[name]
            body = vector["body"]
            first = subaccount_initiate_text(body["main_account"], body)
            self.assertEqual(first, vector["sub_text"])
            self.assertEqual(KEYS["subaccount"].sign(first), body["sub_signature"])
            second = subaccount_confirm_text(body["sub_signature"], body)
            self.assertEqual(second, vector["main_text"])
            self.assertEqual(KEYS["account"].sign(second), body["main_signature"])

    def test_what_cannot_be_signed_is_named(self):
        deep = None
        for _ in range(16):
            deep = [deep]
        for field, value, said in [
            ("price", 1.5, 'price is the float 1.5: decimals are text, such as "1.5"'),
            ("id", 2**53, "id is 9007199254740992, beyond the safe integers: up to 2^53 - 1"),
            ("symbol", "BTCé", "symbol has a character outside ASCII"),
            ("list", [1, {"a": 1.0}], "list[1].a is the float"),
            ("deep", deep, "nested deeper than 16 levels"),
        ]:
            with self.assertRaisesRegex(UnsignableError, ".*") as caught:
                signing_text("create_order", {field: value})
            self.assertIn(said, str(caught.exception))

    def test_control_characters_are_escaped_as_json_requires(self):
        text = signing_text("create_order", {"a": '"\\/\b\t\n\f\r\x01\x1f\x7f<&'})
        self.assertEqual(
            text,
            '{"data":{"a":"\\"\\\\/\\b\\t\\n\\f\\r\\u0001\\u001f\x7f<&"},"type":"create_order"}',
        )


class Keys(unittest.TestCase):
    def test_a_secret_is_a_seed_or_seed_and_public_key(self):
        key = Key.new()
        again = Key.of_secret(key.secret)
        self.assertEqual(again.address, key.address)
        seed = decode(key.secret, 64)[:32]
        self.assertEqual(Key.of_secret(encode(seed)).address, key.address)
        self.assertNotIn(key.secret, repr(key))

    def test_a_secret_that_is_none_is_refused(self):
        mixed = encode(bytes([1]) * 32 + bytes([2]) * 32)
        for secret, said in [("0OIl", "a secret key is"), (mixed, "does not match its seed")]:
            with self.assertRaisesRegex(ValueError, said):
                Key.of_secret(secret)
        with self.assertRaisesRegex(ValueError, "32 bytes"):
            Key(b"short")

    def test_a_name_is_a_published_key(self):
        self.assertEqual(
            sandbox_key("alice").address, "5UN3g58caoqx8QfMBaQpoX9uW4mHngAtD7e1f28dY4Ga"
        )

    def test_base58_keeps_leading_zeros(self):
        for data in (b"", b"\0", b"\0\0\1", bytes(range(32))):
            self.assertEqual(decode(encode(data), len(data)), data)
        self.assertIsNone(decode("1", 2))

    @unittest.skipIf(Ed25519PrivateKey is None, "cryptography is not installed")
    def test_cryptography_signs_equally(self):
        for at in range(20):
            seed = os.urandom(32)
            pure, fast = pure_key_pair(seed), fast_key_pair(seed)
            self.assertEqual(pure.public_key, fast.public_key)
            message = os.urandom(at * 7)
            self.assertEqual(pure.sign(message), fast.sign(message))


if __name__ == "__main__":
    unittest.main()
