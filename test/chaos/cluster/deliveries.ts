import { startReceiver } from "../../e2e/receiver.ts";
import { countOver, type Verified } from "./activity.ts";
import type { Send } from "./clients.ts";

type Created = { asset_id: string };

/**
 * A receiver of the webhook about created assets. Each asset of `acknowledged` is announced at least once, always by the
 * same id.
 */
export async function deliveries(
  send: Send,
  acknowledged: ReadonlyMap<string, string>,
): Promise<Verified & { stop(): Promise<void> }> {
  const { url, received, stop } = await startReceiver();
  await send("POST", "/webhooks", { url, events: ["asset.created"] });
  return {
    stop,
    async verify() {
      const ids = new Map<string, Set<string>>();
      for (const { body } of received) {
        const { asset_id } = body.data as Created;
        ids.set(asset_id, (ids.get(asset_id) ?? new Set()).add(body.id));
      }
      const lost = [...acknowledged.values()].filter((id) => !ids.has(id)).length;
      const doubled = countOver(
        [...ids.values()].map(({ size }) => size),
        1,
      );
      return { what: "webhook messages about them", acknowledged: acknowledged.size, lost, doubled };
    },
  };
}
