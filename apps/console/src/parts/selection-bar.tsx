import { Affix, Button, Group, Paper, Text } from "@mantine/core";
import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";
import classes from "./selection-bar.module.css";

type Props = { count: number; onClear: () => void; children: ReactNode };

/** Floats above a list while some of its rows are selected, and says what can be done with them. */
export function SelectionBar({ count, onClear, children }: Props) {
  const { t } = useTranslation();
  return (
    <Affix
      className={classes.bar}
      position={{ bottom: 16, left: "var(--app-shell-navbar-offset, 0px)", right: 0 }}
      zIndex={100}
    >
      <Group justify="center" px="md">
        <Paper shadow="lg" withBorder p="xs" radius="lg">
          <Group gap="xs">
            <Text size="sm" fw={600} px="xs">
              {t("assets.selected", { count })}
            </Text>
            {children}
            <Button size="xs" variant="subtle" color="gray" onClick={onClear}>
              {t("action.clear")}
            </Button>
          </Group>
        </Paper>
      </Group>
    </Affix>
  );
}
