import { eventually } from "@asset-register/harness";
import { IngestService } from "@asset-register/proto/assetregister/tagging_ingest/v1/ingest_pb";
import { requireFound } from "@asset-register/runtime";
import { afterAll, expect, it } from "vitest";
import { dayCollection } from "../../src/store/ingest/event-log.ts";
import { createReaderStore } from "../../src/store/readers/readers.ts";
import { startTagging } from "../support.ts";
import { newEpc } from "../test-reader.ts";
import type { Workspace } from "../test-workspace.ts";

// In the past: the clock of the tests moves, and no read counts as received after the broker has its record.
let now = Date.now() - 3_600_000;
const tagging = await startTagging({ now: () => new Date(now) });
afterAll(() => tagging.stop());

type Stored = { _id: string; workspaceId: string; epc: string; at: Date };

/** The effective time of the read of a tag. */
const datedAt = ({ id: workspaceId }: Workspace, epc: string) =>
  eventually(async () => {
    const days = new Set([-600_000, 0, 600_000].map((ms) => dayCollection(now + ms)));
    const found = await Promise.all(
      [...days].map((day) => tagging.mongo.collection<Stored>(day).findOne({ workspaceId, epc })),
    );
    return requireFound(found.find((one) => one !== null) ?? undefined).at.getTime();
  });

it("a clock that is 200 s slow is known after three minutes of single events, and its reads are then dated right", async () => {
  const workspace = tagging.newWorkspace();
  const reader = await workspace.newReader();
  const slowBy = 200_000;
  /** Sends events with the slow clock, through a process that knows only what is stored. */
  const send = async (events: number) => {
    const app = await tagging.start({ ROLES: "api" });
    const ingest = tagging.client(IngestService, "gateway", app);
    const signed = Array.from({ length: events }, () => reader.signedEvent(newEpc(), new Date(now - slowBy)));
    await ingest.ingestSignedEvents({ events: signed });
    await tagging.stopProcess(app);
    return signed[0]!.epc;
  };
  for (let minute = 0; minute < 3; minute += 1) {
    expect(await datedAt(workspace, await send(20))).toBe(now - slowBy);
    now += 60_000;
  }
  // This write finds that the third minute is over.
  await send(1);
  expect(await createReaderStore(tagging.mongo).get(workspace.id, reader.id)).toMatchObject({
    clockSkewMs: -slowBy,
  });
  expect(await datedAt(workspace, await send(1))).toBe(now);
  // One read that came at once: the clock was put right.
  const app = await tagging.start({ ROLES: "api" });
  const event = reader.signedEvent(newEpc(), new Date(now));
  await tagging.client(IngestService, "gateway", app).ingestSignedEvents({ events: [event] });
  await tagging.stopProcess(app);
  expect(await datedAt(workspace, event.epc)).toBe(now);
  expect(await datedAt(workspace, await send(1))).toBe(now - slowBy);
});

it("reads of signed requests are dated by the clock of their request, from the first one on", async () => {
  const workspace = tagging.newWorkspace();
  const reader = await workspace.newReader();
  // Headers have whole seconds.
  const [slow, ahead] = [now - 200_000, now + 200_000].map((at) => Math.floor(at / 1_000) * 1_000 + 500);
  const [first, second] = [newEpc(), newEpc()];
  for (const [epc, at] of [
    [first, slow!],
    [second, ahead!],
  ] as const) {
    await tagging.sendBatch(reader.signedBatch([{ epc, ts: at - 5_000 }], { at: new Date(at) }));
    expect(await datedAt(workspace, epc)).toBe(now - 5_000);
  }
});
