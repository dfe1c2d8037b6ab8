import type { Capability } from "@asset-register/rpc";

/** Every capability, in the order of `access.proto`. */
export const capabilities = [
  "view",
  "create",
  "edit",
  "delete",
  "manage",
  "finance",
  "audit",
  "devices",
  "alerts",
  "admin",
] as const satisfies readonly Capability[];

/** What a user may do: an admin holds all, whatever else was granted. */
export function effectiveCapabilities(granted: readonly Capability[]): Capability[] {
  return granted.includes("admin") ? [...capabilities] : capabilities.filter((one) => granted.includes(one));
}
