// The bare server to compare with: hono reads a JSON body and sends it back.
import { serve } from "@hono/node-server";
import { Hono } from "hono";

const app = new Hono();
app.post("/predict", async (c) => c.json(await c.req.json()));
serve({ fetch: app.fetch, hostname: "127.0.0.1", port: 0 }, ({ port }) => {
  console.error(`listening on http://127.0.0.1:${port}`);
});
