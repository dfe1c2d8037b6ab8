import { parseAddresses } from "@asset-register/mail";
import { invalid } from "@asset-register/runtime";
import type { Context } from "../../context.ts";
import type { RuleFields } from "../../domain/alert-rules/rule-fields.ts";
import { checkReceiver } from "../webhooks/check-receiver.ts";

const MAX_ADDRESSES = 10;

/**
 * The target of a rule's channel as it will be stored.
 * @throws AppError VALIDATION_FAILED, WEBHOOK_URL_UNSAFE
 */
export async function checkChannelTarget(
  context: Context,
  { channel, channelTarget }: Pick<RuleFields, "channel" | "channelTarget">,
): Promise<string | undefined> {
  if (channel === "email" && !context.mailer) {
    throw invalid([{ field: "channel", message: "email is not set up here; use inapp or webhook" }]);
  }
  if (!channelTarget || channel === "inapp") return undefined;
  if (channel === "webhook") return checkReceiver(context, channelTarget, "channel_target");
  const parsed = parseAddresses(channelTarget, MAX_ADDRESSES);
  if (!parsed.ok) throw invalid([{ field: "channel_target", message: parsed.reason }]);
  return parsed.addresses.join(",");
}
