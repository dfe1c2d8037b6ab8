import type { Cluster } from "@asset-register/local";
import mongoose from "mongoose";

/** The name of the member of MongoDB that is primary now. */
export async function findPrimary(cluster: Cluster): Promise<string> {
  return withClient(cluster.urls.mongo, async (admin) => {
    const { primary } = await admin.command({ hello: 1 });
    const name = [...cluster.members].find(([, { address }]) => address === primary)?.[0];
    if (name === undefined) throw new Error(`No member has the address of the primary, ${primary}.`);
    return name;
  });
}

/** Makes a primary give up its role for 20 s. The others elect another one. */
export async function stepDown(cluster: Cluster, primary: string): Promise<void> {
  const address = cluster.members.get(primary)?.address;
  await withClient(`mongodb://${address}/?directConnection=true`, (admin) =>
    admin.command({ replSetStepDown: 20, secondaryCatchUpPeriodSecs: 10 }),
  );
}

type Admin = ReturnType<mongoose.mongo.MongoClient["db"]>;

async function withClient<T>(url: string, work: (admin: Admin) => Promise<T>): Promise<T> {
  const client = await new mongoose.mongo.MongoClient(url).connect();
  try {
    return await work(client.db("admin"));
  } finally {
    await client.close();
  }
}
