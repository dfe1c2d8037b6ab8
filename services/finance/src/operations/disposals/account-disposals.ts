import {
  type Chunk,
  type ClientSession,
  createLongWork,
  definedOnly,
  type LongWork,
  type StepCall,
} from "@asset-register/mongo";
import { unavailable } from "@asset-register/runtime";
import { requireActive } from "@asset-register/service";
import type { Context } from "../../context.ts";
import { accountDisposal, type DisposalAccount } from "../../domain/disposals/account-disposal.ts";
import type { Disposal } from "../../domain/disposals/disposal.ts";
import type { JournalEntry } from "../../domain/ledger/journal.ts";
import { carryOf } from "../../domain/schedule/carry.ts";
import { type Period, periodOf } from "../../domain/schedule/period.ts";
import { type DisposalDocument, disposalRecords } from "../../store/disposals/disposals.ts";
import type { CarriedProfile } from "../../store/profiles/profiles.ts";
import { publishStates } from "../ledger/publish-states.ts";
import { openFrom } from "../profiles/read-known-assets.ts";
import { readUnits } from "../runs/read-units.ts";
import type { WorkSettings } from "../runs/run-work.ts";

/** A posting takes at least this long. */
const WAIT_MS = 1_000;

/** Accounts pending disposals, one transaction for each. It waits while a run of the book is posting. */
export function createAccounting(
  context: Context,
  { leaseMs }: WorkSettings = {},
): LongWork<DisposalDocument> {
  return createLongWork<DisposalDocument>({
    ...{ ...context, collection: disposalRecords.collection, leaseMs },
    // A disposal has happened: all failures are retried.
    statuses: { pending: { failed: "pending" } },
    step: (document, call) => accountPending(context, document, call),
  });
}

async function accountPending(
  context: Context,
  document: DisposalDocument,
  { signal }: StepCall,
): Promise<Chunk<DisposalDocument>> {
  const { stores } = context;
  const disposal = stores.disposals.toRecord(document);
  const { workspaceId, book, progress } = disposal;
  const { timeZone, currency } = await requireActive(context, workspaceId);
  if (await stores.runs.findPosting(workspaceId, book)) return { progress, waitMs: WAIT_MS };
  const basis = await readBasis(context, disposal);
  const account = await compute(context, disposal, { basis, timeZone, signal });
  const { nbvAtDisposal, accumulated, gainLoss, bookedIn, journal } = account;
  return {
    status: "accounted",
    progress: { done: 1, total: 1 },
    // The driver would store null for a category that is undefined.
    set: { nbvAtDisposal, accumulated, gainLoss, bookedIn, journal: journal.map(compact) },
    save: (session) => save(context, disposal, { basis, account, currency }, session),
  };
}

const compact = (line: JournalEntry): JournalEntry => definedOnly(line) as JournalEntry;

/** The inputs of the accounts of a disposal. */
type Basis = { profile: CarriedProfile | undefined; openFrom: Period | undefined };

async function readBasis(
  context: Context,
  { workspaceId, book, assetId }: Disposal,
  session?: ClientSession,
): Promise<Basis> {
  const profile = await context.stores.profiles.ofAsset(workspaceId, book, assetId, session);
  return { profile, openFrom: await openFrom(context, workspaceId, book, session) };
}

async function compute(
  context: Context,
  disposal: Disposal,
  { basis, timeZone, signal }: { basis: Basis; timeZone: string; signal: AbortSignal },
): Promise<DisposalAccount> {
  const { stores } = context;
  const { workspaceId, assetId, date } = disposal;
  const { profile } = basis;
  const asset = await stores.assets.get(workspaceId, assetId);
  const rows = profile === undefined ? [] : await stores.ledger.ofProfile(workspaceId, profile.id);
  const through = periodOf(date);
  const profiles = profile === undefined ? [] : [asBefore(profile, through, rows)];
  const units = await readUnits(context, { workspaceId, timeZone, through, profiles, signal });
  return accountDisposal({
    ...disposal,
    ...basis,
    ...{ categoryId: asset?.categoryId, cost: asset?.cost ?? 0, rows, units: units.get(assetId) },
  });
}

/** The profile as if nothing was charged from a month on: units of that month may have been charged already. */
function asBefore(
  profile: CarriedProfile,
  period: Period,
  rows: Parameters<typeof accountDisposal>[0]["rows"],
): CarriedProfile {
  const earlier = rows.filter((row) => row.period < period);
  return { ...profile, carry: carryOf(profile, earlier) };
}

async function save(
  context: Context,
  disposal: Disposal,
  { basis, account, currency }: { basis: Basis; account: DisposalAccount; currency: string },
  session: ClientSession,
): Promise<void> {
  const { stores, now } = context;
  const { workspaceId, book, assetId } = disposal;
  // Orders it against a run that is accepted at this moment.
  await stores.bookGates.pass(workspaceId, book, session);
  const posting = await stores.runs.findPosting(workspaceId, book, session);
  const present = await readBasis(context, disposal, session);
  const isSame = present.openFrom === basis.openFrom && present.profile?.rev === basis.profile?.rev;
  if (posting || !isSame) throw unavailable("The profile of the asset or its book has changed.");
  if (basis.profile !== undefined) {
    await stores.ledger.insertMany(workspaceId, account.rows, session);
    await stores.profiles.saveCarries(
      workspaceId,
      [{ profileId: basis.profile.id, carry: account.carry }],
      session,
    );
  }
  await stores.bookedAmounts.add(workspaceId, [...account.rows, ...account.values], session);
  if (book !== "book") return;
  const { accumulated, gainLoss } = account;
  const set = { nbv: 0, accumulated, gainLoss, writeOff: undefined };
  const published = { workspaceId, currency, change: "disposed" as const, at: now() };
  await publishStates(context, session, [{ assetId, set }], published);
}
