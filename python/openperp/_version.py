"""The version of the package."""

# Written by `npm run docs` from the schemas that the exchange validates with. Do not edit.

VERSION = "0.1.0"
