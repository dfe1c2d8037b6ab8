import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { z } from "zod";
import type { Log } from "../log.ts";
import { deliverWhenRoom } from "./connection/deliver-when-room.ts";
import { keepConnected } from "./connection/keep-connected.ts";
import { createLines } from "./connection/lines.ts";
import { openDevice } from "./connection/open-device.ts";
import { noEpc, parseEpc } from "./formats/epc.ts";
import { collect, type Parsed } from "./formats/format.ts";
import type { Input, Sink } from "./input.ts";

/** A serial scanner, a FIFO, or a keyboard wedge on the standard input: one EPC a line. */
export const schema = z.strictObject({
  type: z.literal("lines"),
  /** Such as /dev/ttyUSB0. "-" is the standard input. */
  path: z.string().min(1),
  /** The speed of a serial port, set by `stty`. Without it the port is used as it is. */
  baud: z.int().positive().optional(),
  antenna: z.int().min(0).max(65_535).optional(),
});

const MAX_LINE_BYTES = 4_096;

export type LinesConfig = z.output<typeof schema>;

export function create({ path, baud, antenna }: LinesConfig, sink: Sink, log: Log): Input {
  return keepConnected(async ({ signal, connected }) => {
    if (baud !== undefined) await promisify(execFile)("stty", ["-F", path, String(baud), "raw", "-echo"]);
    const source = path === "-" ? process.stdin : openDevice(path);
    const stop = (): void => void source.destroy();
    signal.addEventListener("abort", stop, { once: true });
    connected(path);
    const lines = createLines(MAX_LINE_BYTES);
    try {
      for await (const chunk of source) {
        const complete = lines.push(chunk);
        if (complete !== undefined) await deliverWhenRoom(parse(complete, antenna), sink, signal);
      }
    } finally {
      signal.removeEventListener("abort", stop);
    }
    // The writer of a FIFO may leave without the end of its last line.
    const rest = lines.rest();
    if (rest.length > 0) await deliverWhenRoom(parse(rest, antenna), sink, signal);
  }, log);
}

/** Parses lines with an EPC each. Empty lines are skipped. */
export function parse(body: Buffer, antenna?: number): Parsed {
  const lines = body.toString("utf8").split(/[\r\n]+/);
  const codes = lines.map((line) => line.trim()).filter((line) => line !== "");
  return collect(
    codes.map((code) => {
      const epc = parseEpc(code);
      return epc === undefined ? noEpc(code) : { epc, antenna };
    }),
  );
}
