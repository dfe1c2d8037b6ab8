import { randomBytes } from "node:crypto";
import { eventually } from "@asset-register/harness";
import { createApi, createUserApi, type Demo, readerKey, signBatch } from "@asset-register/harness/client";
import { expect } from "vitest";

type Id = { id: string };
export type Listed<T> = { data: T[]; total: number };
export type Alert = { id: string; rule_id: string; subject: string; status: string; count: number };
export type Read = { epc: string; ts: Date };

/** Calls slowly enough for the rate limit of a session. */
export const soon = <T>(attempt: () => Promise<T>): Promise<T> => eventually(attempt, { everyMs: 500 });

/** The clients, places and readers with which tests of alerts work. */
export async function openAlertWorld(demo: Demo) {
  const userApi = createUserApi(demo.base_url, demo);
  const devices = createApi(`${demo.base_url}/asset_manager_api`);
  const property = await userApi.post<Id>("/properties", { name: "Head office" });

  /** A location with a zone and a portal, or another reader, of its own. On a new property, if it has a name. */
  async function newZone(name: string, kind = "fixed_portal", onProperty?: string) {
    const { id: property_id } =
      onProperty === undefined ? property : await userApi.post<Id>("/properties", { name: onProperty });
    const location = await userApi.post<Id>("/locations", { name, property_id });
    const zone = await userApi.post<Id>("/zones", { name, location_ids: [location.id] });
    const fields = { name, kind, zone_id: zone.id, location_id: location.id };
    const reader = await userApi.post<Id & { secret: string }>("/readers", fields);
    const key = readerKey(reader.id, reader.secret);
    return {
      ...{ zoneId: zone.id, locationId: location.id, readerId: reader.id },
      /** Posts a signed batch of reads. */
      async post(...reads: Read[]): Promise<void> {
        const events = reads.map(({ epc, ts }) => ({ epc, ts: ts.toISOString(), antenna: 1 }));
        const body = JSON.stringify({ events });
        const { status } = await devices.call("POST", "/ingest/events", body, signBatch(key, body));
        expect(status).toBe(202);
      },
    };
  }

  /** When a portal has sent something, its clock is known within 10 s. */
  const untilClockIsKnown = (readerId: string): Promise<void> =>
    soon(async () => {
      const { clock_skew_ms } = await userApi.get<{ clock_skew_ms: number | null }>(`/readers/${readerId}`);
      expect(clock_skew_ms).not.toBeNull();
    });

  /** An asset with a tag of its own. */
  async function newAsset(): Promise<{ assetId: string; epc: string }> {
    const { id: assetId } = await userApi.post<Id>("/assets", { name: "Drill" });
    const epc = randomBytes(12).toString("hex").toUpperCase();
    await userApi.post("/tags/commission", { epc, asset_id: assetId, type: "rfid" });
    return { assetId, epc };
  }

  return {
    ...{ userApi, newZone, newAsset, untilClockIsKnown },
    makeRule: async (name: string, condition: object, more: object = {}): Promise<string> => {
      const rule = { name, scope_type: "all", channel: "inapp", condition, ...more };
      return (await userApi.post<Id>("/alert-rules", rule)).id;
    },
    alertsOf: async (ruleId: string): Promise<Alert[]> =>
      (await userApi.get<Listed<Alert>>(`/alerts?rule_id=${ruleId}&per_page=200`)).data,
    /** The alerts of a rule, as soon as they are about these subjects. */
    raised: (ruleId: string, ...subjects: string[]): Promise<Alert[]> =>
      soon(async () => {
        const { data } = await userApi.get<Listed<Alert>>(`/alerts?rule_id=${ruleId}&per_page=200`);
        expect(data.map(({ subject }) => subject).sort()).toEqual([...subjects].sort());
        return data;
      }),
  };
}

/** Reads of two seconds, which a change of zone needs. */
export function twice(epc: string, at = new Date()): Read[] {
  return [
    { epc, ts: new Date(at.getTime() - 1_000) },
    { epc, ts: at },
  ];
}
