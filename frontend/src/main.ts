import "./styles/fonts.css";
import "./styles/tokens.css";
import "./styles/base.css";
import { mount } from "svelte";
import App from "./App.svelte";
import { isPagePath } from "./routes";
import { router } from "./stores/core/router.svelte";

const target = document.getElementById("app");
if (!target) throw new Error("The page has no place for the game.");
router.start(isPagePath);
mount(App, { target });
