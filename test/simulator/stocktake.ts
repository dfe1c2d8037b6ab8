import { setTimeout as sleep } from "node:timers/promises";
import type { Api, Demo } from "@asset-register/harness/client";
import { type Labelled, planCount } from "./count-plan.ts";
import { signInCounters, upload } from "./counter.ts";
import type { CountOptions } from "./options.ts";
import { createRandom } from "./random.ts";
import { patient, retryUnavailable } from "./retry.ts";

type Id = { id: string };
type Progress = { done: number; total: number };
type Session = Id & {
  status: string;
  expected: number;
  unresolved: number;
  coverage: number | null;
  accuracy: number | null;
  stamped: Progress | null;
};
type Variance = Id & { kind: string };
type Report = { counts: Record<string, { total: number } & Record<string, number>> };

/** The auditor's decision for each kind of variance. Other kinds need no decision. */
const DECISIONS: Readonly<Record<string, string>> = {
  misplaced: "confirmed_moved",
  duplicate: "confirmed_moved",
  missing: "written_off",
  unregistered: "ignored",
};

/**
 * Plays a whole stock-take: two rooms with labelled assets, a session, devices that count, and an auditor who decides.
 * @throws Error if a request fails
 */
export async function playStocktake(
  options: CountOptions,
  demo: Demo,
  progress: (line: string) => void,
): Promise<void> {
  const random = createRandom(options.seed);
  const counters = await signInCounters(options, demo, random);
  const [auditor] = counters;
  if (auditor === undefined) throw new Error("A stock-take needs a device.");
  const api = patient(auditor.api);

  progress(`Putting ${options.assets} labelled assets into two rooms`);
  const site = await api.post<Id>("/properties", { name: "Simulated site" });
  const rooms: string[] = [];
  for (const name of ["Workshop", "Store"]) {
    rooms.push((await api.post<Id>("/locations", { name, property_id: site.id })).id);
  }
  const assets = await labelAssets(api, options.assets, rooms);

  const scope = { scope_type: "property", scope_id: site.id };
  const { id } = await api.post<Id>("/stocktake/sessions", { name: "Simulated count", ...scope });
  const path = `/stocktake/sessions/${id}`;
  await api.post(`${path}/open`);
  const opened = await ended(api, path);
  progress(`Session ${id} is ${opened.status}: ${opened.expected} assets are expected`);

  const outcomes = new Map<string, number>();
  const seen = planCount(assets, rooms, random);
  await Promise.all(
    counters.map((counter, index) => {
      const own = seen.filter((_, place) => place % counters.length === index);
      const count = (outcome: string) => outcomes.set(outcome, (outcomes.get(outcome) ?? 0) + 1);
      return upload(counter, { sessionId: id, seen: own }, options, random, count);
    }),
  );
  progress(`${counters.length} devices have uploaded, the last one after two days without a network:`);
  for (const [outcome, count] of [...outcomes].sort()) progress(`  ${outcome.padEnd(24)} ${count}`);

  await api.post(`${path}/reconcile`);
  const { status, coverage, accuracy, unresolved } = await ended(api, path);
  progress(`The session is ${status}: coverage ${coverage}, accuracy ${accuracy}, ${unresolved} to decide`);
  await decide(api, path);
  const { counts } = await api.get<Report>(`/reports/variance/${id}`);
  for (const [kind, { total, ...decided }] of Object.entries(counts)) {
    const parts = Object.entries(decided).flatMap(([name, count]) => (count > 0 ? [`${name} ${count}`] : []));
    progress(`  ${kind.padEnd(14)} ${String(total).padStart(5)}  ${parts.join(", ")}`);
  }
  await api.post(`${path}/close`);
  const closed = await stamped(api, path);
  progress(`The session is ${closed.status}: ${closed.stamped?.done} assets are marked as counted`);
}

async function labelAssets(api: Api, number: number, rooms: readonly string[]): Promise<Labelled[]> {
  const roomOf = (index: number) => rooms[index % rooms.length] ?? "";
  const input = Array.from({ length: number }, (_, index) => ({
    name: `Simulated asset ${index + 1}`,
    location_id: roomOf(index),
  }));
  const labelled: Labelled[] = [];
  for (let start = 0; start < input.length; start += 1000) {
    const assets = input.slice(start, start + 1000);
    const { results } = await api.post<{ results: Id[] }>("/assets/bulk", { assets });
    for (const { id: assetId } of results) {
      const code = `SIM-${assetId.slice(-12)}`;
      await api.post("/tags/commission", { code, asset_id: assetId, type: "qr" });
      labelled.push({ assetId, code, roomId: roomOf(labelled.length) });
    }
  }
  return labelled;
}

/** Decides all variances that need it. Each decision takes one from the list. */
async function decide(api: Api, path: string): Promise<void> {
  for (;;) {
    const { data } = await api.get<{ data: Variance[] }>(`${path}/variances?status=unresolved&per_page=200`);
    if (data.length === 0) return;
    for (const { id, kind } of data) await decideOne(api, id, DECISIONS[kind] ?? "ignored");
  }
}

/** An asset that has moved since it was counted stays where it is. */
async function decideOne(api: Api, id: string, resolution: string): Promise<void> {
  const path = `/stocktake/variances/${id}`;
  const decision = { resolution, note: "Simulated" };
  const { status, body } = await retryUnavailable(() => api.call("POST", path, decision));
  if (status < 300) return;
  const { code } = body as { code?: string };
  if (code !== "ASSET_MOVED_SINCE") throw new Error(`POST ${path} returned ${status} ${code}`);
  await api.post(path, { ...decision, resolution: "ignored" });
}

/** The session when its long work has ended. */
const ended = (api: Api, path: string): Promise<Session> =>
  readUntil(api, path, ({ status }) => status !== "opening" && status !== "reconciling");

const stamped = (api: Api, path: string): Promise<Session> =>
  readUntil(
    api,
    path,
    ({ stamped }) => stamped !== null && stamped.total > 0 && stamped.done === stamped.total,
  );

async function readUntil(api: Api, path: string, isDone: (session: Session) => boolean): Promise<Session> {
  for (;;) {
    const session = await api.get<Session>(path);
    if (isDone(session)) return session;
    await sleep(500);
  }
}
