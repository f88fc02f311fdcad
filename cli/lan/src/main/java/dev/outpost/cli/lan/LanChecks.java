package dev.outpost.cli.lan;

import dev.outpost.channel.lan.LanAddresses;
import dev.outpost.cli.doctor.LanDoctor;
import dev.outpost.provider.lan.Worker;
import dev.outpost.provider.lan.Workers;
import dev.outpost.runtime.cuda.check.CheckResult;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.BindException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.NetworkInterface;
import java.net.ServerSocket;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Checks if workers of the local network can be found and reached from this host, and if this host can be a worker. */
public final class LanChecks implements LanDoctor {
    private static final Duration LISTEN = Duration.ofSeconds(3);
    private static final Duration LOOK = Duration.ofSeconds(3);

    private static final int WORKER_PORT = 50051;

    @Override
    public List<CheckResult> run() {
        List<CheckResult> results = new ArrayList<>();
        @Nullable String configured = configured();
        List<InetAddress> used = used(configured, results);
        results.addAll(interfaces(used, configured));
        for (InetAddress address : used) {
            results.add(multicast(address, MulticastProbe.PORT, LISTEN));
        }
        results.add(port(WORKER_PORT));
        results.addAll(workers());
        return results;
    }

    private static @Nullable String configured() {
        return Optional.ofNullable(System.getProperty(Workers.ADDRESSES_PROPERTY))
                .or(() -> Optional.ofNullable(System.getenv(Workers.ADDRESSES_ENVIRONMENT)))
                .filter(text -> !text.isBlank())
                .orElse(null);
    }

    private static List<InetAddress> used(@Nullable String configured, List<CheckResult> results) {
        try {
            return LanAddresses.ofHost(configured);
        } catch (IOException failure) {
            results.add(CheckResult.failed(
                    "networks",
                    failure.getMessage(),
                    "Correct " + Workers.ADDRESSES_ENVIRONMENT + ": it has addresses of this host, with commas between"
                            + " them."));
            return List.of();
        }
    }

    // ---- interfaces

    private static List<CheckResult> interfaces(List<InetAddress> used, @Nullable String configured) {
        List<CheckResult> results = new ArrayList<>();
        try {
            for (NetworkInterface each : Collections.list(NetworkInterface.getNetworkInterfaces())) {
                results.add(ofInterface(each, used, configured));
            }
        } catch (IOException failure) {
            results.add(CheckResult.failed(
                    "interfaces", failure.getMessage(), "Look at the interfaces of this host: ip address."));
        }
        return results;
    }

    private static CheckResult ofInterface(NetworkInterface each, List<InetAddress> used, @Nullable String configured)
            throws IOException {
        String name = "interface " + each.getName();
        List<InetAddress> addresses = Collections.list(each.getInetAddresses());
        Optional<InetAddress> ours = addresses.stream()
                .filter(address -> used.stream().anyMatch(one -> LanAddresses.isSame(one, address)))
                .findFirst();
        if (ours.isPresent()) {
            return each.isLoopback()
                    ? CheckResult.failed(
                            name,
                            "it is the only one that is used, and it reaches this host alone",
                            "Connect this host with the network of the workers, or name an address of this host in "
                                    + Workers.ADDRESSES_ENVIRONMENT + ".")
                    : CheckResult.ok(name, "used by the address " + LanAddresses.text(ours.get()));
        }
        return CheckResult.skipped(name, "not used: " + reason(each, addresses, configured));
    }

    private static String reason(NetworkInterface each, List<InetAddress> addresses, @Nullable String configured)
            throws IOException {
        if (!each.isUp()) {
            return "it is down";
        }
        if (configured != null) {
            return "not named in " + Workers.ADDRESSES_ENVIRONMENT;
        }
        if (each.isLoopback()) {
            return "it reaches this host alone";
        }
        if (each.isPointToPoint()) {
            return "it is a point-to-point link, such as that of a VPN";
        }
        if (!each.supportsMulticast()) {
            return "it takes no multicast";
        }
        return addresses.isEmpty() ? "it has no address" : "another address is used";
    }

    // ---- multicast

