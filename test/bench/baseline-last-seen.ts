import { ReaderEventsSchema } from "@asset-register/proto/assetregister/events/v1/reader_event_pb";
import { fromBinary } from "@bufbuild/protobuf";
import { Kafka, logLevel } from "kafkajs";
import mongoose from "mongoose";

/** The baseline of last-seen: a bare eachBatch that inserts the events and the rows of the probes in one transaction. */
const { MONGO_URL = "", DATABASE = "", BROKERS = "", TOPIC = "" } = process.env;
const client = await new mongoose.mongo.MongoClient(MONGO_URL, {
  writeConcern: { w: "majority", journal: true },
}).connect();
const db = client.db(DATABASE);
const [events, assets] = [
  await db.createCollection("events"),
  await db.createCollection<{ _id: string; lastSeen: string }>("assets"),
];
const kafka = new Kafka({ brokers: BROKERS.split(","), logLevel: logLevel.ERROR });
const consumer = kafka.consumer({ groupId: `${TOPIC}-bench`, maxWaitTimeInMs: 500 });
await consumer.connect();
await consumer.subscribe({ topic: TOPIC, fromBeginning: true });
consumer.on("consumer.group_join", () => process.send?.("ready"));
await consumer.run({
  partitionsConsumedConcurrently: 3,
  eachBatchAutoResolve: false,
  async eachBatch({ batch, resolveOffset, heartbeat }) {
    const read = batch.messages.flatMap(
      ({ value }) => fromBinary(ReaderEventsSchema, value ?? Buffer.alloc(0)).events,
    );
    const probes = read.filter(({ epc }) => epc.startsWith("FFFF"));
    await client.withSession((session) =>
      session.withTransaction(async () => {
        if (read.length > 0) {
          await events.insertMany(
            read.map(({ id, readerId, epc }) => ({ eventId: id, readerId, epc })),
            { session },
          );
        }
        if (probes.length > 0) {
          await assets.bulkWrite(
            probes.map(({ epc }) => ({
              updateOne: {
                filter: { _id: epc },
                update: { $set: { lastSeen: epc } },
                upsert: true,
              },
            })),
            { session },
          );
        }
      }),
    );
    resolveOffset(batch.lastOffset());
    await heartbeat();
  },
});
