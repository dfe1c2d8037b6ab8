import { expect, it } from "vitest";
import { compareRows } from "./day-rows.ts";

const row = (readerId: string, at: number, _id: string) => ({
  ...{ _id, workspaceId: "wsp_1", readerId, at: new Date(at) },
});

it("events are ordered by reader, time and id, as their index has them, and sightings by their ids", () => {
  const ordered = [row("rdr_1", 1, "z"), row("rdr_1", 2, "a"), row("rdr_1", 2, "b"), row("rdr_2", 0, "c")];
  expect(ordered.toReversed().toSorted(compareRows("events"))).toEqual(ordered);
  const byId = ordered.toSorted(compareRows("sightings")).map(({ _id }) => _id);
  expect(byId).toEqual(["a", "b", "c", "z"]);
});

it("texts are ordered by their bytes, as MongoDB does and JavaScript does not", () => {
  const [first, second] = [row("\uFF5E", 0, "a"), row("\u{1F600}", 0, "a")];
  expect(first.readerId < second.readerId).toBe(false);
  expect(compareRows("events")(first, second)).toBeLessThan(0);
});

it("the same row is equal to itself from a file and from the database", () => {
  expect(compareRows("events")(row("rdr_1", 1, "a"), row("rdr_1", 1, "a"))).toBe(0);
});
