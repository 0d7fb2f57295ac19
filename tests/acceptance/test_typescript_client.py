"""The TypeScript client: generated from the live server's schema, compiled strictly, run with Node.js and in a page."""

import json
import re
import shutil
import subprocess
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from tests.acceptance.pages import output_in_a_vm, output_in_chromium
from tests.acceptance.server import Client, Server, until
from tests.acceptance.test_matches import MATCH_SECONDS, bots
from tests.acceptance.test_watching import restart
from tests.acceptance.typescript import (
    BUILT,
    FOLDER,
    INSTALL,
    PACKAGE,
    build,
    bundled,
    clone,
    compiles,
    environment,
    json_output,
    printed,
    run,
)
from tests.clients.scripted import LOST, Piece, head, refuse, reply, scripted, stream
from tests.clients.test_event_stream import CUT, OVER, POSITION, QUICKLY, TABLE, event
from tests.clients.test_my_events import change
from tests.clients.test_waiting import LOGGED
from tests.examples import answer_of

README = (FOLDER / "README.md").read_text()
PLAYING, ALL = re.findall(r"```ts\n(.*?)```", README, re.DOTALL)
SOURCES = [source for source in sorted((FOLDER / "src").glob("*.ts")) if source.name != "schema.ts"]
QUICK = "{ timeout: 5000, total: 10000, attempts: 4, first: 1, most: 2 }"


@pytest.fixture(scope="module", autouse=True)
def built(server: Server) -> None:
    build(f"{server.url}/api/v1/schema")


def test_the_versions_are_exact_and_no_registry_is_named() -> None:
    package = json.loads(PACKAGE.read_text())
    versions = [*package["dependencies"].values(), *package["devDependencies"].values()]
    assert all(re.fullmatch(r"\d+\.\d+\.\d+", version) for version in versions)
    assert (FOLDER / ".npmrc").read_text() == "package-lock=false\n"


def test_the_readme_compiles_and_plays_a_match(server: Server, tmp_path: Path) -> None:
    assert compiles(tmp_path, PLAYING) == ""
    said = printed(PLAYING.replace("http://127.0.0.1:8000", server.url).partition("\n")[2])
    assert re.fullmatch(r"(\w+ .+\n)+Winners:( Alice)?( \w+)?\n", said)


def test_the_readme_plays_all_tables_in_one_loop(server: Server, tmp_path: Path) -> None:
    assert compiles(tmp_path, ALL) == ""
    program = ALL.replace("http://127.0.0.1:8000", server.url).replace(" as const", "")
    assert printed(program.partition("\n")[2]) == "All matches are over.\n"


def test_an_empty_app_installs_it_from_a_fresh_clone_and_plays(server: Server, tmp_path: Path) -> None:
    client, app = clone(tmp_path / "clone"), tmp_path / "app"
    app.mkdir()
    run(*INSTALL, str(client), seconds=600, folder=app)
    (app / "play.mjs").write_text(PLAYING.replace("http://127.0.0.1:8000", server.url))
    assert "\nWinners:" in run("node", "play.mjs", folder=app)
    assert (app / "node_modules" / "mexican-train-client" / json.loads(PACKAGE.read_text())["types"]).exists()


