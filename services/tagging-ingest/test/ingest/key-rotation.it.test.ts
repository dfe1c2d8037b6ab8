import { randomBytes } from "node:crypto";
import { rewrap } from "@asset-register/mongo";
import { IngestService, IngestStatus } from "@asset-register/proto/assetregister/tagging_ingest/v1/ingest_pb";
import { createKeyring, loadConfig } from "@asset-register/runtime";
import { expect, it, onTestFinished } from "vitest";
import { buildApp } from "../../src/app.ts";
import { configSchema } from "../../src/config.ts";
import { sealed } from "../../src/sealed.ts";
import { startTagging } from "../support.ts";
import { newEpc, testReader } from "../test-reader.ts";

it("readers can sign after their secrets were encrypted with a new key and the old key was removed", async () => {
  const tagging = await startTagging();
  onTestFinished(() => tagging.stop());
  const workspace = tagging.newWorkspace();
  const reader = await workspace.newReader();
  const rotated = await tagging.readers.rotateReaderSecret({ id: reader.id }, workspace.admin);
  const { keys } = tagging.config.KEYRING;
  const fresh = { new: randomBytes(32).toString("base64") };
  const settings = { KEYRING: JSON.stringify({ active: "new", keys: fresh }), ROLES: "api" };

  const without = await buildApp(loadConfig(configSchema, { ...tagging.env, ...settings }));
  await expect(without.start()).rejects.toThrow("which 2 secrets in readers.secrets.sealed are sealed with");
  await without.stop();

  const both = createKeyring({ active: "new", keys: { ...keys, ...fresh } });
  await rewrap(tagging.mongo, both, "tagging-ingest", sealed);
  const after = await tagging.start(settings);
  const ingest = tagging.client(IngestService, "gateway", after);
  const now = new Date();
  const events = [reader, testReader(workspace.id, { ...reader, secret: rotated.secret })].map((signer) =>
    signer.signedEvent(newEpc(), now),
  );
  const { results } = await ingest.ingestSignedEvents({ events });
  // The secret before is valid too, during the overlap.
  expect(results.map(({ status }) => status)).toEqual([IngestStatus.ACCEPTED, IngestStatus.ACCEPTED]);
});
