import type { Call } from "@asset-register/rpc";
import { changesBetween, csvChunks } from "@asset-register/runtime";
import { requireWorkspace } from "@asset-register/service";
import type { Context } from "../../context.ts";
import type { AssetFilter } from "../../domain/assets/asset.ts";
import { registerCsv } from "../../domain/reports/register-csv.ts";
import { auditEntry } from "../../published.ts";
import { listStatuses } from "../assets/statuses.ts";
import { withVisibleFields } from "../assets/visible-fields.ts";

/** The register as a CSV file. Names are those from the beginning of the export, which is noted in the audit log. */
export async function* exportRegister(
  context: Context,
  filter: AssetFilter,
  call: Call,
): AsyncGenerator<Uint8Array> {
  const { workspaceId } = call;
  const { stores } = context;
  const [{ currency }, records, statuses, customFields] = await Promise.all([
    requireWorkspace(context, workspaceId),
    stores.organisation.names(workspaceId),
    listStatuses(context, workspaceId),
    stores.customFields.getAll(workspaceId),
  ]);
  const names = new Map([...records, ...statuses].map(({ id, name }) => [id, name]));
  await noteExport(context, filter, call);
  const customKeys = customFields.map(({ key }) => key);
  const { header, row } = registerCsv({ names, currency, customKeys });

  async function* batches() {
    for await (const assets of stores.assetExport.read(workspaceId, filter, call)) {
      yield (await withVisibleFields(context, assets)).map(row);
    }
  }
  yield* csvChunks(header, batches());
}

async function noteExport(
  { mongo, outbox, now }: Context,
  { prefixes, ...filters }: AssetFilter,
  call: Call,
): Promise<void> {
  const changes = changesBetween({}, { ...filters, q: prefixes });
  const entry = auditEntry(call, now(), "register.exported", undefined, changes);
  await mongo.transaction(call, (session) => outbox.add(session, entry));
}
