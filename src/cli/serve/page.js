"use strict";
const zh = document.documentElement.dataset.lang === "zh";
document.documentElement.lang = zh ? "zh" : "en";
const words = {
  search: ["搜索", "Search"], mirror: ["含左右镜像", "mirror too"], filtered: ["只统计搜索结果", "only games found"],
  query: ["棋手、赛事、player:胡荣华 date:1978..1985 result:red …", "player:胡荣华 date:1978..1985 result:red …"],
  games: ["局", "games"], positions: ["个局面", "positions"], move: ["着法", "move"], red: ["红胜", "red"], draw: ["和", "draw"],
  black: ["黑胜", "black"], score: ["红方得分", "red %"], last: ["最近", "last"], result: ["结果", "result"], date: ["日期", "date"],
  Red: ["红方", "Red"], Black: ["黑方", "Black"], event: ["赛事", "event"], opening: ["开局", "opening"], plies: ["着数", "plies"],
  found: ["局符合", "games found"], ended: ["至此终局", "ended here"], unknown: ["不明", "unknown"], round: ["", ""],
  id: ["编号", "number"], share: ["结果分布", "results"],
};
const say = (name) => (words[name] || [name, name])[zh ? 0 : 1];
const $ = (id) => document.getElementById(id);
for (const e of document.querySelectorAll("[data-text]")) e.textContent = say(e.dataset.text);
$("query").placeholder = say("query");
for (const by of ["id", "-date", "date", "-plies", "plies", "ecco", "red", "black", "event"]) {
  const option = document.createElement("option");
  option.value = by;
  option.textContent = (by.startsWith("-") ? "↓ " : "") + say({ red: "Red", black: "Black", ecco: "opening" }[by.replace("-", "")] || by.replace("-", ""));
  $("sort").append(option);
}

const PAGE = 30;
// One column: what was asked for may lie below or above what is seen.
const narrow = () => matchMedia("(max-width: 60em)").matches;
// `line` is what stands on the board: moves from `start`; `at` how many of them were played; `game` the game shown, if any.
const state = { start: "", line: [], at: 0, game: null, query: "", offset: 0, count: 0, flip: false, from: null, legal: [] };

async function get(path, parameters) {
  const url = path + "?" + new URLSearchParams(parameters || {});
  const answer = await fetch(url);
  const body = path.endsWith(".svg") && answer.ok ? await answer.text() : await answer.json();
  if (!answer.ok) throw Object.assign(new Error(body.error), { query: body.query });
  return body;
}

function guarded(work) {
  return async (...args) => {
    try {
      $("error").hidden = true;
      await work(...args);
    } catch (error) {
      $("error").textContent = error.message;
      if (error.query) {
        // The place at which the query cannot be read.
        const [before, at, behind] = error.query;
        const mark = document.createElement("mark");
        mark.textContent = at || " ";
        $("error").append(document.createElement("br"), before, mark, behind);
      }
      $("error").hidden = false;
    }
  };
}

function cell(row, text, kind) {
  const td = document.createElement("td");
  td.textContent = text === null || text === undefined ? "" : text;
  if (kind) td.className = kind;
  row.append(td);
  return td;
}

function head(table, names) {
  const row = document.createElement("tr");
  for (const [name, kind] of names) {
    const th = document.createElement("th");
    th.textContent = say(name);
    if (kind) th.className = kind;
    row.append(th);
  }
  table.tHead.replaceChildren(row);
}
head($("tree"), [["move"], ["games", "n"], ["share"], ["red", "n"], ["draw", "n"], ["black", "n"], ["unknown", "n"], ["score", "n"], ["last", "n"]]);
head($("hits"), [["id", "n"], ["date"], ["Red"], ["result"], ["Black"], ["event"], ["opening"]]);

const played = () => state.line.slice(0, state.at).map((ply) => ply.uci);
const place = () => ({ fen: state.start, moves: played().join(" ") });

const show = guarded(async () => {
  const where = $("filtered").checked ? { where: state.query } : {};
  const mirror = $("mirror").checked ? { mirror: "1" } : {};
  const [svg, tree] = await Promise.all([
    get("/api/board.svg", Object.assign(place(), state.flip ? { flip: "1" } : {})),
    get("/api/tree", Object.assign(place(), where, mirror)),
  ]);
  $("board").innerHTML = svg;
  $("fen").textContent = tree.fen;
  state.legal = tree.legal;
  state.from = null;
  const body = $("tree").tBodies[0];
  body.replaceChildren();
  for (const move of tree.moves) {
    const row = body.insertRow();
    cell(row, move.chinese + " " + move.uci);
    cell(row, move.games, "n");
    const bar = document.createElement("div");
    bar.className = "bar";
    for (const [kind, part] of [["r", move.red_wins], ["d", move.draws], ["b", move.black_wins], ["u", move.unknown]]) {
      const piece = document.createElement("i");
      piece.className = kind;
      piece.style.width = (100 * part) / move.games + "%";
      bar.append(piece);
    }
    cell(row, "").append(bar);
    for (const part of [move.red_wins, move.draws, move.black_wins, move.unknown]) cell(row, part, "n");
    cell(row, move.red_percent === null ? "" : move.red_percent.toFixed(1), "n");
    cell(row, move.last_year, "n");
    row.onclick = () => play(move.uci, move.chinese);
  }
  $("sums").textContent =
    `${tree.games} ${say("games")} · ${say("red")} ${tree.red_wins} · ${say("draw")} ${tree.draws} · ${say("black")} ` +
    `${tree.black_wins} · ${say("unknown")} ${tree.unknown} · ${say("ended")} ${tree.ended}`;
  const list = $("line");
  list.replaceChildren();
  state.line.forEach((ply, n) => {
    const item = document.createElement("li");
    if (n % 2 === 0) {
      const number = document.createElement("span");
      number.className = "n";
      number.textContent = n / 2 + 1 + ".";
      item.append(number);
    }
    item.append(ply.chinese || ply.uci);
    if (n + 1 === state.at) item.className = "at";
    item.onclick = () => step(n + 1);
    list.append(item);
  });
  const comments = state.at === 0 ? (state.game || {}).comments : (state.line[state.at - 1] || {}).comments;
  $("comment").textContent = (comments || []).join("\n");
});

