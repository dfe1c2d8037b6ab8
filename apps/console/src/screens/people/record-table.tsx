import { ActionIcon, Anchor, Menu, Table, Text, VisuallyHidden } from "@mantine/core";
import { IconDots } from "@tabler/icons-react";
import { Link } from "@tanstack/react-router";
import { useTranslation } from "react-i18next";
import { useSession } from "../../api/use-session.ts";

export type Column<R> = { label: string; text: (record: R) => string | null | undefined };

type Props<R> = {
  records: readonly R[];
  columns: readonly Column<R>[];
  nameOf: (record: R) => string;
  assetsOf: ((id: string) => { custodian: string } | { category: string }) | undefined;
  onEdit: (record: R) => void;
  onDelete: (record: R) => void;
  /** A further change, if the user may make it. */
  more?: { label: string; onChoose: (record: R) => void } | undefined;
};

/** Records as rows, with the columns that some record fills. Where these do not fit, they are below the name. */
export function RecordTable<R extends { id: string }>(props: Props<R>) {
  const { records, columns, nameOf, assetsOf, onEdit, onDelete, more } = props;
  const { t } = useTranslation();
  const { may } = useSession();
  const hasMenu = may("manage") || may("delete");
  const filled = columns.filter(({ text }) => records.some(text));
  return (
    <Table layout="fixed">
      <Table.Thead>
        <Table.Tr>
          <Table.Th w={filled.length > 0 ? { lg: "28%" } : undefined}>{t("record.name")}</Table.Th>
          {filled.map(({ label }) => (
            <Table.Th key={label} visibleFrom="lg">
              {label}
            </Table.Th>
          ))}
          {assetsOf && <Table.Th w={90}>{t("assets.title")}</Table.Th>}
          {hasMenu && (
            <Table.Th w={56}>
              <VisuallyHidden>{t("action.more")}</VisuallyHidden>
            </Table.Th>
          )}
        </Table.Tr>
      </Table.Thead>
      <Table.Tbody>
        {records.map((record) => {
          const name = nameOf(record);
          const details = filled.map(({ text }) => text(record)).filter(Boolean);
          return (
            <Table.Tr key={record.id}>
              <Table.Td>
                <Text size="sm" fw={550} className="cut" title={name}>
                  {name}
                </Text>
                <Text size="xs" c="dimmed" className="wrap" hiddenFrom="lg">
                  {details.join(" · ")}
                </Text>
              </Table.Td>
              {filled.map(({ label, text }) => (
                <Table.Td key={label} visibleFrom="lg" className="cut" title={text(record) ?? undefined}>
                  {text(record)}
                </Table.Td>
              ))}
              {assetsOf && (
                <Table.Td>
                  <Anchor
                    size="sm"
                    aria-label={t("record.assetsOf", { name })}
                    renderRoot={(anchor) => <Link {...anchor} to="/assets" search={assetsOf(record.id)} />}
                  >
                    {t("assets.title")}
                  </Anchor>
                </Table.Td>
              )}
              {hasMenu && (
                <Table.Td>
                  <Menu position="bottom-end">
                    <Menu.Target>
                      <ActionIcon variant="subtle" color="gray" aria-label={t("record.actions", { name })}>
                        <IconDots size={18} />
                      </ActionIcon>
                    </Menu.Target>
                    <Menu.Dropdown>
                      {may("manage") && (
                        <Menu.Item onClick={() => onEdit(record)}>{t("action.edit")}</Menu.Item>
                      )}
                      {more && <Menu.Item onClick={() => more.onChoose(record)}>{more.label}</Menu.Item>}
                      {may("delete") && (
                        <Menu.Item color="red" onClick={() => onDelete(record)}>
                          {t("action.delete")}
                        </Menu.Item>
                      )}
                    </Menu.Dropdown>
                  </Menu>
                </Table.Td>
              )}
            </Table.Tr>
          );
        })}
      </Table.Tbody>
    </Table>
  );
}
