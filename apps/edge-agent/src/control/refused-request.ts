import { z } from "zod";
import type { ReadBuffer } from "../buffer/buffer.ts";
import { MAX_REFUSED } from "../buffer/refused-rows.ts";

/** What to do with which refused events. */
export const refusedRequest = z.strictObject({
  action: z.enum(["list", "retry", "drop"]),
  reader: z.string().optional(),
  code: z.string().optional(),
});

export type RefusedRequest = z.output<typeof refusedRequest>;

export const refusedAnswer = z.object({
  /** How many events are concerned. */
  count: z.int(),
  /** Only of `list`, the newest last. */
  events: z
    .array(z.object({ at: z.string(), reader: z.string(), code: z.string(), event: z.string() }))
    .optional(),
});

export type RefusedAnswer = z.output<typeof refusedAnswer>;

/** @throws Error if there is no such reader */
export async function handleRefused(
  buffer: Pick<ReadBuffer, "refused" | "retryRefused" | "dropRefused">,
  { action, ...filter }: RefusedRequest,
): Promise<RefusedAnswer> {
  if (action === "retry") return { count: await buffer.retryRefused(filter) };
  if (action === "drop") return { count: await buffer.dropRefused(filter) };
  const { reader, code } = filter;
  const events = buffer.refused
    .newest(MAX_REFUSED)
    .filter((event) => event.reader === (reader ?? event.reader) && event.code === (code ?? event.code))
    .map(({ at, ...event }) => ({ at: new Date(at).toISOString(), ...event }))
    .reverse();
  return { count: events.length, events };
}
