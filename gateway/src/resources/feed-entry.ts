import { FeedEntrySchema } from "@asset-register/proto/assetregister/notification/v1/feed_pb";
import Type from "typebox";
import { resource } from "../http/resource.ts";
import { exampleId, id, instant } from "../http/schemas.ts";

const data = Type.Unsafe<object>({
  type: "object",
  additionalProperties: true,
  description: "What happened, in ids. Its fields depend on `type`: they are those of a webhook's message",
  examples: [{ seq: 7, asset_id: exampleId("ast"), number: "AST-000012", fields: ["name"] }],
});

const EXAMPLE_CURSOR = "WyJ3c3BfMDFrOGY3MGE0YmZoa3Y1d3EydDRyN3oxeGUiLDcsIjNrOHQyYzlkIl0";

/** An entry of the event feed: the message of a webhook, and its place in the feed. */
export const feedEntry = resource(
  FeedEntrySchema,
  "Event",
  {
    id: Type.String({
      description: "The same as of the webhook's message about it",
      examples: [exampleId("msg")],
    }),
    type: Type.String({ description: "`asset.updated`", examples: ["asset.updated"] }),
    timestamp: instant("When it happened"),
    workspace_id: id("wsp"),
    data,
    cursor: Type.String({ description: "The place after this event", examples: [EXAMPLE_CURSOR] }),
  },
  // The service has made the text.
  { data: (entry) => JSON.parse(entry.data) as object },
);

/** The position of a page. */
export const feedPosition = {
  next_after: Type.String({
    description:
      "Pass it as `after` to get what comes next. It is there on each page, and is also after events that the filter leaves out.",
    examples: [EXAMPLE_CURSOR],
  }),
  has_more: Type.Boolean({ description: "There are more events at this moment", examples: [false] }),
};

export const streamExample = `retry: 2000

id: ${EXAMPLE_CURSOR}
event: asset.created
data: {"id":"${exampleId("msg")}","type":"asset.created","timestamp":"2026-01-31T09:30:00.000Z","workspace_id":"${exampleId("wsp")}","data":{"seq":1,"asset_id":"${exampleId("ast")}","number":"AST-000012"},"cursor":"${EXAMPLE_CURSOR}"}

`;
