package dev.outpost.system.backend.fault;

import dev.outpost.provider.process.state.MachineFolder;
import dev.outpost.provider.process.state.MachineRecord.Keeper;
import dev.outpost.provider.process.state.StateFolder;
import dev.outpost.rest.client.BackendAccess;
import dev.outpost.rest.client.BackendClient;
import dev.outpost.support.tests.Await;
import dev.outpost.system.backend.host.BackendHost;
import dev.outpost.system.backend.host.Balancer;
import dev.outpost.system.backend.host.WorkerProcess;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/** Two replicas, their database and a worker host as separate processes, and their faults. */
final class FaultedProcesses implements AutoCloseable {
    static final int REPLICAS = 2;
    static final int HORIZON_SECONDS = 20;

    private static final String LAB = "lab";

    private final Path folder;
    private final String[] variables;
    private final BackendHost keeper;
    private final Balancer balancer = Balancer.start();
    private final BackendHost[] replicas = new BackendHost[REPLICAS];
    private final List<String> database;
    private final BackendHost.DatabaseAccess access;
    private Optional<WorkerProcess> worker = Optional.empty();
    private boolean isDatabaseRunning = true;

    private FaultedProcesses(Path folder) throws IOException {
        this.folder = folder;
        this.variables = new String[] {
            "OUTPOST_BACKEND_OBSERVE_EVERY", "1s",
            "OUTPOST_BACKEND_LOCK", "3s",
            "OUTPOST_BACKEND_ORPHAN_GRACE", "5s",
            "OUTPOST_BACKEND_LOST_GRACE", "10s",
            "OUTPOST_BACKEND_BUDGET_HORIZON", HORIZON_SECONDS + "s",
            "OUTPOST_BACKEND_BUDGET_EVERY", "1s",
            "OUTPOST_BACKEND_MOST_FAILURES", "100000",
            "OUTPOST_BACKEND_LOCAL_MACHINES", "3",
            "OUTPOST_BACKEND_JOBS_LEASE", "1m",
            "OUTPOST_BACKEND_JOBS_ADDRESS", balancer.address(),
        };
        // A backend that is killed leaves its database running.
        this.keeper = BackendHost.start(keeperFolder(), variables);
        keeper.client().put("/v1/clusters/" + LAB, Map.of("provider", "worker"));
        String code = keeper.client()
                .post("/v1/clusters/" + LAB + ":pair", Map.of())
                .path("code")
                .asText();
        keeper.kill();
        this.access = BackendHost.DatabaseAccess.of(keeperFolder());
        this.database = Files.readAllLines(databaseFolder().resolve("postmaster.opts"));
        for (int replica = 0; replica < REPLICAS; replica++) {
            startReplica(replica);
        }
        this.worker = Optional.of(WorkerProcess.start(balancer.address(), workerFolder(), code));
    }

    static FaultedProcesses start(Path folder) throws IOException {
        return new FaultedProcesses(folder);
    }

    BackendClient client() {
        return new BackendClient(
                BackendAccess.of(balancer.address(), keeper.access().key()));
    }

    private Path keeperFolder() {
        return folder.resolve("keeper");
    }

    private Path databaseFolder() {
        return keeperFolder().resolve("postgres").resolve("database");
    }

    private Path workerFolder() {
        return folder.resolve("worker");
    }

    /** The logs of the replicas. */
    String logs() {
        return Stream.of(replicas)
                .filter(replica -> replica != null)
                .map(BackendHost::errors)
                .reduce("", String::concat);
    }

    // ---- replicas

    void startReplica(int replica) {
        if (replicas[replica] == null && isDatabaseRunning) {
            replicas[replica] = BackendHost.beside(keeper, folder.resolve("replica"), keeperFolder(), variables);
            balancer.add(replicas[replica].access().address().getPort());
        }
    }

    void killReplica(int replica) {
        BackendHost running = replicas[replica];
        if (running != null) {
            balancer.remove(running.access().address().getPort());
            running.kill();
            replicas[replica] = null;
        }
    }

    /** Pauses a process, as if it got no CPU time, and continues it. */
    void stallReplica(int replica, int millis) {
        if (replicas[replica] != null) {
            signal("-STOP", replicas[replica].pid());
            pause(millis);
            signal("-CONT", replicas[replica].pid());
        }
    }

    /** Cuts the backend off from all: clients, runners and worker hosts. */
    void cut(boolean isCut) {
        balancer.cut(isCut);
    }

    // ---- the database

