import { keepAnswer } from "@asset-register/mongo";
import type { Call, UploadedContent } from "@asset-register/rpc";
import { newId } from "@asset-register/runtime";
import { requireWorkspace } from "@asset-register/service";
import type { Context } from "../../context.ts";
import { type Import, type ImportOptions, noCounts } from "../../domain/import/import.ts";
import { auditEntry } from "../../published.ts";
import { type ImportView, importRunning, isImportRunning } from "../../store/imports/imports.ts";

/** Stores a file and starts its import. A small one ends in this call. */
export async function startImport(
  context: Context,
  content: UploadedContent<ImportOptions>,
  call: Call,
): Promise<ImportView> {
  const { blobs, importing, mongo, stores } = context;
  const { workspaceId } = call;
  await requireWorkspace(context, workspaceId);
  const running = await stores.imports.runningId(workspaceId);
  if (running !== undefined) throw importRunning(running);
  const id = await blobs.putFor(workspaceId, content, async (file) => {
    try {
      return await insert(context, content.input(), { id: file.id, bytes: file.bytes }, call);
    } catch (error) {
      if (!isImportRunning(error)) throw error;
      throw importRunning((await stores.imports.runningId(workspaceId)) ?? "");
    }
  });
  const answer = stores.imports.toView(await importing.finishQuickly({ _id: id, workspaceId }));
  await keepAnswer(mongo, call, answer);
  return answer;
}

async function insert(
  { mongo, stores, outbox, now }: Context,
  options: ImportOptions,
  file: { id: string; bytes: number },
  call: Call,
): Promise<string> {
  const createdAt = now();
  const record: Import = {
    ...options,
    id: newId("imp"),
    workspaceId: call.workspaceId,
    status: "validating",
    progress: { done: 0, total: 0 },
    fileId: file.id,
    fileBytes: file.bytes,
    counts: noCounts,
    problems: [],
    importedRow: 0,
    createdAt,
    createdBy: call.actor,
    requestId: call.requestId,
  };
  const { dryRun, mode, onExisting } = options;
  const changes = Object.entries({ dry_run: dryRun, mode, on_existing: onExisting }).map(
    ([field, value]) => ({
      field,
      after: String(value),
    }),
  );
  await mongo.transaction(call, async (session) => {
    await stores.imports.insert(call.workspaceId, record, session);
    await outbox.add(session, auditEntry(call, createdAt, "import.started", record.id, changes));
    return record;
  });
  return record.id;
}
