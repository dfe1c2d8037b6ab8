import { ActionIcon, Button, Fieldset, Group, Stack, Text } from "@mantine/core";
import { IconArrowUp, IconPlus, IconTrash } from "@tabler/icons-react";
import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";
import type { Row } from "./form-rows.ts";

type Props<R extends Row> = {
  legend: string;
  hint: string;
  add: string;
  rows: readonly R[];
  maxRows: number;
  /** Names the buttons of a row. */
  nameOf: (row: R, index: number) => string;
  empty: () => R;
  /** Rows were added, removed or moved. */
  onChange: (rows: R[]) => void;
  /** The order of the rows has a meaning. */
  isOrdered?: boolean;
  /** The fields of a row. */
  children: (index: number) => ReactNode;
};

/** A list in a form: rows of fields that are added and removed. */
export function RowList<R extends Row>(props: Props<R>) {
  const { legend, hint, add, rows, maxRows, nameOf, empty, onChange, isOrdered, children } = props;
  const { t } = useTranslation();
  const moveUp = (row: R, index: number): void => {
    const others = rows.filter(({ key }) => key !== row.key);
    onChange(others.toSpliced(index - 1, 0, row));
  };
  return (
    <Fieldset legend={legend}>
      <Stack gap="sm">
        <Text size="sm" c="dimmed">
          {hint}
        </Text>
        {rows.map((row, index) => (
          <Group key={row.key} gap="xs" align="flex-start">
            <Stack gap="xs" flex="1 1 300px" miw={0}>
              {children(index)}
            </Stack>
            {/* Level with the input, which is below its label; on a phone below all fields. */}
            <Group gap={6} ml="auto" mt={{ base: 0, xs: 28 }}>
              {isOrdered && (
                <ActionIcon
                  variant="default"
                  size={30}
                  aria-label={t("rows.moveUp", { name: nameOf(row, index) })}
                  disabled={index === 0}
                  onClick={() => moveUp(row, index)}
                >
                  <IconArrowUp size={16} aria-hidden />
                </ActionIcon>
              )}
              <ActionIcon
                variant="default"
                size={30}
                aria-label={t("rows.remove", { name: nameOf(row, index) })}
                onClick={() => onChange(rows.filter(({ key }) => key !== row.key))}
              >
                <IconTrash size={16} aria-hidden />
              </ActionIcon>
            </Group>
          </Group>
        ))}
        <Group>
          <Button
            variant="default"
            size="xs"
            leftSection={<IconPlus size={15} aria-hidden />}
            disabled={rows.length >= maxRows}
            onClick={() => onChange([...rows, empty()])}
          >
            {add}
          </Button>
        </Group>
      </Stack>
    </Fieldset>
  );
}