WRONG = """\
import { createClient, the } from "mexican-train-client";
const alice = createClient({ server: "" });
const params = { path: { table_id: "", number: 1 } };
the(await alice.GET("/api/v1/bots"))[0]?.likes;
await alice.POST("/api/v1/players/guest", { body: { nam: "Alice" } });
await alice.POST("/api/v1/players/gest", { body: { name: "Alice" } });
await alice.PUT("/api/v1/tables/{table_id}/seats/{number}/bot", { params, body: { level: "harder" } });
await alice.GET("/api/v1/tables/{table_id}/position");
the(await alice.GET("/api/v1/bots"))[0]?.strength;
for await (const event of alice.events("")) if (event.event === "move") event.winners;
for await (const event of alice.events("")) if (event.event === "move" && event.type === "laid") break;
for await (const event of alice.events("")) if (event.event === "move") event.tile?.split("-"), event.train?.length;
for await (const event of alice.events("")) if (event.event === "table") event.changed.includes("winners");
createClient({ server: "", language: 5 });
the(await alice.GET("/api/v1/tables/{table_id}/position", { params })).last_move?.said?.length;
the(await alice.GET("/api/v1/tables/{table_id}/position", { params, parseAs: "text" })).split("\\n");
for await (const [table] of alice.followMyTables({ status: "playing" })) table?.your_turn;
for await (const { table, id } of alice.myEvents()) alice.events(table, { said: true }), alice.myEvents({ since: id });
for await (const [table] of alice.followTables({ status: "paused" })) table?.name;
for await (const { seat } of alice.myEvents()) seat;
if ((await alice.GET("/api/v1/bots")).error?.code === "no_such_code") alice.token;
"""


def test_an_unknown_field_is_a_compiler_error(tmp_path: Path) -> None:
    found = re.findall(r"program\.ts\((\d+),\d+\): error TS", compiles(tmp_path, WRONG))
    assert sorted({int(line) for line in found}) == [5, 6, 7, 8, 9, 10, 11, 14, 19, 20, 21]


def test_the_bot_plays_a_match_to_its_end(server: Server, alice: Client) -> None:
    seated = bots("easy", "hard")
    table = alice.done("POST", "tables", {"seats": 3, "host_seat": None, "bots": seated, "options": {"rounds": 1}})
    words = ["node", str(BUILT / "examples" / "bot.js"), server.url, table["invite"]["code"]]
    with subprocess.Popen(words, env=environment(), stdout=subprocess.PIPE, text=True) as program:
        try:
            until(lambda: alice.done("GET", f"tables/{table['id']}")["seats"][2]["player"], "it sits", seconds=30)
            alice.done("POST", f"tables/{table['id']}/start")
            said, _ = program.communicate(timeout=MATCH_SECONDS)
        finally:
            program.kill()
    end = alice.position(table["id"])
    *sentences, last = said.splitlines()
    assert last == " ".join(["finished winners:", *(end["seats"][seat]["name"] for seat in end["winners"])])
    assert {sentence.partition(" ")[0] for sentence in sentences} >= {"You"}
    log = alice.done("GET", f"tables/{table['id']}/moves?limit=500")
    assert {move["by"] for move in log if move["seat"] == 2} == {"person"}


def test_texts_are_in_the_requested_language_and_may_be_plain_text(server: Server) -> None:
    program = """
        const zoe = createClient({ server: "%s", language: "nl" });
        zoe.token = the(await zoe.POST("/api/v1/players/guest", { body: { name: "Zoë" } })).token;
        const bots = [{ seat: 1, level: "easy" }];
        const table = the(await zoe.POST("/api/v1/tables", { body: { seats: 2, bots, options: { rounds: 1 } } }));
        const params = { path: { table_id: table.id } };
        the(await zoe.POST("/api/v1/tables/{table_id}/start", { params }));
        const preset = the(await zoe.GET("/api/v1/rules/presets/{name}", { params: { path: { name: "classic" } } }));
        const query = { shape: "wide" };
        const drawn = { params: { ...params, query }, parseAs: "text", headers: { Accept: "image/svg+xml" } };
        const written = { params, parseAs: "text", headers: { Accept: "text/plain" } };
        const picture = the(await zoe.GET("/api/v1/tables/{table_id}/board.svg", drawn));
        const record = the(await zoe.GET("/api/v1/tables/{table_id}/record", written));
        const position = the(await zoe.GET("/api/v1/tables/{table_id}/position", written));
        const log = the(await zoe.GET("/api/v1/tables/{table_id}/moves", written));
        console.log(JSON.stringify([preset.title, picture.slice(0, 4), record.split("\\n")[0], position, typeof log]));
    """
    *said, position, log = json_output(program % server.url)
    assert said == ["Klassieke Mexican Train, dubbel twaalf", "<svg", '[MexicanTrain "1"]']
    assert (position.startswith("Ronde 1 van 1"), log) == (True, "string")


