import {
  type Access,
  access,
  type Capability as ProtoCapability,
} from "@asset-register/proto/assetregister/common/v1/access_pb";
import { type DescMethod, getOption, hasOption } from "@bufbuild/protobuf";
import { capabilityNames } from "./capability.ts";
import { GATEWAY } from "./claims.ts";
import { hasScope, holds, type Principal } from "./principal.ts";

/** The full name of a method, "package.Service/Method", as in metrics, logs and idempotency rows. */
export function fullNameOf(method: DescMethod): string {
  return `${method.parent.typeName}/${method.name}`;
}

/**
 * Returns the access option of a method.
 *
 * @throws Error with the name of the method, if the option is missing or admits no caller
 */
export function accessOf(method: DescMethod): Access {
  if (!hasOption(method, access)) throw new Error(`${fullNameOf(method)} has no access option.`);
  const option = getOption(method, access);
  const admitsSomebody =
    option.public ||
    option.signedIn ||
    option.internal.length > 0 ||
    option.anyOfScopes.length > 0 ||
    option.anyOfCapabilities.length > 0;
  if (!admitsSomebody) throw new Error(`${fullNameOf(method)} has an access option that admits no caller.`);
  if (option.anyOfCapabilities.some((capability) => capabilityNames.decode(capability) === undefined)) {
    throw new Error(`${fullNameOf(method)} has an access option with an unknown capability.`);
  }
  return option;
}

/** Whether any part of the option admits this caller. Callers without a credential come by the gateway only. */
export function admits(option: Access, principal: Principal): boolean {
  if (option.public && (principal.kind !== "service" || principal.name === GATEWAY)) return true;
  switch (principal.kind) {
    case "user":
      return option.signedIn || option.anyOfCapabilities.some((wanted) => holdsProto(principal, wanted));
    case "api_key":
      return option.signedIn || option.anyOfScopes.some((wanted) => hasScope(principal, wanted));
    case "service":
      return option.internal.includes(principal.name);
    case "anonymous":
      return false;
  }
}

function holdsProto(principal: Principal, wanted: ProtoCapability): boolean {
  const capability = capabilityNames.decode(wanted);
  return capability !== undefined && holds(principal, capability);
}