    void killDatabase() {
        try {
            long pid = Long.parseLong(Files.readAllLines(databaseFolder().resolve("postmaster.pid"))
                    .getFirst()
                    .strip());
            List<ProcessHandle> all = new ArrayList<>(ProcessHandle.of(pid).stream()
                    .flatMap(ProcessHandle::descendants)
                    .toList());
            ProcessHandle.of(pid).ifPresent(all::addFirst);
            all.forEach(ProcessHandle::destroyForcibly);
            all.forEach(process -> process.onExit().join());
            isDatabaseRunning = false;
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
    }

    /** Starts the database again with the same files on the same port. */
    void startDatabase() {
        if (isDatabaseRunning) {
            return;
        }
        try {
            Files.deleteIfExists(databaseFolder().resolve("postmaster.pid"));
            List<String> words = new ArrayList<>(user());
            words.addAll(List.of("/bin/sh", "-c", "exec " + database.getFirst()));
            Process started = new ProcessBuilder(words)
                    .redirectErrorStream(true)
                    .redirectOutput(folder.resolve("database.log").toFile())
                    .start();
            Await.until(() -> "the database answers, " + started + databaseLog(), this::answers);
            isDatabaseRunning = true;
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
    }

    /** PostgreSQL refuses to run as root: it is run by the owner of its files, in a namespace where that is not root. */
    private List<String> user() throws IOException {
        int own = (Integer) Files.getAttribute(Path.of("/proc/self"), "unix:uid");
        int owner = (Integer) Files.getAttribute(databaseFolder(), "unix:uid");
        if (own != 0) {
            return List.of();
        }
        return owner == 0
                ? List.of("unshare", "--user", "--map-user=1000", "--map-group=1000", "--")
                : List.of("setpriv", "--reuid=" + owner, "--clear-groups", "--");
    }

    private boolean answers() {
        try (Connection connection = connect()) {
            return connection.isValid(1);
        } catch (SQLException ignored) {
            return false;
        }
    }

    private String databaseLog() {
        try {
            return Files.readString(folder.resolve("database.log"));
        } catch (IOException failure) {
            return failure.toString();
        }
    }

    private Connection connect() throws SQLException {
        return DriverManager.getConnection(access.url(), access.user(), access.password());
    }

    /** Sets the database's clock ahead by the given time. */
    void setClock(int hours) {
        try (Connection connection = connect();
                Statement statement = connection.createStatement()) {
            statement.execute("CREATE OR REPLACE FUNCTION outpost_now() RETURNS timestamptz LANGUAGE sql VOLATILE AS"
                    + " 'SELECT clock_timestamp() + interval ''" + hours + " hours'''");
        } catch (SQLException failure) {
            throw new IllegalStateException(failure);
        }
    }

    // ---- the worker host and the machines

    void killWorker() {
        worker.ifPresent(WorkerProcess::kill);
        worker = Optional.empty();
    }

    void launchWorker() {
        if (worker.filter(WorkerProcess::isAlive).isEmpty()) {
            worker = Optional.of(WorkerProcess.launch(balancer.address(), workerFolder(), ""));
        }
    }

    /** All machines of the cluster on this host and of the worker host. */
    List<MachineFolder> machines() {
        return Stream.of(keeperFolder(), workerFolder())
                .flatMap(own -> new StateFolder(own.resolve("machines")).list().stream())
                .toList();
    }

    /** The id by which the backend knows the machine. */
    static String id(MachineFolder machine) {
        return ((Keeper.Fleet) machine.record().keeper()).id();
    }

    /** Kills the process whose number a machine has stored under that name, and all its descendants. */
    void kill(MachineFolder machine, String mark) {
        machine.read(mark)
                .map(text -> text.lines().findFirst().orElse(""))
                .filter(number -> number.matches("\\d+"))
                .flatMap(number -> ProcessHandle.of(Long.parseLong(number)))
                .ifPresent(process -> {
                    process.descendants().forEach(ProcessHandle::destroyForcibly);
                    process.destroyForcibly();
                });
    }

    private static void signal(String name, long pid) {
        try {
            new ProcessBuilder("kill", name, Long.toString(pid)).start().waitFor();
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    static void pause(int millis) {
        long end = System.nanoTime() + millis * 1_000_000L;
        Await.until("the time is over", () -> System.nanoTime() >= end);
    }

    // ---- the end

    /** Everything runs and reaches everything. */
    void heal() {
        cut(false);
        startDatabase();
        for (int replica = 0; replica < REPLICAS; replica++) {
            startReplica(replica);
        }
        launchWorker();
    }

    @Override
    public void close() {
        killWorker();
        machines().forEach(MachineFolder::kill);
        for (int replica = 0; replica < REPLICAS; replica++) {
            killReplica(replica);
        }
        balancer.close();
        if (isDatabaseRunning) {
            killDatabase();
        }
    }
}
