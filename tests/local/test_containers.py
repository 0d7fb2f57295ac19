"""The Dockerfile and the compose file, checked as far as possible without running them."""

import importlib.util
import re
import shutil
import sys
from pathlib import Path
from typing import Any

import pytest
import yaml

from config.environment import VARIABLES
from local import ROOT
from tables.api.fields import LONGEST_WAIT

BIN = Path(sys.executable).parent
COMPOSE: dict[str, Any] = yaml.safe_load((ROOT / "docker-compose.yml").read_text())
SERVICES: dict[str, dict[str, Any]] = COMPOSE["services"]
OURS = ["migrate", "web", "worker", "bots", "webhooks", "beat"]
KNOWN = {"FROM", "ENV", "WORKDIR", "COPY", "RUN", "USER", "EXPOSE", "CMD"}


def instructions() -> list[tuple[str, str]]:
    lines = re.sub(r"\\\n\s*", " ", (ROOT / "Dockerfile").read_text()).splitlines()
    words = [line.split(maxsplit=1) for line in lines if line and not line.startswith("#")]
    return [(name, rest) for name, rest in words]


def of(name: str) -> list[str]:
    return [rest for instruction, rest in instructions() if instruction == name]


def image_command() -> list[str]:
    return list(yaml.safe_load(of("CMD")[0]))


def test_the_services_are_those_of_production() -> None:
    assert set(SERVICES) == {"postgres", "redis", "proxy", *OURS}


@pytest.mark.parametrize("name", OURS)
def test_our_services_start_programs_and_modules_that_exist(name: str) -> None:
    program, *arguments = SERVICES[name].get("command", image_command())
    assert shutil.which(program, path=str(BIN))
    for module in ("config.wsgi", "config.celery"):
        assert importlib.util.find_spec(module)
    assert {"gunicorn": "config.wsgi:application", "celery": "config", "python": "manage.py"}[program] in arguments


@pytest.mark.parametrize("name", OURS)
def test_our_services_wait_for_their_servers(name: str) -> None:
    waits = {other: how["condition"] for other, how in SERVICES[name]["depends_on"].items()}
    both = {"postgres": "service_healthy", "redis": "service_healthy"}
    assert waits == (both if name == "migrate" else both | {"migrate": "service_completed_successfully"})


@pytest.mark.parametrize("name", [name for name in SERVICES if name != "migrate"])
def test_permanent_services_restart_and_have_health_checks(name: str) -> None:
    assert SERVICES[name]["restart"] == "unless-stopped"
    assert SERVICES[name]["healthcheck"]["test"][0] in {"CMD", "CMD-SHELL"}


def test_only_the_proxy_is_public_and_the_web_is_local() -> None:
    assert {name: service["ports"] for name, service in SERVICES.items() if "ports" in service} == {
        "proxy": ["80:80", "443:443"],
        "web": ["127.0.0.1:${PORT:-8000}:8000"],
    }
    assert of("EXPOSE") == ["8000"]
    assert "0.0.0.0:8000" in image_command()


def settings_of_proxy() -> dict[str, list[str]]:
    """The values of each directive of ``nginx.conf``, without comments."""
    found: dict[str, list[str]] = {}
    text = re.sub(r"#.*", "", (ROOT / "nginx.conf").read_text())
    for name, value in re.findall(r"^\s*(\w+)\s+([^;{}]+);", text, re.MULTILINE):
        found.setdefault(name, []).append(value)
    return found


def test_the_proxy_reads_our_settings_and_the_certificate_that_they_name() -> None:
    settings = settings_of_proxy()
    volumes = [each.removesuffix(":ro").rsplit(":", 1) for each in SERVICES["proxy"]["volumes"]]
    mounted = {path: source for source, path in volumes}
    assert mounted.pop("/etc/nginx/nginx.conf") == "./nginx.conf"
    ((folder, _),) = mounted.items()
    assert {Path(settings[name][0]).parent for name in ("ssl_certificate", "ssl_certificate_key")} == {Path(folder)}
    assert settings["set"] == ["$web http://web:8000"]


