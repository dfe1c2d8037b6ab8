import { type Api, createApi, type Demo, type ReaderKey, readerKey } from "@asset-register/harness/client";
import type { Options, Profile } from "./options.ts";
import { createRandom, epcOf } from "./random.ts";
import { patient, retryUnavailable } from "./retry.ts";

export type SimulatedReader = ReaderKey & {
  profile: Profile;
  /** The error of its clock, in milliseconds. */
  skewMs: number;
};

const KINDS: Record<Profile, string> = { portal: "fixed_portal", sled: "handheld_sled", phone: "phone" };

/**
 * Signs in and creates the fleet: readers in a zone, and tags on assets.
 * @throws Error if a request fails
 */
export async function prepareFleet(options: Options, demo: Demo, progress: (line: string) => void) {
  const surfaceB = `${demo.base_url}/asset_manager_api`;
  const { access_token } = await createApi(surfaceB).post<{ access_token: string }>("/login", {
    email: demo.email,
    password: demo.password,
  });
  const api = patient(createApi(surfaceB, access_token));
  const random = createRandom(options.seed);
  const epcs = Array.from({ length: options.tags }, (_, index) => epcOf(options.seed, index));

  progress(`Registering ${options.readers} readers`);
  const zone = await api.post<{ id: string }>("/zones", { name: `Simulated zone ${options.seed}` });
  const readers: SimulatedReader[] = [];
  for (let index = 0; index < options.readers; index += 1) {
    const profile = options.profiles[index % options.profiles.length] ?? "portal";
    const created = await api.post<{ id: string; secret: string }>("/readers", {
      name: `Simulated ${profile} ${index + 1}`,
      kind: KINDS[profile],
      zone_id: zone.id,
    });
    const skewMs = Math.round((random.next() * 2 - 1) * options.skew * 1000);
    readers.push({ ...readerKey(created.id, created.secret), profile, skewMs });
  }

  progress(`Commissioning ${options.assets} tags`);
  for (const epc of epcs.slice(0, options.assets)) await commission(api, epc);
  return { readers, epcs };
}

/** Commissions a tag to a new asset. A tag of an earlier run with the same seed gets 409 and is used as it is. */
async function commission(api: Api, epc: string): Promise<void> {
  const asset = await api.post<{ id: string }>("/assets", { name: `Simulated asset ${epc.slice(-6)}` });
  const tag = { epc, asset_id: asset.id, type: "rfid" };
  const { status, body } = await retryUnavailable(() => api.call("POST", "/tags/commission", tag));
  if (status >= 300 && status !== 409) {
    throw new Error(`Commissioning ${epc} returned ${status}: ${JSON.stringify(body)}`);
  }
}
