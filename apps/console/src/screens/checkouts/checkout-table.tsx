import { Badge, Button, Group, Stack, Table, Text } from "@mantine/core";
import { Link } from "@tanstack/react-router";
import { useTranslation } from "react-i18next";
import { Ago } from "../../parts/ago.tsx";
import classes from "../../parts/row.module.css";
import { SelectAllCell, SelectCell, type Selection } from "../../parts/selection.tsx";
import { useFormat } from "../../parts/workspace.ts";
import { type ListedCheckout, nameOf } from "./listed-checkout.ts";

type Props = {
  checkouts: readonly ListedCheckout[];
  /** Undefined if none of them can be taken back. */
  selection: Selection<ListedCheckout> | undefined;
  onReturn: ((checkout: ListedCheckout) => void) | undefined;
};

/** Check-outs as rows. On a phone, what does not fit is below the name. */
export function CheckoutTable({ checkouts, selection, onReturn }: Props) {
  const { t } = useTranslation();
  return (
    <Table className={classes.table} layout="fixed">
      <Table.Thead>
        <Table.Tr>
          <SelectAllCell selection={selection} label={t("assets.selectAll")} />
          <Table.Th>{t("checkouts.asset")}</Table.Th>
          <Table.Th w="24%" visibleFrom="md">
            {t("asset.issuedTo")}
          </Table.Th>
          <Table.Th w={140} visibleFrom="lg">
            {t("asset.issuedAt")}
          </Table.Th>
          <Table.Th w={170} visibleFrom="md">
            {t(onReturn ? "issue.due" : "asset.returnedAt")}
          </Table.Th>
          {onReturn && <Table.Th w={116} aria-label={t("action.more")} />}
        </Table.Tr>
      </Table.Thead>
      <Table.Tbody>
        {checkouts.map((one) => (
          <Table.Tr key={one.id} data-selected={selection?.has(one.id) || undefined}>
            <SelectCell selection={selection} id={one.id} label={t("assets.select", { name: nameOf(one) })} />
            <Table.Td>
              <Link to="/assets/$id" params={{ id: one.asset_id }} className={classes.name}>
                {nameOf(one)}
              </Link>
              <Text size="xs" c="dimmed" className="cut">
                {one.asset?.number}
              </Text>
              <Stack gap={4} hiddenFrom="md" mt={4}>
                <Text size="xs" className="cut">
                  {one.issued_to_name}
                </Text>
                <When checkout={one} />
              </Stack>
            </Table.Td>
            <Table.Td visibleFrom="md" className="cut">
              {one.issued_to_name}
            </Table.Td>
            <Table.Td visibleFrom="lg" c="dimmed" className="cut">
              {one.issued_at && <Ago at={one.issued_at} />}
            </Table.Td>
            <Table.Td visibleFrom="md">
              <When checkout={one} />
            </Table.Td>
            {onReturn && (
              <Table.Td ta="right">
                <Button
                  size="xs"
                  variant="default"
                  aria-label={`${t("asset.return")}: ${nameOf(one)}`}
                  onClick={() => onReturn(one)}
                >
                  {t("asset.return")}
                </Button>
              </Table.Td>
            )}
          </Table.Tr>
        ))}
      </Table.Tbody>
    </Table>
  );
}

/** When it is due, or when it came back; late is red. */
function When({ checkout }: { checkout: ListedCheckout }) {
  const { t } = useTranslation();
  const format = useFormat();
  const { status, overdue, due_at, returned_at, returned_late, needs_inspection } = checkout;
  if (status === "returned")
    return (
      <Group gap={6}>
        <Text size="sm">{returned_at && format.date(returned_at)}</Text>
        {returned_late && (
          <Badge color="orange" variant="light" tt="none">
            {t("checkouts.late")}
          </Badge>
        )}
        {needs_inspection && (
          <Badge color="yellow" variant="light" tt="none">
            {t("checkouts.inspect")}
          </Badge>
        )}
      </Group>
    );
  if (due_at === null)
    return (
      <Text size="sm" c="dimmed">
        {t("checkouts.noDue")}
      </Text>
    );
  return (
    <Group gap={6}>
      <Text size="sm">{format.date(due_at)}</Text>
      {overdue && (
        <Badge color="red" variant="light" tt="none">
          {t("asset.overdue")}
        </Badge>
      )}
    </Group>
  );
}
