import { type TailedSighting, tailTopic } from "../stored.ts";
import { countOver, readAll, type Verified } from "./activity.ts";
import type { Send } from "./clients.ts";

type Env = Readonly<Record<string, string | undefined>>;
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
      const counts = new Map<string, number>();
      for (const { rule_id, subject } of await readAll<Alert>(send, "/alerts"))
        if (rule_id === ruleId) counts.set(subject, (counts.get(subject) ?? 0) + 1);
      const lost = [...subjects].filter((subject) => !counts.has(subject)).length;
      const doubled = countOver(counts.values(), 1);
      return { what: "alerts of unknown tags", acknowledged: subjects.size, lost, doubled };
    },
  };
}
