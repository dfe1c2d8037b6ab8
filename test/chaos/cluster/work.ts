import type { Demo } from "@asset-register/harness/client";
import type { Cluster } from "@asset-register/local";
import type { Activity, Verified } from "./activity.ts";
import { alerts } from "./alerts.ts";
import { assetTopic } from "./asset-topic.ts";
import { checkouts } from "./checkouts.ts";
import type { Send } from "./clients.ts";
import { creations } from "./creations.ts";
import { deliveries } from "./deliveries.ts";
import { depreciation } from "./depreciation.ts";
import { edits } from "./edits.ts";
import { imports } from "./imports.ts";
import { scans } from "./scans.ts";

/** The load of a cluster beside the reads of the fleet. */
export type Work = {
  activities: Activity[];
  /** The activities, and what follows from them and from reads. */
  verified: Verified[];
  stop(): Promise<void>;
};

/** Prepares all kinds of work, or those of a cluster without the later services. */
export async function prepareWork(
  { cluster, demo }: { cluster: Cluster; demo: Demo },
  send: Send,
): Promise<Work> {
  const env = cluster.envOf("tagging-ingest");
  const created = creations(send);
  const activities: Activity[] = [created, await edits(send), await checkouts(send)];
  const topic = assetTopic(send, env, demo.workspace_id);
  if (![...cluster.members.keys()].some((name) => name.startsWith("notification-")))
    return { activities, verified: [...activities, topic], stop: async () => undefined };
  activities.push(imports(send), await scans(send), await depreciation(send));
  const raised = await alerts(send, env, demo.workspace_id);
  const receiver = await deliveries(send, created.acknowledged);
  return { activities, verified: [...activities, topic, raised, receiver], stop: receiver.stop };
}
