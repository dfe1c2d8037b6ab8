/** The outcome of an event of a request. */
export type ItemStatus = "accepted" | "duplicate" | "rejected";

const STATUSES: readonly ItemStatus[] = ["accepted", "duplicate", "rejected"];

/** Packs statuses into 2 bits each, in base64: 1000 events are 334 characters. */
export function packStatuses(statuses: readonly ItemStatus[]): string {
  const bytes = Buffer.alloc(Math.ceil(statuses.length / 4));
  for (const [index, status] of statuses.entries()) {
    const at = index >> 2;
    bytes[at] = (bytes[at] ?? 0) | (STATUSES.indexOf(status) << ((index & 3) * 2));
  }
  return bytes.toString("base64");
}

/** Unpacks the statuses of `count` events. Undefined when the text does not have that length. */
export function unpackStatuses(text: string, count: number): ItemStatus[] | undefined {
  const bytes = Buffer.from(text, "base64");
  if (bytes.length !== Math.ceil(count / 4)) return undefined;
  return Array.from({ length: count }, (_, index) => {
    const bits = ((bytes[index >> 2] ?? 0) >> ((index & 3) * 2)) & 3;
    return STATUSES[bits] ?? "rejected";
  });
}
