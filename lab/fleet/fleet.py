"""The installation of `deploy/compose.yaml` on machines of its own, with two more workers."""

from __future__ import annotations

import shutil
import subprocess
import sys
import time
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path

from core.embedded.account import Account
from core.embedded.place import ServerPaths, postgres_clients, valkey_program
from lab.faults.installation import JOB_TIMEOUT_SECONDS, LEASE_SECONDS, RECONCILE_SECONDS, START_SECONDS, is_well
from lab.faults.kinds.clock import wrong_clock
from lab.fleet.compose import DEPLOY, Service, services
from lab.fleet.machine import Machine, Mount
from lab.fresh.userland import put_checkout

OFFICE = "office.example.org"
PORT = 8443
ROOT = DEPLOY.parent
#: In the order in which they are started.
NUMBERS = {
    "database": 10,
    "queue": 11,
    "pooler": 12,
    "web-1": 21,
    "web-2": 22,
    "worker-1": 31,
    "worker-2": 32,
    "worker-3": 33,
    "worker-4": 34,
    "proxy": 41,
    "upgrade": 51,
}
#: Machines with sessions of their own at the pooler; the others share its connections by transactions.
WITH_SESSIONS = ("web-2", "worker-3", "worker-4")
#: By how much clocks are wrong.
CLOCKS = {"worker-3": "+5m", "worker-4": "-5m"}
_PLACE = "/opt/second-reader"


