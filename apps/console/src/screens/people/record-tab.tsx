import { Button, Group, Paper } from "@mantine/core";
import { IconPlus } from "@tabler/icons-react";
import { useNavigate } from "@tanstack/react-router";
import { type ComponentType, useDeferredValue, useState } from "react";
import { useTranslation } from "react-i18next";
import { useSession } from "../../api/use-session.ts";
import { SearchBox } from "../../parts/search-box.tsx";
import { Empty, Failed, Loading } from "../../parts/states.tsx";
import { DeleteRecord } from "./delete-record.tsx";
import type { PeopleSearch } from "./people-search.ts";
import { type Column, RecordTable } from "./record-table.tsx";
import { type Listed, type Records, useRecords } from "./use-records.ts";

const SHOWN = 100;

export type DialogProps<C extends Listed> = { record?: Records[C] | undefined; onClose: () => void };
export type ChangeProps<C extends Listed> = { record: Records[C]; onClose: () => void };

type Props<C extends Listed> = {
  collection: C;
  search: PeopleSearch;
  texts: { new: string; search: string; emptyTitle: string; emptyText: string; deleteText: string };
  columns: readonly Column<Records[C]>[];
  nameOf: (record: Records[C]) => string;
  /** The search of the assets that belong to a record. */
  assetsOf?: (id: string) => { custodian: string } | { category: string };
  Dialog: ComponentType<DialogProps<C>>;
  /** A further change, if the user may make it. */
  more?: { label: string; Dialog: ComponentType<ChangeProps<C>> } | undefined;
};

type Chosen<R> = { action: "create" } | { action: "edit" | "more" | "delete"; record: R };

/** The records of a collection: search, create, change, delete. */
export function RecordTab<C extends Listed>(props: Props<C>) {
  const { collection, search, texts, columns, nameOf, assetsOf, Dialog, more } = props;
  const { t } = useTranslation();
  const { may } = useSession();
  const navigate = useNavigate({ from: "/people" });
  const [chosen, setChosen] = useState<Chosen<Records[C]>>();
  const [shown, setShown] = useState(SHOWN);
  const { records, ...found } = useRecords(collection);
  const q = useDeferredValue(search.q?.toLocaleLowerCase() ?? "");
  const matching = records.filter((record) =>
    [nameOf(record), ...columns.map(({ text }) => text(record))].some((one) =>
      one?.toLocaleLowerCase().includes(q),
    ),
  );
  const find = (text: string | undefined): void => {
    const { q: _before, ...others } = search;
    void navigate({ search: { ...others, ...(text && { q: text }) }, replace: true });
  };
  const showMore = (): void => {
    setShown(shown + SHOWN);
    if (found.hasNextPage && !found.isFetching && shown + SHOWN > matching.length) void found.fetchNextPage();
  };
  const create = may("manage") && (
    <Button leftSection={<IconPlus size={17} aria-hidden />} onClick={() => setChosen({ action: "create" })}>
      {texts.new}
    </Button>
  );
  const close = (): void => setChosen(undefined);
  return (
    <>
      <Group gap="xs" justify="space-between">
        <SearchBox label={texts.search} value={search.q} onSearch={find} />
        {create}
      </Group>
      <Paper withBorder mt="sm" style={{ overflow: "hidden" }}>
        {found.isPending && <Loading />}
        {found.isError && <Failed error={found.error} retry={() => void found.refetch()} />}
        {found.isSuccess && matching.length === 0 && (
          <Empty
            title={q === "" ? texts.emptyTitle : t("nav.nothingFound")}
            text={q === "" ? texts.emptyText : t("record.noneText")}
          >
            {q === "" && create}
          </Empty>
        )}
        {matching.length > 0 && (
          <RecordTable
            records={matching.slice(0, shown)}
            columns={columns}
            nameOf={nameOf}
            assetsOf={assetsOf}
            onEdit={(record) => setChosen({ action: "edit", record })}
            more={more && { label: more.label, onChoose: (record) => setChosen({ action: "more", record }) }}
            onDelete={(record) => setChosen({ action: "delete", record })}
          />
        )}
      </Paper>
      {(matching.length > shown || found.hasNextPage) && (
        <Group justify="center" mt="md">
          <Button variant="default" loading={found.isFetchingNextPage} onClick={showMore}>
            {t("assets.more")}
          </Button>
        </Group>
      )}
      {chosen?.action === "create" && <Dialog onClose={close} />}
      {chosen?.action === "edit" && <Dialog record={chosen.record} onClose={close} />}
      {more && chosen?.action === "more" && <more.Dialog record={chosen.record} onClose={close} />}
      {chosen?.action === "delete" && (
        <DeleteRecord
          collection={collection}
          record={chosen.record}
          name={nameOf(chosen.record)}
          text={texts.deleteText}
          onClose={close}
        />
      )}
    </>
  );
}
