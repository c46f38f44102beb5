// Writes the example tables of the studio: three that are made up, from a fixed seed, and the penguins of examples/.
//
//   node scripts/make-studio-examples.mjs

import { copyFileSync, writeFileSync } from "node:fs";

const place = (name) => new URL(`../packages/page/public/examples/${name}`, import.meta.url);

/** Numbers from 0 to 1, the same each time (mulberry32). */
function createRandom(seed) {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

const random = createRandom(7);
const normal = () => Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random());
const pick = (values) => values[Math.floor(random() * values.length)];
const chance = (logOdds) => random() < 1 / (1 + Math.exp(-logOdds));
const gap = (share, value) => (random() < share ? "" : value);

function write(name, header, rows) {
  writeFileSync(place(name), `${[header, ...rows].map((cells) => cells.join(",")).join("\n")}\n`);
}

/** Customers: who has left, with answers that were not given. */
function customer(_, i) {
  const months = Math.max(1, Math.round(Math.exp(2.8 + 0.9 * normal())));
  const contract = pick(["monthly", "monthly", "one year", "two years"]);
  const bill = Math.round(10 * (38 + 18 * normal() + (contract === "monthly" ? 9 : 0))) / 10;
  const calls = Math.max(0, Math.round(1.2 + 1.5 * normal()));
  const happy = Math.max(1, Math.min(5, Math.round(4 - 0.6 * calls + 0.8 * normal())));
  const payment = pick(["card", "transfer", "invoice"]);
  const left = chance(
    -0.9 +
      (contract === "monthly" ? 1.3 : -0.8) -
      0.035 * months +
      0.5 * calls -
      0.5 * (happy - 3) +
      0.02 * (bill - 40),
  );
  return [
    1001 + i,
    gap(0.05, months),
    gap(0.1, contract),
    gap(0.08, Math.max(5, bill)),
    gap(0.15, calls),
    gap(0.45, happy),
    gap(0.2, payment),
    left ? "yes" : "no",
  ];
}

/** Loans: income is often not said, and less often by those who cannot pay. */
function loan() {
  const income = Math.round(Math.exp(7.6 + 0.5 * normal()));
  const amount = Math.round(Math.exp(8.2 + 0.7 * normal()) / 100) * 100;
  const purpose = pick(["car", "home", "education", "business", "other"]);
  const home = pick(["rents", "owns", "with family"]);
  const years = Math.max(0, Math.round(4 + 4 * normal()));
  const repaid = chance(
    1.4 +
      0.9 * Math.log(income / amount) +
      (home === "owns" ? 0.6 : 0) +
      0.08 * years -
      (purpose === "business" ? 0.7 : 0),
  );
  return [
    gap(repaid ? 0.25 : 0.5, income),
    amount,
    gap(0.1, purpose),
    gap(0.2, home),
    gap(0.3, years),
    repaid ? "yes" : "no",
  ];
}

/** Machines: readings that go together, of sensors that are not always there. */
function machine() {
  const wear = random();
  const load = 40 + 20 * normal();
  const temperature = 55 + 22 * wear + 0.25 * load + 3 * normal();
  const vibration = Math.exp(0.3 + 1.4 * wear + 0.25 * normal());
  const pressure = 6 - 1.2 * wear + 0.3 * normal();
  const noise = 62 + 8 * Math.log(vibration) + 2 * normal();
  const state = chance(-6.5 + 7 * wear + 0.03 * load)
    ? "fails"
    : wear > 0.6 && random() < 0.5
      ? "worn"
      : "good";
  return [temperature, vibration, pressure, noise, load]
    .map((value) => gap(0.18, Number(value.toPrecision(3))))
    .concat([gap(0.05, pick(["hall A", "hall B", "hall C"])), state]);
}

const times = (count, make) => Array.from({ length: count }, make);
write(
  "churn.csv",
  [
    "customer",
    "months",
    "contract",
    "monthly_bill",
    "calls_to_support",
    "satisfaction",
    "payment",
    "churned",
  ],
  times(500, customer),
);
write("loans.csv", ["income", "amount", "purpose", "home", "years_in_job", "repaid"], times(300, loan));
write(
  "machines.csv",
  ["temperature", "vibration", "pressure", "noise", "load", "hall", "failure"],
  times(250, machine),
);
copyFileSync(new URL("../examples/penguins.csv", import.meta.url), place("penguins.csv"));
