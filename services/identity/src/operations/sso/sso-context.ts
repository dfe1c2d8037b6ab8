import type { Context } from "../../context.ts";
import type { Sso } from "../../providers/sso.ts";

/** The context of single sign-on. The operators' tool has none. */
export type SsoContext = Context & { sso: Sso };
