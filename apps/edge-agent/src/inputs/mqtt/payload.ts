import { z } from "zod";
import type { Parsed, Parser } from "../formats/format.ts";
import { jsonDocuments } from "../formats/json.ts";

/** Selects the messages of one reader, where several readers publish to one topic. */
export const onlyIf = z.strictObject({
  /** A field of the message, with dots: `hostname` or `device.id`. */
  field: z.string().min(1),
  equals: z.union([z.string(), z.number()]),
});

/** Of one message. A batch of this size has thousands of reads. */
const MAX_PAYLOAD_BYTES = 1024 * 1024;

export async function parsePayload(payload: Buffer, parse: Parser): Promise<Parsed> {
  if (payload.length > MAX_PAYLOAD_BYTES) {
    return { reads: [], unreadable: [`A message has more than ${MAX_PAYLOAD_BYTES} bytes.`] };
  }
  return parse(payload);
}

/** Whether a message is of the reader. Of a batch, the first entry decides: a reader sends only its own. */
export function isOf(payload: Buffer, condition: z.infer<typeof onlyIf> | undefined): boolean {
  if (condition === undefined) return true;
  const [first] = jsonDocuments(payload).flat();
  const found = condition.field.split(".").reduce<unknown>(fieldOf, first);
  return found !== undefined && String(found) === String(condition.equals);
}

function fieldOf(value: unknown, name: string): unknown {
  return typeof value === "object" && value !== null && Object.hasOwn(value, name)
    ? Reflect.get(value, name)
    : undefined;
}

/** Whether a topic filter of MQTT, with + and #, covers a topic. */
export function coversTopic(filter: string, topic: string): boolean {
  const wanted = filter.split("/");
  const levels = topic.split("/");
  for (const [index, level] of wanted.entries()) {
    if (level === "#") return true;
    if (index >= levels.length || (level !== "+" && level !== levels[index])) return false;
  }
  return wanted.length === levels.length;
}

/** A topic filter: + is a whole level, and # is the last one. */
export const topicFilter = z
  .string()
  .min(1)
  .max(1_000)
  .refine(
    (filter) =>
      filter
        .split("/")
        .every((level, index, levels) =>
          level.includes("#")
            ? level === "#" && index === levels.length - 1
            : !level.includes("+") || level === "+",
        ),
    "In a topic filter, + is a whole level and # is the last level.",
  );
