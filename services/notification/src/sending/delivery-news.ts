import type { News } from "@asset-register/redis";
import type { Waiting } from "./fair-queue.ts";

/** Wakes the sender of this process or, if it has none, those of others. What is missed, their sweeps find. */
export type DeliveryNews = {
  /** Reports that these endpoints have new deliveries. */
  added(endpoints: readonly Waiting[]): void;
  /** Calls `onAdded` for each endpoint with new deliveries. Call it once in a process, by its sender. */
  listen(onAdded: (endpoint: Waiting) => void): void;
};

export function createDeliveryNews(news?: Pick<News, "publish" | "subscribe">): DeliveryNews {
  let listener: ((endpoint: Waiting) => void) | undefined;
  return {
    added(endpoints) {
      const byId = new Map(endpoints.map((endpoint) => [endpoint.endpointId, endpoint]));
      for (const { workspaceId, endpointId } of byId.values())
        if (listener) listener({ workspaceId, endpointId });
        else news?.publish(`${workspaceId} ${endpointId}`);
    },
    listen(onAdded) {
      listener = onAdded;
      news?.subscribe((text) => {
        const [workspaceId, endpointId] = text.split(" ");
        if (workspaceId && endpointId) onAdded({ workspaceId, endpointId });
      });
    },
  };
}
