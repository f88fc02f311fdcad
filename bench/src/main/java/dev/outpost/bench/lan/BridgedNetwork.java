package dev.outpost.bench.lan;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** Network namespaces on one bridge with this host; each behaves like a host behind a switch. Thread-safe. */
final class BridgedNetwork implements AutoCloseable {
    private final BenchNames names;
    private final LinkKind kind;
    private final List<DelayedLink> links = new ArrayList<>();
    private boolean isClosed;

    /** Describes the network. {@link #open} creates it. */
    BridgedNetwork(BenchNames names, LinkKind kind) {
        this.names = names;
        this.kind = kind;
    }

    /** Creates the bridge, without hosts. */
    synchronized void open() throws IOException {
        requireOpen();
        names.remove();
        Shell.run("ip link add " + names.bridge() + " type bridge");
        Shell.run("ip address add " + names.gateway() + "/24 dev " + names.bridge());
        Shell.run("ip link set " + names.bridge() + " up");
    }

    private void requireOpen() throws IOException {
        if (isClosed) {
            throw new IOException("lan: the network is closed");
        }
    }

    /** Connects a host by a link of the network's kind. */
    synchronized void add(int host) throws IOException {
        requireOpen();
        String space = names.namespace(host);
        Shell.run("ip netns add " + space);
        if (kind.delay().isZero()) {
            Shell.run("ip link add " + names.port(host) + " type veth peer name lan0 netns " + space);
        } else {
            links.add(DelayedLink.open(names.port(host), names.far(host), kind.delay()));
            Shell.run("ip link set " + names.far(host) + " netns " + space);
            inside(host, "ip link set " + names.far(host) + " name lan0");
        }
        Shell.run("ip link set " + names.port(host) + " master " + names.bridge() + " up");
        inside(host, "ip link set lo up");
        inside(host, "ip address add " + names.address(host) + "/24 dev lan0");
        inside(host, "ip link set lan0 up");
        if (kind.megabits() > 0) {
            limit(host);
        }
    }

    private void inside(int host, String command) throws IOException {
        Shell.run("ip netns exec " + names.namespace(host) + " " + command);
    }

    /** Limits both directions of a host's link. */
    private void limit(int host) throws IOException {
        String rule = " root tbf rate " + kind.megabits() + "mbit burst 128kb latency 400ms";
        Shell.run("tc qdisc replace dev " + names.port(host) + rule);
        inside(host, "tc qdisc replace dev lan0" + rule);
    }

    /** Returns the bytes that a host has received on its link, counted by the kernel. */
    long received(int host) throws IOException {
        // Bytes that the bridge's end sends arrive at the other end.
        return Long.parseLong(Files.readString(Path.of("/sys/class/net/" + names.port(host) + "/statistics/tx_bytes"))
                .strip());
    }

    @Override
    public synchronized void close() throws IOException {
        if (isClosed) {
            return;
        }
        isClosed = true;
        try {
            for (DelayedLink link : links) {
                link.close();
            }
        } finally {
            names.remove();
        }
    }
}