EVERYTHING = """
    const client = createClient({ server: "%s", token: "%s", language: "hu" });
    const told = [], seen = [];
    const follow = async () => {
        for await (const { version } of client.follow("%s")) { seen.push(version); }
    };
    const listen = async () => {
        for await (const event of client.events("%s", { since: %d })) { told.push(event); }
    };
    await Promise.all([follow(), listen()]);
    console.log(JSON.stringify([seen, told]));
"""


def test_no_event_is_lost_or_repeated_over_a_restart_of_the_web_server(server: Server, alice: Client) -> None:
    fields = {"seats": 2, "host_seat": None, "bots": bots("easy", "easy"), "options": {"rounds": 2}}
    table = alice.done("POST", "tables", fields | {"bot_delay_ms": 100})["id"]
    before = alice.position(table)["version"]
    alice.done("POST", f"tables/{table}/start")
    token = str(alice.session.headers["Authorization"]).removeprefix("Bearer ")
    with ThreadPoolExecutor() as pool:
        telling = pool.submit(json_output, EVERYTHING % (server.url, token, table, table, before))
        for is_killed in (False, True):
            time.sleep(2)
            restart(server, is_killed=is_killed)
        seen, events = telling.result(MATCH_SECONDS)
    end = alice.position(table)
    assert [event["version"] for event in events] == list(range(before + 1, end["version"] + 1))
    assert seen == sorted(set(seen))
    assert seen[-1] == end["version"]
    moved = [event for event in events if event["event"] == "move"]
    assert [event["number"] for event in moved] == list(range(1, end["next_number"]))
    assert all(event["move"] == f"{event['tile']}>{event['train']}" for event in moved if event["type"] == "play")


def test_calls_are_retried_with_the_same_key_and_moves_with_the_same_number() -> None:
    welcome, played = answer_of("register_guest"), answer_of("play")
    program = """
        const client = createClient({ server: "%s", patience: %s });
        client.token = the(await client.POST("/api/v1/players/guest", { body: { name: "Zoë" } })).token;
        const params = { path: { table_id: "%s" } };
        const body = { move: "12-7>0", number: 38 };
        const answer = await client.POST("/api/v1/tables/{table_id}/moves", { params, body });
        console.log(JSON.stringify(the(answer).number));
    """
    down = refuse(503, "unavailable", Retry_After="0")
    with scripted(LOST, reply(201, welcome), LOST, down, reply(200, played)) as server:
        assert json_output(program % (server.url, QUICK, TABLE)) == played["number"]
    guests, moves = server.asked[:2], server.asked[2:]
    assert len({asked.headers["idempotency-key"] for asked in guests}) == 1
    assert [asked.body for asked in moves] == [{"move": "12-7>0", "number": 38}] * 3
    assert {asked.headers["authorization"] for asked in moves} == {f"Bearer {welcome['token']}"}


FOLLOWING = """
    const client = createClient({ server: "%s", patience: %s });
    const told = [];
    try {
        for await (const event of client.events("%s"%s)) told.push([event.event, event.version]);
    } catch (refused) { told.push(refused.problem.code); }
    console.log(JSON.stringify(told));
"""


