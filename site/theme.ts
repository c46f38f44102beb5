import { DefaultTheme, type DocumentReflection, JSX, type PageEvent, type Reflection } from "typedoc";
import { REFERENCE, type Section } from "./contents.ts";

/** A page of documentation in the navigation. */
interface Entry {
  readonly title: string;
  readonly document: DocumentReflection;
}

/** A section with its pages as typedoc has them. */
export interface NavigationSection extends Pick<Section, "title"> {
  readonly entries: readonly Entry[];
}

/** Where the library's own reference begins. */
const LIBRARY = { file: "modules.html", title: "The library, every function" } as const;

/** typedoc's theme with the sections of the documentation for a navigation; its own tree stands only on pages of the library. */
export class SiteTheme extends DefaultTheme {
  static sections: readonly NavigationSection[] = [];

  override getRenderContext(page: PageEvent<Reflection>): ReturnType<DefaultTheme["getRenderContext"]> {
    const context = super.getRenderContext(page);
    const library = context.navigation;
    const isDocument = page.model.isDocument() || page.url === "index.html";
    context.navigation = (own) =>
      JSX.createElement(
        JSX.Fragment,
        null,
        JSX.createElement(
          "nav",
          { class: "site-navigation", "aria-label": "Documentation" },
          SiteTheme.sections.map(({ title, entries }) =>
            JSX.createElement(
              "details",
              {
                open:
                  entries.some(({ document }) => document === page.model) ||
                  (title === REFERENCE && !isDocument),
              },
              JSX.createElement("summary", null, title),
              JSX.createElement(
                "ul",
                null,
                entries.map((entry) =>
                  link(entry.title, context.urlTo(entry.document) ?? "", entry.document === page.model),
                ),
                title === REFERENCE &&
                  link(LIBRARY.title, context.relativeURL(LIBRARY.file) ?? "", !isDocument),
              ),
            ),
          ),
        ),
        isDocument ? null : library(own),
      );
    return context;
  }
}

function link(title: string, href: string, isCurrent: boolean): JSX.Element {
  return JSX.createElement(
    "li",
    null,
    JSX.createElement("a", { href, ...(isCurrent && { "aria-current": "page" }) }, title),
  );
}
