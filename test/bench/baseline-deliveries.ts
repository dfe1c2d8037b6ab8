import { Kafka, logLevel } from "kafkajs";
import { Agent, request } from "undici";
import {
  newSecret,
  signatureHeaders,
  signingKey,
} from "../../services/notification/src/domain/webhooks/signing.ts";

/** The baseline of delivery-latency: a bare eachBatch that signs and posts the events of one workspace. */
const { BROKERS = "", TOPIC = "", WORKSPACE = "", RECEIVER = "" } = process.env;
const dispatcher = new Agent({ connections: 5, pipelining: 1 });
const key = signingKey(newSecret());
const kafka = new Kafka({ brokers: BROKERS.split(","), logLevel: logLevel.ERROR });
const consumer = kafka.consumer({ groupId: `${TOPIC}-bench`, maxWaitTimeInMs: 500 });
await consumer.connect();
await consumer.subscribe({ topic: TOPIC, fromBeginning: false });
consumer.on("consumer.group_join", () => process.send?.("ready"));
await consumer.run({
  partitionsConsumedConcurrently: 3,
  async eachBatch({ batch }) {
    const own = batch.messages.filter(({ headers }) => String(headers?.ce_workspaceid) === WORKSPACE);
    await Promise.all(
      own.map(async ({ headers }) => {
        const id = String(headers?.ce_id);
        const timestamp = String(headers?.ce_time);
        const data = { seq: 1, asset_id: String(headers?.ce_subject) };
        const body = JSON.stringify({ id, type: "asset.moved", timestamp, workspace_id: WORKSPACE, data });
        const signed = signatureHeaders({ id, timestamp: Math.floor(Date.now() / 1000), body }, key);
        const response = await request(RECEIVER, {
          ...{ dispatcher, method: "POST", body },
          headers: { "content-type": "application/json", ...signed },
        });
        await response.body.dump();
      }),
    );
  },
});