def test_events_continue_over_lost_connections() -> None:
    start, _, rest = event(41, name="Zoë").encode().partition(b"\xab")  # between the two bytes of a letter
    first = stream(QUICKLY, ": still here\n\n", start, b"\xab" + rest, event(41), is_cut=True)
    too_old = stream(QUICKLY, CUT.replace("reconnect", "too_old"))
    fresh = reply(200, POSITION | {"version": 90})
    with scripted(first, LOST, stream(event(42), CUT), too_old, fresh, stream(event(91, end="\r\n"), OVER)) as server:
        said = json_output(FOLLOWING % (server.url, QUICK, TABLE, ", { since: 40 }"))
    assert said == [["move", 41], ["move", 42], ["missed", 90], ["move", 91]]
    assert [asked.headers.get("last-event-id") for asked in server.asked] == ["40", "41", "41", "42", None, "90"]


def test_a_refused_stream_is_an_error() -> None:
    with scripted(reply(200, POSITION | {"version": 7}), refuse(404, "not_found")) as server:
        assert json_output(FOLLOWING % (server.url, QUICK, TABLE, "")) == ["not_found"]


@pytest.mark.parametrize("status", [404, 403])
def test_an_answer_of_another_server_ends_the_events_with_its_status(status: int) -> None:
    program = """
        const client = createClient({ server: "%s", patience: %s });
        const refused = await client.events("%s", { since: 1 }).next().catch((error) => error.message);
        console.log(JSON.stringify(refused));
    """
    page: list[Piece] = [head(status, Content_Length="6", Content_Type="text/html") + b"<html>"]
    with scripted(page) as server:
        assert json_output(program % (server.url, QUICK, TABLE)) == f"{status} is not an answer of this API"


def test_the_events_of_a_table_that_is_over_end_at_once() -> None:
    with scripted(reply(204)) as server:
        assert json_output(FOLLOWING % (server.url, QUICK, TABLE, ", { since: 40 }")) == []
    assert len(server.asked) == 1


def test_a_call_with_an_incomplete_or_late_body_is_retried() -> None:
    program = """
        const client = createClient({ server: "%s", patience: { timeout: 300, first: 1, most: 2 } });
        console.log(JSON.stringify(the(await client.GET("/api/v1/players/me")).name));
    """
    me = answer_of("me")
    begun = head(200, Content_Length="999", Content_Type="application/json") + b'{"id"'
    with scripted([begun], [begun, 1.0], reply(200, me)) as server:
        assert json_output(program % server.url) == me["name"]


def test_headers_of_the_caller_are_not_replaced() -> None:
    program = """
        const client = createClient({ server: "%s", token: "of the client", language: "nl" });
        const body = { name: "Zoë" };
        const headers = { "Idempotency-Key": "my own", "Accept-Language": "hu", Authorization: "Bearer mine" };
        await client.POST("/api/v1/players/guest", { body, headers });
        await client.POST("/api/v1/players/guest", { body, params: { header: { "Idempotency-Key": "mine too" } } });
        await client.POST("/api/v1/players/guest", { body });
        console.log("null");
    """
    welcome = reply(201, answer_of("register_guest"))
    with scripted(welcome, welcome, welcome) as server:
        json_output(program % server.url)
    first, second, third = (
        (asked.headers["idempotency-key"], asked.headers["accept-language"]) for asked in server.asked
    )
    assert (first, second, third[1]) == (("my own", "hu"), ("mine too", "nl"), "nl")
    assert server.asked[0].headers["authorization"] == "Bearer mine"
    assert re.fullmatch(r"[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}", third[0])


AWAY = """
    const patience = { timeout: 5000, total: %d, attempts: 2, first: 10, most: 20, away: %d };
    const client = createClient({ server: "%s", patience });
    const versions = [];
    try {
        for await (const { version } of client.%s) versions.push(version);
    } catch (lost) { versions.push("lost"); }
    console.log(JSON.stringify(versions));
"""
FOLLOW, EVENTS = f'follow("{TABLE}", {{ wait: 0 }})', f'events("{TABLE}", {{ since: 40 }})'
TOTAL = {FOLLOW: 5000, EVENTS: 50}
"""Positions are given up after two attempts, events when this is over."""
OUTAGE = [LOST, reply(502), refuse(503, "unavailable")] * 2
BEFORE, AFTER = POSITION | {"version": 41}, POSITION | {"version": 42, "status": "finished"}
BACK: dict[str, tuple[list[Piece], list[Piece]]] = {
    FOLLOW: (reply(200, BEFORE, ETag='"41"'), reply(200, AFTER)),
    EVENTS: (stream(QUICKLY, event(41)), stream(event(42), OVER)),
}


