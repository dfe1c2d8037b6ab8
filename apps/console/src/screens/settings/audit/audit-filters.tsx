import { Group, Select, TextInput } from "@mantine/core";
import { useDebouncedCallback } from "@mantine/hooks";
import { getRouteApi, useNavigate } from "@tanstack/react-router";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { queries } from "../../../api/client.ts";
import type { SettingsSearch } from "../settings-search.ts";

const route = getRouteApi("/settings");

const WAIT_MS = 400;
/** More users than this need the actor's id in the address. */
const MAX_USERS = 200;

/** Shows only what one user did, or only one action. */
export function AuditFilters() {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const search = route.useSearch();
  const [action, setAction] = useState(search.action ?? "");
  const users = queries.useQuery("get", "/users", { params: { query: { per_page: MAX_USERS } } });
  const set = (change: Partial<SettingsSearch>): void => {
    const next = Object.fromEntries(Object.entries({ ...search, ...change }).filter(([, value]) => value));
    void navigate({ to: "/settings", search: next, replace: true });
  };
  const setLater = useDebouncedCallback((value: string) => set({ action: value }), WAIT_MS);
  const known = (users.data?.data ?? []).map(({ id, name }) => ({ value: id, label: name }));
  const isKnown = known.some(({ value }) => value === search.actor);
  return (
    <Group mb="sm" align="flex-end">
      <Select
        label={t("audit.who")}
        searchable
        clearable
        limit={100}
        nothingFoundMessage={t("nav.nothingFound")}
        data={search.actor && !isKnown ? [...known, { value: search.actor, label: search.actor }] : known}
        value={search.actor ?? null}
        onChange={(actor) => set({ actor: actor ?? "" })}
      />
      <TextInput
        label={t("audit.action")}
        placeholder="user.invited"
        value={action}
        onChange={(event) => {
          setAction(event.currentTarget.value);
          setLater(event.currentTarget.value.trim());
        }}
      />
    </Group>
  );
}
