import { randomBytes } from "node:crypto";
import { rewrap } from "@asset-register/mongo";
import { IngestStatus } from "@asset-register/proto/assetregister/tagging_ingest/v1/ingest_pb";
import { createKeyring } from "@asset-register/runtime";
import { expect, it, onTestFinished } from "vitest";
import { buildApp } from "../src/app.ts";
import { sealed } from "../src/sealed.ts";
import { newEpc, newReader, newWorkspace, signedEvent, startTagging } from "./support.ts";

it("knows its readers by their signatures after the key of their secrets was changed and the old one is gone", async () => {
  const tagging = await startTagging();
  onTestFinished(() => tagging.stop());
  const workspace = newWorkspace();
  const reader = await newReader(tagging, workspace);
  const rotated = await tagging.readers.rotateReaderSecret({ id: reader.id }, workspace.caller);
  const { keys } = tagging.config.KEYRING;
  const fresh = { new: randomBytes(32).toString("base64") };

  const without = await buildApp({ ...tagging.config, KEYRING: { active: "new", keys: fresh } });
  await expect(without.start()).rejects.toThrow("which 2 secrets in readers.secrets.sealed are sealed with");
  await without.stop();

  const both = createKeyring({ active: "new", keys: { ...keys, ...fresh } });
  await rewrap(tagging.mongo, both, "tagging-ingest", sealed);
  const after = await tagging.start({ KEYRING: { active: "new", keys: fresh }, ROLES: ["api"] });
  onTestFinished(() => after.stop());
  const { ingest, close } = tagging.connect(after.ports.grpc);
  onTestFinished(close);
  const now = new Date();
  const events = [reader, { ...reader, secret: rotated.secret }].map((signer) =>
    signedEvent(workspace, signer, newEpc(), now),
  );
  const { results } = await ingest.ingestSignedEvents({ events });
  // The secret before counts as well, while its overlap lasts.
  expect(results.map(({ status }) => status)).toEqual([IngestStatus.ACCEPTED, IngestStatus.ACCEPTED]);
});
