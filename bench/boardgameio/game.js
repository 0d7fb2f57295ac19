// Mexican Train for boardgame.io: double-12, four players, 15 tiles each, one round after another. It has what costs
// time in our own game too: the search for legal moves, draws, markers, open doubles, and hidden hands and boneyard.
const { INVALID_MOVE } = require('boardgame.io/core');

const PLAYERS = 4;
const HAND = 15;
const HIGHEST = 12;
const MEXICAN_TRAIN = PLAYERS;
const SET = [];
for (let a = 0; a <= HIGHEST; a++) for (let b = a; b <= HIGHEST; b++) SET.push([a, b]);

function deal(round, shuffle) {
  const engine = HIGHEST - (round % (HIGHEST + 1));
  const order = shuffle(SET.filter(([a, b]) => a !== engine || b !== engine));
  const hands = Array.from({ length: PLAYERS }, (_, player) => order.slice(player * HAND, (player + 1) * HAND));
  return {
    round, engine, hands,
    boneyard: order.slice(PLAYERS * HAND),
    trains: Array.from({ length: PLAYERS + 1 }, () => []),
    ends: Array(PLAYERS + 1).fill(engine),
    marked: Array(PLAYERS + 1).fill(false),
    openDouble: null,
    hasDrawn: false,
    passes: 0,
  };
}

function mayPlayOn(G, player, train) {
  if (G.openDouble !== null) return train === G.openDouble;
  return train === player || train === MEXICAN_TRAIN || G.marked[train];
}

// The places of the player's tiles that fit, each with a train. It needs no hand but the player's own.
function plays(G, player) {
  const found = [];
  G.hands[player].forEach(([a, b], place) => {
    for (let train = 0; train <= PLAYERS; train++)
      if (mayPlayOn(G, player, train) && (a === G.ends[train] || b === G.ends[train])) found.push([place, train]);
  });
  return found;
}

function legalMoves(G, player) {
  const found = plays(G, player);
  if (found.length) return found.map((each) => ['play', each]);
  const left = typeof G.boneyard === 'number' ? G.boneyard : G.boneyard.length;
  return [[!G.hasDrawn && left ? 'draw' : 'pass', []]];
}

function endRound(G, random) {
  G.hands.forEach((hand, player) => { G.totals[player] += hand.reduce((sum, [a, b]) => sum + a + b, 0); });
  Object.assign(G, deal(G.round + 1, random.Shuffle));
}

function play({ G, playerID, events, random }, place, train) {
  const player = +playerID, hand = G.hands[player], tile = hand[place], end = G.ends[train];
  if (!tile || end === undefined || !mayPlayOn(G, player, train) || !tile.includes(end)) return INVALID_MOVE;
  const [a, b] = tile, other = a === end ? b : a;
  hand.splice(place, 1);
  G.trains[train].push([end, other]);
  G.ends[train] = other;
  G.passes = 0;
  G.hasDrawn = false;
  if (train === player) G.marked[player] = false;
  if (!hand.length) {
    endRound(G, random);
    events.endTurn();
  } else if (a === b) {
    G.openDouble = train;
  } else {
    G.openDouble = null;
    events.endTurn();
  }
}

function draw({ G, playerID }) {
  if (G.hasDrawn || !G.boneyard.length || plays(G, +playerID).length) return INVALID_MOVE;
  G.hands[+playerID].push(G.boneyard.pop());
  G.hasDrawn = true;
}

function pass({ G, playerID, events, random }) {
  if (plays(G, +playerID).length || (!G.hasDrawn && G.boneyard.length)) return INVALID_MOVE;
  G.marked[+playerID] = true;
  G.hasDrawn = false;
  G.passes++;
  if (G.passes >= PLAYERS && !G.boneyard.length) endRound(G, random);
  events.endTurn();
}

const onServer = (move) => ({ move, client: false });

const Game = {
  name: 'mexican-train',
  minPlayers: PLAYERS,
  maxPlayers: PLAYERS,
  disableUndo: true,
  setup: ({ random }) => ({ totals: Array(PLAYERS).fill(0), ...deal(0, random.Shuffle) }),
  moves: { play: onServer(play), draw: onServer(draw), pass: onServer(pass) },
  endIf: ({ G }) => (G.round > HIGHEST ? { totals: G.totals } : undefined),
  playerView: ({ G, playerID }) => ({
    ...G,
    boneyard: G.boneyard.length,
    hands: G.hands.map((hand, player) => (player === +playerID ? hand : hand.length)),
  }),
};

module.exports = { Game, PLAYERS, legalMoves };