@pytest.mark.parametrize("ask", BACK, ids=["follow", "events"])
def test_a_wait_continues_after_an_absence_longer_than_the_time_of_a_call(ask: str) -> None:
    first, then = BACK[ask]
    with scripted(first, *OUTAGE, then) as server:
        assert json_output(AWAY % (TOTAL[ask], 60_000, server.url, ask)) == [41, 42]


@pytest.mark.parametrize("ask", BACK, ids=["follow", "events"])
def test_a_wait_ends_after_a_very_long_absence(ask: str) -> None:
    with scripted(BACK[ask][0], *OUTAGE, BACK[ask][1]) as server:
        assert json_output(AWAY % (TOTAL[ask], 60, server.url, ask)) == [41, "lost"]


@pytest.mark.parametrize("ask", BACK, ids=["follow", "events"])
def test_a_server_that_never_answered_is_given_up_as_by_any_call(ask: str) -> None:
    with scripted() as server:
        assert json_output(AWAY % (TOTAL[ask], 60_000, server.url, ask)) == ["lost"]
    assert len(server.asked) <= 4


STOPPED = """
    const client = createClient({ server: "%s", patience: { ...%s, away: 60_000 } });
    const aborted = new AbortController();
    const waiting = client.%s{ signal: aborted.signal });
    const { value: first } = await waiting.next();
    const value = Array.isArray(first) ? first[0] : first;
    const next = waiting.next().then(({ done }) => done, (error) => error.message);
    await new Promise((resolve) => setTimeout(resolve, 200));
    const since = performance.now();
    %s;
    const outcome = await next;
    const isSoon = performance.now() - since < 1200;
    console.log(JSON.stringify([value.version, outcome, isSoon, (await waiting.next()).done]));
"""
MY_TABLES = answer_of("my_tables")
MINE = [reply(200, MY_TABLES | {"results": [MY_TABLES["results"][0] | {"version": 41}]}, ETag='"41"')]
WAITING = {"follow": f'follow("{TABLE}", ', "events": f'events("{TABLE}", '}
WAITING |= {"lists": "followMyTables(", "my events": "myEvents("}
HELD = {
    "follow": [reply(200, BEFORE, ETag='"41"'), [2.0, *reply(304)]],
    "events": [reply(200, POSITION | {"version": 40}), stream(event(41), 2.0, OVER)],
    "lists": [*MINE, [2.0, *reply(304)]],
    "my events": [stream(change("AAB", 41), 2.0, OVER)],
}
BUSY = refuse(503, "unavailable", Retry_After="20")
PAUSED = {
    "follow": [reply(200, BEFORE, ETag='"41"'), BUSY],
    "events": [reply(200, POSITION | {"version": 40}), stream("retry: 20000\n\n", event(41))],
    "lists": [*MINE, BUSY],
    "my events": [stream("retry: 20000\n\n", change("AAB", 41))],
}


@pytest.mark.parametrize("script", [HELD, PAUSED], ids=["held", "pausing"])
@pytest.mark.parametrize("ask", WAITING)
@pytest.mark.parametrize(
    ("stop", "outcome"),
    [("await waiting.return()", True), ('aborted.abort(new Error("enough"))', "enough")],
    ids=["returned", "aborted"],
)
def test_a_wait_can_be_stopped_at_once(
    script: dict[str, list[list[Piece]]], ask: str, stop: str, outcome: object
) -> None:
    with scripted(*script[ask]) as server:
        assert json_output(STOPPED % (server.url, QUICK, WAITING[ask], stop)) == [41, outcome, True, True]


