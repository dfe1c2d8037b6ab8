import type { Schemas } from "../../../api/client.ts";

export type Capability = NonNullable<Schemas["PatchUsersByIdRequest"]["capabilities"]>[number];

/** Each capability once. The type check finds one that is missing. */
const all: Record<Capability, true> = {
  view: true,
  create: true,
  edit: true,
  delete: true,
  manage: true,
  finance: true,
  audit: true,
  devices: true,
  alerts: true,
};

/** The capabilities that an admin grants one by one. */
export const capabilities = Object.keys(all) as Capability[];

export const isCapability = (name: string): name is Capability => name in all;
