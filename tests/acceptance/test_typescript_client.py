"""The TypeScript client: generated from the live server's schema, compiled strictly, and run with Node.js."""

import json
import re
import shutil
import subprocess
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest

from tests.acceptance.server import ROOT, Client, Server, until
from tests.acceptance.test_matches import MATCH_SECONDS, bots
from tests.acceptance.test_watching import restart
from tests.clients.scripted import LOST, refuse, reply, scripted, stream
from tests.clients.test_event_stream import CUT, OVER, POSITION, QUICKLY, TABLE, event
from tests.examples import answer_of

FOLDER = ROOT / "clients" / "typescript"
PACKAGE = FOLDER / "package.json"
INSTALLED = FOLDER / "node_modules" / "installed.json"
"""A copy of what was installed, written last: an interrupted or outdated installation never looks complete."""
README = (FOLDER / "README.md").read_text()
QUICK = "{ timeout: 5000, total: 10000, attempts: 4, first: 1, most: 2 }"


def run(*words: str, seconds: int = MATCH_SECONDS) -> str:
    done = subprocess.run(words, cwd=FOLDER, capture_output=True, text=True, check=False, timeout=seconds)
    assert done.returncode == 0, f"{' '.join(words)[:200]}\n{done.stdout}{done.stderr}"
    return done.stdout


def install() -> None:
    """Once for a package.json, so that a second run asks no registry."""
    assert shutil.which("npm"), "The TypeScript client needs Node.js 18 or newer with npm; install them and try again."
    if not INSTALLED.exists() or INSTALLED.read_text() != PACKAGE.read_text():
        shutil.rmtree(INSTALLED.parent, ignore_errors=True)  # npm does not mend what it has left half done
        run("npm", "install", "--no-audit", "--no-fund", "--loglevel=error", seconds=600)
        INSTALLED.write_text(PACKAGE.read_text())


@pytest.fixture(scope="session")
def built(server: Server) -> Path:
    """The compiled client."""
    install()
    shutil.rmtree(FOLDER / "dist", ignore_errors=True)
    run("npm", "run", "--silent", "generate", "--", f"{server.url}/api/v1/schema")
    run("npm", "run", "--silent", "build")
    return FOLDER / "dist"


def told(built: Path, program: str) -> Any:
    """What a program that has the client prints, as JSON."""
    imported = f'import {{ createClient, the }} from "{(built / "src" / "index.js").as_uri()}";'
    return json.loads(run("node", "--input-type=module", "--eval", f"{imported}\n{program}"))


def compiles(built: Path, folder: Path, program: str) -> str:
    """What the compiler says of a program that uses the client: nothing, if it is right."""
    source = folder / "program.ts"
    source.write_text(program.replace('"mexican-train-client"', f'"{built.as_posix()}/src/index.js"'))
    options = "--noEmit --strict --skipLibCheck --module NodeNext --target ES2022 --lib ES2022,DOM,DOM.Iterable"
    (folder / "package.json").write_text('{"type": "module"}')
    words = ["node", "node_modules/typescript/bin/tsc", *options.split(), str(source)]
    return subprocess.run(words, cwd=FOLDER, capture_output=True, text=True, check=False, timeout=120).stdout


def test_the_versions_are_exact_and_no_registry_is_named() -> None:
    package = json.loads(PACKAGE.read_text())
    versions = [*package["dependencies"].values(), *package["devDependencies"].values()]
    assert all(re.fullmatch(r"\d+\.\d+\.\d+", version) for version in versions)
    assert (FOLDER / ".npmrc").read_text() == "package-lock=false\n"


