import { expect, it } from "vitest";
import { createBlobs } from "../src/index.ts";
import { blobTests, connectFresh, contentOf, digestOf } from "./suite.ts";

blobTests({
  s3: () => undefined,
  remaining: (mongo) => mongo.collection("chunks").countDocuments({ workspaceId: "wsp_1" }),
});

it("a blob whose bytes are partly missing fails at its end, so that it never looks complete", async () => {
  const mongo = await connectFresh();
  const blobs = await createBlobs({ mongo, now: () => new Date() });
  const { id } = await blobs.put("wsp_1", contentOf(600_000));
  const opened = await blobs.open("wsp_1", id);
  await mongo.collection("chunks").deleteMany({ workspaceId: "wsp_1", _id: `${id}.2` });
  await expect(digestOf(opened!.content)).rejects.toThrow("522240 of its 600000 bytes");
  await mongo.close();
});
