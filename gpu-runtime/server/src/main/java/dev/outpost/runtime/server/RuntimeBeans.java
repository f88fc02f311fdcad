package dev.outpost.runtime.server;

import dev.outpost.channel.lan.LanAddresses;
import dev.outpost.runtime.engine.Engine;
import dev.outpost.runtime.engine.EngineProvider;
import dev.outpost.runtime.engine.EngineSettings;
import dev.outpost.runtime.engine.cpu.CpuEngine;
import dev.outpost.runtime.engine.reference.ReferenceEngine;
import dev.outpost.runtime.peer.PeerNetwork;
import dev.outpost.runtime.peer.network.GrantedPeerNetwork;
import dev.outpost.runtime.peer.network.LocalWay;
import dev.outpost.runtime.peer.network.TlsPeerNetwork;
import dev.outpost.runtime.server.lan.LanState;
import dev.outpost.runtime.session.Lifetime;
import dev.outpost.runtime.session.RuntimeHost;
import dev.outpost.runtime.session.context.Limits;
import dev.outpost.runtime.session.context.RuntimeSettings;
import dev.outpost.runtime.session.grant.GrantRegistry;
import dev.outpost.runtime.source.SourceCache;
import dev.outpost.runtime.source.SourceSettings;
import jakarta.enterprise.inject.Produces;
import jakarta.inject.Singleton;
import java.io.IOException;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Optional;

/** Creates the components of a machine from its configuration. */
final class RuntimeBeans {
    /**
     * The fraction of memory for values. The rest of the heap is for data in transit, and the rest of a device's
     * memory for kernels.
     */
    private static final double SHARE_OF_MEMORY = 0.75;

    private static final String TOKEN = "outpost.runtime.token";

    @Produces
    @Singleton
    static OwnerToken secret(RuntimeConfig config, KeyFiles files) throws IOException {
        if (System.getProperty(TOKEN) != null) {
            throw new IllegalArgumentException(TOKEN + ": a system property stands in the list of processes, where "
                    + "others on this host read it; set the variable OUTPOST_RUNTIME_TOKEN, or name a file by "
                    + TOKEN + "-file");
        }
        if (config.token().isPresent() && config.tokenFile().isPresent()) {
            throw new IllegalArgumentException(
                    "outpost.runtime.token and outpost.runtime.token-file: set only one of them");
        }
        if (config.tokenFile().isPresent()) {
            return OwnerToken.read(files.await(config.tokenFile().get()));
        }
        return config.token().map(OwnerToken::of).orElseGet(OwnerToken::random);
    }

    @Produces
    @Singleton
    static GrantRegistry grants() {
        return new GrantRegistry(InstantSource.system());
    }

    @Produces
    @Singleton
    static TokenAccess access(RuntimeConfig config, OwnerToken ownerToken, GrantRegistry grants) throws IOException {
        return TokenAccess.of(ownerToken, grants, config.grantsFile().orElse(null));
    }

    @Produces
    @Singleton
    static MachineIdentity identity(RuntimeConfig config, KeyFiles files) throws IOException {
        if (config.certificate().isPresent() != config.key().isPresent()) {
            throw new IllegalArgumentException("outpost.runtime.certificate and outpost.runtime.key belong together");
        }
        if (config.certificate().isEmpty()) {
            return config.lan().announce() ? IdentityLoader.kept(lanState(config)) : IdentityLoader.create();
        }
        return IdentityLoader.read(
                files.await(config.certificate().get()),
                files.await(config.key().get()));
    }

    static LanState lanState(RuntimeConfig config) throws IOException {
        return LanState.open(config.lan().state().orElseGet(LanState::ofUser));
    }

    @Produces
    @Singleton
    static KeyFiles keyFiles(RuntimeConfig config) {
        return new KeyFiles(config.end().unused().orElse(config.lease()), System::nanoTime);
    }

