// Small faults that could be put into a built module, one at a time: a comparison that is off by
// one, a sum that is a difference, a rounding the other way, a statement left out.

import { type Node, parse } from 'acorn'

export type Mutant = Readonly<{
  start: number
  end: number
  text: string
  /** Behind the module: what the new text needs. */
  appended: string
  /** What it was and what it is, to be read. */
  change: string
  line: number
}>

type AnyNode = Node & Readonly<Record<string, unknown>>

const operators: Readonly<Record<string, readonly string[]>> = {
  '+': ['-'],
  '-': ['+'],
  '*': ['/'],
  '/': ['*'],
  '%': ['*'],
  '<': ['<=', '>='],
  '<=': ['<', '>'],
  '>': ['>=', '<='],
  '>=': ['>', '<'],
  '===': ['!=='],
  '!==': ['==='],
  '&': ['|'],
  '|': ['&'],
  '&&': ['||'],
  '||': ['&&'],
  '??': ['&&'],
  '+=': ['-='],
  '-=': ['+='],
}

/** Functions that do the same in the other direction, by name. */
const opposites: Readonly<Record<string, string>> = {
  divFloor: 'divCeil',
  divCeil: 'divFloor',
  mulPpmFloor: 'mulPpmCeil',
  mulPpmCeil: 'mulPpmFloor',
  ratioFloor: 'ratioCeil',
  ratioCeil: 'ratioFloor',
  ratioTrunc: 'ratioFloor',
}

export function mutantsOf(source: string): readonly Mutant[] {
  const finder = new MutantFinder(source)
  finder.visit(parsed(source))
  return finder.found
}

function parsed(source: string): AnyNode {
  const options = { ecmaVersion: 'latest', sourceType: 'module', locations: true } as const
  return parse(source, options) as unknown as AnyNode
}

class MutantFinder {
  readonly found: Mutant[] = []
  private readonly source: string
  private readonly importedFrom: ReadonlyMap<string, string>

  constructor(source: string) {
    this.source = source
    this.importedFrom = importsOf(parsed(source))
  }

  visit(node: AnyNode): void {
    this.mutate(node)
    for (const child of childrenOf(node)) this.visit(child)
  }

  private mutate(node: AnyNode): void {
    switch (node.type) {
      case 'BinaryExpression':
      case 'LogicalExpression':
      case 'AssignmentExpression':
        return this.changeOperator(node)
      case 'UnaryExpression':
        if (node.operator !== '!' && node.operator !== '-') return
        return this.add(node, node.start, (node.argument as AnyNode).start, ' ')
      case 'IfStatement':
      case 'ConditionalExpression':
        this.replace(node.test as AnyNode, 'true')
        return this.replace(node.test as AnyNode, 'false')
      case 'Literal':
        if (typeof node.value === 'boolean') this.replace(node, `${!node.value}`)
        if (typeof node.value === 'number') this.replace(node, `${node.value + 1}`)
        return
      case 'ExpressionStatement':
        if (isEffect(node.expression as AnyNode)) this.replace(node, ';')
        return
      case 'CallExpression':
        return this.callOpposite(node)
      default:
    }
  }

  private changeOperator(node: AnyNode): void {
    const operator = node.operator as string
    const at = this.source.indexOf(operator, (node.left as AnyNode).end)
    if (at < 0 || at >= (node.right as AnyNode).start) return
    for (const other of operators[operator] ?? []) this.add(node, at, at + operator.length, other)
  }

  private callOpposite({ callee }: AnyNode): void {
    const called = callee as AnyNode
    const name = this.source.slice(called.start, called.end)
    if (name === 'Math.min') this.replace(called, 'Math.max')
    if (name === 'Math.max') this.replace(called, 'Math.min')
    const other = opposites[name]
    const from = this.importedFrom.get(name)
    if (other === undefined || from === undefined) return
    const appended = this.importedFrom.has(other) ? '' : `\nimport { ${other} } from ${from}\n`
    this.add(called, called.start, called.end, other, appended)
  }

  private replace(node: AnyNode, text: string): void {
    this.add(node, node.start, node.end, text)
  }

  private add(node: AnyNode, start: number, end: number, text: string, appended = ''): void {
    const was = this.source.slice(start, end)
    if (was === text) return
    const { line } = (node.loc as { start: { line: number } }).start
    const change = `${brief(was)} → ${brief(text)}`
    this.found.push({ start, end, text, appended, line, change })
  }
}

/** Something that is done and not only computed: a call, or a write. */
function isEffect({ type }: AnyNode): boolean {
  return type === 'CallExpression' || type === 'AssignmentExpression' || type === 'UpdateExpression'
}

function importsOf({ body }: AnyNode): ReadonlyMap<string, string> {
  const found = new Map<string, string>()
  for (const statement of body as readonly AnyNode[]) {
    if (statement.type !== 'ImportDeclaration') continue
    const { raw } = statement.source as Readonly<{ raw: string }>
    for (const { local } of statement.specifiers as readonly { local: { name: string } }[])
      found.set(local.name, raw)
  }
  return found
}

function childrenOf(node: AnyNode): readonly AnyNode[] {
  // `void 0` is how a build writes undefined.
  if (node.type === 'ImportDeclaration' || node.operator === 'void') return []
  return Object.values(node)
    .flat()
    .filter((value): value is AnyNode => isNode(value))
}

function isNode(value: unknown): boolean {
  return typeof value === 'object' && value !== null && typeof (value as Node).type === 'string'
}

function brief(text: string): string {
  const line = text.replace(/\s+/g, ' ').trim()
  return line === '' || line === ';' ? 'nothing' : line.length > 60 ? `${line.slice(0, 57)}…` : line
}

export function applied(source: string, { start, end, text, appended }: Mutant): string {
  return source.slice(0, start) + text + source.slice(end) + appended
}
