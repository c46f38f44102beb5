import type { ComponentType } from "preact";
import { useEffect, useState } from "preact/hooks";
import { type LoadedPage, loadPage, TokenNeeded } from "./frame/load-page.ts";
import { Mark } from "./frame/mark.tsx";
import { spaced } from "./frame/spaced.ts";
import { TokenForm } from "./frame/token-form.tsx";
import { ImagePage } from "./image/image-page.tsx";
import { TablePage } from "./table/table-page.tsx";

/** The whole page: what it is about, then the form or the image. */
export function App() {
  const [token, setToken] = useState("");
  const [page, setPage] = useState<LoadedPage | "studio">();
  const [failure, setFailure] = useState<unknown>();
  useEffect(() => {
    loadPage(token).then(setPage, setFailure);
  }, [token]);
  if (page) return page === "studio" ? <LazyStudio /> : <Loaded page={page} />;
  if (failure instanceof TokenNeeded) return <TokenForm refused={token !== ""} onToken={setToken} />;
  if (failure === undefined) return <p class="loading">Loading the model …</p>;
  return (
    <main class="failure">
      <h1>The model could not be loaded</h1>
      <p role="alert">{failure instanceof Error ? failure.message : String(failure)}</p>
    </main>
  );
}

/** The studio, whose code is loaded only where it is shown. */
function LazyStudio() {
  const [Studio, setStudio] = useState<ComponentType>();
  useEffect(() => {
    import("./studio/studio.tsx").then((module) => setStudio(() => module.Studio));
  }, []);
  return Studio ? <Studio /> : <p class="loading">Loading …</p>;
}

function Loaded({ page }: { page: LoadedPage }) {
  const { settings, model } = page;
  const { label, classes, schema } = model.classifier;
  const title = settings.title ?? (label ? `Which ${spaced(label)}?` : "What does the model say?");
  useEffect(() => {
    document.title = `${title} · Gapwise`;
  }, [title]);
  const what = settings.image ? "pixels" : "columns";
  return (
    <>
      <header>
        <Mark />
        <div>
          <p class="name">Gapwise</p>
          <h1>{title}</h1>
          <p class="about">
            A model with {classes.length} possible answers and {schema.columns.length} {what}, learned from{" "}
            {Math.round(model.rows).toLocaleString("en")} rows.{" "}
            {settings.image
              ? "Hide any part of the image: the model answers from what is left."
              : "Fill in what you know and leave the rest unknown."}
          </p>
        </div>
      </header>
      {settings.image ? <ImagePage page={page} size={settings.image} /> : <TablePage page={page} />}
      <footer>
        Everything is computed in this browser; what you enter is not sent anywhere. Made with conformant.
      </footer>
    </>
  );
}