def test_the_readme_compiles_and_plays_a_match(server: Server, built: Path, tmp_path: Path) -> None:
    (program,) = re.findall(r"```ts\n(.*?)```", README, re.DOTALL)
    assert compiles(built, tmp_path, program) == ""
    plain = program.replace("http://127.0.0.1:8000", server.url).partition("\n")[2]
    imported = f'import {{ createClient, the }} from "{(built / "src" / "index.js").as_uri()}";'
    said = run("node", "--input-type=module", "--eval", f"{imported}\n{plain}")
    assert re.fullmatch(r"Winners: [01]( 1)?\n", said)


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
"""


def test_what_the_schema_does_not_have_is_an_error_of_the_compiler(built: Path, tmp_path: Path) -> None:
    found = re.findall(r"program\.ts\((\d+),\d+\): error TS", compiles(built, tmp_path, WRONG))
    assert sorted({int(line) for line in found}) == [5, 6, 7, 8, 9, 10, 11, 14]


def test_the_bot_plays_a_match_to_its_end(server: Server, built: Path, alice: Client) -> None:
    seated = bots("easy", "hard")
    table = alice.done("POST", "tables", {"seats": 3, "host_seat": None, "bots": seated, "options": {"rounds": 1}})
    words = ["node", str(built / "examples" / "bot.js"), server.url, table["invite"]["code"]]
    with subprocess.Popen(words, stdout=subprocess.PIPE, text=True) as program:
        try:
            until(lambda: alice.done("GET", f"tables/{table['id']}")["seats"][2]["player"], "it sits", seconds=30)
            alice.done("POST", f"tables/{table['id']}/start")
            said, _ = program.communicate(timeout=MATCH_SECONDS)
        finally:
            program.kill()
    winners = " ".join(map(str, alice.position(table["id"])["winners"]))
    assert said == f"finished winners: {winners}\n"
    log = alice.done("GET", f"tables/{table['id']}/moves?limit=500")
    assert {move["by"] for move in log if move["seat"] == 2} == {"person"}


def test_what_people_read_is_in_the_language_asked_for_and_may_be_text(server: Server, built: Path) -> None:
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
        console.log(JSON.stringify([preset.title, picture.slice(0, 4), record.split("\\n")[0]]));
    """
    said = told(built, program % server.url)
    assert said == ["Klassieke Mexican Train, dubbel twaalf", "<svg", '[MexicanTrain "1"]']


EVERYTHING = """
    const client = createClient({ server: "%s", token: "%s", language: "hu" });
    const told = [], seen = [];
    const follow = async () => {
        for await (const { version } of client.follow("%s")) { seen.push(version); }
    };
    const listen = async () => {
        for await (const event of client.events("%s", %d)) { told.push(event); }
    };
    await Promise.all([follow(), listen()]);
    console.log(JSON.stringify([seen, told]));
"""


def test_nothing_is_lost_or_told_twice_when_the_web_server_is_started_again(
    server: Server, built: Path, alice: Client
) -> None:
    fields = {"seats": 2, "host_seat": None, "bots": bots("easy", "easy"), "options": {"rounds": 2}}
    table = alice.done("POST", "tables", fields | {"bot_delay_ms": 100})["id"]
    before = alice.position(table)["version"]
    alice.done("POST", f"tables/{table}/start")
    token = str(alice.session.headers["Authorization"]).removeprefix("Bearer ")
    with ThreadPoolExecutor() as pool:
        telling = pool.submit(told, built, EVERYTHING % (server.url, token, table, table, before))
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


def test_what_creates_is_sent_again_with_the_same_key_and_a_move_with_the_same_number(built: Path) -> None:
    welcome, played = answer_of("players_guest_create"), answer_of("tables_moves_create")
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
        assert told(built, program % (server.url, QUICK, TABLE)) == played["number"]
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


def test_events_go_on_over_lost_connections(built: Path) -> None:
    start, _, rest = event(41, name="Zoë").encode().partition(b"\xab")  # between the two bytes of a letter
    first = stream(QUICKLY, ": still here\n\n", start, b"\xab" + rest, event(41), is_cut=True)
    too_old = stream(QUICKLY, CUT.replace("reconnect", "too_old"))
    fresh = reply(200, POSITION | {"version": 90})
    with scripted(first, LOST, stream(event(42), CUT), too_old, fresh, stream(event(91, end="\r\n"), OVER)) as server:
        said = told(built, FOLLOWING % (server.url, QUICK, TABLE, ", 40"))
    assert said == [["move", 41], ["move", 42], ["missed", 90], ["move", 91]]
    assert [asked.headers.get("last-event-id") for asked in server.asked] == ["40", "41", "41", "42", None, "90"]


def test_events_that_are_refused_are_told(built: Path) -> None:
    with scripted(reply(200, POSITION | {"version": 7}), refuse(404, "not_found")) as server:
        assert told(built, FOLLOWING % (server.url, QUICK, TABLE, "")) == ["not_found"]


def test_a_table_that_is_over_has_no_more_events(server: Server, built: Path, alice: Client) -> None:
    table = alice.done("POST", "tables", {})["id"]
    alice.done("POST", f"tables/{table}/cancel")
    program = f"""
        import {{ createClient }} from "{(built / "src" / "index.js").as_uri()}";
        const nobody = createClient({{ server: "{server.url}" }});
        for await (const told of nobody.events("{table}")) console.log(told.event);
        console.log("over");
    """
    assert run("node", "--input-type=module", "--eval", program) == "over\n"
