import type { LabelTemplate } from "@asset-register/proto/label-templates";
import type { Schemas } from "../../api/client.ts";

type Sheet = Required<{ [K in keyof Schemas["NewLabelSheet"]]: NonNullable<Schemas["NewLabelSheet"][K]> }>;

export const codes = ["qr", "datamatrix", "code128"] as const satisfies readonly Sheet["code"][];
export const fields = ["number", "name", "workspace_name"] as const satisfies Sheet["content"];

/** How labels look, with the names of the API, so that an error is shown at its field. */
export type LabelValues = Pick<
  Sheet,
  "format" | "code" | "content" | "text" | "start_at" | "missing_tags"
> & {
  template: LabelTemplate;
  /** A text, since it is chosen from a list. */
  dpi: "203" | "300";
};

export const initialValues = (mayBind: boolean): LabelValues => ({
  ...{ template: "l7160", format: "pdf", code: "qr", start_at: 1, dpi: "203" },
  ...{ content: [...fields], text: "" },
  missing_tags: mayBind ? "bind" : "skip",
});

/** The values that the API takes. Only a roll is printed as ZPL, and only a sheet has used labels. */
export function bodyOf(
  values: LabelValues,
  isRoll: boolean,
): Omit<Schemas["NewLabelSheet"], "asset_ids" | "filter"> {
  const { template, format, code, content, text, start_at, missing_tags, dpi } = values;
  return {
    ...{ template, code, missing_tags },
    // The order of the fields is that of the label, not that of the clicks.
    content: fields.filter((field) => content.includes(field)),
    text: text.trim() || null,
    ...(isRoll ? { format, dpi: dpi === "300" ? 300 : 203 } : { format: "pdf", start_at }),
  };
}
