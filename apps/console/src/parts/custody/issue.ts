import type { Schemas } from "../../api/client.ts";

export const holderKinds = ["custodian", "department", "location", "external"] as const;
export type HolderKind = (typeof holderKinds)[number];
export type Condition = NonNullable<Schemas["PostCheckoutsRequest"]["condition_out"]>;

/** To whom assets are issued, as typed into the form. */
export type Issue = {
  kind: HolderKind;
  id: string | null;
  /** Of somebody outside. */
  name: string;
  due: string;
  condition: Condition | null;
  note: string;
};

export const emptyIssue: Issue = {
  kind: "custodian",
  id: null,
  name: "",
  due: "",
  condition: "good",
  note: "",
};

export const isComplete = ({ kind, id, name }: Issue): boolean =>
  kind === "external" ? name.trim() !== "" : id !== null;

/** The body of a check-out, without the asset. */
export const issueBody = ({ kind, id, name, due, condition, note }: Issue) => ({
  issued_to_type: kind,
  ...(kind === "external" ? { issued_to_name: name } : { issued_to_id: id }),
  due_at: due || null,
  condition_out: condition,
  note: note || null,
});
