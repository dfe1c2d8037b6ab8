import { limits } from "@asset-register/proto/limits";
import { Alert, Anchor, Card, Group, Select, Stack, Text, Title } from "@mantine/core";
import { Link, useNavigate } from "@tanstack/react-router";
import { useTranslation } from "react-i18next";
import { CategorySelect, CustodianSelect, PlaceSelect } from "../../parts/record-select.tsx";
import { SearchBox } from "../../parts/search-box.tsx";
import { useFormat, useTenant } from "../../parts/workspace.ts";
import type { LabelSearch } from "./label-search.ts";
import type { Labelled } from "./use-labelled.ts";

/** Which assets get labels: those that were selected, or all that match a filter. */
export function LabelledAssets({ search, labelled }: { search: LabelSearch; labelled: Labelled }) {
  const { t } = useTranslation();
  const format = useFormat();
  const { count, isSelection, sample } = labelled;
  const shown = format.number(count);
  return (
    <Card withBorder component="section">
      <Stack gap="sm">
        <Title order={2} size="h5">
          {t("labels.assets")}
        </Title>
        {isSelection ? (
          <Group justify="space-between" gap="xs">
            <Text className="wrap" lineClamp={2} flex="1 1 200px">
              {count === 1 ? sample?.name : t("labels.selected", { count, shown })}
            </Text>
            <Anchor component={Link} to="/assets" size="sm" underline="always">
              {t("labels.chooseOthers")}
            </Anchor>
          </Group>
        ) : (
          <>
            <Filters search={search} />
            <Text size="sm" role="status">
              {count === 0 ? t("labels.none") : t("labels.found", { count, shown })}
            </Text>
            <Text size="xs" c="dimmed">
              {t("labels.filterHint")}
            </Text>
          </>
        )}
        {count > limits.labels && (
          <Alert color="yellow">{t("labels.tooMany", { max: format.number(limits.labels) })}</Alert>
        )}
      </Stack>
    </Card>
  );
}

function Filters({ search }: { search: LabelSearch }) {
  const { t } = useTranslation();
  const navigate = useNavigate({ from: "/labels" });
  const statuses = useTenant()?.statuses ?? [];
  const set = (change: Record<string, string | null | undefined>): void => {
    const entries = Object.entries({ ...search, ...change }).filter(([, value]) => value);
    void navigate({ search: Object.fromEntries(entries), replace: true });
  };
  const props = (name: "category" | "location" | "custodian") => ({
    ...{ flex: "1 1 140px", miw: 130, value: search[name] ?? null },
    ...{ "aria-label": t(`assets.${name}`), placeholder: t(`assets.${name}`) },
    onChange: (value: string | null) => set({ [name]: value }),
  });
  return (
    <Group gap="xs">
      <SearchBox label={t("assets.search")} value={search.q} onSearch={(q) => set({ q })} />
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
      <CategorySelect {...props("category")} />
      <PlaceSelect {...props("location")} />
      <CustodianSelect {...props("custodian")} />
    </Group>
  );
}
