import { readdirSync, readFileSync, readlinkSync } from "node:fs";

/** A connection from one port of this machine to another, as its client sees it. */
export type LocalConnection = { fromPort: number; toPort: number };

/** The tables of TCP sockets. Java's sockets are IPv6, also when they connect to an IPv4 address. */
const TABLES = ["/proc/net/tcp", "/proc/net/tcp6"];

/**
 * The process of `pids` that owns the client's end of a connection.
 * @returns undefined if none of them does, or if this system has no /proc
 */
export function ownerOf(connection: LocalConnection, pids: Iterable<number>): number | undefined {
  const inode = inodeOf(connection);
  if (inode === undefined) return undefined;
  const socket = `socket:[${inode}]`;
  for (const pid of pids) if (openFiles(pid).includes(socket)) return pid;
  return undefined;
}

function inodeOf({ fromPort, toPort }: LocalConnection): string | undefined {
  for (const table of TABLES) {
    for (const line of readLines(table)) {
      const [, local, remote, , , , , , , inode] = line.trim().split(/\s+/);
      if (portOf(local) === fromPort && portOf(remote) === toPort) return inode;
    }
  }
  return undefined;
}

const portOf = (address: string | undefined): number => Number.parseInt(address?.split(":").at(-1) ?? "", 16);

function readLines(file: string): string[] {
  try {
    return readFileSync(file, "utf8").split("\n").slice(1);
  } catch {
    return [];
  }
}

/** The targets of the open files of a process. One that has ended has none. */
function openFiles(pid: number): string[] {
  try {
    return readdirSync(`/proc/${pid}/fd`).flatMap((file) => {
      try {
        return [readlinkSync(`/proc/${pid}/fd/${file}`)];
      } catch {
        return [];
      }
    });
  } catch {
    return [];
  }
}