class Fleet:
    """Starts, kills and stops machines; acts as a container engine, or a person at each machine, would."""

    def __init__(self, folder: Path, secrets: Path, more: Mapping[str, str]) -> None:
        """`folder` is for data and logs; `secrets` what `deploy/secrets.sh` made; `more`: settings for all."""
        self._folder, self._secrets = folder, secrets
        self._services = services()
        for name in ("worker-3", "worker-4"):
            self._services[name] = replace(self._services["worker-2"], name=name)
        self._more = {
            "WORKERS": "1",
            "LEASE_SECONDS": str(LEASE_SECONDS),
            "RECONCILE_SECONDS": str(RECONCILE_SECONDS),
            "JOB_TIMEOUT_SECONDS": str(JOB_TIMEOUT_SECONDS),
            "RATE_LIMITS": "false",
            **more,
        }
        self.code = self.checkout("first")
        self.machines = {name: self._machine(self._services[name]) for name in NUMBERS}

    @property
    def url(self) -> str:
        """The address of the proxy, by the office's name."""
        return f"https://{OFFICE}:{PORT}"

    @property
    def dsn(self) -> str:
        """The database itself, without the pooler."""
        place = f"{self.machines['database'].address}:5432/second_reader"
        return f"postgresql://second_reader:{self.secret('database_password')}@{place}"

    @property
    def queue_url(self) -> str:
        """The queue."""
        return f"redis://default:{self.secret('queue_password')}@{self.machines['queue'].address}:6379/0"

    @property
    def settings(self) -> Mapping[str, str]:
        """What a process on this machine is told that belongs to the installation."""
        given = {"DATABASE_URL": self.dsn, "REDIS_URL": self.queue_url, "SECRET_KEY": self.secret("secret_key")}
        return {"VAR_DIR": str(self._folder / "var"), **given, **self._more}

    @property
    def hosts(self) -> str:
        """The names of all machines, as a container engine's name server has them."""
        names = {**{name: machine.address for name, machine in self.machines.items()}, OFFICE: self._proxy}
        return "127.0.0.1 localhost\n" + "".join(f"{address} {name}\n" for name, address in names.items())

    @property
    def _proxy(self) -> str:
        return self.machines["proxy"].address

    def secret(self, name: str) -> str:
        """The content of one of the secrets."""
        return (self._secrets / name).read_text(encoding="utf-8").strip()

    def start(self, seconds: float = START_SECONDS) -> None:
        """Start what does not run until all of it answers. Raises TimeoutError."""
        limit = time.monotonic() + seconds
        while True:
            for name, machine in self.machines.items():
                if name != "upgrade" and not machine.runs:
                    self.start_one(name)
            if self._is_well():
                return
            if time.monotonic() > limit:
                raise TimeoutError(f"the fleet was not well within {seconds:.0f} s")
            time.sleep(0.5)

    def start_one(self, name: str) -> None:
        """Start a machine with the code and the settings of now, in place of what it was."""
        self.machines[name] = self._machine(self._services[name])
        self.machines[name].start(self.hosts)

    def prepare(self) -> None:
        """Make the database and upgrade it, as the compose file has it done before anything else."""
        for name in ("database", "queue", "pooler"):
            self.start_one(name)
        self._make_database()
        if code := self.upgrade():
            raise RuntimeError(f"flask db-upgrade ended with {code}")

    def upgrade(self) -> int:
        """Run the service that applies migrations, with the code of now; return its exit status."""
        self.start_one("upgrade")
        process = self.machines["upgrade"].process
        assert process is not None
        return process.wait()

    def checkout(self, name: str) -> Path:
        """Return a copy of what is committed, compiled, with the packages of this checkout."""
        put_checkout(ROOT, self._folder, name)
        code = self._folder / "srv" / name
        (code / ".venv").symlink_to((ROOT / ".venv").resolve())
        (code / ".env").touch()
        layers = ("commands", "core", "jobs", "pipeline", "research", "services", "web")
        subprocess.run(
            [sys.executable, "-m", "compileall", "-q", *(str(code / one) for one in layers)], check=True
        )
        return code

    def command(self, name: str) -> subprocess.Popen[bytes]:
        """Start a command of `flask` on this machine."""
        return subprocess.Popen(
            [
                *("env", *(f"{key}={value}" for key, value in self.settings.items())),
                *(sys.executable, "-m", "flask", "--app", "flask_app", name),
            ],
            cwd=self.code,
        )

    def stop(self) -> None:
        """End all of it in order, servers last."""
        for machine in reversed(self.machines.values()):
            machine.stop()

    def _is_well(self) -> bool:
        addresses = [f"http://{self.machines[name].address}:5000" for name in ("web-1", "web-2")]
        return all(is_well(address) for address in (*addresses, self.url))

    def _make_database(self) -> None:
        address = self.machines["database"].address
        given = {
            "PATH": f"{postgres_clients()}:/usr/bin:/bin",
            "PGHOST": address,
            "PGUSER": "postgres",
            "PGPASSWORD": self.secret("postgres_password"),
            "DATABASE_PASSWORD_FILE": str(self._secrets / "database_password"),
        }
        limit = time.monotonic() + START_SECONDS
        while subprocess.run([postgres_clients() / "pg_isready", "-q", "-h", address], check=False).returncode:
            if time.monotonic() > limit:
                raise TimeoutError("the database did not start")
            time.sleep(0.2)
        words = ["env", *(f"{key}={value}" for key, value in given.items()), "sh", str(DEPLOY / "database.sh")]
        subprocess.run(words, check=True, stdout=subprocess.DEVNULL)

    def _machine(self, service: Service) -> Machine:
        folder = self._folder / "machines" / service.name
        mounts = [Mount(DEPLOY / source, place) for place, source in service.files.items()]
        for place, volume in service.volumes.items():
            data = folder / volume
            data.mkdir(parents=True, exist_ok=True)
            shutil.chown(data, service.user, service.user)
            mounts.append(Mount(data, place, writable=True))
        if service.is_program:
            mounts.append(Mount(self.code, _PLACE))
        return Machine(
            service.name,
            NUMBERS[service.name],
            folder,
            self._command(service),
            self._environment(service),
            mounts,
            {f"/run/secrets/{name}": self.secret(source) + "\n" for name, source in service.secrets.items()},
            service.user,
            service.read_only,
        )

    def _command(self, service: Service) -> list[str]:
        """The service's own command; before it what the image of PostgreSQL does."""
        if service.name != "database":
            return list(service.command)
        data = next(iter(service.volumes))
        made = f"initdb -D {data} -U postgres --pwfile /run/secrets/postgres_password -A scram-sha-256 -E UTF8"
        open_to_all = f"echo 'host all all all scram-sha-256' >>{data}/pg_hba.conf"
        prepared = f"test -s {data}/PG_VERSION || {{ {made} && {open_to_all}; }}; rm -f {data}/postmaster.pid"
        given = f"-D {data} -c listen_addresses='*' -c unix_socket_directories=/tmp"
        return ["sh", "-c", f"{prepared}; exec {' '.join(service.command)} {given}"]

    def _environment(self, service: Service) -> dict[str, str]:
        if not service.is_program:
            programs = f"{postgres_clients()}:{self._valkey()}:/usr/sbin:/usr/bin:/bin"
            return {"PATH": programs, "LANG": "C.UTF-8", **service.environment}
        given = {**service.environment, **self._more, "LANG": "C.UTF-8", "HOME": "/tmp"}
        if service.name in WITH_SESSIONS:
            given["DATABASE_URL"] = self.secret("session_database_url")
            given["DATABASE_TRANSACTION_POOLER"] = "false"
        if service.name in CLOCKS:
            given |= wrong_clock(CLOCKS[service.name], Path(_PLACE))
        return given

    def _valkey(self) -> Path:
        place = ServerPaths("valkey", self._folder, self._folder, Account(0, 0))
        return valkey_program(place).parent
