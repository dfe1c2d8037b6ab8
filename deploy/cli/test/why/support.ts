import { eventually } from "@asset-register/harness";
import { newId } from "@asset-register/runtime";
import { expect } from "vitest";
import type { AlertRule } from "../../../../services/notification/src/domain/alert-rules/alert-rule.ts";
import type { Endpoint } from "../../../../services/notification/src/domain/webhooks/endpoint.ts";
import { movementMessage } from "../../../../services/notification/src/domain/webhooks/payload.ts";
import { deliveryOf } from "../../../../services/notification/src/operations/webhooks/enqueue-messages.ts";
import { alertRuleRecords } from "../../../../services/notification/src/store/alert-rules/alert-rules.ts";
import {
  createDeliveryStore,
  deliveryRecords,
} from "../../../../services/notification/src/store/webhooks/deliveries.ts";
import { endpointRecords } from "../../../../services/notification/src/store/webhooks/endpoints.ts";
import { type Read, sightingEvent } from "../../../../services/notification/test/events.ts";
import { assetMoved } from "../../../../services/register/src/published.ts";
import { createMovementStore } from "../../../../services/register/src/store/custody/movements.ts";
import { followToWebhooks } from "../../src/why/delivery.ts";
import { followMovement } from "../../src/why/movement.ts";
import { followToAlert } from "../../src/why/rules.ts";
import type { Step, Steps } from "../../src/why/step.ts";
import { openInstallation } from "../installation.ts";

const sealed = { keyId: "k1", nonce: Buffer.alloc(12), data: Buffer.alloc(32) };
export const HOUR_MS = 3_600_000;
export const ago = (ms: number): Date => new Date(Date.now() - ms);

export const workspace = () => ({ workspaceId: newId("wsp"), assetId: newId("ast") });

/** The steps before a service handles an event. */
export const TRANSPORT = ["outbox", "topic", "consumer"];

/** A question to `cli why`: `option` is the webhook, or the rule of an alert. */
export type Question = [kind: "movement" | "delivery" | "alert", id: string, option?: string];

/**
 * An installation for the tests of a file, questions to it and the records that they are about. Relays and a consumer
 * run from the start if `runs` is set.
 */
export async function openWhy({ runs }: { runs: boolean }) {
  const own = await openInstallation();
  if (runs) {
    await own.relays();
    await own.consumer();
  }

  /**
   * The steps that a command reports. It runs in this process, since a process for each of them takes most of the time of
   * these tests; the last tests of the first block run the command itself.
   */
  async function why(...question: Question): Promise<Step[]> {
    const found: Step[] = [];
    for await (const step of follow(...question)) found.push(step);
    return found;
  }

  function follow(...[kind, id, option]: Question): Steps {
    if (kind === "movement") return followMovement(own.tools, id, option);
    if (kind === "delivery") return followToWebhooks(own.tools, id, option);
    return followToAlert(own.tools, { id, ruleId: option, since: ago(24 * HOUR_MS) });
  }

  async function expectStop(
    args: Question,
    expected: { step: string; state: string; text: RegExp; advice?: RegExp },
  ) {
    const steps = await why(...args);
    const { text, advice, ...rest } = expected;
    const last = steps.at(-1);
    expect(last).toMatchObject(rest);
    expect(last?.text).toMatch(text);
    if (advice) expect(last?.advice).toMatch(advice);
    return steps;
  }

  /** A movement as the register saves it, with its event in the outbox. */
  async function move({ workspaceId, assetId }: { workspaceId: string; assetId: string }, sequence = 1) {
    const movement = {
      ...{ id: newId("mov"), workspaceId, assetId, toLocationId: "loc_b", reason: "transfer", sequence },
      ...{ at: new Date(), by: { kind: "user" as const, id: "usr_1" } },
    };
    const event = assetMoved(movement);
    await own.register.transaction({}, (session) =>
      createMovementStore(own.register).insertMany(workspaceId, [movement], session),
    );
    await own.add(own.register, event);
    return movement;
  }

  async function subscribed(workspaceId: string, change: Partial<Endpoint> = {}): Promise<Endpoint> {
    const endpoint: Endpoint = {
      ...{
        id: newId("whk"),
        workspaceId,
        kind: "subscription",
        url: "https://hooks.example.com/in?token=secret",
      },
      ...{ events: ["*"], secret: sealed, status: "active", createdAt: ago(HOUR_MS), rev: 1 },
      ...change,
    };
    const beside = { slots: [], failures: 0 };
    await endpointRecords.store(own.notification).insert(workspaceId, endpoint, undefined, beside);
    return endpoint;
  }

  async function delivery({ workspaceId, id }: Endpoint, change: object = {}) {
    const cause = { workspaceId, id: newId("msg"), sequence: 1, time: new Date() };
    const moved = { id: newId("mov"), assetId: "ast_1", at: new Date(), by: { kind: "user", id: "usr_1" } };
    const made = deliveryOf(movementMessage(cause, moved), id);
    await createDeliveryStore(own.notification).addOnce([made]);
    const { collection } = deliveryRecords.store(own.notification);
    const filter = { workspaceId, messageId: made.messageId };
    await collection.updateOne(filter, { $set: { attempts: 0, ...change } });
    return (await collection.findOne(filter))?._id ?? "";
  }

  async function ruled(change: Partial<AlertRule> = {}): Promise<AlertRule> {
    const rule: AlertRule = {
      ...{ id: newId("rul"), workspaceId: newId("wsp"), name: "Gate", scopeType: "all", channel: "inapp" },
      ...{ condition: { type: "seen_in_zone", zoneId: "zon_gate" }, enabled: true, cooldownSeconds: 300 },
      ...{ createdAt: ago(HOUR_MS), rev: 1, version: 1 },
      ...change,
    };
    await alertRuleRecords.store(own.notification).insert(rule.workspaceId, rule);
    return rule;
  }

  /** A sighting as tagging-ingest publishes it. */
  async function seen({ workspaceId }: AlertRule, assetId: string, read: Partial<Read> = {}): Promise<void> {
    const event = sightingEvent({
      ...{ workspaceId, assetId, sequence: 1, zoneId: "zon_gate", change: { case: "seen", value: {} } },
      ...read,
    });
    await own.add(own.taggingIngest, { ...event, time: new Date() });
  }

  const observation = (assetId: string, sequence = 1) => ({
    ...{
      assetId,
      zoneId: "zon_gate",
      at: ago(HOUR_MS),
      receivedAt: ago(HOUR_MS),
      order: { epoch: 0, sequence },
    },
  });

  /** Waits until `cli why` no more stops at one of these steps. */
  const beyond = (steps: string[], ...args: Question) =>
    eventually(async () => expect(steps).not.toContain((await why(...args)).at(-1)?.step));

  return { own, why, expectStop, move, subscribed, delivery, ruled, seen, observation, beyond };
}
