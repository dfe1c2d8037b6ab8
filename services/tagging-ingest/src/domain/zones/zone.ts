import type { Patch } from "@asset-register/rpc";
import type { PresenceFields } from "../presence/presence-settings.ts";

/** An antenna of a reader. */
export type ZoneReadPoint = { readerId: string; antenna: number };

/** A read point as a text, for comparisons and the audit log. */
export const pointKey = ({ readerId, antenna }: ZoneReadPoint): string => `${readerId}:${antenna}`;

/** A group of locations, and the readers in it. */
export type Zone = {
  id: string;
  workspaceId: string;
  name: string;
  locationIds: string[];
  readerIds: string[];
  presence?: PresenceFields | undefined;
  /** Antennas of readers. Zones of releases before them have none. */
  readPoints?: ZoneReadPoint[] | undefined;
  createdAt: Date;
  rev: number;
};

/** The fields of a zone that processing needs. */
export type PlacedZone = Pick<Zone, "id" | "presence"> & {
  /** When a zone has one location, its readers are there. */
  onlyLocationId?: string | undefined;
};

/** The fields that people set, as texts for the audit log. */
export function auditedZone({
  name,
  locationIds,
  readerIds,
  readPoints = [],
  presence,
}: Omit<Zone, "id" | "workspaceId" | "createdAt" | "rev">) {
  const inPresence = Object.entries(presence ?? {}).map(([field, value]) => [`presence.${field}`, value]);
  return {
    name,
    locationIds,
    readerIds,
    readPoints: readPoints.map(pointKey),
    ...Object.fromEntries(inPresence),
  };
}

/** The fields that can be changed. */
export type ZoneChange = Patch<Pick<Zone, "name" | "locationIds" | "readerIds" | "presence" | "readPoints">>;
