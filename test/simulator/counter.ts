import { randomUUID } from "node:crypto";
import { type Api, createApi, type Demo } from "@asset-register/harness/client";
import type { Seen } from "./count-plan.ts";
import type { CountOptions } from "./options.ts";
import type { Random } from "./random.ts";
import { retryUnavailable } from "./retry.ts";

/** A device of a counter, with its own sign-in. */
export type Counter = {
  name: string;
  api: Api;
  /** The error of its clock. */
  skewMs: number;
  /** It was without a network: its scans are this old when it uploads them. */
  lateMs: number;
};

type Results = { results: { status: string; code?: string }[] };

/** Scans that a device collects before it uploads them. */
const UPLOAD = 10;
const TWO_DAYS_MS = 2 * 24 * 60 * 60_000;

/** Signs the devices in. The last of several is one that was offline for two days. */
export async function signInCounters(options: CountOptions, demo: Demo, random: Random): Promise<Counter[]> {
  const surfaceB = `${demo.base_url}/asset_manager_api`;
  const { email, password } = demo;
  const counters: Counter[] = [];
  for (let index = 0; index < options.devices; index += 1) {
    const name = `device-${index + 1}`;
    const sign = { email, password, device_uuid: randomUUID(), label: name };
    const { access_token } = await createApi(surfaceB).post<{ access_token: string }>("/login", sign);
    const isLast = index > 0 && index === options.devices - 1;
    counters.push({
      ...{ name, api: createApi(surfaceB, access_token) },
      skewMs: Math.round((random.next() * 2 - 1) * options.skew * 1000),
      lateMs: isLast ? TWO_DAYS_MS : 0,
    });
  }
  return counters;
}

/**
 * Uploads what a device has seen, as an app does that is not sure of its network: some uploads are sent twice.
 * @throws Error if an upload is refused as a whole
 */
export async function upload(
  { name, api, skewMs, lateMs }: Counter,
  { sessionId, seen }: { sessionId: string; seen: readonly Seen[] },
  { duplicates }: Pick<CountOptions, "duplicates">,
  random: Random,
  count: (outcome: string) => void,
): Promise<void> {
  const path = `/stocktake/sessions/${sessionId}/scans`;
  const begun = Date.now() - lateMs + skewMs;
  for (let start = 0; start < seen.length; start += UPLOAD) {
    const scans = seen.slice(start, start + UPLOAD).map(({ code, roomId }, index) => ({
      ...{ code, location_id: roomId, method: "qr", device_id: name },
      scanned_at: new Date(begun + start + index).toISOString(),
    }));
    const again = random.chance(duplicates);
    for (const _ of again ? ["first", "second"] : ["first"]) {
      const { status, body } = await retryUnavailable(() => api.call("POST", path, { scans }));
      if (status !== 200) throw new Error(`POST ${path} returned ${status}: ${JSON.stringify(body)}`);
      for (const result of (body as Results).results) {
        count(result.code === undefined ? result.status : `${result.status} ${result.code}`);
      }
    }
  }
}
