// `openperp mcp`: the exchange as tools for a language model, over standard input and output.

import { accountOptions, endOf } from '../connection.ts'
import { type Command, command } from '../frame/command.ts'
import { CliError } from '../frame/exit-codes.ts'
import { nearWord } from '../frame/near-word.ts'
import { JsonRpc, type Params, RpcError } from './json-rpc.ts'
import { Session } from './session.ts'
import { type Tool, toolsOf, tradingTools } from './tools.ts'

/** The newest one is offered to clients that request an unknown one. */
const protocolVersions = ['2025-11-25', '2025-06-18', '2025-03-26', '2024-11-05'] as const
/** Maximum length of a tool's result. */
const resultCharsMax = 200_000

const instructions =
  'A perpetual-futures exchange. Prices, sizes and money are decimal text; times are ' +
  'milliseconds since 1970; bid buys, ask sells. To place an order, call preview_order, check ' +
  'what it returns, and pass its preview_id to place_order. A refusal names its rule and the ' +
  'accepted values, and changes nothing.'

const options = {
  ...accountOptions,
  'allow-trading': { about: 'offer the tools that trade at a venue, too' },
} as const

/** `input`: standard input. */
export function mcpCommand(input: () => AsyncIterable<Uint8Array>, version: string): Command {
  return command({
    name: 'mcp',
    group: 'trading',
    summary: 'Serve the exchange as tools for a language model (Model Context Protocol)',
    about:
      'Reads and writes messages on standard input and output, and ends with its input. Tools ' +
      'that trade need the key of an agent with a policy, and --account; docs/language-models.md ' +
      'describes both. At a venue they are offered only with --allow-trading.',
    options,
    examples: [
      'openperp mcp',
      'openperp mcp --account alice --key-file bot.key',
      'openperp mcp --url https://venue.example --account … --key-file bot.key --allow-trading',
    ],
    async run(call) {
      const { screen, values } = call
      const session = new Session(call, values['allow-trading'] === true)
      const tools = async () => {
        try {
          return toolsOf(session, await session.isSandbox())
        } catch (error) {
          throw new RpcError('internalError', messageOf(endOf(call, error)))
        }
      }
      const rpc = new JsonRpc(
        {
          initialize: ({ protocolVersion }) => initialized(protocolVersion, version),
          ping: () => ({}),
          'tools/list': async ({ cursor }) => {
            if (cursor !== undefined)
              throw new RpcError('invalidParams', 'the list of tools has one page: omit cursor')
            return { tools: (await tools()).map(({ run: _, ...described }) => described) }
          },
          'tools/call': async (params, signal) => {
            const tool = toolIn(await tools(), params)
            try {
              return resultOf(await tool.run(argumentsIn(tool, params), signal))
            } catch (error) {
              return { ...contentOf(messageOf(endOf(call, error))), isError: true }
            }
          },
        },
        (line) => screen.line(line),
      )
      await rpc.serve(input())
      return null
    },
  }) as Command
}

function initialized(wanted: unknown, version: string) {
  if (typeof wanted !== 'string')
    throw new RpcError(
      'invalidParams',
      `protocolVersion must be a string, for example "${protocolVersions[0]}"`,
    )
  const isKnown = (protocolVersions as readonly string[]).includes(wanted)
  return {
    protocolVersion: isKnown ? wanted : protocolVersions[0],
    capabilities: { tools: {} },
    serverInfo: { name: 'openperp', version },
    instructions,
  }
}

function toolIn(tools: readonly Tool[], { name }: Params): Tool {
  const tool = tools.find((each) => each.name === name)
  if (tool !== undefined) return tool
  if (tradingTools.includes(`${name}`))
    throw new RpcError('invalidParams', `${name} is offered at a venue only with --allow-trading`)
  const near = nearWord(
    `${name}`,
    tools.map((each) => each.name),
  )
  const meant = near === null ? '' : `; did you mean ${near}?`
  throw new RpcError('invalidParams', `there is no tool ${name}${meant}`)
}

/** Names and required fields are checked here, because the exchange ignores unknown fields of a
 *  query. It checks the values. */
function argumentsIn({ name, inputSchema }: Tool, { arguments: given = {} }: Params): Params {
  const { properties, required } = inputSchema
  const known = Object.keys(properties)
  const listed = known.length === 0 ? 'it has none' : `its arguments: ${known.join(', ')}`
  if (typeof given !== 'object' || given === null || Array.isArray(given))
    throw new Error(`arguments of ${name} must be an object; ${listed}`)
  const unknown = Object.keys(given).find((each) => !Object.hasOwn(properties, each))
  if (unknown !== undefined) throw new Error(`${name} has no argument ${unknown}; ${listed}`)
  const missing = required.find((each) => (given as Params)[each] == null)
  if (missing !== undefined) throw new Error(`${name} needs ${missing}; ${listed}`)
  return given as Params
}

const contentOf = (text: string) => ({ content: [{ type: 'text', text }] })

function resultOf(reply: unknown) {
  const text = JSON.stringify(reply)
  if (text.length <= resultCharsMax) return contentOf(text)
  throw new Error(
    `the reply has ${text.length} characters, the maximum is ${resultCharsMax}: request less, ` +
      'with limit, symbol or a shorter time range',
  )
}

function messageOf(error: unknown): string {
  const hint = error instanceof CliError ? error.hint : null
  return `${(error as Error).message}${hint === null ? '' : `\n${hint}`}`
}
