import {
  type Access,
  access,
  type Capability as ProtoCapability,
} from "@asset-register/proto/assetregister/common/v1/access_pb";
import { type DescMethod, getOption, hasOption } from "@bufbuild/protobuf";
import { capabilityNames } from "./capability.ts";
import { hasScope, holds, type Principal } from "./principal.ts";

/** "package.Service/Method", as in metrics, logs and idempotency rows. */
export function fullNameOf(method: DescMethod): string {
  return `${method.parent.typeName}/${method.name}`;
}

/**
 * The access option of a method.
 * @throws Error naming the method when it is missing or admits nobody.
 */
export function accessOf(method: DescMethod): Access {
  if (!hasOption(method, access)) throw new Error(`${fullNameOf(method)} carries no access option`);
  const option = getOption(method, access);
  const says =
    option.public ||
    option.signedIn ||
    option.internal.length > 0 ||
    option.anyOfScopes.length > 0 ||
    option.anyOfCapabilities.length > 0;
  if (!says) throw new Error(`${fullNameOf(method)} carries an access option that admits nobody`);
  if (option.anyOfCapabilities.some((capability) => capabilityNames.decode(capability) === undefined)) {
    throw new Error(`${fullNameOf(method)} carries an access option with an unknown capability`);
  }
  return option;
}

/** Whether this caller fits any part of the option. */
export function admits(option: Access, principal: Principal): boolean {
  if (option.public) return true;
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
