// Explains why the exchange did not start. System errors about ports, disks and folders mention
// neither the setting nor the solution.

import type { Config } from '../../config.ts'

type SystemError = NodeJS.ErrnoException & Readonly<{ port?: number }>
type Ports = Pick<Config, 'cluster' | 'linkPort' | 'port' | 'adminPort' | 'compatPort'>
type Settings = Ports & Pick<Config, 'data'>

const publicPorts = 'OPENPERP_PORT, OPENPERP_ADMIN_PORT and OPENPERP_COMPAT_PORT'
const choose = 'OPENPERP_DATA (--data) chooses another folder'

const reasons: Readonly<Record<string, (error: SystemError, data: string) => string>> = {
  ENOSPC: (_, data) => `no space is left on the disk of ${data}; make room there, or ${choose}`,
  EROFS: (_, data) => `the disk of ${data} can only be read; ${choose}`,
  EACCES: ({ path }, data) => `${path ?? data} may not be read or written by this user; ${choose}`,
  ENOENT: ({ path }, data) => `${path ?? data} cannot be made there; ${choose}`,
  ENOTDIR: ({ path }, data) =>
    `${path ?? data} would be inside something that is not a folder; ${choose}`,
}

/** Returns the error with the setting of the port. If the port was assigned automatically and then
 *  lost, the message lists all port settings. */
function portInUse(port: number | undefined, settings: Ports): string {
  const { cluster, linkPort, adminPort, compatPort } = settings
  const named = [
    ...(settings.port === port ? ['OPENPERP_PORT (--port)'] : []),
    ...(adminPort === port ? ['OPENPERP_ADMIN_PORT (--admin-port)'] : []),
    ...(compatPort === port ? ['OPENPERP_COMPAT_PORT (--compat-port)'] : []),
    ...(cluster !== '' && linkPort === port ? ['OPENPERP_LINK_PORT (--link-port)'] : []),
  ]
  if (named.length === 0) return `port ${port} is in use; ${publicPorts} choose others`
  return `port ${port} is in use; ${named.join(' or ')} chooses another`
}

export function whyNotStarted(error: SystemError, settings: Settings): string {
  const { data } = settings
  if (error.code === 'EADDRINUSE') return portInUse(error.port, settings)
  const reason = reasons[error.code ?? '']
  // A port below 1024 is refused with the same error code as a folder.
  if (reason === undefined || (error.code === 'EACCES' && error.port !== undefined))
    return error.message
  return reason(error, data)
}
