import { z } from "zod";
import { noEpc, parseEpc } from "../formats/epc.ts";
import { collect, type Entry, type Parsed } from "../formats/format.ts";
import { antenna, count, dbm, jsonEntries } from "../formats/json.ts";
import { parseReaderTime } from "../formats/reader-time.ts";

/** The fields of Zebra's IoT Connector that are used. The operating mode decides which of them the reader sends. */
const event = z.object({
  type: z.string().optional().catch(undefined),
  timestamp: z.unknown().optional(),
  data: z
    .object({
      idHex: z.unknown().optional(),
      format: z.string().optional().catch(undefined),
      antenna,
      peakRssi: dbm,
      reads: count,
    })
    .optional()
    .catch(undefined),
});

/** Events of the management interface, by their `type`. They say that the reader is alive. */
const MANAGEMENT = /^(heartbeat|gpi|gpo|userapp|error|warning|info|status|firmware\w*|antenna\w*|radio\w*)$/i;

/** With FastID (Impinj tags) the reader adds the 96 bits of the TID to the EPC. */
const TID_DIGITS = 24;

/** Parses events of Zebra FX9600, FXR90 and ATR7000: one event, a batch (an array), or one event on each line. */
export function parse(body: Buffer): Parsed {
  return collect(jsonEntries(body).map(toRead));
}

function toRead(entry: unknown): Entry {
  const parsed = event.safeParse(entry);
  if (!parsed.success) return "An event is no JSON object of Zebra's IoT Connector.";
  const { data, timestamp, type } = parsed.data;
  if (data?.idHex === undefined) {
    return type !== undefined && MANAGEMENT.test(type) ? undefined : "An event has no data.idHex.";
  }
  const epc = parseEpc(withoutTid(data.idHex, data.format));
  if (epc === undefined) return noEpc(data.idHex);
  const { antenna, peakRssi: rssi, reads } = data;
  return { epc, at: parseReaderTime(timestamp), antenna, rssi, count: reads };
}

const withoutTid = (idHex: unknown, format: string | undefined): unknown =>
  typeof idHex === "string" && format?.toLowerCase() === "fastid" && idHex.length > TID_DIGITS
    ? idHex.slice(0, -TID_DIGITS)
    : idHex;
