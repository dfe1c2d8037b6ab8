import { newId } from "@asset-register/runtime";
import { movementEvent } from "./events.ts";
import { type Answering, type Receiver, startReceiver } from "./receiver.ts";
import type { RunningNotification, Workspace } from "./support.ts";

type Webhooks = Pick<RunningNotification, "webhooks">;

/** Creates a subscription. */
export async function subscribe(
  { webhooks }: Webhooks,
  { asProgram }: Workspace,
  url: string,
  events = ["*"],
) {
  const { webhook, secret } = await webhooks.createWebhook({ webhook: { url, events } }, asProgram);
  return { id: webhook?.id ?? "", secret };
}

/** The log of a subscription, newest first. */
export const log = async ({ webhooks }: Webhooks, { asProgram }: Workspace, webhookId: string) =>
  (await webhooks.listDeliveries({ webhookId }, asProgram)).deliveries;

/** Events of movements, each of another asset. */
export const movements = ({ workspaceId }: Workspace, count: number) =>
  Array.from({ length: count }, (_, index) => movementEvent(workspaceId, newId("ast"), index + 1));

/** Receivers that are stopped together. */
export function receiverPool() {
  const started: Receiver[] = [];
  return {
    async start(answer?: Answering): Promise<Receiver> {
      const receiver = await startReceiver(answer);
      started.push(receiver);
      return receiver;
    },
    async stop(): Promise<void> {
      await Promise.all(started.splice(0).map((receiver) => receiver.stop()));
    },
  };
}
