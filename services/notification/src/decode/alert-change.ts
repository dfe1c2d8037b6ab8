import { type Incoming, isRepublished } from "@asset-register/events";
import type { AlertEventSchema } from "@asset-register/proto/assetregister/events/v1/alert_pb";
import { decodeInstant } from "@asset-register/rpc";
import type { Message } from "../domain/webhooks/message.ts";
import { alertMessage } from "../domain/webhooks/payload.ts";
import { alertStatusNames } from "../encode/alert.ts";
import { decodeClone } from "./clone.ts";

/** The message of an alert's event. It is the same as the one that webhooks got in the transaction of the change. */
export function decodeAlertChange(event: Incoming<typeof AlertEventSchema>): Message[] {
  const { state, change } = event.message ?? {};
  const status = alertStatusNames.decode(state?.status);
  if (isRepublished(event) || state === undefined || status === undefined) return [];
  if (change?.case === undefined) return [];
  const { firstAt, lastAt, acknowledgedAt, resolvedAt } = state;
  const alert = {
    ...{ ...state, status, workspaceId: event.workspaceId },
    firstAt: decodeInstant(firstAt) ?? event.time,
    lastAt: decodeInstant(lastAt) ?? event.time,
    acknowledgedAt: decodeInstant(acknowledgedAt),
    resolvedAt: decodeInstant(resolvedAt),
    clone: decodeClone(state.clone),
  };
  return [alertMessage(alert, event.time)];
}
