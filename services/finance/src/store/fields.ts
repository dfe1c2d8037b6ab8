import { embedded } from "@asset-register/mongo";

/** The fields of an Actor. */
export const actor = () => embedded({ kind: String, id: String });
