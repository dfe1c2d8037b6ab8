import { newId } from "@asset-register/runtime";
import { expect, test } from "vitest";
import { positionsAt } from "../../src/operations/custody/positions-at.ts";
import { createHistoryStore } from "../../src/store/assets/history.ts";
import { createMovementStore } from "../../src/store/custody/movements.ts";
import { sharedRegister } from "../support.ts";

const register = await sharedRegister();

const by = { kind: "user", id: "usr_1" } as const;
const at = (second: number) => new Date(second * 1000);

test("places and statuses at an instant come from the rows around it, for many assets at once", async () => {
  const movements = createMovementStore(register.mongo);
  const history = createHistoryStore(register.mongo);
  const workspaceId = newId("wsp");
  const assets = Array.from({ length: 20 }, () => ({
    ...{ id: newId("ast"), workspaceId, locationId: "loc_5", statusId: "sta_5" },
  }));
  // Each asset moves at 10, 20 ... 50 s, and its status changes one second later.
  await register.mongo.transaction({}, async (session) => {
    for (const { id: assetId } of assets) {
      for (let step = 1; step <= 5; step += 1) {
        const ends = { fromLocationId: `loc_${step - 1}`, toLocationId: `loc_${step}` };
        const row = { id: newId("mov"), workspaceId, assetId, reason: "movement", by, sequence: step };
        await movements.insertMany(workspaceId, [{ ...row, ...ends, at: at(step * 10) }], session);
      }
      const changes = Array.from({ length: 5 }, (_, index) => ({
        ...{ id: newId("his"), workspaceId, assetId, actor: by, requestId: "r", action: "status" as const },
        at: at(index * 10 + 11),
        changes: [{ field: "status_id", before: `sta_${index}`, after: `sta_${index + 1}` }],
      }));
      // Rows of other actions count for nothing.
      const updated = { ...changes[0]!, id: newId("his"), action: "updated" as const, at: at(35) };
      await history.append(workspaceId, [...changes, updated], session);
    }
  });

  const expected: [number, string, string][] = [
    [9, "loc_0", "sta_0"],
    [10, "loc_1", "sta_0"],
    [11, "loc_1", "sta_1"],
    [36, "loc_3", "sta_3"],
    [50, "loc_5", "sta_4"],
    [99, "loc_5", "sta_5"],
  ];
  const stores = { movements, history };
  for (const [second, locationId, statusId] of expected) {
    const found = await positionsAt({ stores }, workspaceId, assets, at(second));
    expect(found.size).toBe(20);
    for (const position of found.values()) expect(position).toMatchObject({ locationId, statusId });
  }
  const foreign = await positionsAt({ stores }, newId("wsp"), assets, at(10));
  for (const position of foreign.values()) expect(position).toMatchObject({ locationId: "loc_5" });
});
