// The worked numbers of docs/rules as a test reads them: the table of a document, row by row, and
// of each cell the numbers in it, in the order of the text. A test takes what is given from a row
// and compares what comes out with all that the row says, so that no number of a document goes
// unexecuted.

import assert from 'node:assert/strict'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

export const root = (() => {
  let folder = dirname(fileURLToPath(import.meta.url))
  while (!existsSync(join(folder, 'package.json'))) folder = dirname(folder)
  return folder
})()

const rules = join(root, 'docs', 'rules')

/** Other pages of the folder: an index, and the results of the rules on bad days. */
const withoutRules = ['README.md', 'adversary.md', 'scenarios.md', 'why.md']

export const ruleDocuments: readonly string[] = readdirSync(rules)
  .filter((name) => name.endsWith('.md') && !withoutRules.includes(name))
  .map((name) => name.replace(/\.md$/, ''))
  .sort()

export function ruleText(document: string): string {
  return readFileSync(join(rules, `${document}.md`), 'utf8')
}

/** The sources of the scenarios, by file name; a document with many has a folder for the rest. */
export function scenarioSources(): ReadonlyMap<string, string> {
  const folder = join(root, 'test', 'scenarios')
  const paths = readdirSync(folder, { recursive: true, encoding: 'utf8' })
  const tests = paths.filter((path) => path.endsWith('.test.ts'))
  return new Map(tests.map((path) => [basename(path), readFileSync(join(folder, path), 'utf8')]))
}

const number = /[+−-]?(?:\d{1,3}(?:,\d{3})+|\d+)(?:\.\d+)?/g

/** 12,345.5 and −7 as '12345.5' and '-7'; a digit more or less is another text. */
export function numbersIn(text: string): readonly string[] {
  return [...text.matchAll(number)].map(([found]) =>
    found.replaceAll(',', '').replace('−', '-').replace('+', ''),
  )
}

const code = /`([^`]+)`/g

export class WorkedRow {
  readonly id: string
  private readonly caseText: string
  private readonly resultText: string

  constructor(id: string, caseText: string, resultText: string) {
    this.id = id
    this.caseText = caseText
    this.resultText = resultText
  }

  /** The numbers of the case, in the order of its text. */
  given(): readonly number[] {
    return numbersIn(this.caseText).map(Number)
  }

  /** The numbers of the exact result, where they hold what is given as well. */
  results(): readonly string[] {
    return numbersIn(this.resultText)
  }

  /** All numbers of the exact result, in the order of its text. */
  says(...results: readonly (number | bigint | string | undefined)[]): void {
    assert.deepEqual(results.map(String), this.results(), `case ${this.id}`)
  }

  /** All names in `code` of the exact result, in the order of its text. */
  names(...results: readonly (string | undefined)[]): void {
    const named = [...this.resultText.matchAll(code)].map(([, name]) => name)
    assert.deepEqual(results, named, `case ${this.id}`)
  }
}

/** A row with an empty number continues the row above it: a long case has several lines. */
export function workedRows(document: string): readonly WorkedRow[] {
  const section = ruleText(document).split(/^## /m).find(isWorked) ?? ''
  const rows: [id: string, caseText: string, resultText: string][] = []
  for (const line of section.split('\n').filter((each) => /^\| (?:\d+ )?\|/.test(each))) {
    const [, id = '', caseText = '', resultText = ''] = line.split('|').map((cell) => cell.trim())
    const above = rows.at(-1)
    if (id !== '' || above === undefined) {
      rows.push([id, caseText, resultText])
    } else {
      above[1] += ` ${caseText}`
      above[2] += ` ${resultText}`
    }
  }
  return rows.map((row) => new WorkedRow(...row))
}

function isWorked(section: string): boolean {
  return /^[A-Z]+-\d+ · Worked numbers\n/.test(section)
}

/** A case of a document's worked numbers. */
export function worked(document: string, id: number): WorkedRow {
  const row = workedRows(document).find((each) => each.id === String(id))
  assert.ok(row !== undefined, `${document}.md has no case ${id}`)
  return row
}
