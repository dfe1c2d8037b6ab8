import { invalid } from "@asset-register/runtime";

/** The time of a list: at `from` or later, and before `to`. `asked` are the bounds of the request, as far as it has them. */
export type TimeSpan = { from: Date; to: Date; asked: AskedSpan };

export type AskedSpan = { from?: Date | undefined; to?: Date | undefined };

/** How long reads and sightings are kept, and the longest time of one list. */
export const LONGEST_SPAN_DAYS = 90;
const LONGEST_MS = LONGEST_SPAN_DAYS * 86_400_000;

/**
 * The time of a request. Without `to` until now, without `from` the longest time before.
 *
 * @throws AppError VALIDATION_FAILED on `from` unless it is before `to`, and at most 90 days before it
 */
export function timeSpan({ from, to }: AskedSpan, now: Date): TimeSpan {
  const end = to ?? now;
  const begin = from ?? new Date(end.getTime() - LONGEST_MS);
  const refuse = (message: string) => invalid([{ field: "from", message }]);
  if (begin >= end) throw refuse("must be before to");
  if (end.getTime() - begin.getTime() > LONGEST_MS) {
    throw refuse(`must be at most ${LONGEST_SPAN_DAYS} days before to`);
  }
  return { from: begin, to: end, asked: { from, to } };
}
