import { type Activity, compareOnce, readAll, readUntil } from "./activity.ts";
import type { Send } from "./clients.ts";

const ROWS = 20;

type Import = { id: string; status: string };

/** Imports files of new assets. Each row of an acknowledged file becomes one asset. */
export function imports(send: Send): Activity {
  const acknowledged = new Set<string>();
  let last = 0;
  return {
    async step() {
      last += 1;
      const names = Array.from({ length: ROWS }, (_, row) => `Chaos imported ${last}-${row + 1}`);
      const form = new FormData();
      form.set("allow_unnumbered", "true");
      form.set("file", new Blob([["name", ...names].join("\n")]), "assets.csv");
      const { id } = await send<Import>("POST", "/import/assets", form);
      for (const name of names) acknowledged.add(name);
      const { status } = await readUntil<Import>(
        send,
        `/import/assets/${id}`,
        (record) => record.status !== "validating" && record.status !== "importing",
      );
      if (status !== "done") throw new Error(`Import ${id} is ${status}.`);
    },
    async verify() {
      const assets = await readAll<{ name: string }>(send, "/assets?q=imported");
      return compareOnce(
        "rows imported",
        acknowledged,
        assets.map(({ name }) => name),
      );
    },
  };
}
