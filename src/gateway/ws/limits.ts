// All limits of the websocket. Times use the machine's clock.

export const wsLimits = {
  connectionsPerIp: 300,
  connectionsMax: 20_000,
  subscriptionsPerChannel: 20,
  /** Longer messages are refused. Frames longer than `frameBytes` end the connection. */
  messageBytes: 65_536,
  frameBytes: 262_144,
  /** Timeout without a frame from the client. */
  idleMs: 60_000,
  ageMs: 86_400_000,
  /** With more unsent bytes, market channels skip to the newest state. */
  fullBytes: 262_144,
  /** With more unsent bytes, the connection ends. */
  bufferBytes: 1_048_576,
  /** Requests of a connection in progress. Further requests are read later. */
  inFlight: 256,
  /** Messages other than trading requests, and pings and pongs: burst, and rate per second. */
  messagesBurst: 500,
  messagesPerSecond: 100,
  /** Number of messages above the limit after which the connection ends. They are forgiven at the
   *  same rate. */
  messagesRefused: 1_000,
  /** Time for which a connection that sends too much is paused. */
  restMs: 50,
  /** Maximum fragments of a message, and chunks of a frame. */
  fragments: 256,
  chunks: 1_024,
  /** Timeout of the closing handshake. */
  closeMs: 3_000,
} as const

export type WsLimits = { readonly [L in keyof typeof wsLimits]: number }

/** Codes and reasons of close frames. */
export const closings = {
  goingAway: { code: 1001, reason: 'the exchange is shutting down; reconnect' },
  protocol: { code: 1002, reason: 'not a frame of the websocket protocol' },
  text: { code: 1007, reason: 'a text message must be UTF-8' },
  keyRevoked: { code: 1008, reason: 'the API key was revoked' },
  agentRevoked: { code: 1008, reason: 'the agent that signed the read was revoked' },
  ended: {
    code: 1012,
    reason: 'this node was taken for gone, and what was armed here is cancelled',
  },
  flood: { code: 1008, reason: 'too many messages' },
  pieces: { code: 1008, reason: 'a message in too many pieces' },
  tooLarge: { code: 1009, reason: 'a message may have 65536 bytes' },
  defect: { code: 1011, reason: 'something went wrong here' },
  idle: { code: 4000, reason: 'no frame for 60 s; send {"method":"ping"}' },
  age: { code: 4001, reason: 'open for 24 h; reconnect' },
  behind: { code: 1013, reason: 'too many messages are waiting; slow down' },
  slow: { code: 4002, reason: 'too slow: more than 1 MiB waited to be read' },
} as const

export type Closing = (typeof closings)[keyof typeof closings]