def test_the_proxy_overwrites_the_forwarded_headers() -> None:
    """So that no client can name another address; the web believes as many proxies as there are."""
    headers = dict(value.split(maxsplit=1) for value in settings_of_proxy()["proxy_set_header"])
    assert headers["X-Forwarded-For"] == "$remote_addr"
    assert headers["X-Forwarded-Proto"] == "$scheme"
    assert headers["X-Request-Start"] == '"t=$msec"'
    assert SERVICES["web"]["environment"]["NUM_PROXIES"] == "${NUM_PROXIES:-1}"


def test_the_proxy_limits_slow_senders_but_allows_long_polls() -> None:
    settings = settings_of_proxy()
    seconds = {name: int(values[0].removesuffix("s")) for name, values in settings.items() if name.endswith("_timeout")}
    assert max(seconds["client_header_timeout"], seconds["client_body_timeout"]) <= 10
    assert seconds["proxy_read_timeout"] > LONGEST_WAIT
    watchers = VARIABLES["WATCHERS_OF_ADDRESS"].default
    assert watchers is not None
    assert int(settings["limit_conn"][0].split()[1]) > int(watchers)
    assert "proxy_request_buffering" not in settings  # nginx buffers by default
    assert settings["proxy_next_upstream"] == ["off"]


def test_the_health_check_of_the_web_compiles() -> None:
    compile(SERVICES["web"]["healthcheck"]["test"][-1], "healthcheck", "exec")


def test_the_compose_file_contains_no_secret() -> None:
    for service in SERVICES.values():
        for variable, value in service.get("environment", {}).items():
            if value and any(word in variable for word in ("SECRET", "PASSWORD", "DATABASE_URL")):
                assert re.search(r"\$\{\w+:\?.+\}", value), variable


NOT_IN_CONTAINERS = {"STATIC_ROOT", "SHARE_CONNECTIONS", "PROMETHEUS_MULTIPROC_DIR"}
SET_FOR_CONTAINERS = {"DEBUG", "DATA_DIR", "NUM_PROXIES"}
NEEDED = {"SECRET_KEY", "DATABASE_URL", "REDIS_URL", "ALLOWED_HOSTS", "PUBLIC_URL"}


def test_every_variable_reaches_the_web() -> None:
    environment = SERVICES["web"]["environment"]
    assert VARIABLES.keys() - NOT_IN_CONTAINERS == set(environment)
    assert {name for name, value in environment.items() if value is not None} == NEEDED | SET_FOR_CONTAINERS
    assert environment["NUM_PROXIES"] == "${NUM_PROXIES:-1}"


@pytest.mark.parametrize("name", [name for name in OURS if name != "web"])
def test_variables_for_the_web_are_not_passed_to_the_others(name: str) -> None:
    own = {"WATCHERS", "WATCHERS_OF_ONE", "WATCHERS_OF_ADDRESS", "WORKING_REQUESTS", "QUEUED_REQUESTS", "DATABASE_POOL"}
    assert SERVICES[name]["environment"].keys() == SERVICES["web"]["environment"].keys() - own


def test_the_image_is_small_pinned_and_not_run_by_root() -> None:
    assert of("FROM") == ["python:3.12-slim"]
    assert "--require-hashes --only-binary :all: -r requirements/run.txt" in of("RUN")[0]
    assert of("USER")[-1] not in {"root", "0"}
    assert {name for name, _ in instructions()} <= KNOWN


def test_the_image_compiles_the_languages_itself() -> None:
    assert "python -m words.compile" in of("RUN")
    assert "**/*.mo" in (ROOT / ".dockerignore").read_text().splitlines()


def test_the_image_compiles_the_code_so_that_a_process_starts_sooner() -> None:
    """Processes in a container write no compiled code themselves."""
    assert "PYTHONDONTWRITEBYTECODE=1" in of("ENV")[0]
    assert "python -m compileall -q ." in of("RUN")


def test_copied_files_exist_and_are_not_ignored() -> None:
    for source in [copied.split()[0] for copied in of("COPY")]:
        assert (ROOT / source).exists()
    ignored, *kept = (ROOT / ".dockerignore").read_text().splitlines()
    assert ignored == "*"
    assert {"!manage.py", "!config", "!rules", "!players", "!tables", "!words"} <= set(kept)
    for line in kept:
        assert not line.startswith("!") or (ROOT / line[1:]).exists()
