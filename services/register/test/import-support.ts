import { eventually } from "@asset-register/harness";
import {
  type Import,
  type ImportOptionsSchema,
  type ImportRow,
  ImportRowStatus,
  ImportStatus,
} from "@asset-register/proto/assetregister/register/v1/import_pb";
import { requireFound } from "@asset-register/runtime";
import type { MessageInitShape } from "@bufbuild/protobuf";
import type { RunningRegister, Workspace } from "./support.ts";

const working = [ImportStatus.VALIDATING, ImportStatus.IMPORTING];
const statuses = Object.fromEntries(
  Object.entries(ImportStatus).map(([name, value]) => [String(value), name.toLowerCase()]),
);
const rowStatuses = Object.fromEntries(
  Object.entries(ImportRowStatus).map(([name, value]) => [String(value), name.toLowerCase()]),
);

export const statusOf = ({ status }: Pick<Import, "status">): string | undefined => statuses[status];

/** A row as [row, status, field of the first problem, its code]. */
export const rowOf = ({ row, status, errors: [error] }: ImportRow) =>
  error === undefined ? [row, rowStatuses[status]] : [row, rowStatuses[status], error.field, error.code];

/** Calls about imports of one workspace. */
export function importCalls(register: Pick<RunningRegister, "imports">, { admin }: Workspace) {
  const { imports } = register;
  async function* content(file: string | Uint8Array): AsyncGenerator<Uint8Array> {
    yield typeof file === "string" ? new TextEncoder().encode(file) : file;
  }
  const start = async (
    file: string | Uint8Array,
    options: MessageInitShape<typeof ImportOptionsSchema> = {},
    call: typeof admin = admin,
  ) => {
    const answer = await imports.startImport(options, content(file), { deadlineMs: 60_000, ...call });
    return requireFound(answer.import);
  };
  const read = async (id: string) => requireFound((await imports.getImport({ id }, admin)).import);
  const ended = (id: string) =>
    eventually(async () => {
      const record = await read(id);
      if (working.includes(record.status)) throw new Error(`still ${statusOf(record)}`);
      return record;
    });
  return {
    start,
    read,
    ended,
    /** Imports a file and waits for the end. */
    run: async (...args: Parameters<typeof start>) => ended((await start(...args)).id),
    rows: async (importId: string, status?: ImportRowStatus) =>
      (await imports.listImportRows({ importId, status, page: { limit: 200 } }, admin)).rows,
  };
}