    @Produces
    @Singleton
    static Lifetime lifetime(RuntimeConfig config) {
        Optional<Duration> unused = config.end().unused();
        unused.filter(time -> time.compareTo(config.lease()) < 0).ifPresent(time -> {
            throw new IllegalArgumentException(
                    "outpost.runtime.end.unused: a session outlives its client by the lease, " + config.lease()
                            + ", so expected no less, got " + time);
        });
        return new Lifetime(unused, config.end().idle(), config.end().first());
    }

    @Produces
    @Singleton
    static Engine engine(RuntimeConfig config) {
        return switch (config.engine()) {
            case "cpu" -> new CpuEngine();
            case "reference" -> new ReferenceEngine();
            case "cuda" ->
                EngineProvider.open(
                        "cuda",
                        new EngineSettings(
                                config.cuda().kernels(),
                                config.cuda().shortProducts(),
                                config.cuda().exchangeGraphs()));
            default ->
                throw new IllegalArgumentException(
                        "outpost.runtime.engine: expected cpu, cuda or reference, got \"" + config.engine() + "\"");
        };
    }

    @Produces
    @Singleton
    static RuntimeHost host(Engine engine, RuntimeSettings settings, GrantRegistry grants, PeerNetwork peers) {
        return new RuntimeHost(engine, settings, grants, peers);
    }

    /**
     * Returns the network between the members of groups. Other machines connect to the address that clients use, at a port that is open
     * only while they connect.
     */
    @Produces
    @Singleton
    static PeerNetwork peers(RuntimeConfig config, MachineIdentity identity) {
        try {
            InetAddress served = InetAddress.getByName(config.host());
            InetAddress found = served.isAnyLocalAddress() ? ownAddress() : served;
            PeerNetwork peers = new TlsPeerNetwork(
                    identity.keyManager(), identity.sha256(), served, found, localWay(config.peers()));
            return config.peers()
                    .grantFile()
                    .<PeerNetwork>map(file -> new GrantedPeerNetwork(peers, grant(file)))
                    .orElse(peers);
        } catch (UnknownHostException unknown) {
            throw new IllegalArgumentException("outpost.runtime.host: no such host: " + config.host(), unknown);
        }
    }

    private static LocalWay localWay(RuntimeConfig.Peers peers) {
        if (!peers.unixSockets()) {
            return LocalWay.TLS;
        }
        return peers.sharedMemory() ? LocalWay.SHARED_MEMORY : LocalWay.UNIX_SOCKET;
    }

    private static byte[] grant(Path file) {
        try {
            return Files.readString(file).strip().getBytes(StandardCharsets.UTF_8);
        } catch (IOException failure) {
            throw new IllegalArgumentException("outpost.runtime.peers.grant-file: cannot read " + file, failure);
        }
    }

    /** Returns an address of this host that other hosts can reach. The host's name may resolve to a loopback address. */
    private static InetAddress ownAddress() throws UnknownHostException {
        InetAddress named = InetAddress.getLocalHost();
        if (!named.isLoopbackAddress()) {
            return named;
        }
        try {
            return LanAddresses.ofHost(null).getFirst();
        } catch (IOException ignored) {
            return named;
        }
    }

    private static SourceSettings sources(RuntimeConfig config) {
        SourceSettings open = SourceSettings.parse(config.sources().orElse(""));
        return config.cache()
                .folder()
                .map(folder ->
                        open.withCache(new SourceCache(folder, config.cache().bytes())))
                .orElse(open);
    }

    @Produces
    @Singleton
    static RuntimeSettings settings(RuntimeConfig config, Engine engine) {
        RuntimeConfig.Limits limits = config.limits();
        long share = (long) (SHARE_OF_MEMORY * engine.memoryBytes());
        long quota = limits.quotaBytes().orElse(share);
        RuntimeSettings settings = RuntimeSettings.withQuota(quota)
                .withMachineBytes(limits.machineBytes().orElse(Math.max(quota, share)))
                .withLease(config.lease())
                .withSources(sources(config))
                .withLimits(new Limits(
                        limits.sessions(),
                        limits.connections(),
                        limits.plans(),
                        limits.uploads(),
                        limits.queuedMessages(),
                        limits.queuedBytes(),
                        limits.segmentTime()));
        return config.instructionLog().map(settings::withInstructionLog).orElse(settings);
    }
}
