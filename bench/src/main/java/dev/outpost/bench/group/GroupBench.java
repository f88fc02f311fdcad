package dev.outpost.bench.group;

import dev.outpost.bench.files.TemporaryFolder;
import dev.outpost.runtime.peer.network.LocalWay;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/**
 * Measures groups of processes of this host, each pinned to a processor: their exchanges compared with plain connections, the
 * scaling of programs, and predictions for more machines. The predictions are compared with the points that the same run has
 * measured.
 */
@Command(
        name = "group",
        mixinStandardHelpOptions = true,
        showDefaultValues = true,
        description =
                "Groups: exchanges beside plain TLS, scaling over pinned processes, a prediction for more machines.")
public final class GroupBench implements Callable<Integer> {
    private static final int[] PREDICTED = {8, 16, 32, 72};
    /** Bandwidths of a 100 Gbit/s network, of a link in between, and of NVLink, in bytes per second in one direction. */
    private static final double[] BANDWIDTHS = {12.5e9, 50e9, 450e9};

    private static final double PREDICTED_LATENCY = 10e-6;

    @Option(names = "--rounds", defaultValue = "5", description = "Of exchanges.")
    private int rounds;

    @Option(names = "--steps", defaultValue = "9", description = "Of programs.")
    private int steps;

    @Option(names = "--megabytes", defaultValue = "64", description = "Of the large sum.")
    private int megabytes;

    @Option(names = "--halves", description = "Also 1, 2 and 4 machines with half a processor each.")
    private boolean halves;

    @Option(
            names = "--only",
            split = ",",
            description = "Of programs: MLP, TRANSFORMER, MATMUL; all of them unless given.")
    private List<GroupWork> only = List.of(GroupWork.values());

    private Path folder;

    @Override
    public Integer call() throws Exception {
        try (TemporaryFolder temporary = new TemporaryFolder("group")) {
            folder = temporary.path();
            print(
                    "%d processors, load %.1f%n",
                    Runtime.getRuntime().availableProcessors(),
                    ManagementFactory.getOperatingSystemMXBean().getSystemLoadAverage());
            LinkCosts link = exchanges();
            for (GroupWork work : only) {
                scale(work, link);
            }
        }
        return 0;
    }

    // ---- exchanges

    private LinkCosts exchanges() throws IOException, InterruptedException {
        Path keys = folder.resolve("member.p12");
        MemberIdentity.make(keys);
        int bytes = megabytes * 1_000_000;
        ExchangeRace.Result tls = ExchangeRace.run(keys, bytes, rounds, LocalWay.TLS);
        ExchangeRace.Result socket = ExchangeRace.run(keys, bytes, rounds, LocalWay.UNIX_SOCKET);
        ExchangeRace.Result memory = ExchangeRace.run(keys, bytes, rounds, LocalWay.SHARED_MEMORY);
        print(
                "all-reduce of %d MB by 2 members over TLS: %.2f GB/s, the same bytes plainly %.2f GB/s, share %.2f (aim 0.7)%n",
                megabytes, bytes / tls.sum() / 1e9, bytes / tls.plain() / 1e9, tls.share());
        print(
                "over a Unix socket: %.2f GB/s; by shared memory: %.2f GB/s; one element: %.0f us over TLS, %.0f us over a Unix socket, %.0f us with shared memory%n",
                bytes / socket.sum() / 1e9,
                bytes / memory.sum() / 1e9,
                tls.latency() * 1e6,
                socket.latency() * 1e6,
                memory.latency() * 1e6);
        return new LinkCosts(tls.latency(), bytes / tls.sum());
    }

    // ---- programs

    private void scale(GroupWork work, LinkCosts link) throws Exception {
        List<Scaling.Point> points = new Scaling(folder, 1, steps)
                .measure(List.of(
                        new Scaling.Case(work, 1, work.batch()),
                        new Scaling.Case(work, 1, work.batch() / 2),
                        new Scaling.Case(work, 2, work.batch()),
                        new Scaling.Case(work, 2, 2 * work.batch())));
        Scaling.Point one = points.get(0);
        Scaling.Point half = points.get(1);
        Scaling.Point strong = points.get(2);
        Scaling.Point weak = points.get(3);
        print("%s%n", work.label());
        print("  1 machine: %.1f ms a step%n", one.seconds() * 1e3);
        print(
                "  2 machines, as much work together: %.1f ms, speed-up %.2f, share of communication %.2f%n",
                strong.seconds() * 1e3,
                one.seconds() / strong.seconds(),
                Math.max(0, 1 - half.seconds() / strong.seconds()));
        print(
                "  2 machines, as much work each: %.1f ms, %.2f of linear, share of communication %.2f%n",
                weak.seconds() * 1e3, one.seconds() / weak.seconds(), Math.max(0, 1 - one.seconds() / weak.seconds()));
        if (halves) {
            halves(work);
        }
        predict(work, link, one, half, strong, weak);
    }

    private void halves(GroupWork work) throws Exception {
        List<Scaling.Point> points = new Scaling(folder, 2, steps)
                .measure(List.of(
                        new Scaling.Case(work, 1, work.batch()),
                        new Scaling.Case(work, 2, work.batch()),
                        new Scaling.Case(work, 4, work.batch())));
        for (Scaling.Point point : points) {
            print(
                    "  %d machines, two on a processor: %.1f ms a step, %.0f rows a second%n",
                    point.members(), point.seconds() * 1e3, point.rowsPerSecond());
        }
    }

    private static void predict(
            GroupWork work,
            LinkCosts link,
            Scaling.Point one,
            Scaling.Point half,
            Scaling.Point strong,
            Scaling.Point weak) {
        GroupSimulator measured = new GroupSimulator(link);
        compare(measured, "as much work together", half.seconds(), strong);
        compare(measured, "as much work each", one.seconds(), weak);
        for (double bandwidth : BANDWIDTHS) {
            GroupSimulator simulator = new GroupSimulator(new LinkCosts(PREDICTED_LATENCY, bandwidth));
            StringBuilder line = new StringBuilder();
            for (int members : PREDICTED) {
                line.append(String.format(
                        Locale.ROOT,
                        "  %d: %.2f",
                        members,
                        simulator.weakEfficiency(costs(one.seconds(), weak), members)));
            }
            print("  predicted of linear with %.1f GB/s and as much work each:%s%n", bandwidth / 1e9, line);
        }
    }

    private static void compare(GroupSimulator simulator, String what, double compute, Scaling.Point point) {
        double predicted = simulator.stepSeconds(costs(compute, point), point.members());
        print(
                "  predicted for %s: %.1f ms, measured %.1f ms, off by %.0f %% (aim 25)%n",
                what, predicted * 1e3, point.seconds() * 1e3, 100 * Math.abs(predicted / point.seconds() - 1));
    }

    /**
     * Returns the costs of a step. With one processor for each member, an exchange uses the processor, so nothing overlaps.
     */
    private static StepCosts costs(double compute, Scaling.Point point) {
        return new StepCosts(compute, point.reducedBytes(), point.exchanges(), 0);
    }

    private static void print(String format, Object... values) {
        System.out.printf(Locale.ROOT, format, values);
    }
}
