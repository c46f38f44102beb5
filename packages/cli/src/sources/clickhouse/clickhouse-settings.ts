import { CliError, listed, quoted } from "../../errors.ts";

/** Minimum settings of a query: mixtures are long expressions. */
const LIMITS: Readonly<Record<string, number>> = {
  max_query_size: 1 << 28,
  max_ast_elements: 10_000_000,
  max_expanded_ast_elements: 100_000_000,
  max_ast_depth: 10_000,
};

/** Settings that could make a query skip rows, and their required values. */
const WHOLE: Readonly<Record<string, string>> = {
  skip_unavailable_shards: "0",
  limit: "0",
  offset: "0",
  read_overflow_mode: "throw",
  read_overflow_mode_leaf: "throw",
  result_overflow_mode: "throw",
  timeout_overflow_mode: "throw",
  timeout_overflow_mode_leaf: "throw",
  group_by_overflow_mode: "throw",
  sort_overflow_mode: "throw",
  distinct_overflow_mode: "throw",
  set_overflow_mode: "throw",
  join_overflow_mode: "throw",
  transfer_overflow_mode: "throw",
};

/** The settings that {@link settingsFor} reads. */
export const SETTING_NAMES: readonly string[] = ["readonly", ...Object.keys(LIMITS), ...Object.keys(WHOLE)];

export interface ClickhouseSettings {
  /** Settings sent with every query, besides those of the user's profile. */
  readonly sent: Readonly<Record<string, string>>;
  /** Whether the user may not change any setting. */
  readonly fixed: boolean;
}

/** The settings of a run, given those of the user's profile; settings that the server lacks are absent. */
export function settingsFor(profile: ReadonlyMap<string, string>, name: string): ClickhouseSettings {
  const fixed = profile.get("readonly") === "1";
  const less = Object.entries(WHOLE).filter(([setting, value]) => (profile.get(setting) ?? value) !== value);
  if (fixed && less.length > 0)
    throw new CliError(
      "source",
      `${quoted(name)}: under the user's settings rows can be left out silently (${less.map(([setting]) => `${setting} = ${profile.get(setting)}`).join(", ")})`,
      {
        hint: `the user may not change them (readonly = 1): ask for a profile with readonly = 2 or with ${listed(less.map(([setting, value]) => `${setting} = ${value}`))}`,
      },
    );
  if (fixed) return { sent: {}, fixed };
  const short = Object.entries(LIMITS).filter(
    ([setting, least]) => Number(profile.get(setting) ?? least) < least,
  );
  return {
    sent: Object.fromEntries([...short.map(([setting, least]) => [setting, String(least)]), ...less]),
    fixed,
  };
}