function step(to) {
  state.at = Math.max(0, Math.min(state.line.length, to));
  show();
}

const play = guarded(async (uci, chinese) => {
  const next = state.line[state.at];
  if (!next || next.uci !== uci) {
    // Leaving a game: what is played from here on is the user's own line.
    state.line = state.line.slice(0, state.at).concat([{ uci, chinese }]);
    if (!chinese) {
      const moves = state.line.map((ply) => ply.uci).join(" ");
      state.line = (await get("/api/tree", { fen: state.start, moves })).line;
    }
    state.game = null;
    $("title").textContent = "";
  }
  step(state.at + 1);
});

const search = guarded(async (offset) => {
  const query = $("query").value;
  const found = await get("/api/search", { q: query, sort: $("sort").value, offset, limit: PAGE });
  Object.assign(state, { query, offset });
  state.count = found.count;
  $("count").textContent = `${found.count} ${say("found")}`;
  $("page").textContent = found.count ? `${offset + 1}–${offset + found.hits.length}` : "";
  const body = $("hits").tBodies[0];
  body.replaceChildren();
  for (const hit of found.hits) {
    const row = body.insertRow();
    cell(row, hit.id, "n");
    cell(row, hit.date);
    cell(row, hit.red);
    cell(row, hit.result);
    cell(row, hit.black);
    cell(row, hit.event);
    cell(row, [hit.ecco, hit.opening].filter(Boolean).join(" "));
    row.onclick = () => {
      for (const other of body.rows) other.className = "";
      row.className = "at";
      open(hit.id, hit.ply);
      if (narrow()) $("left").scrollIntoView();
    };
  }
  if ($("filtered").checked) show();
});

const open = guarded(async (id, ply) => {
  const game = await get("/api/game/" + id);
  state.game = game;
  state.start = game.start;
  state.line = game.line;
  $("title").textContent = `${game.id}. ${game.red || "?"} – ${game.black || "?"} ${game.result} ${game.date || ""} ${game.event || ""}`;
  history.replaceState(null, "", `#game=${id}${ply ? `&ply=${ply}` : ""}`);
  step(ply || 0);
});

// A click on a piece, then on where it goes. The drawing is eight by nine cells with a margin around them.
$("board").onclick = (event) => {
  const svg = $("board").querySelector("svg");
  const box = svg.getBoundingClientRect();
  const view = svg.viewBox.baseVal;
  const cellSize = view.width / 10.3;
  const margin = (view.width - 8 * cellSize) / 2;
  const x = Math.round((((event.clientX - box.left) / box.width) * view.width - margin) / cellSize);
  const y = Math.round((((event.clientY - box.top) / box.height) * view.height - (view.height - 9 * cellSize) / 2) / cellSize);
  if (x < 0 || x > 8 || y < 0 || y > 9) return;
  const square = state.flip ? "abcdefghi"[8 - x] + y : "abcdefghi"[x] + (9 - y);
  if (state.from && state.legal.includes(state.from + square)) play(state.from + square);
  else state.from = square;
};
document.querySelector("#steps").onclick = (event) => {
  const to = { first: 0, back: state.at - 1, next: state.at + 1, last: state.line.length }[event.target.dataset.step];
  if (to !== undefined) step(to);
};
document.onkeydown = (event) => {
  if (event.target.tagName === "INPUT") return;
  if (event.key === "ArrowLeft") step(state.at - 1);
  if (event.key === "ArrowRight") step(state.at + 1);
};
$("flip").onclick = () => { state.flip = !state.flip; show(); };
$("mirror").onchange = show;
$("filtered").onchange = show;
$("sort").onchange = () => search(0);
$("search").onsubmit = async (event) => {
  event.preventDefault();
  await search(0);
  if (narrow() && $("error").hidden) $("right").scrollIntoView();
};
document.querySelector("#pages").onclick = (event) => {
  if (event.target.dataset.page === "back" && state.offset > 0) search(Math.max(0, state.offset - PAGE));
  if (event.target.dataset.page === "next" && state.offset + PAGE < state.count) search(state.offset + PAGE);
};

guarded(async () => {
  const info = await get("/api/info");
  $("info").textContent = `${info.games} ${say("games")} · ${info.positions} ${say("positions")}`;
  // #game=12&ply=30 opens a game at a ply.
  const wanted = new URLSearchParams(location.hash.slice(1));
  const first = wanted.get("game") ? open(wanted.get("game"), Number(wanted.get("ply")) || 0) : show();
  await Promise.all([first, search(0)]);
})();
