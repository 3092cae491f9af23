/** History may be behind on a busy machine: the client retries then. */
export async function patiently(ask: () => Promise<Response>): Promise<Response> {
  for (let left = 100; ; left--) {
    const reply = await ask()
    if (reply.status !== 503 || left === 0) return reply
    const text = await reply.clone().text()
    if (!text.includes('history has not caught up')) return reply
    await new Promise((done) => setTimeout(done, 100))
  }
}
