import { randomBytes } from "node:crypto";
import { ApiKeyService } from "@asset-register/proto/assetregister/identity/v1/api_key_pb";
import { command, createRpcServer, createServiceIdentity, implement } from "@asset-register/rpc";
import { conflict, createKeyring, createLogger, createMetrics, newId } from "@asset-register/runtime";
import {
  connectMongo,
  createIdempotencyStore,
  idempotencyMigration,
  keepAnswer,
  type Mongo,
  migrate,
} from "../src/index.ts";

const { createApiKey } = ApiKeyService.method;

/** One method of a real service. The tests do not depend on its other methods. */
export const KeyedService = { ...ApiKeyService, method: { createApiKey }, methods: [createApiKey] };

/** Plain data, so that it can be passed to a separate process. */
export type KeyedServiceSettings = {
  mongoUrl: string;
  database: string;
  privateKeyPem: string;
  trustedKeys: Record<string, string[]>;
  keyring: string;
};

export type Step = "inside the transaction" | "after the commit";

type KeyRow = { _id: string; workspaceId: string; name: string };

/** The row that all commands write, so that they conflict. */
type CounterRow = { _id: string; workspaceId: string; made: number };

/**
 * Starts a small service with one keyed command, whose answer contains a secret. `reached` is awaited at each
 * step, so that a test can stop the command there.
 */
export async function startKeyedService(
  settings: KeyedServiceSettings,
  reached: (step: Step) => Promise<void> = async () => {},
): Promise<{ port: number; db: Mongo; stop(): Promise<void> }> {
  const logger = createLogger({ service: "keyed", level: "silent" });
  const db = await connectMongo({ url: settings.mongoUrl, database: settings.database, logger });
  await migrate(db, [idempotencyMigration], logger);

  const create = command(
    ({ name }: { name: string }) => ({ name }),
    async ({ name }, call) => {
      const made = await db.transaction(call, async (session) => {
        const row: KeyRow = { _id: newId("key"), workspaceId: call.workspaceId, name };
        const counters = db.collection<CounterRow>("counters");
        const counter = { _id: `counter ${call.workspaceId}`, workspaceId: call.workspaceId };
        await counters.updateOne(counter, { $inc: { made: 1 } }, { session, upsert: true });
        await db.collection<KeyRow>("keys").insertOne(row, { session });
        await reached("inside the transaction");
        if (name === "taken")
          throw conflict("NAME_TAKEN", `A key with this name already exists (${row._id}).`, [
            { field: "asset_id", message: "ast_1" },
          ]);
        return { id: row._id, name, secret: `ask_live_${randomBytes(16).toString("hex")}` };
      });
      await reached("after the commit");
      if (name !== "finished later") return made;
      const finished = { ...made, id: `${made.id} finished` };
      await keepAnswer(db, call, finished);
      return finished;
    },
    ({ id, name, secret }) => ({ apiKey: { id, name }, key: secret }),
    { isSecretValid: async () => true },
  );

  const server = createRpcServer({
    name: "keyed",
    address: { host: "127.0.0.1", port: 0 },
    implementations: [implement(KeyedService, { createApiKey: create })],
    identity: createServiceIdentity({ name: "keyed", ...settings }),
    idempotency: createIdempotencyStore(db, createKeyring(JSON.parse(settings.keyring))),
    logger,
    metrics: createMetrics({ service: "keyed" }),
  });
  const { port } = await server.start();
  return {
    port,
    db,
    async stop() {
      await server.stop(1_000);
      await db.close();
    },
  };
}
