// The reply to an unknown route: 405 for a known path with another method, otherwise 404. The known
// paths are collected from the routes of the server.

import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { type ApiError, apiError } from '../api-error.ts'

/** Stands for the last segment of a path that is a field of the request. */
const anySegment = ':'

export class KnownPaths {
  private readonly methods = new Map<string, Set<string>>()

  /** Must be installed before the server's first route. */
  constructor(server: FastifyInstance) {
    server.addHook('onRoute', ({ method, url }) => {
      const path = url.replace(/:\w+$/, anySegment)
      const known = this.methods.get(path) ?? new Set()
      // Every GET has HEAD.
      for (const each of [method].flat()) if (each !== 'HEAD') known.add(each)
      this.methods.set(path, known)
    })
  }

  /** The methods of a path; `null` if the path is unknown. */
  methodsAt(request: FastifyRequest): readonly string[] | null {
    const path = pathOf(request)
    const known = this.methods.get(path) ?? this.methods.get(path.replace(/[^/]+$/, anySegment))
    return known === undefined ? null : [...known]
  }

  /** Returns the error, and sets the header that lists the allowed methods. */
  errorOf(request: FastifyRequest, reply: FastifyReply, nothingHere: string): ApiError {
    const methods = this.methodsAt(request)
    if (methods === null) return apiError('NOT_FOUND', nothingHere)
    reply.header('allow', methods.join(', '))
    const wanted = `this route takes ${methods.join(' or ')}, not ${request.method}`
    return apiError('METHOD_NOT_ALLOWED', wanted)
  }
}

/** The path as the server compares it: without query, and unescaped. */
export function pathOf({ url }: Readonly<{ url: string }>): string {
  const path = url.split(/[?#]/, 1)[0]!
  try {
    return decodeURI(path)
  } catch {
    // The path is invalid, so that no route has it.
    return path
  }
}
