import { eventually } from "@asset-register/harness";
import type { Mongo } from "@asset-register/mongo";
import { expect } from "vitest";
import { dayOf } from "../src/domain/utc-day.ts";
import { nameOfDay } from "../src/store/day-collections.ts";
import { eventDays } from "../src/store/ingest/event-log.ts";
import type { Workspace } from "./test-workspace.ts";

const DAYS = 100;

/** Waits until this many reads of a workspace are stored, and none waits. */
export const readsAreStored = ({ mongo }: { mongo: Mongo }, { id: workspaceId }: Workspace, count: number) =>
  eventually(async () => {
    const tomorrow = dayOf(Date.now()) + 1;
    const days = Array.from({ length: DAYS }, (_, ago) => nameOfDay(eventDays, tomorrow - ago));
    const counts = await Promise.all(
      days.map((day) => mongo.collection(day).countDocuments({ workspaceId })),
    );
    expect(counts.reduce((sum, one) => sum + one)).toBe(count);
    const waiting = { workspaceId, "state.pending.0": { $exists: true } };
    expect(await mongo.collection("presences").countDocuments(waiting)).toBe(0);
  });
