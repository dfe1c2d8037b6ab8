import { expect, test } from "vitest";
import { planCount } from "./count-plan.ts";
import { createRandom } from "./random.ts";

const rooms = ["loc_1", "loc_2"];
const assets = Array.from({ length: 20 }, (_, index) => ({
  assetId: `ast_${index}`,
  code: `SIM-${index}`,
  roomId: rooms[index % 2]!,
}));

test("of ten assets one is missing, one is in the other room and one is in both; each room has an unknown label", () => {
  const seen = planCount(assets, rooms, createRandom(1));
  const roomsOf = (index: number) =>
    seen.filter(({ code }) => code === `SIM-${index}`).map(({ roomId }) => roomId);
  expect(roomsOf(0)).toEqual(["loc_1"]);
  expect(roomsOf(3)).toEqual([]);
  expect(roomsOf(16)).toEqual(["loc_2"]);
  expect(roomsOf(18)).toEqual(["loc_1", "loc_2"]);
  expect(seen.filter(({ code }) => code.startsWith("UNKNOWN-")).map(({ roomId }) => roomId)).toEqual(rooms);
  expect(seen).toHaveLength(20 - 2 + 2 + 2);
});
