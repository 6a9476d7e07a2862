// The widget around the cloud. All that is shown is in one model, "feed", a plain one, which hears of everything however
// long the page takes to start this module: `about` (texts, the topic of each, names, colours and shapes of topics),
// `now` (the newest look: step, at, caption, own, kind, faded, and the few looks `since` the trail was sent), `trail`
// (looks before), `chosen` (rows followed).

import { Cloud } from "./cloud.js";

async function feed_of(model) {
  const feed = model.get("feed");
  if (typeof feed !== "string") return feed ?? model; // a plain stand-in holds it itself
  return model.widget_manager.get_model(feed.replace("IPY_MODEL_", ""));
}

function render({ model, el }) {
  let cloud = null;
  let feed = null;
  let gone = false;
  let told = null; // the last `about` that was taken in
  let asked = false;
  const take = () => {
    asked = false;
    if (gone) return;
    if (feed.get("about") !== told) cloud.tell((told = feed.get("about")) ?? {});
    cloud.look(feed.get("now") ?? {}, feed.get("trail") ?? []);
  };
  const ask = () => {
    if (!asked) queueMicrotask(take); // what comes in one message is taken in together
    asked = true;
  };
  feed_of(model).then((found) => {
    if (gone) return;
    feed = found;
    cloud = new Cloud(el, (rows) => {
      feed.set("chosen", rows);
      feed.save_changes();
    });
    el.clworkCloud = cloud; // for tests of the page
    take();
    for (const row of feed.get("chosen") ?? []) cloud.chosen.add(row);
    feed.on("change:about", ask);
    feed.on("change:now", ask);
  });
  return () => {
    gone = true;
    feed?.off("change:about", ask);
    feed?.off("change:now", ask);
    cloud?.close();
  };
}

export default { render };
