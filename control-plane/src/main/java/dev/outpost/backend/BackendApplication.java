package dev.outpost.backend;

import dev.outpost.backend.api.Serving;
import dev.outpost.backend.api.event.EventFeed;
import dev.outpost.backend.fleet.loop.Fleet;
import dev.outpost.backend.fleet.loop.ReconcileLoop;
import dev.outpost.backend.model.ApiKey;
import dev.outpost.channel.HostPort;
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
import java.io.PrintStream;
import java.net.InetAddress;
import java.net.URI;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import org.jboss.logging.Logger;

/** Runs the process of a backend: prints the addresses, drives machines, and shuts down in order. */
@Singleton
public final class BackendApplication implements QuarkusApplication {
    private static final Logger LOG = Logger.getLogger(BackendApplication.class);
    private static final Duration FEED_PERIOD = Duration.ofMillis(50);

    @Inject
    BackendConfig config;

    @Inject
    ValueRegistry ports;

    @Inject
    Bootstrap bootstrap;

    @Inject
    Fleet fleet;

    @Inject
    EventFeed feed;

    @Inject
    RunnerAddress runners;

    @Inject
    MissingSettings missing;

    @Inject
    Serving serving;

    @Override
    public int run(String... arguments) throws IOException {
        Optional<ApiKey> key = bootstrap.run();
        boolean isTls = config.tls().certificate().isPresent();
        String address = (isTls ? "https://" : "http://")
                + HostPort.text(
                        reachable(config.host()), ports.get(isTls ? HttpServer.HTTPS_PORT : HttpServer.HTTP_PORT));
        runners.served(URI.create(address));
        serving.begin();
        fleet.start();
        fleet.start(new ReconcileLoop("events", FEED_PERIOD, feed::tail));
        announce(System.out, address, key);
        ObsoleteSettings.sentences(config).forEach((variable, sentence) -> LOG.warnf("%s %s", variable, sentence));
        missing.sentences().forEach((variable, sentence) -> LOG.warnf("%s %s", variable, sentence));
        if (config.onceReady().isPresent()) {
            return ReadyCommand.run(config.onceReady().get(), variables(address, key));
        }
        Quarkus.waitForExit();
        return 0;
    }

    private void announce(PrintStream out, String address, Optional<ApiKey> key) {
        out.println("api         " + address);
        key.filter(known -> config.adminKey().isEmpty()).ifPresent(known -> out.println("key         " + known.text()));
        config.data().ifPresent(folder -> out.println("data        " + folder.toAbsolutePath()));
        out.println("dashboard   " + address + "/");
        out.flush();
    }

    private static Map<String, String> variables(String address, Optional<ApiKey> key) {
        return key.map(known -> Map.of("OUTPOST_API", address, "OUTPOST_API_KEY", known.text()))
                .orElseGet(() -> Map.of("OUTPOST_API", address));
    }

    private static String reachable(String bound) throws IOException {
        boolean everywhere = InetAddress.getByName(bound).isAnyLocalAddress();
        return everywhere ? InetAddress.getLocalHost().getHostName() : bound;
    }

    void end(@Observes(notifyObserver = Reception.IF_EXISTS) ShutdownEvent event) {
        if (fleet.isStarted()) {
            fleet.close();
        }
    }
}
