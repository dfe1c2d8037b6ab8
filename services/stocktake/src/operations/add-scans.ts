import type { ClientSession } from "@asset-register/mongo";
import type { Call } from "@asset-register/rpc";
import { newId, requireFound, requireRev } from "@asset-register/runtime";
import { requireWorkspace } from "@asset-register/service";
import type { Context } from "../context.ts";
import type { Scan } from "../domain/scan.ts";
import { type CheckedScan, checkScan, type ScanItem, type ScanRefusal } from "../domain/scan-item.ts";
import { type RejectedScans, requireStatus, type Session, scannable } from "../domain/session.ts";

export type AddScans = { sessionId: string; items: readonly ScanItem[]; ifRevIn: readonly number[] };

export type ScanResult =
  | { status: "accepted" | "replayed"; id: string }
  | { status: "rejected"; refusal: ScanRefusal };

type Checked = CheckedScan | { refusal: ScanRefusal };

/** Adds scans to a session. A scan that the session has already, also from this request, is replayed. */
export async function addScans(context: Context, input: AddScans, call: Call): Promise<ScanResult[]> {
  const { mongo, uploads } = context;
  await requireWorkspace(context, call.workspaceId);
  const session = await requireScannable(context, input, call);
  const checked = await checkScans(context, session, input.items, call);
  const store = async (transaction: ClientSession) => {
    const fresh = await storeNew(context, input, checked, transaction, call);
    return checked.map((one): ScanResult => {
      if ("refusal" in one) return { status: "rejected", refusal: one.refusal };
      const { id, isNew } = requireFound(fresh.get(one.key));
      // A second item with the same key is a repeat of the first one.
      fresh.set(one.key, { id, isNew: false });
      return { status: isNew ? "accepted" : "replayed", id };
    });
  };
  // All uploads of a session write its counters: at the same time they would only abort each other.
  return uploads(session.id, () => mongo.transaction(call, store));
}

async function requireScannable(
  { stores }: Context,
  { sessionId, ifRevIn }: AddScans,
  { workspaceId }: Call,
  transaction?: ClientSession,
): Promise<Session> {
  const session = requireFound(await stores.sessions.get(workspaceId, sessionId, transaction), "session");
  requireRev(session.rev, ifRevIn);
  requireStatus(session, ...scannable);
  return session;
}

async function checkScans(
  { clients, now }: Context,
  { openedAt = new Date(0) }: Session,
  items: readonly ScanItem[],
  call: Call,
): Promise<Checked[]> {
  const named = new Set(items.flatMap(({ locationId }) => locationId ?? []));
  const locations = await clients.existingLocations([...named], call);
  const rules = { now: now(), openedAt, locations };
  return items.map((item) => checkScan(item, rules));
}

/** Stores the scans that the session does not have. Returns the id of each scan by its key. */
async function storeNew(
  context: Context,
  input: AddScans,
  checked: readonly Checked[],
  transaction: ClientSession,
  call: Call,
): Promise<Map<string, { id: string; isNew: boolean }>> {
  const { stores, now } = context;
  const { workspaceId } = call;
  const { sessionId, ifRevIn } = input;
  const byKey = new Map<string, CheckedScan>();
  for (const one of checked) if (!("refusal" in one) && !byKey.has(one.key)) byKey.set(one.key, one);
  const known = await stores.scans.idsByKey(workspaceId, sessionId, [...byKey.keys()], transaction);
  const scans = new Map([...known].map(([key, id]) => [key, { id, isNew: false }]));
  const missing = [...byKey.values()].filter(({ key }) => !known.has(key));
  const rejected = countByCode(checked);
  if (missing.length === 0 && Object.keys(rejected).length === 0) {
    await requireScannable(context, input, call, transaction);
    return scans;
  }
  // Of two uploads at once one conflicts here. It runs again and sees the scans of the other one. Only new scans make the
  // session stale.
  const counts = { scans: missing.length, rejected };
  const counted = await stores.sessions.countScans(workspaceId, sessionId, counts, transaction);
  if (counted === undefined) await requireScannable(context, input, call, transaction);
  const { scanSeq, rev } = requireFound(counted, "session");
  requireRev(rev, ifRevIn);
  const receivedAt = now();
  const stored = missing.map(
    (one): Scan => ({ ...one, id: newId("scn"), workspaceId, sessionId, receivedAt, seq: scanSeq }),
  );
  await stores.scans.insertMany(workspaceId, stored, transaction);
  for (const { key, id } of stored) scans.set(key, { id, isNew: true });
  return scans;
}

function countByCode(checked: readonly Checked[]): RejectedScans {
  const counts: RejectedScans = {};
  for (const one of checked) {
    if ("refusal" in one) counts[one.refusal.code] = (counts[one.refusal.code] ?? 0) + 1;
  }
  return counts;
}
