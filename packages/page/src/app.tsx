import type { ComponentType } from "preact";
import { useEffect, useState } from "preact/hooks";
import { isField } from "./frame/is-field.ts";
import { type LoadedPage, loadPage } from "./frame/load-page.ts";
import { Mark } from "./frame/mark.tsx";
import { namesOf } from "./frame/names.ts";
import { TokenNeeded } from "./frame/page-files.ts";
import { FRAME } from "./frame/texts.ts";
import { titleOf } from "./frame/title-of.ts";
import { TokenForm } from "./frame/token-form.tsx";
import { TablePage } from "./model/table-page.tsx";

/** The whole page: what it is about, then the form. */
export function App() {
  const [token, setToken] = useState("");
  const [page, setPage] = useState<LoadedPage | "studio">();
  const [failure, setFailure] = useState<unknown>();
  useEffect(() => {
    loadPage(token).then(setPage, setFailure);
  }, [token]);
  const giveUp = (why: unknown): void => {
    setPage(undefined);
    setFailure(why);
  };
  if (page) return page === "studio" ? <LazyStudio onFailure={giveUp} /> : <Loaded page={page} />;
  if (failure instanceof TokenNeeded) return <TokenForm refused={token !== ""} onToken={setToken} />;
  if (failure === undefined) return <p class="loading">{FRAME.loading}</p>;
  return (
    <main class="failure">
      <h1>{FRAME.failed}</h1>
      <p role="alert">{failure instanceof Error ? failure.message : String(failure)}</p>
    </main>
  );
}

/** The studio, whose code is loaded only where it is shown. */
function LazyStudio({ onFailure }: { onFailure: (failure: unknown) => void }) {
  const [Studio, setStudio] = useState<ComponentType>();
  useEffect(() => {
    import("./studio/studio.tsx").then(
      (module) => setStudio(() => module.Studio),
      () => onFailure(new Error(FRAME.notLoaded)),
    );
  }, []);
  return Studio ? <Studio /> : <p class="loading">Loading …</p>;
}

function Loaded({ page }: { page: LoadedPage }) {
  const { schema, response, rows: fitted } = page.model;
  const title = titleOf(page);
  useEffect(() => {
    document.title = `${title} · conformant`;
  }, [title]);
  const rows = Math.round(fitted).toLocaleString("en");
  const fields = schema.columns.filter(isField).length;
  const { outcome } = namesOf(page.model, page.settings.labels);
  return (
    <>
      <header>
        <Mark />
        <div>
          <p class="name">conformant</p>
          <h1>{title}</h1>
          <p class="about">
            {response.kind === "number"
              ? FRAME.aboutNumber(outcome, fields, rows)
              : FRAME.about(response.outputs.length, fields, rows)}
          </p>
        </div>
      </header>
      <main>
        <TablePage page={page} />
      </main>
      <footer>{FRAME.footer}</footer>
    </>
  );
}
