import { Card, Group, Text } from "@mantine/core";
import { IconChevronRight } from "@tabler/icons-react";
import { Link } from "@tanstack/react-router";
import { useTranslation } from "react-i18next";
import { useWaitingCount, type Waiting } from "./use-waiting-count.ts";
import classes from "./waiting-card.module.css";
import { type LinkedPart, links } from "./waiting-parts.ts";

/** How many of one kind wait; it leads to them. Zero is calm, more is not. */
export function WaitingCard({ part, value }: { part: LinkedPart; value: Waiting }) {
  const { t } = useTranslation();
  const countOf = useWaitingCount();
  const isUrgent = value !== null && value.count > 0 && part !== "readers_silent";
  return (
    <Card
      withBorder
      padding="md"
      className={classes.card}
      renderRoot={(props) => <Link {...props} {...links[part]} />}
    >
      <Group justify="space-between" wrap="nowrap" gap="xs">
        <Text
          size="xl"
          fw={650}
          className="numbers"
          c={isUrgent ? "red.7" : value?.count === 0 ? "dimmed" : undefined}
        >
          {countOf(value)}
        </Text>
        <IconChevronRight size={18} aria-hidden />
      </Group>
      <Text size="sm" c="dimmed">
        {value === null ? `${t(`home.${part}`)}: ${t("home.unavailable")}` : t(`home.${part}`)}
      </Text>
    </Card>
  );
}