    static CheckResult multicast(InetAddress address, int port, Duration listen) {
        String name = "multicast on " + LanAddresses.text(address);
        try {
            MulticastProbe.Heard heard = new MulticastProbe(address, port).run(listen);
            if (!heard.ownReturned()) {
                return CheckResult.failed(
                        name,
                        "sent, and not even this host received it",
                        "A firewall of this host drops UDP port " + port + ": allow it in and out (firewalld:"
                                + " firewall-cmd --add-service=mdns; ufw: ufw allow " + port + "/udp).");
            }
            return heard.others().isEmpty()
                    ? CheckResult.absent(
                            name,
                            "sent, and received by this host; nothing came from others within " + listen.toMillis()
                                    + " ms",
                            "Run ./outpost doctor --lan on a host of a worker at the same time: both then hear each"
                                    + " other. If they do not, a firewall of one of them drops UDP port " + port
                                    + ", or the network does not pass multicast on (guest networks, client isolation of"
                                    + " a wireless network, VPNs, bridges of containers).")
                    : CheckResult.ok(
                            name,
                            "sent and received; heard of "
                                    + heard.others().stream()
                                            .map(LanAddresses::text)
                                            .sorted()
                                            .limit(5)
                                            .collect(Collectors.joining(", "))
                                    + (heard.others().size() > 5 ? " and others" : ""));
        } catch (MulticastProbe.PortTakenException taken) {
            return CheckResult.failed(
                    name,
                    taken.getMessage(),
                    "Find it by ss -ulpn 'sport = :" + port + "', and stop it or have it share the port.");
        } catch (IOException failure) {
            return CheckResult.failed(
                    name,
                    "cannot be sent (" + failure.getMessage() + ")",
                    "Look whether the interface has a route for multicast (ip route), and whether a firewall of this"
                            + " host lets UDP port " + port + " out.");
        }
    }

    // ---- ports and workers

    /** Checks if the port is free, which a worker of this host would need. */
    static CheckResult port(int port) {
        String name = "port " + port;
        try (ServerSocket socket = new ServerSocket()) {
            socket.bind(new InetSocketAddress(port));
            return CheckResult.ok(name, "free for a worker of this host");
        } catch (BindException ignored) {
            return CheckResult.absent(
                    name,
                    "in use, by a worker of this host or by another program",
                    "If it is no worker, start one with --port 0, which takes a free port; ss -tlpn 'sport = :" + port
                            + "' says what uses it.");
        } catch (IOException failure) {
            return CheckResult.failed(
                    name, "cannot be used (" + failure.getMessage() + ")", "Start a worker with another --port.");
        }
    }

    private static List<CheckResult> workers() {
        try (Workers workers = Workers.discover(LOOK)) {
            List<CheckResult> results = new ArrayList<>(
                    workers.list().stream().map(LanChecks::worker).toList());
            workers.refused()
                    .forEach(sentence -> results.add(CheckResult.failed(
                            "worker",
                            sentence,
                            "Bring Outpost on its host to this version, or look what else announces itself so.")));
            return results.isEmpty()
                    ? List.of(CheckResult.absent(
                            "workers",
                            "none was found within " + LOOK.toSeconds() + " s",
                            "./outpost runtime --announce on another host of this network starts one. If there is one,"
                                    + " the lines on multicast say what to look at."))
                    : results;
        } catch (UncheckedIOException failure) {
            return List.of(
                    CheckResult.failed("workers", failure.getMessage(), "The lines on multicast say what to look at."));
        }
    }

    private static CheckResult worker(Worker worker) {
        String name = "worker " + worker.name();
        if (worker.latency().isEmpty()) {
            return CheckResult.failed(
                    name,
                    "announced at " + worker.address() + ", which takes no connection",
                    "A firewall of its host drops TCP port " + worker.port()
                            + ", or the worker has ended: allow the port"
                            + " there, or start the worker with a --port that is allowed.");
        }
        return worker.pairing() == Worker.Pairing.PAIRED
                ? CheckResult.ok(name, "paired, answers at " + worker.address())
                : CheckResult.absent(
                        name, "answers at " + worker.address() + " and is not paired", worker.refusal() + ".");
    }
}
