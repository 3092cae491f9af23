// The compiler's language server, which editors query for hover texts.

import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'

type Message = Readonly<{ id?: number; result?: unknown; method?: string }>

export class LanguageServer {
  private readonly child: ChildProcessWithoutNullStreams
  private readonly folder: string
  private readonly waiting = new Map<number, (result: unknown) => void>()
  private uri = ''
  private lastId = 0
  private heard = Buffer.alloc(0)

  private constructor(root: string) {
    this.folder = mkdtempSync(join(tmpdir(), 'openperp-editor-'))
    const tsc = join(root, 'node_modules', 'typescript', 'bin', 'tsc')
    this.child = spawn(process.execPath, [tsc, '--lsp', '--stdio'], { cwd: this.folder })
    this.child.stdout.on('data', (piece: Buffer) => this.hear(piece))
    this.child.stderr.resume()
  }

  /** With one open file that says this. */
  static async open(root: string, text: string): Promise<LanguageServer> {
    const server = new LanguageServer(root)
    const file = join(server.folder, 'some.mts')
    const options = { module: 'nodenext', strict: true, skipLibCheck: true, types: [] }
    writeFileSync(
      join(server.folder, 'tsconfig.json'),
      JSON.stringify({ compilerOptions: options }),
    )
    writeFileSync(file, text)
    server.uri = pathToFileURL(file).href
    const rootUri = pathToFileURL(server.folder).href
    const capabilities = { textDocument: { hover: { contentFormat: ['markdown'] } } }
    await server.ask('initialize', { processId: process.pid, rootUri, capabilities })
    server.notify('initialized', {})
    const textDocument = { uri: server.uri, languageId: 'typescript', version: 1, text }
    server.notify('textDocument/didOpen', { textDocument })
    return server
  }

  /** What is shown over the place; line and column from 0. */
  async hover(line: number, character: number): Promise<string> {
    const place = { textDocument: { uri: this.uri }, position: { line, character } }
    const shown = (await this.ask('textDocument/hover', place)) as {
      contents?: string | { value: string }
    } | null
    const contents = shown?.contents ?? ''
    return typeof contents === 'string' ? contents : contents.value
  }

  close(): void {
    this.child.kill()
    rmSync(this.folder, { recursive: true, force: true })
  }

  private ask(method: string, params: unknown): Promise<unknown> {
    this.lastId += 1
    const id = this.lastId
    return new Promise((resolve) => {
      this.waiting.set(id, resolve)
      this.send({ id, method, params })
    })
  }

  private notify(method: string, params: unknown): void {
    this.send({ method, params })
  }

  private send(message: object): void {
    const text = JSON.stringify({ jsonrpc: '2.0', ...message })
    this.child.stdin.write(`Content-Length: ${Buffer.byteLength(text)}\r\n\r\n${text}`)
  }

  private hear(piece: Buffer): void {
    this.heard = Buffer.concat([this.heard, piece])
    for (;;) {
      const end = this.heard.indexOf('\r\n\r\n')
      if (end < 0) return
      const length = Number(/Content-Length: (\d+)/.exec(this.heard.toString('utf8', 0, end))![1])
      if (this.heard.length < end + 4 + length) return
      const text = this.heard.toString('utf8', end + 4, end + 4 + length)
      this.heard = this.heard.subarray(end + 4 + length)
      this.take(JSON.parse(text) as Message)
    }
  }

  private take({ id, result, method }: Message): void {
    if (id === undefined) return
    // The server sends requests too, for settings and the like: it gets empty answers.
    if (method !== undefined) return this.send({ id, result: null })
    this.waiting.get(id)?.(result)
    this.waiting.delete(id)
  }
}
