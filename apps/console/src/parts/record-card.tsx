import { Card, Group, Stack, Text } from "@mantine/core";
import type { ReactNode } from "react";

type Props = { title: string; badges?: ReactNode; actions?: ReactNode; children?: ReactNode };

/** One row of a list: the name, its state, more about it, and what can be done. */
export function RecordCard({ title, badges, actions, children }: Props) {
  return (
    <Card withBorder padding="sm">
      <Group justify="space-between" align="flex-start" gap="sm">
        <Stack gap={4} flex="1 1 220px" miw={0}>
          <Group gap="xs">
            <Text fw={600} className="wrap" lineClamp={2}>
              {title}
            </Text>
            {badges}
          </Group>
          {children}
        </Stack>
        {actions && <Group gap="xs">{actions}</Group>}
      </Group>
    </Card>
  );
}

/** A dimmed line of a row. */
export const CardLine = ({ children }: { children: ReactNode }) => (
  <Text size="sm" c="dimmed" component="div" className="wrap">
    {children}
  </Text>
);
