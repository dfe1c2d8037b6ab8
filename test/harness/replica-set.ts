import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { type ReplicaSet, startReplicaSet } from "@asset-register/local";

export type { ReplicaSet };

/** Starts a replica set of three members for a test, which can kill and restart each one. `stop` also removes its data. */
export async function privateReplicaSet(): Promise<ReplicaSet> {
  const dataDirectory = await mkdtemp(path.join(tmpdir(), "asset-register-mongo-"));
  const set = await startReplicaSet({
    dataDirectory,
    members: 3,
    electionTimeoutMs: 2_000,
    progress: () => {},
  });
  return {
    ...set,
    stop: async () => {
      await Promise.all(set.members.map((member) => member.kill()));
      await rm(dataDirectory, { recursive: true, force: true });
    },
  };
}
