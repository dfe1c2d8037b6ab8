import { Card, SimpleGrid, Stack, Text, Title } from "@mantine/core";
import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";
import type { Schemas } from "../../api/client.ts";
import { useFormat, useTenant } from "../../parts/workspace.ts";
import { AssetTags } from "./asset-tags.tsx";
import { CustomValue } from "./custom-value.tsx";

/** All fields that have a value, the workspace's own fields too. */
export function AssetDetails({ asset }: { asset: Schemas["Asset"] }) {
  const { t } = useTranslation();
  const format = useFormat();
  const fields = useTenant()?.custom_fields ?? [];
  const money = (value: number | null) => (value === null ? null : format.money(value));
  const details: [string, string | number | null | undefined][] = [
    [t("assets.category"), asset.category?.name],
    [t("assets.department"), asset.department?.name],
    [t("asset.serial_number"), asset.serial_number],
    [t("asset.manufacturer"), asset.manufacturer],
    [t("asset.model"), asset.model],
    [t("asset.cost"), money(asset.cost)],
    [t("asset.nbv"), money(asset.nbv)],
    [t("asset.salvage_value"), money(asset.salvage_value)],
    [t("asset.in_service_date"), asset.in_service_date && format.day(asset.in_service_date)],
    [t("asset.useful_life_months"), asset.useful_life_months],
    [t("asset.supplier"), asset.supplier],
    [t("asset.purchase_order"), asset.purchase_order],
    [t("asset.invoice_number"), asset.invoice_number],
    [t("asset.created"), asset.created_at && format.time(asset.created_at)],
    [t("asset.updated"), asset.updated_at && format.time(asset.updated_at)],
  ];
  const own = fields.flatMap((field): [string, ReactNode][] => {
    const value = asset.custom_fields?.[field.key];
    return value === undefined || value === null
      ? []
      : [[field.label, <CustomValue key={field.key} field={field} value={value} />]];
  });
  return (
    <Stack>
      {asset.description && <Text className="wrap">{asset.description}</Text>}
      <Values rows={details} />
      {own.length > 0 && (
        <>
          <Title order={2} size="h5">
            {t("asset.fields")}
          </Title>
          <Values rows={own} />
        </>
      )}
      <AssetTags asset={asset} />
    </Stack>
  );
}

function Values({ rows }: { rows: readonly [string, ReactNode][] }) {
  const shown = rows.filter(([, value]) => value !== null && value !== undefined && value !== "");
  return (
    <Card withBorder padding="md">
      <SimpleGrid cols={{ base: 1, xs: 2, lg: 3 }} spacing="md" component="dl" m={0}>
        {shown.map(([label, value]) => (
          <div key={label}>
            <Text size="xs" c="dimmed" component="dt">
              {label}
            </Text>
            <Text size="sm" className="wrap" component="dd" m={0}>
              {value}
            </Text>
          </div>
        ))}
      </SimpleGrid>
    </Card>
  );
}
