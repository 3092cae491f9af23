// A setting that cannot be: the message names it, and says what would be accepted.

export class ConfigError extends Error {}
