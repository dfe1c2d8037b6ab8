import { keyIdsInUse, requireKnownKeys, rewrap, type SealedField } from "@asset-register/mongo";
import { createKeyring, type Keyring, keyringSchema, loadConfig, settings } from "@asset-register/runtime";
import { Command, InvalidArgumentError } from "commander";
import { z } from "zod";
import { createOperatorLog, withMongo } from "./connections.ts";
import { CliError, printRows } from "./output.ts";
import { sealedFieldsOf } from "./sealed-fields.ts";

type Options = { database?: string; json?: boolean; batch?: number };

export function secretCommands(): Command {
  const commands = new Command("secrets").description(
    "Secrets at rest, and the keys of KEYRING that encrypt them",
  );
  const add = (usage: string, description: string) =>
    commands
      .command(usage)
      .description(description)
      .option("--database <name>", "the service's database (MONGO_DATABASE)")
      .option("--json", "print JSON");
  add(
    "status <service>",
    "Count the secrets under each key; fails if KEYRING lacks a key in use. A key without secrets can be removed",
  ).action(status);
  add(
    "rewrap <service>",
    "Encrypt all secrets with the active key, while the service runs; can be interrupted and run again",
  )
    .option("--batch <documents>", "documents in one batch", parseBatchSize, 200)
    .action(rewrapAll);
  return commands;
}

type Tools = { keyring: Keyring; fields: SealedField[]; target: { service: string; database?: string } };

async function toolsFor(service: string, { database }: Options): Promise<Tools> {
  const fields = await sealedFieldsOf(service);
  const { KEYRING } = loadConfig(z.object({ KEYRING: settings.json(keyringSchema) }), process.env);
  const target = { service, ...(database === undefined ? {} : { database }) };
  return { keyring: createKeyring(KEYRING), fields, target };
}

async function status(service: string, options: Options): Promise<void> {
  const { keyring, fields, target } = await toolsFor(service, options);
  const uses = await withMongo(target, (mongo) => keyIdsInUse(mongo, fields));
  const rows = uses.map(({ collection, path, keyId, count }) => {
    const key = !keyring.keyIds.includes(keyId) ? "missing" : keyId === keyring.active ? "active" : "old";
    return { collection, path, key_id: keyId, key, secrets: count };
  });
  printRows(rows, options);
  if (rows.length === 0 && !options.json) console.log("No secrets are stored.");
  if (rows.some(({ key }) => key === "missing")) throw new CliError("KEYRING lacks a key that is in use.");
}

async function rewrapAll(service: string, options: Options): Promise<void> {
  const { keyring, fields, target } = await toolsFor(service, options);
  const outcome = await withMongo(target, async (mongo) => {
    await requireKnownKeys(mongo, keyring, fields).catch((error: Error) => {
      throw new CliError(error.message, { cause: error });
    });
    return rewrap(mongo, keyring, service, fields, {
      ...(options.batch === undefined ? {} : { batchSize: options.batch }),
      progress: ({ collection, rewrapped }) =>
        void (options.json || console.error(`${collection}: ${rewrapped} secrets rewrapped`)),
    });
  });
  const log = createOperatorLog();
  for (const { collection, path, rewrapped, unreadable } of outcome)
    log.info(
      {
        ...{ secrets_of: service, collection, path, rewrapped, unreadable: unreadable.length },
        key_id: keyring.active,
      },
      "secrets rewrapped",
    );
  const rows = outcome.map(({ unreadable, ...row }) => ({ ...row, unreadable: unreadable.join(" ") }));
  printRows(rows, options);
  if (outcome.some(({ unreadable }) => unreadable.length > 0)) {
    throw new CliError("Some secrets can't be decrypted. They were not changed.");
  }
}

function parseBatchSize(text: string): number {
  const value = Number(text);
  if (!Number.isSafeInteger(value) || value < 1)
    throw new InvalidArgumentError("It must be a whole number from 1.");
  return value;
}
