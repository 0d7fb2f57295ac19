// node drive.js PORT MATCHES MOVES: plays so many matches at once with random legal moves, each to that number of moves.
// Each player is a client with a socket of its own. The time of a move ends when its player has the new state.
// Prints one JSON object: moves, seconds, and the median of the moves' milliseconds.
const { Client } = require('boardgame.io/client');
const { SocketIO } = require('boardgame.io/multiplayer');
const { Game, PLAYERS, legalMoves } = require('./game');

const [port, matches, moves] = process.argv.slice(2).map(Number);
const server = `http://127.0.0.1:${port}`;

async function post(path, body) {
  const headers = { 'content-type': 'application/json' };
  const answer = await fetch(server + path, { method: 'POST', headers, body: JSON.stringify(body) });
  return answer.json();
}

async function openMatch() {
  const { matchID } = await post(`/games/${Game.name}/create`, { numPlayers: PLAYERS });
  const seats = [];
  // All join before the first one connects: the store loses a join that comes at the same time as a connection.
  for (let seat = 0; seat < PLAYERS; seat++)
    seats.push(await post(`/games/${Game.name}/${matchID}/join`, { playerID: `${seat}`, playerName: `Player ${seat}` }));
  const clients = seats.map(({ playerCredentials }, seat) => Client({
    game: Game, matchID, playerID: `${seat}`, credentials: playerCredentials, debug: false,
    multiplayer: SocketIO({ server, socketOpts: { transports: ['websocket'] } }),
  }));
  await Promise.all(clients.map((client) => new Promise((connected) => {
    client.subscribe((state) => { if (state) connected(); });
    client.start();
  })));
  return clients;
}

function play(clients, times) {
  return new Promise((finished) => {
    let made = 0, sent = null;
    const consider = (client) => {
      const state = client.getState();
      if (sent || made === moves || !state || state.ctx.currentPlayer !== client.playerID) return;
      const choices = legalMoves(state.G, +client.playerID);
      const [name, words] = choices[Math.floor(Math.random() * choices.length)];
      sent = { by: client, leadsTo: state._stateID + 1, at: performance.now() };
      client.moves[name](...words);
    };
    for (const client of clients) {
      client.subscribe((state) => {
        if (sent && sent.by === client && state && state._stateID >= sent.leadsTo) {
          times.push(performance.now() - sent.at);
          sent = null;
          if (++made === moves) finished();
        }
        clients.forEach((each) => setImmediate(consider, each));
      });
    }
    clients.forEach((each) => setImmediate(consider, each));
  });
}

async function main() {
  const opened = [];
  for (let number = 0; number < matches; number++) opened.push(await openMatch());
  const times = [], began = performance.now();
  await Promise.all(opened.map((clients) => play(clients, times)));
  const seconds = (performance.now() - began) / 1000;
  times.sort((a, b) => a - b);
  console.log(JSON.stringify({ moves: times.length, seconds, median: times[Math.floor(times.length / 2)] }));
  process.exit(0);
}

main();
