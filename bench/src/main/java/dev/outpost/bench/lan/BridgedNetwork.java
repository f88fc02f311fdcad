package dev.outpost.bench.lan;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** Network namespaces on one bridge, with this host: each of them is as a host behind a switch. */
final class BridgedNetwork implements AutoCloseable {
    private static final String BRIDGE = "outpost-br";

    private final int hosts;
    private final Duration delay;
    private final List<DelayedLink> links = new ArrayList<>();

    private BridgedNetwork(int hosts, Duration delay) {
        this.hosts = hosts;
        this.delay = delay;
    }

    /** @param delay that each link adds to a frame; none where it is zero */
    static BridgedNetwork open(int hosts, Duration delay) throws IOException {
        BridgedNetwork network = new BridgedNetwork(hosts, delay);
        network.close();
        Shell.run("ip link add " + BRIDGE + " type bridge");
        Shell.run("ip address add 10.232.0.1/24 dev " + BRIDGE);
        Shell.run("ip link set " + BRIDGE + " up");
        for (int host = 0; host < hosts; host++) {
            network.add(host);
        }
        return network;
    }

    private void add(int host) throws IOException {
        Shell.run("ip netns add " + namespace(host));
        if (delay.isZero()) {
            Shell.run("ip link add " + port(host) + " type veth peer name lan0 netns " + namespace(host));
        } else {
            links.add(DelayedLink.open(port(host), far(host), delay));
            Shell.run("ip link set " + far(host) + " netns " + namespace(host));
            inside(host, "ip link set " + far(host) + " name lan0");
        }
        Shell.run("ip link set " + port(host) + " master " + BRIDGE + " up");
        inside(host, "ip link set lo up");
        inside(host, "ip address add " + address(host) + "/24 dev lan0");
        inside(host, "ip link set lan0 up");
    }

    private void inside(int host, String command) throws IOException {
        Shell.run("ip netns exec " + namespace(host) + " " + command);
    }

    static String namespace(int host) {
        return "outpost-lan-" + host;
    }

    static String address(int host) {
        return "10.232.0." + (host + 2);
    }

    private static String port(int host) {
        return "outpost-p" + host;
    }

    /** The other end of a delayed link, until it is in its namespace. */
    private static String far(int host) {
        return "outpost-q" + host;
    }

    /** Limits each direction of each host's link; nothing is limited where it is 0. */
    void limit(int megabits) throws IOException {
        for (int host = 0; host < hosts; host++) {
            if (megabits == 0) {
                Shell.succeeds("tc qdisc del dev " + port(host) + " root");
                Shell.succeeds("ip netns exec " + namespace(host) + " tc qdisc del dev lan0 root");
            } else {
                String rule = " root tbf rate " + megabits + "mbit burst 128kb latency 400ms";
                Shell.run("tc qdisc replace dev " + port(host) + rule);
                inside(host, "tc qdisc replace dev lan0" + rule);
            }
        }
    }

    /** The bytes that a host has got from its link, as the kernel has counted them. */
    long received(int host) throws IOException {
        // Bytes that the bridge's end sends arrive at the other end.
        return Long.parseLong(Files.readString(Path.of("/sys/class/net/" + port(host) + "/statistics/tx_bytes"))
                .strip());
    }

    @Override
    public void close() throws IOException {
        for (DelayedLink link : links) {
            link.close();
        }
        links.clear();
        for (int host = 0; host < hosts; host++) {
            Shell.succeeds("ip netns del " + namespace(host));
            Shell.succeeds("ip link del " + port(host));
        }
        Shell.succeeds("ip link del " + BRIDGE);
    }
}
