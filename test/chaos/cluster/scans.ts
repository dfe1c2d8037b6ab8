import { type Activity, compareOnce, readAll, readUntil } from "./activity.ts";
import type { Send } from "./clients.ts";

const SCANS = 5;

type Id = { id: string };
type Scan = { code: string };
type Results = { results: { status: string }[] };

/** Uploads scans of an open stock-take. Each acknowledged scan is stored once. */
export async function scans(send: Send): Promise<Activity> {
  const { id: propertyId } = await send<Id>("POST", "/properties", { name: "Chaos site" });
  const { id: locationId } = await send<Id>("POST", "/locations", {
    name: "Chaos store",
    property_id: propertyId,
  });
  await send("POST", "/assets", { name: "Chaos shelf", location_id: locationId });
  const scope = { scope_type: "property", scope_id: propertyId };
  const { id } = await send<Id>("POST", "/stocktake/sessions", { name: "Chaos count", ...scope });
  const path = `/stocktake/sessions/${id}`;
  await send("POST", `${path}/open`);
  await readUntil<{ status: string }>(send, path, ({ status }) => status === "open");
  const acknowledged = new Set<string>();
  let last = 0;
  return {
    async step() {
      const codes = Array.from({ length: SCANS }, (_, index) => `CHAOS-${last + index + 1}`);
      last += SCANS;
      const scan = { location_id: locationId, method: "qr", device_id: "chaos" };
      const uploaded = codes.map((code) => ({ ...scan, code, scanned_at: new Date().toISOString() }));
      const { results } = await send<Results>("POST", `${path}/scans`, { scans: uploaded });
      const refused = results.find(({ status }) => status !== "accepted" && status !== "replayed");
      if (refused !== undefined) throw new Error(`A scan was ${refused.status}.`);
      for (const code of codes) acknowledged.add(code);
    },
    async verify() {
      const stored = await readAll<Scan>(send, `${path}/scans`);
      return compareOnce(
        "scans",
        acknowledged,
        stored.map(({ code }) => code),
      );
    },
  };
}
