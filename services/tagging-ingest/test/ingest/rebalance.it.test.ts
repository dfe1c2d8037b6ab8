import { type ChildProcess, spawn } from "node:child_process";
import path from "node:path";
import { eventually } from "@asset-register/harness";
import { expect, it } from "vitest";
import type { AcceptedEvent } from "../../src/domain/ingest/accepted-event.ts";
import { dayOf } from "../../src/domain/utc-day.ts";
import { nameOfDay } from "../../src/store/day-collections.ts";
import { dayCollection } from "../../src/store/ingest/event-log.ts";
import { sightingDays } from "../../src/store/presence/sightings.ts";
import { createReaderStore } from "../../src/store/readers/readers.ts";
import { startTagging } from "../support.ts";
import type { TestReader } from "../test-reader.ts";

type Counter = { _id: string; workspaceId: string; sequence: number };

const TAGS = 20;
const ROUNDS = 60;
const STEP_MS = 4_000;

/** The collections of sightings between two times. */
const sightingNames = (...times: number[]) => [
  ...new Set(times.map((ms) => nameOfDay(sightingDays, dayOf(ms)))),
];

/** A number below `below` that depends on its arguments only (a multiplicative hash). */
const pick = (tag: number, round: number, below: number) =>
  (Math.imul(tag * 1_009 + round + 1, 0x9e37_79b1) >>> 8) % below;

it("workers that join, leave and are killed in the middle change no stored sighting", async () => {
  const tagging = await startTagging();
  const admin = tagging.kafka.kafka.admin();
  await admin.connect();
  const base = Date.now() - 500_000;

  /** A workspace with two portals, and the same reads for each run: a tag stays in a zone for some rounds. */
  async function newRun() {
    const workspace = tagging.newWorkspace();
    const portals: (TestReader & { zoneId: string })[] = [];
    for (const name of ["a", "b"]) {
      const [zoneId, locationId] = [await workspace.newZone({ name }), `loc_${name}`];
      // Each at a property of its own, with the right time: so the tags are cloned.
      tagging.register.place(workspace.id, locationId, `prp_${name}`);
      const portal = await workspace.newReader({ zoneId, locationId });
      portals.push({ ...portal, zoneId });
      // As if it was silent and begins to be heard in an hour: so no sweep finds that a tag left or that its reader is
      // dead, since that depends on when the sweep looks.
      for (const hours of [-1, 1]) {
        const at = new Date(Date.now() + hours * 3_600_000);
        const heard = {
          workspaceId: workspace.id,
          readerId: portal.id,
          accepted: 0,
          rejected: 0,
          skewMs: 0,
          at,
        };
        await createReaderStore(tagging.mongo).observe([heard]);
      }
    }
    const tags: Awaited<ReturnType<typeof workspace.taggedAsset>>[] = [];
    for (let tag = 0; tag < TAGS; tag += 1) tags.push(await workspace.taggedAsset());
    const names = new Map([
      ...portals.flatMap(({ id, zoneId }, at) => [[id, `rdr${at}`] as const, [zoneId, `zone${at}`] as const]),
      ...tags.flatMap(({ epc, assetId, tagId }, at) => [
        ...[[epc, `epc${at}`] as const, [assetId, `ast${at}`] as const, [tagId, `tag${at}`] as const],
      ]),
      [workspace.id, "workspace"],
    ]);
    const send = async (from: number, until: number) => {
      for (let round = from; round < until; round += 1) {
        const records = tags.map(({ epc }, tag) => {
          const at = base + round * STEP_MS + pick(tag, round, 2_000);
          const portal = portals[pick(tag, Math.floor(round / 3), 2)];
          const event: AcceptedEvent = {
            ...{ id: `evt_${workspace.id}_${tag}_${round}`, workspaceId: workspace.id, epc },
            ...{ readerId: portal?.id ?? "", ts: { ms: at, nanos: 0 }, receivedAt: at + 100 },
            ...{ count: 1 + pick(tag, round, 3), rssi: -40 - pick(tag, round + 7, 30) },
          };
          return [event];
        });
        await tagging.inject(...records);
      }
    };
    /** The sightings of each asset in order, with names instead of ids. */
    const result = async () => {
      const ofRun = { workspaceId: workspace.id };
      const days = [...new Set([dayCollection(base), dayCollection(base + ROUNDS * STEP_MS)])];
      await eventually(async () => {
        const counts = await Promise.all(
          days.map((day) => tagging.mongo.collection(day).countDocuments(ofRun)),
        );
        expect(counts.reduce((sum, count) => sum + count, 0)).toBe(TAGS * ROUNDS);
        const waiting = { ...ofRun, "state.pending.0": { $exists: true } };
        expect(await tagging.mongo.collection("presences").countDocuments(waiting)).toBe(0);
        const counters = await tagging.mongo.collection<Counter>("sighting_sequences").find(ofRun).toArray();
        const published = tags.flatMap(({ assetId }) => tagging.recorded.sighting.of(assetId));
        expect(published).toHaveLength(counters.reduce((sum, { sequence }) => sum + sequence, 0));
      });
      // Each is stored once, too.
      const kept = await Promise.all(
        sightingNames(base, base + ROUNDS * STEP_MS).map((day) =>
          tagging.mongo.collection<Counter & { assetId: string }>(day).find(ofRun).toArray(),
        ),
      );
      const numbers = Map.groupBy(kept.flat(), ({ assetId }) => assetId);
      return tags.map(({ assetId }) => {
        const stored = numbers.get(assetId)?.map(({ sequence }) => sequence) ?? [];
        const published = tagging.recorded.sighting.of(assetId).map(({ sequence }) => sequence);
        expect(stored.toSorted((one, other) => one - other)).toEqual(published);
        const messages = tagging.recorded.sighting
          .of(assetId)
          .map(({ sequence, message }) => ({ sequence, change: message?.change, ...message?.sighting }));
        let known = JSON.stringify(messages, (_, value) =>
          typeof value === "bigint" ? String(value) : value,
        );
        for (const [id, name] of names) known = known.replaceAll(id, name);
        return known;
      });
    };
    return { send, result };
  }

  const members = async () => {
    const { groups } = await admin.describeGroups([`${tagging.kafka.prefix}tagging-ingest-reads`]);
    const [group] = groups;
    return group?.state === "Stable" ? group.members.length : 0;
  };
  const untilMembers = (count: number) =>
    eventually(async () => expect(await members()).toBe(count), { timeoutMs: 240_000 });
  const sixth = (part: number) => Math.floor((ROUNDS * part) / 6);

  const calm = await newRun();
  await calm.send(0, ROUNDS);
  const expected = await calm.result();
  expect(expected.join()).toContain("moved");
  expect(expected.join()).toContain("cloned");

  const disturbed = await newRun();
  await disturbed.send(0, sixth(1));
  const [second] = await Promise.all([
    tagging.start({ ROLES: "worker" }),
    disturbed.send(sixth(1), sixth(2)),
  ]);
  await untilMembers(2);
  await Promise.all([disturbed.send(sixth(2), sixth(3)), tagging.stopProcess(second)]);
  const child: ChildProcess = spawn(process.execPath, [path.join(import.meta.dirname, "../../src/main.ts")], {
    env: { ...process.env, ...tagging.env, ROLES: "worker" },
    stdio: "ignore",
  });
  await untilMembers(2);
  const sent = disturbed.send(sixth(3), sixth(5));
  child.kill("SIGKILL");
  await sent;
  await disturbed.send(sixth(5), ROUNDS);
  expect(await disturbed.result()).toEqual(expected);

  await admin.disconnect();
  await tagging.stop();
}, 600_000);
