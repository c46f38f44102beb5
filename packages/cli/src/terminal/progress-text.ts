import { count } from "conformant-workbench";
import { displayWidth } from "./text-table.ts";

/** Something that is going on. */
export interface Stage {
  readonly what: string;
  readonly done: number | undefined;
  readonly total: number | undefined;
  /** What has come of it so far. */
  readonly detail: string | undefined;
  /** When it began, in milliseconds. */
  readonly since: number;
}

const BAR_WIDTH = 24;
/** A guess of the time left needs so many milliseconds, and such a share, to go by. */
const [LEAST_MS, LEAST_SHARE] = [2000, 0.02];

/** A stage in one line of at most so many columns; what matters least is left out first. */
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

/** What is left of a stage that goes on as it did; nothing before that can be told. */
function timeLeft(share: number | undefined, elapsed: number): string {
  if (share === undefined || share < LEAST_SHARE || share === 1 || elapsed < LEAST_MS) return "";
  return `about ${seconds(Math.ceil((elapsed * (1 - share)) / share / 1000))} left`;
}

function seconds(n: number): string {
  const [hours, minutes] = [Math.floor(n / 3600), Math.floor(n / 60) % 60];
  if (hours > 0) return `${hours} h ${minutes} min`;
  return minutes > 0 ? `${minutes} min ${n % 60} s` : `${n} s`;
}
