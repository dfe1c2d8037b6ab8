import { type Env, tailTopic } from "../stored.ts";
import { readAll, type Verified } from "./activity.ts";
import type { Send } from "./clients.ts";

type Asset = { id: string; rev: number; name: string };
type Published = { subject: string; workspaceId: string; message: { state?: Asset } | null };

/** The last record of each asset in the topic of assets is what the register has stored. No work of its own. */
export function assetTopic(send: Send, env: Env, workspaceId: string): Verified {
  return {
    async verify() {
      const records = await tailTopic<Published>(env, "asset.v1", workspaceId);
      const published = new Map(records.map(({ subject, message }) => [subject, message?.state]));
      const stored = await readAll<Asset>(send, "/assets");
      const lost = stored.filter(({ id, rev, name }) => {
        const last = published.get(id);
        return last?.rev !== rev || last.name !== name;
      }).length;
      const known = new Set(stored.map(({ id }) => id));
      const doubled = [...published.keys()].filter((id) => !known.has(id)).length;
      return { what: "assets as in their topic", acknowledged: stored.length, lost, doubled };
    },
  };
}
