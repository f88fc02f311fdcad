package dev.outpost.bench.lan;

import java.io.IOException;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The names of a run's namespaces and devices. They have the number of its process, so that runs beside each other do not meet.
 *
 * @param process the number of the process that measures
 */
record BenchNames(long process) {
    private static final Pattern NAMESPACE = Pattern.compile("outpost-bench-(\\d+)-\\d+.*");
    private static final int NETWORKS = 250;
    private static final int MAX_SECONDS_TO_END = 10;

    String bridge() {
        return "ob" + process;
    }

    String namespace(int host) {
        return "outpost-bench-" + process + "-" + host;
    }

    /** The control group of a host's worker. */
    String share(int host) {
        return namespace(host);
    }

    /** The control group of the process that measures. */
    String ownShare() {
        return "outpost-bench-" + process + "-client";
    }

    /** The end of a host's link at the bridge. A device's name has 15 characters at most. */
    String port(int host) {
        return "op" + process + "-" + host;
    }

    /** The other end of a delayed link, until it is in its namespace. */
    String far(int host) {
        return "oq" + process + "-" + host;
    }

    /** The address of the bridge, without its length of prefix. */
    String gateway() {
        return network() + 1;
    }

    String address(int host) {
        return network() + (host + 2);
    }

    private String network() {
        return "10.232." + process % NETWORKS + ".";
    }

    /** Removes what runs have left that were killed without a chance to tidy up. */
    static void removeLeftovers() throws IOException {
        for (String line : Shell.lines("ip netns list")) {
            Matcher named = NAMESPACE.matcher(line);
            if (named.matches()
                    && ProcessHandle.of(Long.parseLong(named.group(1))).isEmpty()) {
                new BenchNames(Long.parseLong(named.group(1))).remove();
            }
        }
    }

    /** Ends the processes in all namespaces of the run, and removes these and all devices. */
    void remove() throws IOException {
        for (String line : Shell.lines("ip netns list")) {
            String name = line.split(" ", 2)[0];
            if (name.startsWith("outpost-bench-" + process + "-")) {
                kill(Shell.lines("ip netns pids " + name));
                Shell.succeeds("ip netns del " + name);
                int host = Integer.parseInt(name.substring(name.lastIndexOf('-') + 1));
                Shell.succeeds("ip link del " + port(host));
                Shell.succeeds("ip link del " + far(host));
            }
        }
        Shell.succeeds("ip link del " + bridge());
        ProcessorShare.removeAll("outpost-bench-" + process + "-");
    }

    /** Waits, as a process keeps its control group until it is gone. */
    private static void kill(ProcessHandle process) {
        process.destroyForcibly();
        try {
            process.onExit().get(MAX_SECONDS_TO_END, TimeUnit.SECONDS);
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        } catch (ExecutionException | TimeoutException ignored) {
            // The kernel refuses to remove a group that still has processes. The caller reports that.
        }
    }

    private static void kill(List<String> processes) {
        // Any other line says that the namespace is gone already.
        processes.stream()
                .map(String::strip)
                .filter(each -> each.matches("\\d+"))
                .forEach(each -> ProcessHandle.of(Long.parseLong(each)).ifPresent(BenchNames::kill));
    }
}
