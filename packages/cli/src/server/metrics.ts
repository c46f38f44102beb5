/** One finished request. */
export interface Outcome {
  readonly route: string;
  readonly status: number;
  readonly milliseconds: number;
  readonly aborted: boolean;
}

/** Upper bounds of the histogram of request durations, in seconds. */
const BOUNDS = [0.001, 0.005, 0.025, 0.1, 0.5, 2.5, 10];

/** A gauge, or a counter kept elsewhere, read when metrics are requested. */
export interface Reading {
  readonly name: string;
  /** Default "gauge". */
  readonly type?: "counter";
  readonly help: string;
  readonly read: () => number | readonly (readonly [label: string, value: number])[];
  /** The name of its label, where it has a value per label. */
  readonly label?: string;
}

/**
 * Counts requests, and writes the counts and readings in the Prometheus text format. prom-client would replace about 50 of these lines and
 * add three packages to every installation.
 */
export function createMetrics(readings: readonly Reading[]): {
  readonly add: (outcome: Outcome) => void;
  readonly refuse: (reason: string) => void;
  readonly text: () => string;
} {
  /** By route and status; there is no other label, so the number of lines is bounded. */
  const requests = new Map<string, number>();
  const refused = new Map<string, number>();
  const times = new Float64Array(BOUNDS.length + 1);
  let [seconds, aborted] = [0, 0];
  const count = (counts: Map<string, number>, labels: string): void =>
    void counts.set(labels, (counts.get(labels) ?? 0) + 1);
  return {
    add: (outcome) => {
      count(requests, `route="${outcome.route}",status="${outcome.status}"`);
      const taken = outcome.milliseconds / 1000;
      const at = BOUNDS.findIndex((bound) => taken <= bound);
      times[at < 0 ? BOUNDS.length : at]++;
      seconds += taken;
      if (outcome.aborted) aborted++;
    },
    refuse: (reason) => count(refused, `reason="${reason}"`),
    text: () =>
      [
        ...family("requests_total", "counter", "Requests answered.", labelled(requests)),
        ...family(
          "refused_total",
          "counter",
          "Requests rejected because the service was busy.",
          labelled(refused),
        ),
        ...family("aborted_total", "counter", "Requests that the client aborted.", [["", aborted]]),
        ...family(
          "request_seconds",
          "histogram",
          "Time from the head of a request to the end of its answer.",
          [...cumulated(times), ["_sum", seconds], ["_count", times.reduce((sum, n) => sum + n, 0)]],
        ),
        ...readings.flatMap(({ name, type = "gauge", help, read, label }) => {
          const value = read();
          const samples: Sample[] =
            typeof value === "number"
              ? [["", value]]
              : value.map(([key, one]) => [`{${label}="${escapeLabel(key)}"}`, one]);
          return family(name, type, help, samples);
        }),
        "",
      ].join("\n"),
  };
}

/** The labels of a metric, and its value. */
type Sample = [suffix: string, value: number];

function family(name: string, type: string, help: string, samples: readonly Sample[]): string[] {
  const full = `conformant_${name}`;
  return [
    `# HELP ${full} ${help}`,
    `# TYPE ${full} ${type}`,
    ...samples.map(([suffix, value]) => `${full}${suffix} ${value}`),
  ];
}

/** A column can have any name. */
function escapeLabel(value: string): string {
  return value.replace(/[\\"]/g, "\\$&").replaceAll("\n", "\\n");
}

function labelled(counts: ReadonlyMap<string, number>): Sample[] {
  return [...counts].map(([labels, value]) => [`{${labels}}`, value]);
}

function cumulated(times: Float64Array): Sample[] {
  let below = 0;
  return Array.from(times, (n, i): Sample => {
    below += n;
    return [`_bucket{le="${BOUNDS[i] ?? "+Inf"}"}`, below];
  });
}
