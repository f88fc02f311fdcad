package dev.outpost.serving;

import dev.outpost.channel.HostPort;
import dev.outpost.models.EndSignals;
import dev.outpost.serving.config.ServingConfig;
import dev.outpost.serving.engine.ModelDirectory;
import dev.outpost.serving.gateway.UsageReporter;
import io.quarkus.runtime.Quarkus;
import io.quarkus.runtime.QuarkusApplication;
import io.quarkus.runtime.ShutdownEvent;
import io.quarkus.value.registry.ValueRegistry;
import io.quarkus.vertx.http.HttpServer;
import jakarta.enterprise.event.Observes;
import jakarta.enterprise.event.Reception;
import jakarta.inject.Inject;
import jakarta.inject.Singleton;
import java.io.IOException;
import java.net.InetAddress;

/** Runs the process of a server: prints the address, loads the models, and ends after the running streams. */
@Singleton
public final class ServeApplication implements QuarkusApplication {
    /** The base of exit statuses after a signal, as in shells. */
    private static final int SIGNALLED = 128;

    @Inject
    ServingConfig config;

    @Inject
    ValueRegistry ports;

    @Inject
    ModelDirectory models;

    @Inject
    UsageReporter usage;

    private volatile int status;

    @Override
    public int run(String... arguments) throws IOException {
        System.out.println(
                "api    http://" + HostPort.text(reachable(config.host()), ports.get(HttpServer.HTTP_PORT)) + "/v1");
        System.out.flush();
        models.start(names -> {
            System.out.println("ready  " + String.join(", ", names));
            System.out.flush();
        });
        // Streams finish before the JVM begins to shut down: a shutdown ends the machine, whose shutdown hook does
        // not wait for the hook of Quarkus.
        EndSignals.handle(number -> {
            status = SIGNALLED + number;
            Quarkus.asyncExit(status);
        });
        Quarkus.waitForExit();
        models.startFailure().ifPresent(failure -> {
            System.err.println("outpost serve: " + failure);
            status = 1;
        });
        return status;
    }

    private static String reachable(String bound) throws IOException {
        boolean everywhere = InetAddress.getByName(bound).isAnyLocalAddress();
        return everywhere ? InetAddress.getLocalHost().getHostName() : bound;
    }

    void end(@Observes(notifyObserver = Reception.IF_EXISTS) ShutdownEvent event) {
        models.close();
        usage.close();
    }
}
