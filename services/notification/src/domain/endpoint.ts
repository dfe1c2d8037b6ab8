import type { Sealed } from "@asset-register/runtime";
import type { EventFilter } from "./message.ts";

/** A URL that messages are posted to: a subscription's, or that of a rule with the channel webhook. */
export type Endpoint = {
  id: string;
  workspaceId: string;
  kind: "subscription" | "rule";
  url: string;
  /** Of a subscription. The endpoint of a rule gets the alerts of its rule. */
  events: EventFilter[];
  secret: Sealed;
  status: "active" | "disabled";
  createdAt: Date;
  rev: number;
};
