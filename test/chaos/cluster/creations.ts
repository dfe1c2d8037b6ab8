import { type Activity, compareOnce, readAll } from "./activity.ts";
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
      const assets = await readAll<{ name: string }>(send, "/assets?q=creation");
      return compareOnce(
        "assets created",
        new Set(acknowledged.keys()),
        assets.map(({ name }) => name),
      );
    },
  };
}
