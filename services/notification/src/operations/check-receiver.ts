import { AppError, invalid } from "@asset-register/runtime";
import type { Context } from "../context.ts";
import { addressAllowed, parseWebhookUrl } from "../domain/webhook-url.ts";

/**
 * Takes the URL of a receiver as it will be stored, or says on `field` why it
 * is not safe. A name that does not resolve passes: each delivery checks again.
 */
export async function checkReceiver(
  { resolve, allowedNetworks }: Pick<Context, "resolve" | "allowedNetworks">,
  url: string,
  field: string,
): Promise<string> {
  if (url === "") throw invalid([{ field, message: "is required" }]);
  const verdict = parseWebhookUrl(url, allowedNetworks);
  if (!verdict.ok) throw unsafe(field, verdict.reason);
  const { target } = verdict;
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
    message: `The URL ${reason}`,
    violations: [{ field, message: reason }],
  });
}
