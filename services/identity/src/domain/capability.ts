import { type Capability, capabilityNames } from "@asset-register/rpc";

/** What a user may do. An admin holds all capabilities. */
export function effectiveCapabilities(granted: readonly Capability[]): Capability[] {
  const all = granted.includes("admin");
  return capabilityNames.names.filter((one) => all || granted.includes(one));
}
