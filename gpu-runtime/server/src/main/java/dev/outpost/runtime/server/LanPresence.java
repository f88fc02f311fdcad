package dev.outpost.runtime.server;

import dev.outpost.channel.lan.LanAddresses;
import dev.outpost.channel.lan.WorkerRecord;
import dev.outpost.channel.rpc.PairMessage;
import dev.outpost.runtime.engine.Engine;
import dev.outpost.runtime.model.Models;
import dev.outpost.runtime.server.lan.LanAnnouncer;
import dev.outpost.runtime.server.lan.LanState;
import dev.outpost.runtime.server.lan.PairedClients;
import dev.outpost.runtime.server.lan.Pairing;
import dev.outpost.runtime.server.lan.PairingCode;
import dev.outpost.runtime.session.RuntimeHost;
import dev.outpost.runtime.session.context.RuntimeSettings;
import io.grpc.Status;
import io.grpc.stub.StreamObserver;
import jakarta.inject.Singleton;
import java.io.IOException;
import java.io.PrintStream;
import java.net.InetAddress;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.eclipse.microprofile.config.inject.ConfigProperty;

/** Announces the machine on local networks by mDNS and pairs clients, if the settings ask for it. */
@Singleton
final class LanPresence implements AutoCloseable {
    private static final String TOKEN = "outpost.runtime.lan.token";

    private final RuntimeConfig config;
    private final MachineIdentity identity;
    private final Engine engine;
    private final RuntimeHost host;
    private final RuntimeSettings settings;
    private final String version;
    /** The pairing; null until the machine is announced. */
    private volatile Pairing pairing;

    private volatile LanAnnouncer announcer;

    LanPresence(
            RuntimeConfig config,
            MachineIdentity identity,
            Engine engine,
            RuntimeHost host,
            RuntimeSettings settings,
            @ConfigProperty(name = "quarkus.application.version") String version) {
        this.config = config;
        this.identity = identity;
        this.engine = engine;
        this.host = host;
        this.settings = settings;
        this.version = version;
    }

    /**
     * Announces the machine.
     *
     * @param screen shows the pairing codes
     */
    void start(int port, PrintStream screen) throws IOException {
        if (System.getProperty(TOKEN) != null) {
            throw new IllegalArgumentException(TOKEN + ": a system property stands in the list of processes, where "
                    + "others on this host read it; set the variable OUTPOST_RUNTIME_LAN_TOKEN");
        }
        String name = name();
        List<InetAddress> networks =
                LanAddresses.ofHost(config.lan().addresses().orElse(null));
        LanState state = RuntimeBeans.lanState(config);
        PairedClients clients = PairedClients.open(state, host.grantBook());
        screen.println("name        " + name + ", paired with " + clients.count() + " clients");
        PairingCode code = PairingCode.show(
                config.lan().token().orElse(null), System::nanoTime, shown -> show(shown, state, screen));
        pairing = new Pairing(name, identity.sha256(), code, clients, InstantSource.system());
        announcer = LanAnnouncer.start(networks, port, () -> record(name));
        screen.println("announced   "
                + String.join(", ", networks.stream().map(LanAddresses::text).toList()));
        screen.flush();
    }

    private String name() throws IOException {
        Optional<String> said = config.lan().name();
        if (said.isPresent() && !WorkerRecord.nameOf(said.get()).equals(said.get())) {
            throw new IllegalArgumentException(
                    "outpost.runtime.lan.name: expected 1 to 63 letters, digits, dashes, dots and underscores, got \""
                            + said.get() + "\"");
        }
        return said.isPresent()
                ? said.get()
                : WorkerRecord.nameOf(InetAddress.getLocalHost().getHostName());
    }

    private static void show(String code, LanState state, PrintStream screen) {
        screen.println("pairing     " + code);
        screen.flush();
        state.showCode(code);
    }

    private WorkerRecord record(String name) {
        long memory = settings.machineBytes();
        List<String> formats = new ArrayList<>(List.of("outpost"));
        Models.library().ifPresent(library -> formats.add("onnx"));
        return new WorkerRecord(
                name,
                engine.name(),
                WorkerRecord.textOf(engine.device()),
                memory,
                Math.max(0, memory - host.liveBytes()),
                formats,
                host.sessionCount(),
                version,
                identity.sha256());
    }

    /** Begins a pairing. Refuses the call if the machine does not announce itself. */
    StreamObserver<PairMessage> pair(String address, StreamObserver<PairMessage> answers) {
        Pairing known = pairing;
        if (known == null) {
            answers.onError(Status.UNIMPLEMENTED
                    .withDescription("the machine does not announce itself, so no client can pair with it")
                    .asRuntimeException());
            return new Deaf();
        }
        return known.begin(address, answers);
    }

    /** Ignores messages that arrive after the end of the call. */
    private static final class Deaf implements StreamObserver<PairMessage> {
        @Override
        public void onNext(PairMessage late) {}

        @Override
        public void onError(Throwable late) {}

        @Override
        public void onCompleted() {}
    }

    /** Withdraws the announcement. */
    @Override
    public void close() {
        LanAnnouncer last = announcer;
        if (last != null) {
            last.close();
        }
    }
}
