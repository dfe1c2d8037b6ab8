import { expect } from "vitest";
import { type Mongo, TenantGuardError } from "../src/index.ts";
import { systemCollection } from "../src/system.ts";
import type { Thing } from "./connect.ts";

/** Resets the collection "things" to one document of each of two workspaces. */
export async function resetThings(db: Mongo): Promise<void> {
  const raw = systemCollection<Thing>(db, "things");
  await raw.deleteMany({});
  await raw.insertMany([
    { _id: "1", workspaceId: "w1", name: "mine", count: 1 },
    { _id: "2", workspaceId: "w2", name: "theirs", count: 1 },
  ]);
}

/** All documents of all workspaces. */
export function allThings(db: Mongo): Promise<Thing[]> {
  return systemCollection<Thing>(db, "things").find().sort({ _id: 1 }).toArray();
}

/** Expects TenantGuardError, whether it is thrown or is the reason of a rejected promise. */
export async function refused(call: () => unknown): Promise<void> {
  const attempt = async () => await call();
  await expect(attempt()).rejects.toThrow(TenantGuardError);
}
