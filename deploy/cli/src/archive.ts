import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { blobSettings, createBlobs, s3Settings } from "@asset-register/blobs";
import { loadConfig } from "@asset-register/runtime";
import { z } from "zod";
import {
  type Archive,
  type ArchivePart,
  archiveId,
} from "../../../services/tagging-ingest/src/domain/archive/archive.ts";
import { dateOfDay, dayOfDate } from "../../../services/tagging-ingest/src/domain/utc-day.ts";
import type { ArchiveContext } from "../../../services/tagging-ingest/src/operations/archive/archive-context.ts";
import { readLines } from "../../../services/tagging-ingest/src/operations/archive/read-archive.ts";
import { restoreDay } from "../../../services/tagging-ingest/src/operations/archive/restore-day.ts";
import { createArchiveStore } from "../../../services/tagging-ingest/src/store/archive/archives.ts";
import { createDayRows } from "../../../services/tagging-ingest/src/store/archive/day-rows.ts";
import { createOperatorLog, withMongo } from "./connections.ts";
import { CliError } from "./output.ts";

const DAY_MS = 86_400_000;

/**
 * Runs `work` with the files of tagging-ingest.
 * @throws ConfigError if settings are missing or invalid
 */
export function withArchive<T>(
  { database }: { database?: string },
  work: (context: ArchiveContext) => Promise<T>,
): Promise<T> {
  const s3 = s3Settings(loadConfig(z.object(blobSettings), process.env));
  const target = { service: "tagging-ingest", ...(database === undefined ? {} : { database }) };
  return withMongo(target, async (mongo) => {
    const now = () => new Date();
    const blobs = await createBlobs({ mongo, s3, now });
    const stores = { archives: createArchiveStore(mongo), dayRows: createDayRows(mongo) };
    try {
      return await work({ stores, blobs, now });
    } finally {
      blobs.close();
    }
  });
}

/** @throws CliError unless the text is a date */
export function parseDay(text: string): number {
  const day = dayOfDate(text);
  if (day === undefined) throw new CliError(`"${text}" is no day as YYYY-MM-DD.`);
  return day;
}

/** A file as it is printed. */
export const describe = ({ workspaceId, kind, day, rows, bytes, sha256, writtenAt, blobId }: Archive) => ({
  ...{ day: dateOfDay(day), kind, workspace_id: workspaceId, rows, bytes },
  ...{ written_at: writtenAt.toISOString(), blob_id: blobId, sha256 },
});

/**
 * Prints the lines of a file, as fast as they are taken.
 * @throws CliError if there is no such file
 */
export async function printLines(context: ArchiveContext, part: ArchivePart): Promise<void> {
  const file = await context.stores.archives.get(part.workspaceId, archiveId(part));
  if (file === undefined) {
    const wanted = `${part.kind} of ${part.workspaceId} on ${dateOfDay(part.day)}`;
    throw new CliError(`There is no file with ${wanted}: see \`archive list\`.`);
  }
  await pipeline(Readable.from(withEnds(readLines(context, file))), process.stdout, { end: false }).catch(
    (error: unknown) => {
      // Such as `head`, which has enough.
      if (error instanceof Error && "code" in error && error.code === "EPIPE") return;
      throw error;
    },
  );
}

async function* withEnds(lines: AsyncIterable<string>): AsyncGenerator<string> {
  for await (const line of lines) yield `${line}\n`;
}

/** Restores files one after the other. Returns what is printed of each. */
export async function restoreFiles(context: ArchiveContext, files: readonly Archive[], keepDays: number) {
  const log = createOperatorLog();
  const keptUntil = new Date(context.now().getTime() + keepDays * DAY_MS);
  const printed: Record<string, unknown>[] = [];
  for await (const { restored, ...file } of restoreDay(context, files, keptUntil)) {
    const { day, kind, workspace_id, rows } = describe(file);
    const row = { day, kind, workspace_id, rows, restored, kept_until: keptUntil.toISOString() };
    log.info(row, "archive restored");
    printed.push(row);
  }
  return printed;
}
