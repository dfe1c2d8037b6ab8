import { addressAllowed, parsePublicUrl } from "@asset-register/guarded-http";
import { AppError } from "@asset-register/runtime";
import type { Context } from "../../context.ts";

/**
 * The URL of a receiver as it will be stored. A name that does not resolve is accepted, because each delivery checks
 * the addresses again.
 * @throws AppError WEBHOOK_URL_UNSAFE that names the field
 */
export async function checkReceiver(
  { resolve, allowedNetworks }: Context,
  url: string,
  field: string,
): Promise<string> {
  const parsed = parsePublicUrl(url, allowedNetworks);
  if (!parsed.ok) throw unsafe(field, parsed.reason);
  const { target } = parsed;
  if (!target.literal) {
    const addresses = await resolve(target.hostname).catch(() => []);
    if (!addresses.every((address) => addressAllowed(address, target, allowedNetworks))) {
      throw unsafe(field, "must not lead to an address that is not public");
    }
  }
  return target.href;
}

function unsafe(field: string, reason: string): AppError {
  return new AppError({
    kind: "invalid",
    code: "WEBHOOK_URL_UNSAFE",
    message: `The URL ${reason}.`,
    violations: [{ field, message: reason }],
  });
}
