import { ActionIcon, CloseButton, Group, Select, TextInput } from "@mantine/core";
import { useDebouncedCallback, useDisclosure } from "@mantine/hooks";
import { IconFilter, IconSearch } from "@tabler/icons-react";
import { useNavigate } from "@tanstack/react-router";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { CategorySelect, CustodianSelect, PlaceSelect } from "../../parts/record-select.tsx";
import { useTenant } from "../../parts/workspace.ts";
import classes from "./asset-filters.module.css";
import { type AssetSearch, type Sort, sorts } from "./asset-search.ts";

/** As in the search from everywhere: with the answer it stays below 300 ms. */
const TYPING_MS = 120;

const sortTexts = {
  "-updated_at": "assets.sortUpdated",
  name: "assets.sortName",
  number: "assets.sortNumber",
  "-id": "assets.sortNewest",
} as const satisfies Record<Sort, string>;

/** The filters. Each change is a new address; typing replaces it. */
export function AssetFilters({ search }: { search: AssetSearch }) {
  const { t } = useTranslation();
  const navigate = useNavigate({ from: "/assets" });
  const statuses = useTenant()?.statuses ?? [];
  const [opened, { toggle }] = useDisclosure(false);
  // The text being typed. The address follows after a pause.
  const [typed, setTyped] = useState<string>();
  const text = typed ?? search.q ?? "";
  const set = (change: Record<keyof AssetSearch, string | null> | object, replace = false): void => {
    const entries = Object.entries({ ...search, ...change }).filter(([, value]) => value);
    void navigate({ search: Object.fromEntries(entries), replace });
  };
  const find = useDebouncedCallback((q: string) => set({ q: q.trim() }, true), TYPING_MS);
  const type = (value: string): void => {
    setTyped(value);
    find(value);
  };
  const clear = (): void => {
    find.cancel();
    setTyped(undefined);
    set({ q: null }, true);
  };
  return (
    <Group gap="xs" align="flex-end">
      <TextInput
        flex="1 1 240px"
        type="search"
        aria-label={t("assets.search")}
        placeholder={t("assets.search")}
        leftSection={<IconSearch size={16} aria-hidden />}
        rightSection={text !== "" && <CloseButton size="sm" aria-label={t("action.clear")} onClick={clear} />}
        value={text}
        onChange={(event) => type(event.currentTarget.value)}
        onBlur={() => {
          find.flush();
          setTyped(undefined);
        }}
      />
      <ActionIcon
        variant="default"
        size={36}
        hiddenFrom="sm"
        aria-label={t("assets.filters")}
        aria-expanded={opened}
        onClick={toggle}
      >
        <IconFilter size={18} />
      </ActionIcon>
      <Group gap="xs" className={classes.more} data-opened={opened || undefined}>
        <Select
          flex="1 1 140px"
          miw={130}
          clearable
          aria-label={t("assets.status")}
          placeholder={t("assets.status")}
          data={statuses.map(({ id, name }) => ({ value: id, label: name }))}
          value={search.status ?? null}
          onChange={(status) => set({ status })}
        />
        <CategorySelect
          flex="1 1 140px"
          miw={130}
          aria-label={t("assets.category")}
          placeholder={t("assets.category")}
          value={search.category ?? null}
          onChange={(category) => set({ category })}
        />
        <PlaceSelect
          flex="1 1 140px"
          miw={130}
          aria-label={t("assets.location")}
          placeholder={t("assets.location")}
          value={search.location ?? null}
          onChange={(location) => set({ location })}
        />
        <CustodianSelect
          flex="1 1 140px"
          miw={130}
          aria-label={t("assets.custodian")}
          placeholder={t("assets.custodian")}
          value={search.custodian ?? null}
          onChange={(custodian) => set({ custodian })}
        />
        <Select
          flex="1 1 140px"
          miw={130}
          aria-label={t("assets.sort")}
          data={sorts.map((value) => ({ value, label: t(sortTexts[value]) }))}
          value={search.sort ?? "-updated_at"}
          onChange={(sort) => set({ sort })}
          allowDeselect={false}
        />
      </Group>
    </Group>
  );
}
