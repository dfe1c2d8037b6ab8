import { Checkbox, Table } from "@mantine/core";
import { useState } from "react";

type Row = { id: string };

/** The selected rows of a list, and the way to change them. */
export type Selection<R extends Row> = {
  /** Of those that are shown: what a filter hides, or somebody else has changed meanwhile, is not among them. */
  rows: readonly R[];
  has: (id: string) => boolean;
  toggle: (id: string) => void;
  /** "some" are neither all nor none. */
  extent: "none" | "some" | "all";
  toggleAll: () => void;
  clear: () => void;
};

export function useSelection<R extends Row>(shown: readonly R[]): Selection<R> {
  const [ids, setIds] = useState<ReadonlySet<string>>(new Set());
  const rows = shown.filter(({ id }) => ids.has(id));
  const isAll = rows.length > 0 && rows.length === shown.length;
  return {
    rows,
    has: (id) => ids.has(id),
    toggle(id) {
      const next = new Set(ids);
      if (!next.delete(id)) next.add(id);
      setIds(next);
    },
    extent: rows.length === 0 ? "none" : isAll ? "all" : "some",
    toggleAll: () => setIds(new Set(isAll ? [] : shown.map(({ id }) => id))),
    clear: () => setIds(new Set()),
  };
}

type HeadProps<R extends Row> = { selection: Selection<R> | undefined; label: string };

/** The head of the column of checkboxes. Nothing if rows can't be selected. */
export function SelectAllCell<R extends Row>({ selection, label }: HeadProps<R>) {
  if (selection === undefined) return null;
  return (
    <Table.Th w={44}>
      <Checkbox
        aria-label={label}
        checked={selection.extent === "all"}
        indeterminate={selection.extent === "some"}
        onChange={selection.toggleAll}
      />
    </Table.Th>
  );
}

/** The checkbox of a row. */
export function SelectCell<R extends Row>({ selection, label, id }: HeadProps<R> & { id: string }) {
  if (selection === undefined) return null;
  return (
    <Table.Td>
      <Checkbox aria-label={label} checked={selection.has(id)} onChange={() => selection.toggle(id)} />
    </Table.Td>
  );
}
