import type { Random } from "./random.ts";

/** An asset with its label, and the room in which it belongs. */
export type Labelled = { assetId: string; code: string; roomId: string };

/** A label that a counter sees in a room. */
export type Seen = { code: string; roomId: string };

/** One in ten of each, so that a small count shows every kind of variance. */
const TENTH = 10;
const MISSING = 3;
const MISPLACED = 6;
const IN_BOTH = 8;

/**
 * The labels of these assets that the counters see. Of ten assets one is missing, one is in the other room, and one is
 * seen in both rooms. Two labels belong to no asset.
 */
export function planCount(assets: readonly Labelled[], rooms: readonly string[], random: Random): Seen[] {
  const other = (roomId: string) => rooms.find((room) => room !== roomId) ?? roomId;
  const seen = assets.flatMap(({ code, roomId }, index): Seen[] => {
    switch (index % TENTH) {
      case MISSING:
        return [];
      case MISPLACED:
        return [{ code, roomId: other(roomId) }];
      case IN_BOTH:
        return [
          { code, roomId },
          { code, roomId: other(roomId) },
        ];
      default:
        return [{ code, roomId }];
    }
  });
  const unknown = rooms.map((roomId, index) => ({
    code: `UNKNOWN-${index}-${random.below(1_000_000)}`,
    roomId,
  }));
  return [...seen, ...unknown];
}
