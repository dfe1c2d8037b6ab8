import { Box, Group, Stack, Table, Text } from "@mantine/core";
import { Link } from "@tanstack/react-router";
import { useTranslation } from "react-i18next";
import classes from "../../parts/row.module.css";
import { SelectAllCell, SelectCell, type Selection } from "../../parts/selection.tsx";
import { StatusBadge } from "../../parts/status-badge.tsx";
import { useTenant } from "../../parts/workspace.ts";
import { useAssetColumns } from "./asset-columns.tsx";
import { Thumbnail } from "./thumbnail.tsx";
import type { ListedAsset } from "./use-assets.ts";

/** The name, and each column that is chosen, are at least so wide. */
const NAME_WIDTH = 280;
const CHOSEN_WIDTH = 130;

type Props = {
  assets: readonly ListedAsset[];
  /** Undefined if the user may not change assets. */
  selection: Selection<ListedAsset> | undefined;
  /** The ids of the chosen columns. Undefined: the usual ones, as far as they fit. */
  columns: readonly string[] | undefined;
};

/** The assets as rows. On a phone, the columns that do not fit are below the name. */
export function AssetTable({ assets, selection, columns }: Props) {
  const { t } = useTranslation();
  const shown = useAssetColumns().flatMap((one) => {
    if (columns === undefined) return one.from === undefined ? [] : [one];
    return columns.includes(one.id) ? [{ ...one, from: "sm" as const, width: undefined }] : [];
  });
  const statuses = new Map((useTenant()?.statuses ?? []).map((one) => [one.id, one]));
  // On a phone, no column is shown but the name.
  const width = columns && { sm: NAME_WIDTH + columns.length * CHOSEN_WIDTH };
  return (
    <Box style={{ overflowX: "auto" }}>
      <Table className={classes.table} layout="fixed" miw={width}>
        <Table.Thead>
          <Table.Tr>
            <SelectAllCell selection={selection} label={t("assets.selectAll")} />
            <Table.Th w={columns && { sm: NAME_WIDTH }}>{t("assets.name")}</Table.Th>
            {shown.map(({ id, label, from, width, isNumber }) => (
              <Table.Th key={id} w={width} visibleFrom={from} ta={isNumber && "right"} className="wrap">
                {label}
              </Table.Th>
            ))}
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {assets.map((asset) => {
            const status = asset.status_id === null ? undefined : statuses.get(asset.status_id);
            return (
              <Table.Tr key={asset.id} data-selected={selection?.has(asset.id) || undefined}>
                <SelectCell
                  selection={selection}
                  id={asset.id}
                  label={t("assets.select", { name: asset.name })}
                />
                <Table.Td>
                  <Group gap="sm" wrap="nowrap">
                    <Thumbnail src={asset.thumbnail} />
                    <Stack gap={0} miw={0} flex={1}>
                      <Link to="/assets/$id" params={{ id: asset.id }} className={classes.name}>
                        {asset.name}
                      </Link>
                      <Text size="xs" c="dimmed" className="cut">
                        {[asset.number, asset.serial_number].filter(Boolean).join(" · ")}
                      </Text>
                      <Group gap={6} hiddenFrom="md" mt={4} wrap="nowrap">
                        <Box hiddenFrom="sm">
                          <StatusBadge status={status} />
                        </Box>
                        <Text size="xs" c="dimmed" className="cut">
                          {[asset.location?.name, asset.custodian?.name].filter(Boolean).join(" · ")}
                        </Text>
                      </Group>
                    </Stack>
                  </Group>
                </Table.Td>
                {shown.map(({ id, from, isNumber, cell }) => (
                  <Table.Td key={id} visibleFrom={from} ta={isNumber && "right"} className="cut">
                    {cell(asset)}
                  </Table.Td>
                ))}
              </Table.Tr>
            );
          })}
        </Table.Tbody>
      </Table>
    </Box>
  );
}