def test_a_stopped_call_sends_no_request() -> None:
    program = """
        const waiting = createClient({ server: "%s" }).events("%s", { signal: AbortSignal.abort(new Error("enough")) });
        console.log(JSON.stringify(await waiting.next().catch((error) => error.message)));
    """
    with scripted() as server:
        assert json_output(program % (server.url, TABLE)) == "enough"
    assert server.asked == []


def test_the_whole_log_is_read_page_by_page() -> None:
    program = """
        const client = createClient({ server: "%s" });
        const numbers = [];
        for await (const { number } of client.moves("%s", { after: 2 })) numbers.push(number);
        console.log(JSON.stringify(numbers));
    """
    log = [LOGGED | {"number": number} for number in range(3, 1003)]
    with scripted(reply(200, log[:500]), reply(200, log[500:]), reply(200, [])) as server:
        assert json_output(program % (server.url, TABLE)) == [each["number"] for each in log]
    assert [asked.path.partition("?")[2] for asked in server.asked] == [
        f"after={after}&limit=500" for after in (2, 502, 1002)
    ]


MY_EVENTS = """
    const client = createClient({ server: "%s", patience: %s });
    const told = [];
    try {
        for await (const { event, id, version } of client.myEvents({ since: %s })) told.push([event, id, version]);
    } catch (refused) { told.push(refused.problem?.code ?? refused.name); }
    console.log(JSON.stringify(told));
"""
REVOKED = refuse(401, "bad_token")


def followed_mine(since: str, *script: list[Piece]) -> tuple[list[object], list[str]]:
    """The events of the stream of all tables until it is refused, and the ids with which it was requested."""
    with scripted(*script) as server:
        said = json_output(MY_EVENTS % (server.url, QUICK, json.dumps(since)))
    assert {asked.path for asked in server.asked} == {"/api/v1/players/me/events"}
    return said, [asked.headers["last-event-id"] for asked in server.asked]


def test_the_stream_of_all_tables_continues_from_the_last_id_until_the_token_is_revoked() -> None:
    first = stream(QUICKLY, change("AAB", 7), "id: AAC\nevent: chat\ndata: words\n\n", is_cut=True)
    second = stream(change("AAD", 8, end="\r\n"), OVER.replace("finished", "hidden"))
    said, ids = followed_mine("AAA", first, LOST, second, REVOKED)
    assert said == [["table", "AAB", 7], ["table", "AAD", 8], "bad_token"]
    assert ids == ["AAA", "AAC", "AAC", "AAD"]


@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
@pytest.mark.parametrize("cut", [4, 8])
def test_a_stream_of_all_tables_lost_at_once_continues_from_its_first_id(end: str, cut: int) -> None:
    lone = f"id: AAA{end}{end}"
    half = change("AAB", 7)[:30]
    began = stream(QUICKLY, lone[:cut], 0.02, lone[cut:] + half, is_cut=True)
    said, ids = followed_mine("", began, stream(change("AAB", 7)), REVOKED)
    assert (said, ids) == ([["table", "AAB", 7], "bad_token"], ["", "AAA", "AAB"])


@pytest.mark.parametrize("path", ["players/me/tables", "tables"])
def test_a_list_is_returned_when_it_has_changed(path: str) -> None:
    program = """
        const client = createClient({ server: "%s", patience: %s });
        const versions = [];
        for await (const [{ version }] of client.%s({ status: "playing", limit: 5, wait: 7 })) {
            if (versions.push(version) === 3) break;
        }
        console.log(JSON.stringify(versions));
    """

    def page(version: int) -> list[Piece]:
        return reply(
            200, MY_TABLES | {"results": [MY_TABLES["results"][0] | {"version": version}]}, ETag=f'"{version}"'
        )

    name = {"tables": "followTables"}.get(path, "followMyTables")
    with scripted(page(1), reply(304), LOST, page(2), page(3)) as server:
        assert json_output(program % (server.url, QUICK, name)) == [1, 2, 3]
    assert [asked.headers.get("if-none-match") for asked in server.asked] == [None, '"1"', '"1"', '"1"', '"2"']
    assert {asked.path for asked in server.asked} == {f"/api/v1/{path}?wait=7&status=playing&limit=5"}


