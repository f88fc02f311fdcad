package dev.outpost.runtime.server;

import dev.outpost.channel.HostPort;
import dev.outpost.runtime.engine.Engine;
import dev.outpost.runtime.session.Lifetime;
import dev.outpost.runtime.session.RuntimeHost;
import dev.outpost.runtime.session.RuntimeTermination;
import io.quarkus.grpc.GrpcService;
import io.quarkus.grpc.runtime.GrpcServer;
import io.quarkus.runtime.Quarkus;
import io.quarkus.runtime.QuarkusApplication;
import io.quarkus.runtime.ShutdownDelayInitiatedEvent;
import io.quarkus.runtime.ShutdownEvent;
import io.quarkus.value.registry.ValueRegistry;
import io.quarkus.vertx.http.HttpServer;
import io.smallrye.mutiny.infrastructure.Infrastructure;
import jakarta.enterprise.event.Observes;
import jakarta.enterprise.event.Reception;
import jakarta.inject.Inject;
import jakarta.inject.Singleton;
import java.io.IOException;
import java.io.PrintStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.util.concurrent.TimeUnit;
import org.jboss.logging.Logger;

/** Runs a machine: prints how to connect, serves clients, and shuts down in order. */
@Singleton
public final class RuntimeApplication implements QuarkusApplication {
    private static final Logger LOG = Logger.getLogger(RuntimeApplication.class);

    /** The exit status of a machine that permanently ran out of memory. */
    private static final int EXHAUSTED = 3;

    /** The interval at which grants are refreshed, even without calls. */
    private static final long REFRESH_MILLIS = 500;

    private static final long IDLE_CHECK_MILLIS = 1000;

    @Inject
    RuntimeConfig config;

    @Inject
    ValueRegistry ports;

    @Inject
    OwnerToken ownerToken;

    @Inject
    MachineIdentity identity;

    @Inject
    Engine engine;

    @Inject
    RuntimeHost host;

    @Inject
    Lifetime lifetime;

    @Inject
    @GrpcService
    RuntimeService service;

    @Inject
    TokenGuard guard;

    @Inject
    TokenAccess access;

    @Inject
    LanPresence lan;

    private LocalServer local;
    private volatile RuntimeTermination termination = RuntimeTermination.DRAINED;

    @Override
    public int run(String... arguments) throws IOException {
        if (!ports.containsKey(GrpcServer.GRPC_PORT)) {
            throw new IOException("port " + config.port() + " cannot be served: " + obstacle());
        }
        if (config.socket().isPresent()) {
            local = LocalServer.start(config.socket().get(), service, guard.forSocket());
        }
        announce(System.out);
        if (config.lan().announce()) {
            lan.start(ports.get(GrpcServer.GRPC_PORT), System.out);
        }
        host.expireAfter(lifetime, this::expire);
        config.end().life().ifPresent(life -> ActiveDeadline.of(life).onEnd(this::expire));
        host.onExhaustion(this::halt);
        Infrastructure.getDefaultWorkerPool()
                .scheduleWithFixedDelay(access::refresh, REFRESH_MILLIS, REFRESH_MILLIS, TimeUnit.MILLISECONDS);
        IdleMemory memory = IdleMemory.of(host, engine);
        Infrastructure.getDefaultWorkerPool()
                .scheduleWithFixedDelay(memory::tick, IDLE_CHECK_MILLIS, IDLE_CHECK_MILLIS, TimeUnit.MILLISECONDS);
        Quarkus.waitForExit();
        return 0;
    }

    /** Ends the process in order, as SIGTERM does, because the machine's lifetime is over. */
    private void expire(RuntimeTermination reason) {
        LOG.infof("ending: %s", reason.sentence());
        termination = reason;
        Quarkus.asyncExit(0);
    }

    /** Exits immediately, because an orderly shutdown would need memory that is not available. */
    private void halt() {
        try {
            LOG.error("the heap has been full for seconds; the machine exits, because it cannot serve any client");
            ExitReasonFile.at(config.end().file().orElse(null)).write(RuntimeTermination.failed("the heap was full"));
        } finally {
            Runtime.getRuntime().halt(EXHAUSTED);
        }
    }

    /**
     * Returns the reason why the port cannot be served. Quarkus only logs the reason, so this method tries to bind
     * the port again.
     */
    private String obstacle() {
        try (ServerSocket trial = new ServerSocket()) {
            trial.bind(new InetSocketAddress(config.host(), config.port()));
            return "the log says why";
        } catch (IOException failure) {
            return failure.getMessage();
        }
    }

    /** Prints the lines that a person, or a program that reads the output, needs to connect. */
    private void announce(PrintStream out) throws IOException {
        out.println("endpoint    " + HostPort.text(reachable(config.host()), ports.get(GrpcServer.GRPC_PORT)));
        out.println(key());
        config.socket().ifPresent(socket -> out.println("socket      unix:" + socket.toAbsolutePath()));
        String managementHost = reachable(config.managementHost().orElse(config.host()));
        out.println("management  https://" + HostPort.text(managementHost, ports.get(HttpServer.HTTP_PORT)));
        out.println("device      " + engine.device());
        out.flush();
    }

    /**
     * Returns the line with the key that opens sessions. Returns an empty text if users have the key already, because
     * other people can read logs.
     */
    private String key() {
        return config.tokenFile().isPresent() || config.grantsFile().isPresent()
                ? "pin         " + identity.sha256()
                : "token       " + ownerToken.connectionToken(identity);
    }

    private static String reachable(String bound) throws IOException {
        boolean everywhere = InetAddress.getByName(bound).isAnyLocalAddress();
        return everywhere ? InetAddress.getLocalHost().getHostName() : bound;
    }

    /**
     * Finishes the work that was acknowledged to clients. Meanwhile the machine still serves clients and health
     * probes.
     */
    void drain(@Observes(notifyObserver = Reception.IF_EXISTS) ShutdownDelayInitiatedEvent event)
            throws InterruptedException {
        lan.close();
        ExitReasonFile.at(config.end().file().orElse(null)).write(termination);
        if (!host.drain(config.drain(), termination)) {
            LOG.warnf("not all work was finished within %s", config.drain());
        }
    }

    void end(@Observes(notifyObserver = Reception.IF_EXISTS) ShutdownEvent event) throws IOException {
        host.close();
        if (local != null) {
            local.close();
        }
        engine.close();
    }
}
