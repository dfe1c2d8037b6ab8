import type { Patch } from "@asset-register/rpc";

/** A group of locations, and the readers in it. */
export type Zone = {
  id: string;
  workspaceId: string;
  name: string;
  locationIds: string[];
  readerIds: string[];
  createdAt: Date;
  rev: number;
};

/** The fields that can be changed. */
export type ZoneChange = Patch<Pick<Zone, "name" | "locationIds" | "readerIds">>;
