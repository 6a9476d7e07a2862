// The time machine of a run, or of two: see clwork/lab/player/player.py. The model holds
//   runs   one or two recordings, as clwork.recording makes them, with events in words
//   page   whether the page is ours alone: keys then count wherever the focus is
//   height pixels, where it is not the page's
//   feed   in a live widget, a plain model that brings what the run has come to since; it answers
//          {ask: "more", known: [[look, row] of each run], umap: whether it is waited for} and {ask: "umap"} by its "news"

import { Player } from "./player.js";
import { alive } from "./controls.js";
import { element, write } from "./dom.js";
import css from "./style.css";

const PATIENCE = 3000; // without news of a run at work, ask: Colab shows nothing that a thread pushes

/** Hear of what comes; `now()` is the player, once there is one, and `begin` makes it. */
async function listen(model, now, begin, send, say) {
  const feed = await model.widget_manager.get_model(model.get("feed").replace("IPY_MODEL_", ""));
  let asked = 0;
  let heard = 0;
  const known = () => now()?.known() ?? [];
  const ask = (what) => {
    asked = Date.now();
    feed.send({ known: known(), umap: Boolean(now()?.asked), ...what });
  };
  const ahead = ({ after }, run) => after.some((step, i) => step > known()[run][i]); // something came between
  const hear = () => {
    const { runs = [], films = [], said = "" } = feed.get("news") ?? {};
    heard = Date.now();
    if (films.length && !now()) begin(films);
    if (said) now() ? now().refuse(said) : say(said);
    if (!now() || !runs.length) return;
    if (!runs.some(ahead)) now().take(runs);
    else if (heard - asked > 500) ask({ ask: "more" });
  };
  const wait = setInterval(() => {
    const due = !now() || now().asked || now().films.some(alive);
    if (due && Date.now() - Math.max(heard, asked) > PATIENCE) ask({ ask: "more" });
  }, PATIENCE / 3);
  feed.on("change:news", hear);
  send.ask = ask;
  ask({ ask: "more" });
  return () => {
    clearInterval(wait);
    feed.off("change:news", hear);
  };
}

function render({ model, el }) {
  const style = element("style", { text: css });
  const waits = element("p", { role: "status", text: "Waiting for the run's first look at its sentences …" });
  el.append(style);
  const live = Boolean(model.get("feed"));
  const send = { ask: null };
  let player = null;
  let stop = () => {};
  let gone = false;
  const begin = (recordings) => {
    waits.remove();
    player = new Player(el, recordings, {
      page: Boolean(model.get("page")),
      height: model.get("height") || null,
      ask: live ? (what) => send.ask?.(what) : null,
    });
  };
  const runs = model.get("runs") ?? [];
  if (runs.length) begin(runs);
  else el.append(waits);
  if (live) listen(model, () => player, begin, send, (why) => write(waits, why)).then((end) => (gone ? end() : (stop = end)));
  return () => {
    gone = true;
    stop();
    player?.close();
    waits.remove();
    style.remove();
  };
}

export default { render };
