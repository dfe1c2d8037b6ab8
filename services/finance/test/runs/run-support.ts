import { eventually } from "@asset-register/harness";
import type { ClientSession } from "@asset-register/mongo";
import { Book } from "@asset-register/proto/assetregister/finance/v1/book_pb";
import {
  type DepreciationRun,
  DepreciationRunService,
  RunStatus,
} from "@asset-register/proto/assetregister/finance/v1/depreciation_run_pb";
import { newId, requireFound, toAppError } from "@asset-register/runtime";
import { onTestFinished } from "vitest";
import type { Context } from "../../src/context.ts";
import { emptyCarry } from "../../src/domain/ledger/ledger.ts";
import type { Book as BookName, ProfileInputs } from "../../src/domain/profiles/profile.ts";
import { touchLiveRun } from "../../src/operations/runs/touch-live-run.ts";
import type { RunDocument } from "../../src/store/runs/runs.ts";
import { profileWith } from "../schedules.ts";
import { type Finance, newWorkspace, type Workspace } from "../support.ts";

/** A status in which a worker is busy with a run. */
const working = [RunStatus.COMPUTING, RunStatus.POSTING];

/** January 2026 is the first month of the profiles of these tests. */
const first: Partial<ProfileInputs> = { inServiceDate: "2026-01-01", cost: 12_000, lifeMonths: 12 };

/** Calls about the runs of a workspace. */
export function runCalls(
  { client, app }: Pick<Finance, "client" | "app">,
  { accountant }: Pick<Workspace, "accountant">,
  ports = app.ports,
) {
  const runs = client(DepreciationRunService, "gateway", { ...app, ports });
  const read = async (id: string): Promise<DepreciationRun> =>
    requireFound((await runs.getRun({ id }, accountant)).run);
  const ended = (id: string): Promise<DepreciationRun> =>
    eventually(async () => {
      const run = await read(id);
      if (working.includes(run.status)) throw new Error(`still ${RunStatus[run.status]}`);
      return run;
    });
  const postOnce = async (id: string, ifRevIn: number[] = []): Promise<DepreciationRun> =>
    requireFound((await runs.postRun({ id }, { ...accountant, ifRevIn })).run);
  return {
    runs,
    read,
    /** Waits until no worker is busy with the run. */
    ended,
    create: async (month: number, book = Book.BOOK): Promise<DepreciationRun> =>
      requireFound((await runs.createRun({ book, year: 2026, month }, accountant)).run),
    /** A run that is no longer computing. */
    async draft(month: number, book = Book.BOOK): Promise<DepreciationRun> {
      const { run } = await runs.createRun({ book, year: 2026, month }, accountant);
      return ended(requireFound(run).id);
    },
    postOnce,
    /** Posts again while register's changes are being applied, which a busy machine does not do in 2 s. */
    async post(id: string, ifRevIn: number[] = []): Promise<DepreciationRun> {
      const { run, error } = await eventually(async () => {
        const [one] = await Promise.allSettled([postOnce(id, ifRevIn)]);
        if (one.status === "fulfilled") return { run: one.value };
        if (toAppError(one.reason).code === "UNAVAILABLE") throw one.reason;
        return { error: toAppError(one.reason) };
      });
      if (error !== undefined) throw error;
      return requireFound(run);
    },
    discard: async (id: string): Promise<DepreciationRun> =>
      requireFound((await runs.discardRun({ id }, accountant)).run),
    lines: async (runId: string, filter: { assetId?: string; skipped?: boolean } = {}) =>
      runs.listRunLines({ runId, page: { limit: 1_000 }, ...filter }, accountant),
  };
}

