import { expect, test } from "vitest";
import { dateOfDay } from "../../../services/tagging-ingest/src/domain/utc-day.ts";
import { decodeRow } from "../../../services/tagging-ingest/src/store/archive/row-lines.ts";
import {
  byId,
  DAY_MS,
  oldDay,
  openDayArchive,
  rowsOf,
} from "../../../services/tagging-ingest/test/archive/day-archive.ts";
import { cliOf, rows } from "./support.ts";

const day = dateOfDay(oldDay);

/** A day of two workspaces that was moved. */
async function installation() {
  const archive = await openDayArchive();
  const events = [...rowsOf.events("wsp_a", 20_000), ...rowsOf.events("wsp_b", 2)];
  const sightings = rowsOf.sightings("wsp_a", 3);
  await archive.insert("events", events);
  await archive.insert("sightings", sightings);
  await archive.move();
  const cli = cliOf("asset-register.", { MONGO_DATABASE: archive.database });
  return { ...archive, events, sightings, cli: (...args: string[]) => cli("archive", ...args) };
}

test("list names the files, read prints their rows, and restore puts them back", async () => {
  const { cli, events, sightings, stored } = await installation();
  expect(rows(await cli("list", "--json"))).toMatchObject([
    {
      day,
      kind: "events",
      workspace_id: "wsp_a",
      rows: 20_000,
      sha256: expect.stringMatching(/^[0-9a-f]{64}$/),
    },
    { day, kind: "events", workspace_id: "wsp_b", rows: 2 },
    { day, kind: "sightings", workspace_id: "wsp_a", rows: 3 },
  ]);
  expect(rows(await cli("list", "--workspace", "wsp_b", "--json"))).toHaveLength(1);

  const { out } = await cli("read", "--kind", "events", "--workspace", "wsp_b", "--day", day);
  const lines = out.split("\n");
  expect(lines.pop()).toBe("");
  const own = events.filter(({ workspaceId }) => workspaceId === "wsp_b");
  expect(byId(lines.map((line) => decodeRow("events", line)))).toStrictEqual(byId(own));

  const restored = await cli("restore", "--day", day, "--keep-days", "2", "--json");
  expect(rows(restored)).toMatchObject([
    { day, kind: "events", workspace_id: "wsp_a", rows: 20_000, restored: 20_000 },
    { day, kind: "events", workspace_id: "wsp_b", rows: 2, restored: 2 },
    { day, kind: "sightings", workspace_id: "wsp_a", rows: 3, restored: 3 },
  ]);
  const [first] = rows(restored);
  const keptDays = (Date.parse(String(first?.kept_until)) - Date.now()) / DAY_MS;
  expect(keptDays).toBeCloseTo(2, 1);
  expect(restored.err).toContain("archive restored");
  expect([await stored("events"), await stored("sightings")]).toStrictEqual([byId(events), byId(sightings)]);
  const again = await cli("restore", "--day", day, "--workspace", "wsp_a", "--json");
  expect(rows(again).map((row) => row.restored)).toEqual([0, 0]);
}, 240_000);

test("a command whose file does not exist fails and says so", async () => {
  const { cli } = await installation();
  const missing = ["--workspace", "wsp_c", "--day", day];
  expect(await cli("read", "--kind", "sightings", ...missing)).toMatchObject({
    ...{ code: 1, out: "" },
    err: expect.stringContaining(`There is no file with sightings of wsp_c on ${day}`),
  });
  expect(await cli("restore", ...missing)).toMatchObject({
    ...{ code: 1, err: expect.stringContaining(`There is no file of ${day}`) },
  });
  expect(await cli("read", "--kind", "events", "--workspace", "wsp_a", "--day", "yesterday")).toMatchObject({
    ...{ code: 1, err: expect.stringContaining('"yesterday" is no day') },
  });
}, 120_000);
