// node server.js PORT: boardgame.io with its PostgreSQL store. The database comes from DATABASE, a JSON object.
const { Server } = require('boardgame.io/server');
const { PostgresStore } = require('bgio-postgres');
const { Game } = require('./game');

const db = new PostgresStore({ ...JSON.parse(process.env.DATABASE), logging: false, pool: { max: 10 } });
Server({ games: [Game], origins: [/.*/], db }).run({ port: +process.argv[2], callback: () => console.log('ready') });
