package dev.outpost.runtime.server;

import dev.outpost.runtime.engine.Engine;
import dev.outpost.runtime.session.RuntimeHost;
import dev.outpost.runtime.session.RuntimeTermination;
import dev.outpost.runtime.session.grant.GrantRegistry;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;

/**
 * The runtime's application without its process and without Quarkus: the same sessions, engine, key, token and end, configured by the same
 * variables, behind a plain gRPC server in this JVM. It has no management port.
 */
public final class LoopbackRuntime {
    private static final int TERMINATED = 143;
    private static final int KILLED = 137;
    private static final int FAILED = 1;

    private final Map<String, String> environment;
    private final ExitReasonFile exitReasonFile;
    private final Consumer<String> log;
    private final CompletableFuture<Void> ready = new CompletableFuture<>();
    private final CompletableFuture<Integer> exit = new CompletableFuture<>();
    private final AtomicBoolean ending = new AtomicBoolean();
    private final AtomicBoolean givenBack = new AtomicBoolean();
    private final Thread main;
    private volatile Served served;

    /** The resources to close. */
    private record Served(RuntimeConfig config, Engine engine, RuntimeHost host, LoopbackServer server) {}

    private LoopbackRuntime(Map<String, String> environment, Consumer<String> log) {
        this.environment = environment;
        String file = environment.get("OUTPOST_RUNTIME_END_FILE");
        this.exitReasonFile = ExitReasonFile.at(file == null ? null : Path.of(file));
        this.log = line -> {
            if (!exit.isDone()) {
                log.accept(line);
            }
        };
        this.main = Thread.ofVirtual().name("loopback-runtime").unstarted(this::run);
    }

    /** Begins to start a runtime, which may have to wait for its key. */
    public static LoopbackRuntime start(Map<String, String> environment, Consumer<String> log) {
        LoopbackRuntime runtime = new LoopbackRuntime(environment, log);
        runtime.main.start();
        return runtime;
    }

    public CompletableFuture<Void> ready() {
        return ready;
    }

    /** Completes with the exit status that the process would have. */
    public CompletableFuture<Integer> exit() {
        return exit;
    }

    private void run() {
        try {
            RuntimeConfig config = RuntimeVariables.read(environment);
            KeyFiles files = RuntimeBeans.keyFiles(config);
            OwnerToken ownerToken = RuntimeBeans.secret(config, files);
            MachineIdentity identity = RuntimeBeans.identity(config, files);
            serve(config, ownerToken, identity);
        } catch (IOException | RuntimeException | Error problem) {
            fail(new StartFailure(problem));
        }
    }

    /** Ends the runtime after any failure of its main thread, as a process would. Otherwise a test would wait forever. */
    private void fail(StartFailure failure) {
        try {
            if (served != null) {
                release();
            }
            if (!ending.get()) {
                exitReasonFile.write(RuntimeTermination.failed(failure.sentence()));
                failure.lines().forEach(log);
            }
        } finally {
            if (!ending.get()) {
                exit.complete(FAILED);
            }
        }
    }

    private void serve(RuntimeConfig config, OwnerToken ownerToken, MachineIdentity identity) throws IOException {
        Engine engine = RuntimeBeans.engine(config);
        GrantRegistry grants = RuntimeBeans.grants();
        RuntimeHost host = RuntimeBeans.host(
                engine, RuntimeBeans.settings(config, engine), grants, RuntimeBeans.peers(config, identity));
        TokenAccess access = RuntimeBeans.access(config, ownerToken, grants);
        LoopbackServer server = new LoopbackServer(config, access, identity, new LanePairing(host));
        served = new Served(config, engine, host, server);
        server.start();
        host.expireAfter(RuntimeBeans.lifetime(config), reason -> end(reason, 0));
        log.accept("endpoint    " + config.host() + ":" + config.port());
        log.accept("device      " + engine.device());
        ready.complete(null);
        if (exit.isDone()) {
            release();
        }
    }

    // ---- its end

    /** Ends it in order, like SIGTERM. */
    public void terminate() {
        end(RuntimeTermination.DRAINED, TERMINATED);
    }

    private void end(RuntimeTermination reason, int status) {
        if (ending.compareAndSet(false, true)) {
            Thread.ofVirtual().name("loopback-runtime-end").start(() -> drain(reason, status));
        }
    }

    /** Ends the runtime even if one of the steps fails. */
    private void drain(RuntimeTermination reason, int status) {
        try {
            exitReasonFile.write(reason);
            if (served != null) {
                drainSessions(reason);
            }
        } finally {
            try {
                if (served != null) {
                    release();
                }
            } finally {
                main.interrupt();
                exit.complete(status);
            }
        }
    }

    private void drainSessions(RuntimeTermination reason) {
        try {
            if (!served.host.drain(served.config.drain(), reason)) {
                log.accept("not all work was finished within " + served.config.drain());
            }
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    /** Ends it like {@code kill -9}: connections break without a message. */
    public void kill() {
        ending.set(true);
        main.interrupt();
        if (served != null) {
            served.server.cut();
            Thread.ofVirtual().name("loopback-runtime-kill").start(this::release);
        }
        exit.complete(KILLED);
    }

    private void release() {
        if (!givenBack.compareAndSet(false, true)) {
            return;
        }
        served.server.close();
        served.host.close();
        served.engine.close();
    }
}
