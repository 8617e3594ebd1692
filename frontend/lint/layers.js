/**
 * The folders of src and what each may import. Imports point down this list only;
 * eslint.config.js enforces it, and layers.test.js proves that it does.
 */
export const layers = {
  pages: ["components", "stores", "api", "realtime", "copy", "logic", "styles"],
  components: ["components", "stores", "api", "realtime", "copy", "logic", "styles"],
  stores: ["stores", "api", "realtime", "copy", "logic"],
  realtime: ["realtime", "logic"],
  api: ["api", "logic"],
  copy: ["copy", "logic", "api"],
  logic: ["logic", "api"],
};

/** Layers that may import types of the API, but none of its values. */
export const typesOnly = ["copy", "logic"];
