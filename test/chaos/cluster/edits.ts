import { type Activity, readAll } from "./activity.ts";
import type { Send } from "./clients.ts";

type Id = { id: string };
type HistoryEntry = { changes: { field: string; after: string | null }[] };

/** Edits one asset. Its last acknowledged value is stored, and its history has each acknowledged value once. */
export async function edits(send: Send): Promise<Activity> {
  const { id } = await send<Id>("POST", "/assets", { name: "Chaos edited", description: "edit 0" });
  const acknowledged: string[] = [];
  let last = 0;
  return {
    async step() {
      last += 1;
      const description = `edit ${last}`;
      await send("PATCH", `/assets/${id}`, { description });
      acknowledged.push(description);
    },
    async verify() {
      const rows = await readAll<HistoryEntry>(send, `/assets/${id}/history`);
      const stored = rows.flatMap(({ changes }) =>
        changes.filter(({ field }) => field === "description").map(({ after }) => after),
      );
      const { description } = await send<{ description: string }>("GET", `/assets/${id}`);
      const missing = acknowledged.filter((value) => !stored.includes(value)).length;
      const lost = missing + Number(acknowledged.length > 0 && description !== acknowledged.at(-1));
      const doubled = stored.length - new Set(stored).size;
      return { what: "edits", acknowledged: acknowledged.length, lost, doubled };
    },
  };
}
