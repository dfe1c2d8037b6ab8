import { newId } from "@asset-register/runtime";
import mongoose from "mongoose";
import type { Prepared, Side } from "./benchmark.ts";
import { accessToken, type BenchPlatform, registerDatabase } from "./platform.ts";
import { retryUntilSuccess } from "./readers.ts";

/** The largest file. A run that only warms up (0 s) imports less. */
const ROWS = 100_000;
const WARM_UP_ROWS = 2_000;
/** As many as one transaction of an import saves. */
const TOGETHER = 200;
const POLL_MS = 200;
const TOKEN_MS = 300_000;
const working = ["validating", "importing"];

type Import = { id: string; status: string; counts: { created: number } };
type Documents = { _id: string; createdAt?: Date }[];

/** A CSV file of 100,000 new assets, from its upload to the end of its import. Each round imports a whole file. */
export async function importAssets(bench: BenchPlatform): Promise<Prepared> {
  const client = await new mongoose.mongo.MongoClient(bench.mongoUrl).connect();
  return {
    benchmark: {
      name: "import",
      work: "rows of a CSV file of 100,000 new assets, from upload to done; baseline: insertMany of the same assets, history rows and outbox rows, 200 of each in a transaction",
      ours: imports(bench),
      baseline: await inserts(bench, client),
    },
    stop: () => client.close(),
  };
}

const rowsOf = (milliseconds: number): number => (milliseconds === 0 ? WARM_UP_ROWS : ROWS);

function imports(bench: BenchPlatform): Side {
  const url = `${bench.demo.base_url}/asset_manager_api/import/assets`;
  const services = () =>
    Object.fromEntries(
      Object.entries(bench.platform.services).map(([name, service]) => [name, service.pid()]),
    );
  /** An import of a slow machine takes longer than a token is valid. */
  let token: Promise<string> | undefined;
  let tokenUntil = 0;
  const signedIn = async () => {
    if (performance.now() > tokenUntil) {
      token = accessToken(bench.demo);
      tokenUntil = performance.now() + TOKEN_MS;
    }
    return { authorization: `Bearer ${await token}` };
  };
  return {
    processes: () => ({ gateway: bench.platform.gateway.pid(), ...services(), ...bench.serverPids }),
    async run(milliseconds) {
      const rows = rowsOf(milliseconds);
      const lines = Array.from(
        { length: rows },
        (_, index) => `${newId("imp")},Drill ${index},Acme,X1,12.50\n`,
      );
      const form = new FormData();
      form.set("file", new Blob(["number,name,manufacturer,model,cost\n", ...lines]), "assets.csv");
      const started = performance.now();
      const answer = await fetch(url, { method: "POST", headers: await signedIn(), body: form });
      let record = (await answer.json()) as Import;
      while (working.includes(record.status)) {
        await new Promise((resolve) => setTimeout(resolve, POLL_MS));
        const read = await fetch(`${url}/${record.id}`, { headers: await signedIn() });
        record = (await read.json()) as Import;
      }
      if (record.counts?.created !== rows) throw new Error(`the import is ${JSON.stringify(record)}`);
      return { operations: rows, milliseconds: performance.now() - started };
    },
  };
}

/** Copies of the documents that the creation of one asset stores, in collections with the same indexes. */
async function inserts(bench: BenchPlatform, client: mongoose.mongo.MongoClient): Promise<Side> {
  const drill = { name: "Drill", manufacturer: "Acme", model: "X1", cost: 12.5 };
  // The register may still set the new workspace up.
  const { id } = await retryUntilSuccess(() => bench.userApi.post<{ id: string }>("/assets", drill));
  const db = client.db(registerDatabase(bench));
  const bare = client.db(`bench_import_${Date.now()}`);
  const asset = await db.collection<{ _id: string }>("assets").findOne({ _id: id });
  const entry = await db.collection("asset_history").findOne({ assetId: id });
  if (asset === null || entry === null) throw new Error("the asset is not stored");
  for (const name of ["assets", "asset_history", "outbox"]) {
    const indexes = (await db.collection(name).indexes()).filter((index) => index.name !== "_id_");
    await bare.createCollection(name);
    const specified = indexes.map(({ v: _version, ...index }) => index);
    if (specified.length > 0) await bare.collection(name).createIndexes(specified);
  }
  const value = Buffer.alloc(400);
  const made = (): { assets: Documents; asset_history: Documents; outbox: Documents } => {
    const numbers = Array.from({ length: TOGETHER }, () => newId("ast"));
    return {
      assets: numbers.map((_id) => ({ ...asset, _id, number: _id, numberKey: _id, numberKeys: [_id] })),
      asset_history: numbers.map((assetId) => ({ ...entry, _id: newId("his"), assetId })),
      outbox: numbers.map((subject) => ({ _id: newId("msg"), subject, orderingKey: subject, value })),
    };
  };
  return {
    processes: () => ({ client: process.pid, ...bench.serverPids }),
    async run(milliseconds) {
      const rows = rowsOf(milliseconds);
      const started = performance.now();
      for (let done = 0; done < rows; done += TOGETHER) {
        const documents = made();
        await client.withSession((session) =>
          session.withTransaction(async () => {
            for (const [name, all] of Object.entries(documents)) {
              await bare.collection<{ _id: string }>(name).insertMany(all, { session, ordered: false });
            }
          }),
        );
      }
      return { operations: rows, milliseconds: performance.now() - started };
    },
  };
}
