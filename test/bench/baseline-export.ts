import { Readable } from "node:stream";
import Fastify from "fastify";
import mongoose from "mongoose";

/** The baseline of export: a bare route that sends the same fields from a raw cursor, each quoted. */
const { MONGO_URL = "", DATABASE = "", WORKSPACE_ID = "" } = process.env;
const CHUNK = 64 * 1024;
const client = await new mongoose.mongo.MongoClient(MONGO_URL).connect();
const assets = client.db(DATABASE).collection("assets");

const quoted = (value: unknown): string => {
  if (value === undefined) return '""';
  const text = value instanceof Date ? value.toISOString() : String(value);
  return `"${text.replaceAll('"', '""')}"`;
};
const fields = [
  ...["_id", "number", "name", "description", "category", "categoryId", "department", "departmentId"],
  ...["property", "propertyId", "building", "buildingId", "floor", "floorId", "location", "locationId"],
  ...["custodian", "custodianId", "statusId", "serialNumber", "manufacturer", "model", "cost"],
  ...["salvageValue", "usefulLifeMonths", "inServiceDate", "depreciationMethod", "supplier", "purchaseOrder"],
  ...["invoiceNumber", "nbv", "accumulatedDepreciation", "tags", "lastSeenAt", "lastAuditedAt"],
  ...["disposalDate", "createdAt", "updatedAt"],
];

async function* csv(): AsyncGenerator<Buffer> {
  let pending = "";
  const filter = { workspaceId: WORKSPACE_ID, deleted: false };
  const cursor = assets.find(filter, { sort: { _id: 1 }, batchSize: 500, projection: { tokens: 0 } });
  for await (const asset of cursor) {
    pending += `${fields.map((field) => quoted(asset[field])).join(",")}\r\n`;
    if (pending.length < CHUNK) continue;
    yield Buffer.from(pending);
    pending = "";
  }
  yield Buffer.from(pending);
}

const app = Fastify();
app.get("/export/register.csv", (_request, reply) => reply.type("text/csv").send(Readable.from(csv())));
process.send?.(await app.listen({ host: "127.0.0.1", port: 0 }));
