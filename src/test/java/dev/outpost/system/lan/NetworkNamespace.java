package dev.outpost.system.lan;

import dev.outpost.support.tests.Await;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.List;
import org.junit.jupiter.api.Assumptions;

/**
 * A network namespace that is connected with this host by a pair of virtual Ethernet devices: a separate host for the programs in it. This
 * host has the addresses {@code 10.231.N.1} and {@code fd31:N::1} there, and the namespace {@code .2} and {@code ::2}.
 */
final class NetworkNamespace implements AutoCloseable {
    private final String name;
    private final int network;

    private NetworkNamespace(String name, int network) {
        this.name = name;
        this.network = network;
    }

    /** Skips the test visibly if this host cannot create namespaces. */
    static void require() {
        String probe = "outpost-probe";
        Assumptions.assumeTrue(
                succeeds("ip", "netns", "add", probe), "network namespaces cannot be made here: ip netns add failed");
        run("ip", "netns", "del", probe);
    }

    /** @param network a number from 1 to 254 that no other namespace of this host has */
    static NetworkNamespace open(int network) {
        NetworkNamespace space = new NetworkNamespace("outpost-lan-" + network, network);
        succeeds("ip", "netns", "del", space.name);
        run("ip", "netns", "add", space.name);
        space.inside("ip", "link", "set", "lo", "up");
        space.connect(network);
        return space;
    }

    /** Connects the namespace with this host by another network. */
    void connect(int other) {
        String here = "outpost-h" + other;
        String there = "outpost-n" + other;
        succeeds("ip", "link", "del", here);
        run("ip", "link", "add", here, "type", "veth", "peer", "name", there, "netns", name);
        run("ip", "address", "add", host(other) + "/24", "dev", here);
        run("ip", "address", "add", "fd31:" + other + "::1/64", "dev", here, "nodad");
        run("ip", "link", "set", here, "up");
        inside("ip", "address", "add", guest(other) + "/24", "dev", there);
        inside("ip", "address", "add", "fd31:" + other + "::2/64", "dev", there, "nodad");
        inside("ip", "link", "set", there, "up");
    }

    /** Limits the bits per second into the namespace and out of it, on a network. */
    void limit(int other, String rate) {
        String[] rule = {"root", "tbf", "rate", rate, "burst", "64kb", "latency", "400ms"};
        run(joined(List.of("tc", "qdisc", "replace", "dev", "outpost-h" + other), rule));
        inside(joined(List.of("tc", "qdisc", "replace", "dev", "outpost-n" + other), rule));
    }

    private static String[] joined(List<String> first, String... rest) {
        String[] all = first.toArray(new String[first.size() + rest.length]);
        System.arraycopy(rest, 0, all, first.size(), rest.length);
        return all;
    }

    void disconnect(int other) {
        run("ip", "link", "set", "outpost-h" + other, "down");
    }

    String name() {
        return name;
    }

    static String host(int network) {
        return "10.231." + network + ".1";
    }

    static String guest(int network) {
        return "10.231." + network + ".2";
    }

    static String hostSix(int network) {
        return "fd31:" + network + "::1";
    }

    static String guestSix(int network) {
        return "fd31:" + network + "::2";
    }

    private void inside(String... command) {
        run(joined(List.of("ip", "netns", "exec", name), command));
    }

    private static void run(String... command) {
        if (!succeeds(command)) {
            throw new AssertionError("failed: " + String.join(" ", command));
        }
    }

    private static boolean succeeds(String... command) {
        try {
            Process process = new ProcessBuilder(command)
                    .redirectErrorStream(true)
                    .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                    .start();
            return Await.ended("" + List.of(command), process) == 0;
        } catch (IOException ignored) {
            return false;
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            throw new UncheckedIOException(new IOException(interrupted));
        }
    }

    @Override
    public void close() {
        succeeds("ip", "netns", "del", name);
        succeeds("ip", "link", "del", "outpost-h" + network);
    }
}
