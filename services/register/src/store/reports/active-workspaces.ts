import type { Mongo } from "@asset-register/mongo";
import { systemCollection } from "@asset-register/mongo/system";
import { workspaceProjection } from "@asset-register/service";

type Row = { _id: string; timeZone: string; disabled?: boolean };

/** The workspaces that are not disabled, in order of id, for sweeps. */
export async function* activeWorkspaces(mongo: Mongo): AsyncGenerator<{ id: string; timeZone: string }> {
  const { collection } = workspaceProjection;
  const found = systemCollection<Row>(mongo, collection)
    .find({ disabled: { $ne: true }, timeZone: { $type: "string" } }, { projection: { timeZone: 1 } })
    .sort({ _id: 1 });
  for await (const { _id: id, timeZone } of found) yield { id, timeZone };
}
