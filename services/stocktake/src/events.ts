import type { Subscription } from "@asset-register/events";
import { workspaceProjection } from "@asset-register/service";
import type { Context } from "./context.ts";

/** The topics that this service consumes. Tags and movements are asked for, since a projection may be late. */
export const subscriptions = ({ stores }: Context): Subscription[] => [
  workspaceProjection.subscription((states) => stores.workspaces.project(states)),
];
