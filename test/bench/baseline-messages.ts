import { mkdtempSync, rmSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import path from "node:path";
import { DatabaseSync } from "node:sqlite";

/** The baseline of `edge-agent-messages`: each message is a row and a commit of its own, on the disk before the answer. */
const directory = mkdtempSync(path.join(tmpdir(), "asset-register-messages-"));
process.once("exit", () => rmSync(directory, { recursive: true }));
process.once("SIGTERM", () => process.exit());
const db = new DatabaseSync(path.join(directory, "messages.sqlite"));
db.exec("PRAGMA locking_mode = EXCLUSIVE; PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL;");
db.exec(
  "CREATE TABLE reads (id INTEGER PRIMARY KEY, epc TEXT, ts INTEGER, antenna INTEGER, rssi REAL) STRICT",
);
const insert = db.prepare("INSERT INTO reads (epc, ts, antenna, rssi) VALUES (?, ?, ?, ?)");

const server = createServer(async (request, response) => {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk);
  const { events } = JSON.parse(Buffer.concat(chunks).toString("utf8"));
  for (const { epc, ts, antenna = null, rssi = null } of events)
    insert.run(epc, Date.parse(ts), antenna, rssi);
  response.writeHead(204).end();
});
server.keepAliveTimeout = 60_000;
server.listen(0, "127.0.0.1", () => {
  process.send?.(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
});
