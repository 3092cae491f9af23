// A plain HTML page: no scripts, no fonts, no other hosts.

export const escaped = (text: string) =>
  text.replace(/[&<>"]/g, (letter) => `&#${letter.charCodeAt(0)};`)

/** The palettes of the terminal (src/web/styles/tokens.css). */
const style = `:root{color-scheme:light dark;--bg:#e4e8ed;--panel:#fff;--raised:#f1f4f7;
--line:#dbe1e8;--text:#151b23;--dim:#4f5c6b;--accent:#1557c0;--up:#067647;--warn:#8a5a00;
--down:#c01c38}
@media(prefers-color-scheme:dark){:root{--bg:#090c10;--panel:#11151b;--raised:#1a2029;
--line:#222a35;--text:#e2e8ef;--dim:#93a0b0;--accent:#6ea8ff;--up:#2fc08a;--warn:#f0b34a;
--down:#f7697c}}
body{margin:0;background:var(--bg);color:var(--text);font:15px/1.5 "Inter","Segoe UI",
system-ui,"Noto Sans",sans-serif;font-variant-numeric:tabular-nums}
header{display:flex;gap:1.25rem;align-items:baseline;padding:.7rem 1rem;background:var(--panel)}
header b{font-size:16px}main{max-width:60rem;margin:1.5rem auto 3rem;padding:0 1rem}
a{color:var(--accent)}h1,h2{line-height:1.2}h1{font-size:22px}h2{margin-top:2rem;font-size:18px}
code{font:13px ui-monospace,monospace;background:var(--raised);padding:.1em .3em;
border-radius:3px;overflow-wrap:anywhere}
table{border-collapse:collapse;width:100%;background:var(--panel);border-radius:5px}
td,th{text-align:left;vertical-align:top;padding:.4rem .75rem;border-bottom:1px solid var(--line)}
th{color:var(--dim);font-weight:400;font-size:13px}tr:last-child td{border:0}
.dim{color:var(--dim)}.up{color:var(--up)}.warn{color:var(--warn)}.down{color:var(--down)}
nav{columns:3}nav a{display:block}@media(max-width:40rem){nav{columns:1}td,th{padding:.4rem}}`

const top =
  '<header><b>openperp</b><a href="/">Terminal</a><a href="/docs">API</a>' +
  '<a href="/status">Status</a></header>'

/** `body` is HTML. */
export function plainPage(title: string, body: string): string {
  return (
    `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>${escaped(title)}</title>` +
    `<meta name="viewport" content="width=device-width,initial-scale=1">` +
    `<style>${style}</style></head><body>${top}<main>${body}</main></body></html>`
  )
}
