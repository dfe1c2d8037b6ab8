import { type Env, type TailedSighting, tailTopic } from "../stored.ts";
import { compareOnce, readAll, type Verified } from "./activity.ts";
import type { Send } from "./clients.ts";

type Alert = { rule_id: string; subject: string };

/** A rule about unknown tags. Each unknown tag of the published sightings has one alert. */
export async function alerts(send: Send, env: Env, workspaceId: string): Promise<Verified> {
  const { id: ruleId } = await send<{ id: string }>("POST", "/alert-rules", {
    ...{ name: "Chaos unknown tags", scope_type: "all", channel: "inapp" },
    condition: { type: "unknown_tag" },
  });
  return {
    async verify() {
      const sightings = await tailTopic<TailedSighting>(env, "sighting.v1", workspaceId);
      const unknown = sightings.filter(({ message }) => message.unknownTag !== undefined);
      const subjects = new Set(unknown.map(({ message }) => `epc:${message.sighting.epc}`));
      const own = (await readAll<Alert>(send, "/alerts")).filter(({ rule_id }) => rule_id === ruleId);
      return compareOnce(
        "alerts of unknown tags",
        subjects,
        own.map(({ subject }) => subject),
      );
    },
  };
}
