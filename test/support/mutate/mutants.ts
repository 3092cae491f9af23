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
  const found: Mutant[] = []
  const program = parse(source, { ecmaVersion: 'latest', sourceType: 'module', locations: true })
  const importedFrom = importsOf(program as unknown as AnyNode)

  const add = (node: AnyNode, start: number, end: number, text: string, appended = '') => {
    const was = source.slice(start, end)
    if (was === text) return
    const line = (node.loc as { start: { line: number } }).start.line
    found.push({ start, end, text, appended, line, change: `${brief(was)} → ${brief(text)}` })
  }

  const visit = (node: AnyNode): void => {
    mutate(node)
    for (const child of childrenOf(node)) visit(child)
  }

  const between = (left: AnyNode, right: AnyNode, operator: string) => {
    const at = source.indexOf(operator, left.end)
    return at < right.start ? at : -1
  }

  const mutate = (node: AnyNode): void => {
    switch (node.type) {
      case 'BinaryExpression':
      case 'LogicalExpression':
      case 'AssignmentExpression': {
        const operator = node.operator as string
        const at = between(node.left as AnyNode, node.right as AnyNode, operator)
        if (at < 0) return
        for (const other of operators[operator] ?? []) add(node, at, at + operator.length, other)
        return
      }
      case 'UnaryExpression':
        if (node.operator === '!' || node.operator === '-')
          add(node, node.start, (node.argument as AnyNode).start, ' ')
        return
      case 'IfStatement':
      case 'ConditionalExpression': {
        const test = node.test as AnyNode
        add(test, test.start, test.end, 'true')
        add(test, test.start, test.end, 'false')
        return
      }
      case 'Literal':
        if (typeof node.value === 'boolean') add(node, node.start, node.end, `${!node.value}`)
        if (typeof node.value === 'number') add(node, node.start, node.end, `${node.value + 1}`)
        return
      case 'ExpressionStatement':
        if (isEffect(node.expression as AnyNode)) add(node, node.start, node.end, ';')
        return
      case 'CallExpression':
        mutateCall(node)
        return
      default:
    }
  }

  const mutateCall = (node: AnyNode): void => {
    const callee = node.callee as AnyNode
    const called = source.slice(callee.start, callee.end)
    if (called === 'Math.min') add(node, callee.start, callee.end, 'Math.max')
    if (called === 'Math.max') add(node, callee.start, callee.end, 'Math.min')
    const other = opposites[called]
    const from = importedFrom.get(called)
    if (other === undefined || from === undefined) return
    const appended = importedFrom.has(other) ? '' : `\nimport { ${other} } from ${from}\n`
    add(node, callee.start, callee.end, other, appended)
  }

  visit(program as unknown as AnyNode)
  return found
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
  if (node.type === 'ImportDeclaration') return []
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
