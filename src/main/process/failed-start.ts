// Why the exchange did not start, for whoever runs it: what the system says about ports, disks and
// folders names neither the setting nor what to do.

type SystemError = NodeJS.ErrnoException & Readonly<{ port?: number }>

const ports = 'OPENPERP_PORT, OPENPERP_ADMIN_PORT and OPENPERP_COMPAT_PORT'
const choose = 'OPENPERP_DATA (--data) chooses another folder'

const reasons: Readonly<Record<string, (error: SystemError, data: string) => string>> = {
  EADDRINUSE: ({ port }) => `port ${port} is in use; ${ports} choose others`,
  ENOSPC: (_, data) => `no space is left on the disk of ${data}; make room there, or ${choose}`,
  EROFS: (_, data) => `the disk of ${data} can only be read; ${choose}`,
  EACCES: ({ path }, data) => `${path ?? data} may not be read or written by this user; ${choose}`,
  ENOENT: ({ path }, data) => `${path ?? data} cannot be made there; ${choose}`,
  ENOTDIR: ({ path }, data) =>
    `${path ?? data} would lie in something that is no folder; ${choose}`,
}

export function whyNotStarted(error: SystemError, data: string): string {
  const reason = reasons[error.code ?? '']
  // The port below 1024 of another user is refused with the same code as a folder.
  if (reason === undefined || (error.code === 'EACCES' && error.port !== undefined))
    return error.message
  return reason(error, data)
}
