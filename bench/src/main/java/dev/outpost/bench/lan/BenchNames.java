package dev.outpost.bench.lan;

import java.io.IOException;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The names of a run's namespaces and devices. They contain the number of its process, so that concurrent runs do not
 * conflict.
 *
 * @param process the number of the measuring process
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

    /** Returns the control group of a host's worker. */
    String share(int host) {
        return namespace(host);
    }

    /** Returns the control group of the measuring process. */
    String ownShare() {
        return "outpost-bench-" + process + "-client";
    }

    /** Returns the bridge's end of a host's link. Names of devices have at most 15 characters. */
    String port(int host) {
        return "op" + process + "-" + host;
    }

    /** Returns the other end of a delayed link, until it is moved to its namespace. */
    String far(int host) {
        return "oq" + process + "-" + host;
    }

    /** Returns the address of the bridge, without the prefix length. */
    String gateway() {
        return network() + 1;
    }

    String address(int host) {
        return network() + (host + 2);
    }

    private String network() {
        return "10.232." + process % NETWORKS + ".";
    }

    /** Removes the namespaces and devices of runs that were killed. */
    static void removeLeftovers() throws IOException {
        for (String line : Shell.lines("ip netns list")) {
            Matcher named = NAMESPACE.matcher(line);
            if (named.matches()
                    && ProcessHandle.of(Long.parseLong(named.group(1))).isEmpty()) {
                new BenchNames(Long.parseLong(named.group(1))).remove();
            }
        }
    }

    /** Ends the processes in all namespaces of the run, and removes the namespaces and all devices. */
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

    /** Kills a process, and waits until it is gone, because it keeps its control group until then. */
    private static void kill(ProcessHandle process) {
        process.destroyForcibly();
        try {
            process.onExit().get(MAX_SECONDS_TO_END, TimeUnit.SECONDS);
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        } catch (ExecutionException | TimeoutException ignored) {
            // The kernel refuses to remove a group that still has processes; the caller reports this.
        }
    }

    private static void kill(List<String> processes) {
        // Any other line means that the namespace is already gone.
        processes.stream()
                .map(String::strip)
                .filter(each -> each.matches("\\d+"))
                .forEach(each -> ProcessHandle.of(Long.parseLong(each)).ifPresent(BenchNames::kill));
    }
}
