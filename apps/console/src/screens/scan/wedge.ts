/** A scanner that acts as a keyboard types faster than people do. */
const MAX_GAP_MS = 60;
const MIN_LENGTH = 4;

export type Wedge = { text: string; at: number };

export const emptyWedge: Wedge = { text: "", at: 0 };

/**
 * Adds a key to what a scanner has typed so far. Enter ends a code; slow keys are those of a person, and begin anew.
 * @param at milliseconds
 */
export function pressed(before: Wedge, key: string, at: number): Wedge & { code?: string } {
  const isFast = at - before.at <= MAX_GAP_MS;
  if (key === "Enter")
    return isFast && before.text.length >= MIN_LENGTH ? { ...emptyWedge, code: before.text } : emptyWedge;
  // "Shift" and its like come between the characters.
  if (key.length !== 1) return before;
  return { text: isFast ? before.text + key : key, at };
}
