import { templates } from "@asset-register/proto/label-templates";
import { useMemo } from "react";
import type { LabelValues } from "./label-values.ts";
import classes from "./labels.module.css";
import { sampleCode } from "./sample-code.ts";

type Props = { values: Pick<LabelValues, "template" | "code">; lines: readonly string[] };

const percent = (part: number, whole: number): string => `${(part / whole) * 100}%`;

/** A label as it is printed, in its proportions (the layout of register, with a code that holds nothing). */
export function SampleLabel({ values: { template, code }, lines }: Props) {
  const { label } = templates[template];
  const { columns, rows, quiet, path } = useMemo(() => sampleCode(code), [code]);
  const isBars = code === "code128";
  const padding = Math.min(1.5, label.height * 0.08);
  const side = Math.min(label.height, label.width / 2);
  const module = isBars
    ? Math.min(label.width / (columns + 2 * quiet), 0.5)
    : Math.min(side / (columns + 2 * quiet), 0.75);
  const barHeight = Math.min(15, label.height * 0.35);
  const width = columns * module;
  const height = isBars ? barHeight : rows * module;
  const left = isBars ? (label.width - width) / 2 : quiet * module;
  const top = isBars ? label.height - padding * 2 - barHeight : (label.height - height) / 2;
  const textLeft = isBars ? padding : (columns + 2 * quiet) * module;
  const textHeight = isBars ? top - padding * 2 : label.height - padding * 2;
  const size = Math.min(3.5, Math.max(1.7, label.width / 24), textHeight / (Math.max(lines.length, 1) * 1.2));
  return (
    <div className={classes.label} style={{ aspectRatio: `${label.width} / ${label.height}` }}>
      <svg
        className={classes.part}
        style={{
          left: percent(left, label.width),
          top: percent(top, label.height),
          width: percent(width, label.width),
          height: percent(height, label.height),
        }}
        viewBox={`0 0 ${columns} ${rows}`}
        preserveAspectRatio="none"
        aria-hidden
      >
        <path d={path} fill="#000" />
      </svg>
      <div
        className={classes.lines}
        style={{
          left: percent(textLeft, label.width),
          top: percent(padding, label.height),
          width: percent(label.width - textLeft - padding, label.width),
          height: percent(textHeight, label.height),
          fontSize: `${(size / label.width) * 100}cqw`,
        }}
      >
        {lines.map((line, index) => (
          // The first line is the strong one, whatever it is.
          <div key={line + String(index)} className={classes.line}>
            {line}
          </div>
        ))}
      </div>
    </div>
  );
}