/** A workspace with assets that have profiles in both books, without any event. */
export async function newBooks(finance: Finance) {
  const workspace = await newWorkspace(finance);
  const { stores, mongo, register } = finance;
  const { id: workspaceId } = workspace;
  const context = { stores } as Context;

  async function addProfiles(
    assetIds: readonly string[],
    inputs: Partial<ProfileInputs>,
    books: readonly BookName[],
  ): Promise<void> {
    await mongo.transaction({}, async (session) => {
      for (const book of books) {
        const profiles = assetIds.map((assetId) => ({
          ...profileWith({ ...first, ...inputs }),
          ...{ id: newId("prf"), workspaceId, assetId, book, carry: emptyCarry },
        }));
        await stores.profiles.insertMany(workspaceId, profiles, session);
        const changes = assetIds.map((assetId) => ({ assetId }));
        await touchLiveRun(context, session, workspaceId, book, changes);
      }
    });
  }

  return {
    ...workspace,
    ...runCalls(finance, workspace),
    workspaceId,
    addProfiles,
    /** Assets of register, with profiles. Their ids in order. 120.00 over 12 months from January 2026. */
    async addAssets(
      count: number,
      inputs: Partial<ProfileInputs> = {},
      books: readonly BookName[] = ["book", "tax"],
    ): Promise<string[]> {
      const ids = Array.from({ length: count }, () => register.put(workspaceId)).sort();
      await stores.assets.project(
        ids.map((id) => ({ workspaceId, id, epoch: 0, sequence: 1, fields: { rev: 1 } })),
      );
      await addProfiles(ids, inputs, books);
      return ids;
    },
    /** Changes a profile of book `book` with effect from a day, as an operation does. */
    async changeProfile(assetId: string, fields: Partial<ProfileInputs>, effectiveOn = "2026-01-01") {
      await mongo.transaction({}, async (session) => {
        const before = requireFound(await stores.profiles.ofAsset(workspaceId, "book", assetId, session));
        const [creation, ...later] = before.changes;
        if (creation === undefined) throw new Error("a profile has a creation");
        const changes = [{ ...creation, fields: { ...creation.fields, ...fields } }, ...later];
        const after = { ...before, ...fields, changes, rev: before.rev + 1 };
        await stores.profiles.saveMany(workspaceId, [{ before, after }], session);
        await touchLiveRun(context, session, workspaceId, "book", [{ assetId, effectiveOn }]);
      });
    },
    /** The documents of the workspace in a collection. */
    stored: async (collection: string, filter: object = {}): Promise<Record<string, unknown>[]> =>
      mongo
        .collection(collection)
        .find({ ...filter, workspaceId })
        .sort({ _id: 1 })
        .toArray(),
    /** The profile of an asset in book `book`. */
    profile: async (assetId: string) =>
      requireFound(await stores.profiles.ofAsset(workspaceId, "book", assetId)),
  };
}

export type Books = Awaited<ReturnType<typeof newBooks>>;

/**
 * Blocks the chunk of an asset from being posted for as long as needed: its ledger has a row for January already, so each
 * attempt fails and is repeated later. It ends with `go` or with the test.
 */
export async function blockPosting({ mongo }: Finance, { workspaceId, profile }: Books, assetId: string) {
  const ledger = mongo.collection<{ _id: string; workspaceId: string } & Record<string, unknown>>("ledger");
  const { id: profileId } = await profile(assetId);
  const row = { _id: newId("blk"), workspaceId, profileId, kind: "charge", period: "2026-01" };
  const unblock = async (): Promise<void> => void (await ledger.deleteOne({ _id: row._id, workspaceId }));
  await ledger.insertOne(row);
  onTestFinished(unblock);
  return {
    async go(): Promise<void> {
      await unblock();
      // The next attempt may be seconds away.
      await mongo
        .collection<RunDocument>("runs")
        .updateMany(
          { workspaceId, status: "posting", "work.leaseHolder": null },
          { $set: { "work.leaseUntil": new Date(0) } },
        );
    },
  };
}

/**
 * Holds posting in the chunk of an asset, for at most 30 s: its profile is changed in a transaction that does not end, so that each
 * attempt to post it fails and is repeated. It ends with `go` or with the test.
 */
export async function holdPosting({ mongo }: Finance, { workspaceId, profile }: Books, assetId: string) {
  const { id } = await profile(assetId);
  const [held, gate] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const holding = mongo.transaction({}, async (session: ClientSession) => {
    const profiles = mongo.collection("profiles");
    await profiles.updateOne({ workspaceId, _id: id }, { $set: { rev: -1 } }, { session });
    held.resolve();
    await gate.promise;
    throw new Error("let go");
  });
  const ended = holding.catch(() => undefined);
  onTestFinished(() => gate.resolve());
  await held.promise;
  return {
    async go(): Promise<void> {
      gate.resolve();
      await ended;
    },
  };
}

export { Book, RunStatus };
