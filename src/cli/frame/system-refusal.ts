// Errors of the operating system in words: the path, and the required permission.

import { CliError } from './exit-codes.ts'

type SystemError = NodeJS.ErrnoException & Readonly<{ dest?: string }>

const user = () => (process.getuid === undefined ? 'this user' : `this user (${process.getuid()})`)

/** The permission that each system call needs. */
const rights: Readonly<Record<string, string>> = {
  open: 'to read it, and of a new file to write to its folder',
  read: 'to read it',
  scandir: 'to read and enter the folder',
  opendir: 'to read and enter the folder',
  stat: 'to enter every folder on the way to it',
  lstat: 'to enter every folder on the way to it',
  mkdir: 'to write to the folder that it is to lie in',
  mkdtemp: 'to write to the folder that it is to lie in',
  rename: 'to write to the folder that it lies in',
  unlink: 'to write to the folder that it lies in',
  rm: 'to write to the folder that it lies in',
  rmdir: 'to write to the folder that it lies in',
  copyfile: 'to read the one file and to write to the folder of the other',
  chmod: 'to own it',
  utime: 'to own it',
}

type Refused = Readonly<{ says: string; hint: string }>
type Words = (path: string, error: SystemError) => Refused

const denied: Words = (path, { syscall = '' }) => ({
  says: `${path}: ${user()} may not do this`,
  hint:
    `needed is the right ${rights[syscall] ?? 'to read and write it'}; run the command as the ` +
    'user that has it',
})

const words: Readonly<Record<string, Words>> = {
  EACCES: denied,
  EPERM: denied,
  EROFS: (path) => ({
    says: `${path} is on a disk that can only be read`,
    hint: 'name a place on another disk',
  }),
  ENOSPC: (path) => ({
    says: `no space is left on the disk of ${path}`,
    hint: 'make room there, or name a place on another disk',
  }),
  ENOTDIR: (path) => ({
    says: `${path} would lie in something other than a folder`,
    hint: 'name a place in a folder',
  }),
  ENOENT: (path) => ({ says: `${path} is not there`, hint: 'name one that is' }),
  EEXIST: (path) => ({
    says: `${path} is there already, and is not of the kind that is needed`,
    hint: 'name another place',
  }),
  EISDIR: (path) => ({ says: `${path} is a folder, and a file is needed`, hint: 'name a file' }),
}

/** `null` for other errors, and those of sockets, whose own messages are better. */
export function systemRefusal(error: unknown): CliError | null {
  if (!(error instanceof Error)) return null
  const failed = error as SystemError
  const { code = '', path } = failed
  const refused = words[code]
  // Reads and writes of a file that is open have no path; of the others only sockets have none.
  const isOpenFile = ['read', 'write', 'fsync', 'fdatasync'].includes(failed.syscall ?? '')
  if (refused === undefined || (path === undefined && !isOpenFile)) return null
  const place = failed.dest ?? path ?? 'what this command reads or writes'
  const { says, hint } = refused(place, failed)
  return new CliError('refused', says, { hint, facts: { code, path }, cause: error })
}
