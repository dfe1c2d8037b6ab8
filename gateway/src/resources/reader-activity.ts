import {
  ActivityStep,
  ListReaderActivityRequestSchema,
  ReaderActivitySchema,
} from "@asset-register/proto/assetregister/tagging_ingest/v1/reader_pb";
import Type from "typebox";
import { requestMessage } from "../http/request-message.ts";
import { resource } from "../http/resource.ts";
import { instant } from "../http/schemas.ts";

const count = (description: string, example: number) => Type.Integer({ description, examples: [example] });

/** The events of a reader in a minute or an hour. */
export const readerActivity = resource(ReaderActivitySchema, "ReaderActivity", {
  at: instant("When the step begins"),
  accepted: count("Accepted events, without repeats", 240),
  rejected: count("Rejected events", 2),
  duplicate: count("Repeats of accepted events", 5),
});

/** The steps by their name in the parameter `step`. */
const steps = { "1m": ActivityStep.MINUTE, "1h": ActivityStep.HOUR };

export const activityQuery = Type.Object({
  from: Type.Optional(
    instant("The default is the longest time before `to`. The step that contains it is the first."),
  ),
  to: Type.Optional(instant("Steps that begin before it. The default is now.")),
  step: Type.Enum(Object.keys(steps) as (keyof typeof steps)[], {
    default: "1m",
    description:
      "`1m`: minutes, kept for 48 hours, at most 24 hours in one request. `1h`: hours, kept for 90 days, at most 31 days.",
  }),
});

type Query = Type.Static<typeof activityQuery>;

const toRange = requestMessage(ListReaderActivityRequestSchema, activityQuery, "step");

export const toActivityRequest = (id: string, query: Query) => ({
  ...{ ...toRange(query), id, step: steps[query.step] },
});
