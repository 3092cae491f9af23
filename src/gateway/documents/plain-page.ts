// A plain HTML page: no scripts, no fonts, no other hosts.

export const escaped = (text: string) =>
  text.replace(/[&<>"]/g, (letter) => `&#${letter.charCodeAt(0)};`)

const style = `body{font:15px/1.5 system-ui,sans-serif;max-width:60rem;margin:2rem auto;
padding:0 1rem;color:#1b1f24;background:#fff}h1,h2{line-height:1.2}
h2{margin-top:2.5rem;border-top:1px solid #ccd}
code{font:13px ui-monospace,monospace;background:#f0f2f6;padding:.1em .3em;border-radius:3px}
table{border-collapse:collapse;width:100%}td,th{text-align:left;vertical-align:top;
padding:.25rem .5rem;border-bottom:1px solid #e3e6ec}nav{columns:3}nav a{display:block}
@media(prefers-color-scheme:dark){body{color:#dde;background:#14171c}code{background:#252a33}
td,th{border-color:#2c323c}a{color:#8ab4ff}}`

/** `head` and `body` are HTML. */
export function plainPage(title: string, body: string, head = ''): string {
  return (
    `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>${escaped(title)}</title>` +
    `<meta name="viewport" content="width=device-width,initial-scale=1">${head}` +
    `<style>${style}</style></head><body>${body}</body></html>`
  )
}
