import { bareScans } from "./bare-scans.ts";
import type { Prepared } from "./benchmark.ts";
import { httpLoad } from "./load.ts";
import type { BenchPlatform } from "./platform.ts";

type Id = { id: string };

const SCANS_IN_UPLOAD = 1_000;
const COUNTERS = 4;

/** Uploads of 1000 scans of four devices to one stock-take session. */
export async function scans(bench: BenchPlatform): Promise<Prepared> {
  const { userApi, demo, platform } = bench;
  const property = await userApi.post<Id>("/properties", { name: "Bench site" });
  const location = await userApi.post<Id>("/locations", { name: "Bench hall", property_id: property.id });
  await userApi.post("/assets", { name: "Bench asset", location_id: location.id });
  const scope = { scope_type: "location", scope_id: location.id };
  const session = await userApi.post<Id>("/stocktake/sessions", { name: "Bench", ...scope });
  await userApi.post(`/stocktake/sessions/${session.id}/open`);
  const { email, password } = demo;
  const { access_token } = await userApi.post<{ access_token: string }>("/login", { email, password });
  const bare = await bareScans(bench, SCANS_IN_UPLOAD);
  let made = 0;
  const scan = (device: number) => {
    made += 1;
    return {
      ...{ code: `BENCH-${String(made).padStart(10, "0")}`, location_id: location.id, method: "qr" },
      ...{ device_id: `handheld-${device}`, scanned_at: new Date().toISOString() },
    };
  };
  return {
    benchmark: {
      name: "scans",
      work: "scans in uploads of 1000 to /stocktake/sessions/{id}/scans, 4 devices on one session; baseline: the driver, one transaction after the other with one $inc and the same documents",
      baseline: bare.side,
      ours: httpLoad({
        origin: demo.base_url,
        processes: () => ({
          client: process.pid,
          gateway: platform.gateway.pid(),
          stocktake: platform.services.stocktake?.pid() ?? 0,
          register: platform.services.register?.pid() ?? 0,
        }),
        inFlight: COUNTERS,
        perRequest: SCANS_IN_UPLOAD,
        expected: 200,
        next: () => ({
          method: "POST",
          path: `/asset_manager_api/stocktake/sessions/${session.id}/scans`,
          headers: { "content-type": "application/json", authorization: `Bearer ${access_token}` },
          body: JSON.stringify({
            scans: Array.from({ length: SCANS_IN_UPLOAD }, () => scan(made % COUNTERS)),
          }),
        }),
      }),
    },
    stop: bare.stop,
  };
}