def test_unknown_values_of_a_newer_server_break_nothing() -> None:
    chat = ["event: chat\ndata: words\n\n", 'event: chat\ndata: {"version": 42}\n\n', "event: chat\ndata: null\n\n"]
    ended = OVER.replace("finished", "maintenance")
    first = stream(QUICKLY, *chat, event(43, type="thrown", new={}), ended)
    with scripted(first, stream(event(44), OVER)) as server:
        assert json_output(FOLLOWING % (server.url, QUICK, TABLE, ", { since: 41 }")) == [["move", 43], ["move", 44]]


def test_sentences_can_be_requested() -> None:
    program = """
        const client = createClient({ server: "%s", language: "nl" });
        for await (const event of client.events("%s", { since: 1, said: true }));
        for await (const position of client.follow("%s", { wait: 0, said: true }));
        for await (const move of client.moves("%s", { said: true }));
        console.log("null");
    """
    with scripted(stream(OVER), reply(200, AFTER), reply(200, [])) as server:
        json_output(program % (server.url, TABLE, TABLE, TABLE))
    asked = [asked.path.removeprefix(f"/api/v1/tables/{TABLE}/") for asked in server.asked]
    assert asked == ["events?said=true", "position?wait=0&said=true", "moves?after=0&limit=500&said=true"]
    assert {asked.headers["accept-language"] for asked in server.asked} == {"nl"}


PAGE = """
    import { createClient, the } from "mexican-train-client";
    const play = async () => {
        const zoe = createClient({ server: "%s" });
        zoe.token = the(await zoe.POST("/api/v1/players/guest", { body: { name: "Zoë" } })).token;
        const fields = { seats: 2, bots: [{ seat: 1, level: "easy" }], options: { first_round_starter: "seat_0" } };
        const table = the(await zoe.POST("/api/v1/tables", { body: fields }));
        const params = { path: { table_id: table.id } };
        the(await zoe.POST("/api/v1/tables/{table_id}/start", { params }));
        for await (const { you, next_number: number } of zoe.follow(table.id)) {
            const move = you?.legal_moves[0]?.move;
            if (!move) continue;
            the(await zoe.POST("/api/v1/tables/{table_id}/moves", { params, body: { move, number } }));
            break;
        }
        for await (const event of zoe.events(table.id, { since: 0 })) if (event.event === "move") return event.number;
    };
    play().then((number) => report({ number }), (error) => report({ error: String(error) }));
"""


@pytest.mark.parametrize("source", SOURCES, ids=lambda source: source.name)
def test_no_source_uses_features_of_nodejs_alone(source: Path) -> None:
    assert re.findall(r"\bnode:|\brequire\(|\bimport\(|\bprocess\.|\bBuffer\b", source.read_text()) == []


def test_a_page_bundles_and_plays_with_nothing_of_nodejs(server: Server, tmp_path: Path) -> None:
    script = bundled(tmp_path, PAGE % server.url)
    assert output_in_a_vm(script) == {"number": 1}


@pytest.mark.skipif(not shutil.which("chromium"), reason="a browser is not at hand: what a page needs is tested above")
def test_a_page_over_plain_http_plays_in_a_browser(server: Server, tmp_path: Path) -> None:
    script = bundled(tmp_path, PAGE % server.url)
    assert output_in_chromium(script, tmp_path) == {"number": 1, "isSecureContext": False}
