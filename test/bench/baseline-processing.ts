import { ReaderEventsSchema } from "@asset-register/proto/assetregister/events/v1/reader_event_pb";
import { fromBinary } from "@bufbuild/protobuf";
import { timestampDate } from "@bufbuild/protobuf/wkt";
import { Kafka, logLevel } from "kafkajs";
import mongoose from "mongoose";

/** The baseline of processing: a bare eachBatch that decodes the events and inserts them, without any rule. */
const { MONGO_URL = "", DATABASE = "", BROKERS = "", TOPIC = "" } = process.env;
const client = await new mongoose.mongo.MongoClient(MONGO_URL, {
  writeConcern: { w: "majority", journal: true },
}).connect();
const stored = client.db(DATABASE).collection<{ _id: string }>("events");
const kafka = new Kafka({ brokers: BROKERS.split(","), logLevel: logLevel.ERROR });
const consumer = kafka.consumer({ groupId: `${TOPIC}-bench`, maxWaitTimeInMs: 500 });
await consumer.connect();
await consumer.subscribe({ topic: TOPIC, fromBeginning: true });
consumer.on("consumer.group_join", () => process.send?.("ready"));
await consumer.run({
  partitionsConsumedConcurrently: 3,
  eachBatchAutoResolve: false,
  async eachBatch({ batch, resolveOffset, heartbeat }) {
    const documents = batch.messages.flatMap(({ value }) =>
      fromBinary(ReaderEventsSchema, value ?? Buffer.alloc(0)).events.map((event) => ({
        ...{ _id: event.id, workspaceId: event.workspaceId, readerId: event.readerId, epc: event.epc },
        ts: event.ts && timestampDate(event.ts),
        receivedAt: event.receivedAt && timestampDate(event.receivedAt),
        ...{ rssi: event.rssi, count: event.count },
      })),
    );
    if (documents.length > 0) await stored.insertMany(documents, { ordered: false });
    resolveOffset(batch.lastOffset());
    await heartbeat();
  },
});
