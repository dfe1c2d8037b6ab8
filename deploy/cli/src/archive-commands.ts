import { Command, InvalidArgumentError, Option } from "commander";
import { CliError, printRows } from "./output.ts";

type Options = { database?: string; json?: boolean; workspace?: string };
type Kind = "events" | "sightings";

const KINDS: readonly Kind[] = ["events", "sightings"];
const KEEP_DAYS = 7;

/** The modules of the service are loaded only when a command runs, since other commands do not need them. */
const load = () => import("./archive.ts");

export function archiveCommands(): Command {
  const commands = new Command("archive").description(
    "Days of reader events and sightings that tagging-ingest has moved to files (ARCHIVE_AFTER_DAYS). " +
      "S3_BUCKET and the other settings of blobs must be those of the service",
  );
  const add = (usage: string, description: string) =>
    commands
      .command(usage)
      .description(description)
      .option("--database <name>", "the database of tagging-ingest (MONGO_DATABASE)");
  const day = () => new Option("--day <date>", "the UTC day, as YYYY-MM-DD").makeOptionMandatory();
  add("list", "List the files, the oldest day first")
    .option("--workspace <id>", "only the files of this workspace")
    .option("--json", "print JSON")
    .action(list);
  add("read", "Print the rows of a file as JSON Lines, as they are in it")
    .addOption(new Option("--kind <kind>", "what the rows are").choices(KINDS).makeOptionMandatory())
    .requiredOption("--workspace <id>", "whose rows")
    .addOption(day())
    .action(read);
  add("restore", "Put the rows of a day back, so that the API lists them; can be interrupted and run again")
    .addOption(day())
    .option("--workspace <id>", "only the rows of this workspace")
    .option("--keep-days <days>", "days until they may be moved or dropped again", parseDays, KEEP_DAYS)
    .option("--json", "print JSON")
    .action(restore);
  return commands;
}

async function list({ workspace, ...options }: Options): Promise<void> {
  const { describe, withArchive } = await load();
  await withArchive(options, async ({ stores }) => {
    const { archives } = stores;
    const found = workspace === undefined ? archives.listAll() : await archives.listOf(workspace);
    const rows: Record<string, unknown>[] = [];
    for await (const archive of found) {
      if (options.json) printRows([describe(archive)], options);
      else rows.push(describe(archive));
    }
    printRows(rows, options);
    if (rows.length === 0 && !options.json) console.log("There are no files.");
  });
}

type ReadOptions = Options & { kind: Kind; workspace: string; day: string };

async function read({ kind, workspace, day, ...options }: ReadOptions): Promise<void> {
  const { parseDay, printLines, withArchive } = await load();
  const part = { workspaceId: workspace, kind, day: parseDay(day) };
  await withArchive(options, (context) => printLines(context, part));
}

type RestoreOptions = Options & { day: string; keepDays: number };

async function restore({ workspace, day, keepDays, ...options }: RestoreOptions): Promise<void> {
  const { parseDay, restoreFiles, withArchive } = await load();
  const number = parseDay(day);
  const restored = await withArchive(options, async (context) => {
    const all = await context.stores.archives.ofDay(number);
    const files = all.filter(({ workspaceId }) => workspace === undefined || workspaceId === workspace);
    if (files.length === 0) throw new CliError(`There is no file of ${day}: see \`archive list\`.`);
    return restoreFiles(context, files, keepDays);
  });
  printRows(restored, options);
}

function parseDays(text: string): number {
  const value = Number(text);
  if (!Number.isSafeInteger(value) || value < 1)
    throw new InvalidArgumentError("It must be a whole number from 1.");
  return value;
}
