import type { TFunction } from "i18next";
import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";
import type { Schemas } from "../../api/client.ts";
import { Ago } from "../../parts/ago.tsx";
import { StatusBadge } from "../../parts/status-badge.tsx";
import { useFormat, useTenant } from "../../parts/workspace.ts";
import { CustomValue } from "./custom-value.tsx";
import type { ListedAsset } from "./use-assets.ts";

export type AssetColumn = {
  /** Names it in the address. Custom fields have "custom_fields.<key>". */
  id: string;
  label: string;
  /** The narrowest screen on which it is shown by default. Undefined: only if it is chosen. */
  from?: "sm" | "md" | "lg";
  width?: number | string;
  isNumber?: true;
  cell: (asset: ListedAsset) => ReactNode;
};

type Format = ReturnType<typeof useFormat>;

/** All columns that the list of assets can have beside the name. */
export function useAssetColumns(): AssetColumn[] {
  const { t } = useTranslation();
  const format = useFormat();
  const tenant = useTenant();
  const statuses = new Map((tenant?.statuses ?? []).map((one) => [one.id, one]));
  const status = ({ status_id: id }: ListedAsset) => (id === null ? undefined : statuses.get(id));
  return [
    {
      id: "status",
      label: t("assets.status"),
      from: "sm",
      width: 140,
      cell: (asset) => <StatusBadge status={status(asset)} />,
    },
    ...standard(t, format),
    ...(tenant?.custom_fields ?? []).map((field) => customColumn(field)),
  ];
}

function standard(t: TFunction, format: Format): AssetColumn[] {
  const money = (value: number | null): string => (value === null ? "" : format.money(value));
  return [
    {
      id: "category",
      label: t("assets.category"),
      from: "md",
      width: "15%",
      cell: ({ category }) => category?.name,
    },
    {
      id: "location",
      label: t("assets.location"),
      from: "md",
      width: "14%",
      cell: ({ location }) => location?.name,
    },
    {
      id: "custodian",
      label: t("assets.custodian"),
      from: "lg",
      width: "14%",
      cell: ({ custodian }) => custodian?.name,
    },
    { id: "department", label: t("assets.department"), cell: ({ department }) => department?.name },
    { id: "serial_number", label: t("asset.serial_number"), cell: ({ serial_number }) => serial_number },
    { id: "manufacturer", label: t("asset.manufacturer"), cell: ({ manufacturer }) => manufacturer },
    { id: "model", label: t("asset.model"), cell: ({ model }) => model },
    { id: "supplier", label: t("asset.supplier"), cell: ({ supplier }) => supplier },
    { id: "cost", label: t("asset.cost"), isNumber: true, cell: ({ cost }) => money(cost) },
    {
      id: "nbv",
      label: t("assets.value"),
      from: "lg",
      width: 130,
      isNumber: true,
      cell: ({ nbv }) => money(nbv),
    },
    {
      id: "in_service_date",
      label: t("asset.in_service_date"),
      cell: ({ in_service_date: day }) => day && format.day(day),
    },
    {
      id: "last_seen",
      label: t("asset.lastSeen"),
      cell: ({ last_seen }) => last_seen?.at && <Ago at={last_seen.at} />,
    },
    {
      id: "updated",
      label: t("assets.updated"),
      from: "lg",
      width: 140,
      cell: ({ updated_at: at }) => at && <Ago at={at} />,
    },
  ];
}

const customColumn = (field: Schemas["CustomField"]): AssetColumn => ({
  id: `custom_fields.${field.key}`,
  label: field.label,
  cell({ custom_fields: values }) {
    const value = values?.[field.key];
    return value === undefined || value === null ? null : <CustomValue field={field} value={value} />;
  },
});
