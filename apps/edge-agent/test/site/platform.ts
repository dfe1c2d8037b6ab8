import { startGatewayProcess } from "@asset-register/harness";
import { limits } from "@asset-register/proto/limits";
import { sharedService } from "@asset-register/service-harness";
import mongoose from "mongoose";
import { onTestFinished } from "vitest";
import { gatewaySettings } from "../../../../gateway/test/gateway.ts";
import { startTagging } from "../../../../services/tagging-ingest/test/support.ts";
import type { Workspace } from "../../../../services/tagging-ingest/test/test-workspace.ts";

/** Nothing listens there: the route of the reads needs no other service. */
const NONE = { address: "127.0.0.1:1", stop: async () => {} };

/** The real gateway and the real service behind the route of the reads. */
async function startPlatform() {
  const tagging = await startTagging();
  const gateway = await startGatewayProcess({
    ...gatewaySettings(tagging.keys, NONE, NONE),
    TAGGING_INGEST_ADDRESS: `127.0.0.1:${tagging.app.ports.grpc}`,
  });
  const client = await new mongoose.mongo.MongoClient(tagging.env.MONGO_URL ?? "").connect();
  const database = client.db(tagging.database);

  /** How often each EPC of a workspace is stored. */
  async function storedEpcs(workspaceId: string): Promise<Map<string, number>> {
    const stored = new Map<string, number>();
    const days = await database
      .listCollections({ name: /^reader_events_\d+$/ }, { nameOnly: true })
      .toArray();
    for (const { name } of days) {
      for await (const { epc } of database.collection(name).find({ workspaceId }))
        stored.set(epc, (stored.get(epc) ?? 0) + 1);
    }
    return stored;
  }

  /** A workspace whose readers may read any number of tags that are new to it. */
  async function newWorkspace(): Promise<Workspace> {
    const workspace = tagging.newWorkspace();
    const settings = { unknownPerHour: limits.unknownPerHour };
    await tagging.readerSettings.putReaderSettings(settings, workspace.admin);
    return workspace;
  }

  return {
    tagging,
    gateway,
    newWorkspace,
    storedEpcs,
    async stop(): Promise<void> {
      await client.close();
      await gateway.stop();
      await tagging.stop();
    },
  };
}

/** The platform that the test files share. A test that kills its gateway starts it again. */
export const sharedPlatform = sharedService(startPlatform);

/** Runs `stop` at the end of the test. */
export function stopLater<T extends { stop(): unknown }>(running: T): T {
  onTestFinished(async () => {
    await running.stop();
  });
  return running;
}
