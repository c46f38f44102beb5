import { Component, type ComponentChild, type ComponentType, h } from "preact";

/** A component that is drawn again only when one of its properties has changed. */
export function memo<P extends object>(Inner: ComponentType<P>): ComponentType<P> {
  return class Memo extends Component<P> {
    override shouldComponentUpdate(next: P): boolean {
      const before = this.props as Record<string, unknown>;
      return Object.entries(next).some(([key, value]) => before[key] !== value);
    }
    override render(): ComponentChild {
      return h(Inner as ComponentType<object>, this.props);
    }
  };
}
