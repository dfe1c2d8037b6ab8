import { topics } from "@asset-register/proto/topics";
import { timeOfId } from "@asset-register/runtime";
import { decodeCheckout, decodeMovement } from "../../../../services/notification/src/decode/message.ts";
import type { Checkout } from "../../../../services/register/src/domain/custody/checkout.ts";
import type { Movement } from "../../../../services/register/src/domain/custody/movement.ts";
import { assetRecords } from "../../../../services/register/src/store/assets/asset-records.ts";
import { checkoutRecords } from "../../../../services/register/src/store/custody/checkouts.ts";
import { movementRecords } from "../../../../services/register/src/store/custody/movements.ts";
import { followMessage } from "./deliveries.ts";
import { followEvent } from "./published.ts";
import { passed, type Step, type Steps, stopped } from "./step.ts";
import { findById, type Tools } from "./tools.ts";

/** Follows a movement, or the last movement of an asset, to the webhooks. `endpointId` limits it to one of them. */
export async function* followMovement(tools: Tools, id: string, endpointId?: string): Steps {
  const movement = await (id.startsWith("ast_") ? lastOf(tools, id) : movementOf(tools, id));
  if (movement === undefined) {
    yield noRecord("movement", id.startsWith("ast_") ? `of ${id}` : id);
    return;
  }
  const { workspaceId, assetId, at, sequence } = movement;
  yield passed("movement", `${movement.id}: number ${sequence} of asset ${assetId}, at ${at.toISOString()}.`);
  const event = yield* followEvent(tools, {
    ...{ service: "register", topic: topics.movement, key: `${workspaceId}:${assetId}` },
    since: timeOfId(movement.id) ?? at,
    isIt: ({ change }) => change.case === "moved" && change.value.movement?.id === movement.id,
  });
  for (const message of event ? decodeMovement(event) : []) yield* followMessage(tools, message, endpointId);
}

/** Follows a checkout, its issue and its return, to the webhooks. */
export async function* followCheckout(tools: Tools, id: string, endpointId?: string): Steps {
  const checkout = await findById(await tools.database("register"), checkoutRecords, id);
  if (checkout === undefined) {
    yield noRecord("checkout", id);
    return;
  }
  const { workspaceId, assetId, issuedAt } = checkout;
  yield passed("checkout", `${id}: asset ${assetId}, issued at ${issuedAt.toISOString()}.`);
  for (const [name, since] of changesOf(checkout)) {
    yield passed("change", `checkout.${name}`);
    const event = yield* followEvent(tools, {
      ...{ service: "register", topic: topics.checkout, key: `${workspaceId}:${assetId}`, since },
      isIt: ({ state, change }) => state?.id === id && change.case === name,
    });
    for (const message of event ? decodeCheckout(event) : [])
      yield* followMessage(tools, message, endpointId);
  }
}

function changesOf({ id, issuedAt, returnedAt }: Checkout): [name: string, since: Date][] {
  const created: [string, Date] = ["created", timeOfId(id) ?? issuedAt];
  return returnedAt === undefined ? [created] : [created, ["returned", returnedAt]];
}

async function movementOf({ database }: Tools, id: string): Promise<Movement | undefined> {
  return findById(await database("register"), movementRecords, id);
}

async function lastOf({ database }: Tools, assetId: string): Promise<Movement | undefined> {
  const mongo = await database("register");
  const asset = await findById(mongo, assetRecords, assetId);
  if (asset === undefined) return undefined;
  const filter = { assetId };
  const options = { sort: { sequence: -1 }, limit: 1 } as const;
  return (await movementRecords.store(mongo).find(asset.workspaceId, filter, options))[0];
}

const noRecord = (step: string, id: string): Step =>
  stopped(
    step,
    `register has no ${step} ${id}: nothing was saved.`,
    "Look at the answer of the call, and in the log at its request_id. Is it the database of this installation (--database-prefix)?",
  );
