import type { Chunk } from "@asset-register/mongo";
import type { Context } from "../../context.ts";
import type { RunDocument } from "../../store/runs.ts";

/** What the steps of a run need. */
export type RunParts = Pick<Context, "mongo" | "outbox" | "stores" | "clients" | "now">;

export type RunChunk = Chunk<RunDocument>;
