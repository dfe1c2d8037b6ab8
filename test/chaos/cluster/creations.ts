import { type Activity, countOver, readAll } from "./activity.ts";
import type { Send } from "./clients.ts";

/** Creates assets with names of their own. An acknowledged one exists once, and no name exists twice. */
export function creations(send: Send): Activity & { acknowledged: ReadonlyMap<string, string> } {
  /** Ids by name. */
  const acknowledged = new Map<string, string>();
  let last = 0;
  return {
    acknowledged,
    async step() {
      last += 1;
      const name = `Chaos creation ${last}`;
      const { id } = await send<{ id: string }>("POST", "/assets", { name });
      acknowledged.set(name, id);
    },
    async verify() {
      const counts = new Map<string, number>();
      for (const { name } of await readAll<{ name: string }>(send, "/assets?q=creation"))
        counts.set(name, (counts.get(name) ?? 0) + 1);
      const lost = [...acknowledged.keys()].filter((name) => !counts.has(name)).length;
      const doubled = countOver(counts.values(), 1);
      return { what: "assets created", acknowledged: acknowledged.size, lost, doubled };
    },
  };
}
