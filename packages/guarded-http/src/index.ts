export { type Network, parseNetwork } from "./address.ts";
export { createGuardedConnector, RefusedError } from "./connector.ts";
export { createGuardedFetch, type GuardedFetch } from "./fetch.ts";
export { addressAllowed, parsePublicUrl } from "./public-url.ts";
export { reasonOf } from "./reason-of.ts";
export { createResolver, type Resolve } from "./resolver.ts";
