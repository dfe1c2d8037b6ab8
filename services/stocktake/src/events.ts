import { type Subscription, subscribe } from "@asset-register/events";
import { topics } from "@asset-register/proto/topics";
import { decodeWorkspace } from "@asset-register/service";
import type { Context } from "./context.ts";

/** The topics that this service consumes. Tags and movements are asked for, since a projection may be late. */
export function subscriptions({ stores }: Context): Subscription[] {
  return [
    subscribe(topics.workspace, {
      handle: (events) => stores.workspaces.project(events.flatMap(decodeWorkspace)),
    }),
  ];
}
