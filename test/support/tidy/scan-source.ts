// Reads TypeScript well enough to measure it. TypeScript 7 has no compiler API to ask, and the
// questions of the tidy test are small: what is code and what is only text, what is imported, how
// long is a function and how many parameters has it.
// Nothing here is a parser: source that does not compile may get any answer, never an exception.

export type Import = Readonly<{ specifier: string; line: number }>

export type FunctionShape = Readonly<{
  line: number
  lines: number
  parameters: number
  /** A callback of `describe` or `suite`: a chapter of tests, which is read in parts. */
  chapter: boolean
}>

/** The line, from 1, on which an offset lies. */
export function lineAt(text: string, offset: number): number {
  let line = 1
  for (let at = text.indexOf('\n'); at !== -1 && at < offset; at = text.indexOf('\n', at + 1))
    line++
  return line
}

/**
 * The source with the insides of comments, strings, patterns and template text replaced by blanks.
 * Every offset and every line stays where it was, and so do the quotes; `${…}` stays code.
 */
export function codeOf(source: string): string {
  const pieces: string[] = []
  const openTemplates: number[] = [] // Depth of braces at which each `${` was opened.
  let depth = 0
  let copied = 0
  const blank = (from: number, to: number) => {
    pieces.push(source.slice(copied, from), source.slice(from, to).replace(/[^\n]/g, ' '))
    copied = to
  }
  const blankTemplate = (from: number): number => {
    const { end, opensCode } = templateTextEnd(source, from)
    blank(from, opensCode ? end : end - 1)
    if (opensCode) openTemplates.push(depth)
    return end
  }

  for (let at = 0; at < source.length; ) {
    const char = source[at]
    if (char === '/' && (source[at + 1] === '/' || source[at + 1] === '*')) {
      const end = commentEnd(source, at)
      blank(at, end)
      at = end
    } else if (char === "'" || char === '"') {
      const end = quotedEnd(source, at)
      blank(at + 1, end - 1)
      at = end
    } else if (char === '`') {
      at = blankTemplate(at + 1)
    } else if (char === '}' && openTemplates.at(-1) === depth) {
      openTemplates.pop()
      blank(at, at + 1)
      at = blankTemplate(at + 1)
    } else if (char === '/' && startsPattern(source, at)) {
      const end = patternEnd(source, at)
      blank(at + 1, end - 1)
      at = end
    } else {
      if (char === '{') depth++
      if (char === '}') depth--
      at++
    }
  }
  return pieces.join('') + source.slice(copied)
}

function commentEnd(source: string, at: number): number {
  const ending = source[at + 1] === '/' ? '\n' : '*/'
  const found = source.indexOf(ending, at + 2)
  if (found === -1) return source.length
  return ending === '\n' ? found : found + 2
}

function quotedEnd(source: string, at: number): number {
  for (let end = at + 1; end < source.length; end++) {
    if (source[end] === '\\') end++
    else if (source[end] === source[at] || source[end] === '\n') return end + 1
  }
  return source.length
}

function templateTextEnd(source: string, from: number): { end: number; opensCode: boolean } {
  for (let end = from; end < source.length; end++) {
    if (source[end] === '\\') end++
    else if (source[end] === '`') return { end: end + 1, opensCode: false }
    else if (source.startsWith('${', end)) return { end: end + 2, opensCode: true }
  }
  return { end: source.length, opensCode: false }
}

function patternEnd(source: string, at: number): number {
  let inClass = false
  for (let end = at + 1; end < source.length && source[end] !== '\n'; end++) {
    if (source[end] === '\\') end++
    else if (source[end] === '[') inClass = true
    else if (source[end] === ']') inClass = false
    else if (source[end] === '/' && !inClass) return end + 1
  }
  return at + 1
}

const beforeAnOperand =
  /(?:^|[^\w$.])(?:return|typeof|case|in|of|do|else|void|delete|throw|yield|await)$/

