import { z } from "zod";
import { noEpc, parseEpc } from "./formats/epc.ts";
import { collect, type Entry, type Parsed } from "./formats/format.ts";
import { count, dbm, parseJson } from "./formats/json.ts";
import { parseReaderTime } from "./formats/reader-time.ts";

const message = z.object({ events: z.array(z.unknown()).max(100_000) });

const event = z.object({
  epc: z.unknown().optional(),
  ts: z.unknown().optional(),
  antenna: z.int().min(0).max(65_535).optional().catch(undefined),
  rssi: dbm,
  count,
});

/** Parses the agent's own format, which is that of the platform: {"events":[{epc, ts?, antenna?, rssi?, count?}]}. */
export function parse(body: Buffer): Parsed {
  const parsed = message.safeParse(parseJson(body.toString("utf8")));
  if (!parsed.success) return collect(['The body is not {"events": [...]}.']);
  return collect(parsed.data.events.map(toRead));
}

function toRead(entry: unknown): Entry {
  const parsed = event.safeParse(entry);
  if (!parsed.success) return "An event is no JSON object.";
  const { epc, ts, ...rest } = parsed.data;
  const known = parseEpc(epc);
  return known === undefined ? noEpc(epc) : { epc: known, at: parseReaderTime(ts), ...rest };
}
