package dev.outpost.system.process;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import org.junit.jupiter.api.Assumptions;

/** Hosts for the members of a group: network namespaces on a bridge. The client is on this host, which has the bridge. */
final class MemberHosts implements AutoCloseable {
    private static final String LOOPBACK = "127.0.0.1";
    private static final int MAX_NETWORKS = 250;

    private final Path folder;
    private final int hosts;
    private final long number = ProcessHandle.current().pid() % MAX_NETWORKS;

    private MemberHosts(Path folder, int hosts) {
        this.folder = folder;
        this.hosts = hosts;
    }

    /** Skips the test if such hosts cannot be created. */
    static MemberHosts open(Path folder, int hosts) throws IOException {
        MemberHosts made = new MemberHosts(folder, hosts);
        made.close();
        Assumptions.assumeTrue(
                succeeds("ip link add " + made.bridge() + " type bridge"),
                "network namespaces and bridges need root and the program ip");
        run("ip address add " + made.address(0) + "/24 dev " + made.bridge());
        run("ip link set " + made.bridge() + " up");
        for (int host = 1; host <= hosts; host++) {
            made.add(host);
        }
        return made;
    }

    private void add(int host) throws IOException {
        run("ip netns add " + namespace(host));
        run("ip link add " + port(host) + " type veth peer name lan0 netns " + namespace(host));
        run("ip link set " + port(host) + " master " + bridge() + " up");
        String inside = "ip netns exec " + namespace(host) + " ip ";
        run(inside + "link set lo up");
        run(inside + "address add " + address(host) + "/24 dev lan0");
        run(inside + "link set lan0 up");
    }

    /** A program that replaces {@code java}: it starts the first machine on the first host, and so on. */
    Path java() throws IOException {
        Path script = folder.resolve("java-on-a-host");
        Files.writeString(script, """
                #!/bin/sh
                host=1
                until mkdir %s/host-$host 2>/dev/null; do host=$((host + 1)); done
                left=$#
                while [ $left -gt 0 ]; do
                  word=$1
                  shift
                  [ "$word" = %s ] && word=%s$host
                  set -- "$@" "$word"
                  left=$((left - 1))
                done
                exec ip netns exec %s$host %s "$@"
                """.formatted(
                        folder,
                        LOOPBACK,
                        network(),
                        namespacePrefix(),
                        Path.of(System.getProperty("java.home"), "bin", "java")));
        Files.setPosixFilePermissions(script, PosixFilePermissions.fromString("rwxr-xr-x"));
        return script;
    }

    /** Silently drops all packets to and from this host. */
    void cut(int host) throws IOException {
        run("ip link set " + port(host) + " down");
    }

    /** Cuts the hosts off from each other; this host can still reach them. */
    void separate() throws IOException {
        for (int host = 1; host <= hosts; host++) {
            run("bridge link set dev " + port(host) + " isolated on");
        }
    }

    @Override
    public void close() throws IOException {
        for (int host = 1; host <= hosts; host++) {
            succeeds("ip netns del " + namespace(host));
            succeeds("ip link del " + port(host));
        }
        succeeds("ip link del " + bridge());
    }

    private String bridge() {
        return "outpost-m" + number;
    }

    private String port(int host) {
        return "outpost-m" + number + "-" + host;
    }

    private String namespacePrefix() {
        return "outpost-members-" + number + "-";
    }

    private String namespace(int host) {
        return namespacePrefix() + host;
    }

    /** The address of a host in the network; this host has the last number. */
    private String address(int host) {
        return network() + (host == 0 ? 254 : host);
    }

    private String network() {
        return "10.234." + number + ".";
    }

    private static void run(String command) throws IOException {
        if (!succeeds(command)) {
            throw new IOException("failed: " + command);
        }
    }

    private static boolean succeeds(String command) throws IOException {
        try {
            return new ProcessBuilder(command.split(" "))
                            .redirectErrorStream(true)
                            .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                            .start()
                            .waitFor()
                    == 0;
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            throw new IOException(interrupted);
        }
    }
}
