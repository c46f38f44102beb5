// A process that attacks: `attacker.ts PORT NAME` runs one attack until its standard input ends.
import { attacks } from "./attacks.ts";

const [port, name] = process.argv.slice(2);
const stop = new AbortController();
process.stdin.resume().on("end", () => {
  stop.abort();
  setTimeout(() => process.exit(), 300).unref();
});
process.stderr.write("attacking\n");
await attacks[name](Number(port), stop.signal);
process.exit();
