import { constants, createReadStream, fstatSync, openSync } from "node:fs";
import { Socket } from "node:net";
import type { Readable } from "node:stream";
import { isatty, ReadStream } from "node:tty";

/**
 * Opens a serial port, a FIFO or a file to read from. Reading a port or FIFO as a file would block one of the four threads
 * that Node has for all files. Opened for writing as well, a FIFO does not end when its writer leaves.
 * @throws Error if it can't be opened
 */
export function openDevice(path: string): Readable {
  const descriptor = openSync(path, constants.O_RDWR | constants.O_NONBLOCK | constants.O_NOCTTY);
  if (isatty(descriptor)) return new ReadStream(descriptor);
  if (fstatSync(descriptor).isFIFO()) return new Socket({ fd: descriptor, readable: true, writable: false });
  return createReadStream(path, { fd: descriptor });
}
