import { HistoryAction, HistoryEntrySchema } from "@asset-register/proto/assetregister/register/v1/asset_pb";
import { enumOf } from "../http/fields.ts";
import { resource } from "../http/resource.ts";
import { id, instant, like, nullable } from "../http/schemas.ts";
import { actor, changes } from "./audit-entry.ts";

export const historyEntry = resource(
  HistoryEntrySchema,
  "HistoryEntry",
  {
    id: id("his"),
    asset_id: id("ast"),
    at: nullable(instant()),
    actor: actor.schema,
    action: enumOf(HistoryAction),
    changes,
    note: nullable(like("Back from repair")),
    request_id: nullable(like("2f1c9f0e-8a57-4d1b-b0c8-0c8a3c6a4e11")),
  },
  { actor: actor.present },
);
