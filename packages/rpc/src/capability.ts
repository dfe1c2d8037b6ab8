import { Capability as Code } from "@asset-register/proto/assetregister/common/v1/access_pb";
import type { Capability } from "./principal.ts";

const CODES: Record<Capability, Code> = {
  view: Code.VIEW,
  create: Code.CREATE,
  edit: Code.EDIT,
  delete: Code.DELETE,
  manage: Code.MANAGE,
  finance: Code.FINANCE,
  audit: Code.AUDIT,
  devices: Code.DEVICES,
  alerts: Code.ALERTS,
  admin: Code.ADMIN,
};

const NAMES = new Map<Code, Capability>();
for (const name of Object.keys(CODES)) if (isCapability(name)) NAMES.set(CODES[name], name);

/** Whether a text names a capability. */
export function isCapability(text: string): text is Capability {
  return Object.hasOwn(CODES, text);
}

/** A capability's number on the wire. */
export function capabilityCode(name: Capability): Code {
  return CODES[name];
}

/** The capability behind a number; undefined for one that this release does not know. */
export function capabilityName(code: Code): Capability | undefined {
  return NAMES.get(code);
}

/** The capabilities behind numbers, without those that this release does not know. */
export function capabilityNames(codes: readonly Code[]): Capability[] {
  return codes.map(capabilityName).filter((name) => name !== undefined);
}