/** A slash after a value divides; anywhere else it opens a pattern. */
function startsPattern(source: string, at: number): boolean {
  if (source[at - 1] === '<') return false // A closing tag.
  const before = source.slice(Math.max(0, at - 200), at).trimEnd()
  if (beforeAnOperand.test(before)) return true
  if (/(?:\+\+|--)$/.test(before)) return false
  // `count! / 2` divides, `!/x/.test(y)` does not.
  if (before.endsWith('!')) return !/[\w$)\]]!$/.test(before)
  return !/[\w$)\]'"`]$/.test(before)
}

/** Every module that the source names: `import`, `export … from`, `import()` and type imports. */
export function importsOf(source: string): readonly Import[] {
  const code = codeOf(source)
  const found: Import[] = []
  for (const match of code.matchAll(/(?<![\w$.])(?:from\s*|import\s*\(?\s*)(['"`])/g)) {
    const start = match.index + match[0].length
    const end = code.indexOf(match[1]!, start)
    found.push({ specifier: source.slice(start, end), line: lineAt(source, match.index) })
  }
  return found
}

/** Every class that extends another; one without a name is called ''. */
export function extendingClasses(
  source: string,
): readonly Readonly<{ name: string; line: number }>[] {
  const code = codeOf(source)
  return [...code.matchAll(/(?<![\w$.])class(?:\s+(?!extends\b)([\w$]+))?/g)]
    .filter(({ 0: head, index }) => {
      const after = afterBlanks(code, index + head.length)
      const parameters = code[after] === '<' ? closingOf(code, after) + 1 : after
      return /^\s*extends\b/.test(code.slice(parameters))
    })
    .map(({ 1: name = '', index }) => ({ name, line: lineAt(source, index) }))
}

const notAFunction = new Set('if for while switch catch with return await typeof in of'.split(' '))

/** Every function: declarations and methods with a body, arrows, and the types of functions. */
export function functionsOf(source: string): readonly FunctionShape[] {
  const code = codeOf(source)
  const found: FunctionShape[] = []
  for (let open = code.indexOf('('); open !== -1; open = code.indexOf('(', open + 1)) {
    const close = closingOf(code, open)
    const body = close === -1 ? undefined : bodyAfter(code, close)
    if (body === undefined) continue
    const before = beforeGenerics(code, open)
    const word = /[\w$#]*$/.exec(before)![0]
    if (!body.arrow && (notAFunction.has(word) || !/[\w$#\]'"*]$/.test(before))) continue
    const line = lineAt(code, open)
    found.push({
      line,
      lines: lineAt(code, body.end) - line + 1,
      parameters: parametersIn(code.slice(open + 1, close)),
      chapter: /\b(?:describe|suite)(?:\.\w+)?\(\s*(['"`])[^'"`]*\1,\s*(?:async\s*)?$/.test(before),
    })
  }
  return found
}

/** The code before a parameter list, without the type parameters in between. */
function beforeGenerics(code: string, open: number): string {
  const before = code.slice(Math.max(0, open - 500), open).trimEnd()
  if (!before.endsWith('>') || before.endsWith('=>')) return before
  let depth = 0
  for (let at = before.length - 1; at >= 0; at--) {
    if (before[at] === '>' && before[at - 1] !== '=') depth++
    else if (before[at] === '<' && --depth === 0) return before.slice(0, at).trimEnd()
  }
  return before
}

type Body = Readonly<{ arrow: boolean; end: number }>

function bodyAfter(code: string, close: number): Body | undefined {
  let at = afterBlanks(code, close + 1)
  if (code[at] === ':') at = afterBlanks(code, typeEnd(code, at + 1))
  const arrow = code.startsWith('=>', at)
  if (arrow) at = afterBlanks(code, at + 2)
  if (code[at] === '{') {
    const end = closingOf(code, at)
    return end === -1 ? undefined : { arrow, end }
  }
  return arrow ? { arrow, end: expressionEnd(code, at) } : undefined
}

/** Where an arrow's expression ends: at a closing bracket, a comma, or a line without a sequel. */
function expressionEnd(code: string, start: number): number {
  for (let at = start; at < code.length; at++) {
    if ('([{'.includes(code[at]!)) {
      const close = closingOf(code, at)
      if (close === -1) return at
      at = close
    } else if (')]},;'.includes(code[at]!)) return at - 1
    else if (code[at] === '\n') {
      const continued = /[-+*/%&|^?:=<>(.]$/.test(code.slice(start, at).trimEnd())
      const continues = /^[-+*/%&|^?:=<>.]/.test(code.slice(at, at + 300).trimStart())
      if (!continued && !continues) return at - 1
    }
  }
  return code.length - 1
}

function parametersIn(list: string): number {
  let count = 0
  let filled = false
  for (let at = 0; at < list.length; at++) {
    const char = list[at]!
    const opens = '([{'.includes(char) || (char === '<' && /[\w$]/.test(list[at - 1] ?? ''))
    const close = opens ? closingOf(list, at) : -1
    if (close !== -1) at = close
    if (char === ',') {
      count++
      filled = false
    } else if (char.trim() !== '') filled = true
  }
  return filled ? count + 1 : count
}

const closers: Readonly<Record<string, string>> = { '(': ')', '[': ']', '{': '}', '<': '>' }

/** The bracket that closes the one at `open`, or -1. Angles count only if `open` is an angle. */
export function closingOf(code: string, open: number): number {
  const angles = code[open] === '<'
  const expected: string[] = []
  for (let at = open; at < code.length; at++) {
    const char = code[at]!
    if (char === '>' && code[at - 1] === '=') continue
    if (closers[char] !== undefined && (char !== '<' || angles)) expected.push(closers[char])
    else if (')]}'.includes(char) || (char === '>' && angles)) {
      if (expected.pop() !== char) return -1
      if (expected.length === 0) return at
    }
  }
  return -1
}

function afterBlanks(code: string, at: number): number {
  let here = at
  while (here < code.length && code[here]!.trim() === '') here++
  return here
}

const typeOperator = /(?:readonly|keyof|typeof|unique|infer|asserts|new|abstract)\b/y
const typeName = /-?[\w$.]+/y
const looksLikeParameters = /^\s*(?:$|\.\.\.|\{|\[|[\w$]+\s*(?:[:,?]|$))/

function matchAt(pattern: RegExp, code: string, at: number): string {
  pattern.lastIndex = at
  return pattern.exec(code)?.[0] ?? ''
}

/** The end of the type that starts at `from`; where nothing like a type is found, `from`. */
function typeEnd(code: string, from: number): number {
  let at = afterBlanks(code, from)
  if (code[at] === '|' || code[at] === '&') at = afterBlanks(code, at + 1)
  for (let word = matchAt(typeOperator, code, at); word !== ''; ) {
    at = afterBlanks(code, at + word.length)
    word = matchAt(typeOperator, code, at)
  }
  const start = at
  at = typePrimaryEnd(code, at)
  if (at === -1) return from
  while (code[at] === '[') at = closingOf(code, at) + 1 || code.length
  const next = afterBlanks(code, at)
  const group = code[start] === '(' ? code.slice(start + 1, at - 1) : undefined
  if (group !== undefined && code.startsWith('=>', next) && looksLikeParameters.test(group)) {
    return typeEnd(code, next + 2)
  }
  if (code[next] === '|' || code[next] === '&') return typeEnd(code, next + 1)
  if (matchAt(/is\b/y, code, next) !== '') return typeEnd(code, next + 2)
  if (matchAt(/extends\b/y, code, next) === '') return at
  const yes = afterBlanks(code, typeEnd(code, next + 'extends'.length))
  const no = afterBlanks(code, typeEnd(code, yes + 1))
  return typeEnd(code, no + 1)
}

function typePrimaryEnd(code: string, at: number): number {
  const char = code[at] ?? ''
  if ('([{'.includes(char) && char !== '') return closingOf(code, at) + 1 || -1
  if ('\'"`'.includes(char) && char !== '') return code.indexOf(char, at + 1) + 1 || -1
  const name = matchAt(typeName, code, at)
  if (name === '') return -1
  const end = at + name.length
  return code[end] === '<' ? closingOf(code, end) + 1 || -1 : end
}
