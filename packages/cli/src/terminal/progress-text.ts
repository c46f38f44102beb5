import { count } from "conformant-workbench";
import { displayWidth } from "./text-table.ts";

/** A running stage. */
export interface Stage {
  readonly what: string;
  readonly done: number | undefined;
  readonly total: number | undefined;
  /** Its intermediate result, as text. */
  readonly detail: string | undefined;
  /** When it began, in milliseconds. */
  readonly since: number;
}

const BAR_WIDTH = 24;
/** The remaining time is estimated after this many milliseconds and this share of the work. */
const [LEAST_MS, LEAST_SHARE] = [2000, 0.02];

/** A stage in one line of at most this many columns; the least important parts are dropped first. */
export function progressText(stage: Stage, now: number, columns: number): string {
  const { what, done, total, detail } = stage;
  const share = done !== undefined && total ? Math.min(1, done / total) : undefined;
  const elapsed = seconds(Math.floor((now - stage.since) / 1000));
  const amount = share !== undefined ? `${Math.floor(100 * share)} %` : done ? `${count(done)} rows` : "";
  const parts = [what, bar(share), amount, elapsed, timeLeft(share, now - stage.since), detail ?? ""];
  const least = [[], [1], [1, 5], [1, 4, 5], [1, 3, 4, 5]];
  for (const without of least) {
    const text = parts.filter((part, p) => part !== "" && !without.includes(p)).join("  ");
    if (displayWidth(text) <= columns) return text;
  }
  return what.slice(0, Math.max(0, columns));
}

function bar(share: number | undefined): string {
  if (share === undefined) return "";
  const full = Math.round(share * BAR_WIDTH);
  return `${"━".repeat(full)}${"╌".repeat(BAR_WIDTH - full)}`;
}

/** The remaining time if the stage continues at its speed; empty before there is an estimate. */
function timeLeft(share: number | undefined, elapsed: number): string {
  if (share === undefined || share < LEAST_SHARE || share === 1 || elapsed < LEAST_MS) return "";
  return `about ${seconds(Math.ceil((elapsed * (1 - share)) / share / 1000))} left`;
}

function seconds(n: number): string {
  const [hours, minutes] = [Math.floor(n / 3600), Math.floor(n / 60) % 60];
  if (hours > 0) return `${hours} h ${minutes} min`;
  return minutes > 0 ? `${minutes} min ${n % 60} s` : `${n} s`;
}
