import type { Sealed } from "@asset-register/runtime";
import { isSince } from "../alerts/is-since.ts";
import type { EventFilter } from "./message.ts";

export type PreviousSecret = { sealed: Sealed; endsAt: Date };

/** A URL that messages are posted to: a subscription's, or that of a rule with the channel webhook. */
export type Endpoint = {
  id: string;
  workspaceId: string;
  kind: "subscription" | "rule";
  url: string;
  /** Of a subscription. The endpoint of a rule gets the alerts of its rule. */
  events: EventFilter[];
  secret: Sealed;
  /** Of the last rotation. It signs too until `endsAt`. */
  previousSecret?: PreviousSecret | undefined;
  status: "active" | "disabled";
  createdAt: Date;
  /** When a subscription was created or enabled again. Absent in rows of older releases. */
  activeSince?: Date | undefined;
  rev: number;
};

/** Whether a subscription gets what was published at `time`. It gets no replayed events from before it was active. */
export function isNewFor(
  { activeSince, createdAt }: Pick<Endpoint, "activeSince" | "createdAt">,
  time: Date,
): boolean {
  return isSince(time, activeSince ?? createdAt);
}

/** The overlap of two secrets when a rotation has none: 24 h. */
export const DEFAULT_OVERLAP_SECONDS = 86_400;

/** The endpoint with a new secret. The one before stays until the overlap ends (0: not at all); an older one ends now. */
export function rotateSecret(
  endpoint: Endpoint,
  fresh: Sealed,
  now: Date,
  overlapSeconds = DEFAULT_OVERLAP_SECONDS,
): Endpoint {
  const endsAt = new Date(now.getTime() + overlapSeconds * 1000);
  const previousSecret = overlapSeconds === 0 ? undefined : { sealed: endpoint.secret, endsAt };
  return { ...endpoint, secret: fresh, previousSecret, rev: endpoint.rev + 1 };
}

/** The sealed secrets that sign at `now`. */
export function secretsAt(
  { secret, previousSecret }: Pick<Endpoint, "secret" | "previousSecret">,
  now: Date,
): { current: Sealed; previous?: Sealed | undefined } {
  const overlaps = previousSecret !== undefined && previousSecret.endsAt > now;
  return { current: secret, previous: overlaps ? previousSecret.sealed : undefined };
}
