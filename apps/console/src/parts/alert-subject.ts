import type { TFunction } from "i18next";
import type { Schemas } from "../api/client.ts";

const EPC = "epc:";

/** The tag that an alert is about, if it is about one that is bound to no asset. */
export const unknownTagOf = ({ subject }: Schemas["Alert"]): string | undefined =>
  subject.startsWith(EPC) ? subject.slice(EPC.length) : undefined;

/** The subject of an alert, in words: the name of the asset or reader, or the unknown tag. */
export function subjectOf(t: TFunction, alert: Schemas["Alert"]): string {
  const { subject, subject_record, asset, reader } = alert;
  const epc = unknownTagOf(alert);
  if (epc !== undefined) return t("alerts.unknownTag", { epc });
  return subject_record?.name ?? asset?.name ?? reader?.name ?? subject;
}
