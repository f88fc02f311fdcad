package dev.outpost.bench;

import dev.outpost.RemoteMachine;
import dev.outpost.bench.peers.BenchmarkPage;
import dev.outpost.bench.peers.Comparisons;
import dev.outpost.bench.peers.Disagreement;
import dev.outpost.bench.peers.PeerComparison;
import dev.outpost.bench.peers.Table;
import dev.outpost.bench.peers.contestant.Contestant;
import dev.outpost.bench.peers.contestant.Djl;
import dev.outpost.bench.peers.contestant.OutpostContestant;
import dev.outpost.bench.peers.contestant.PythonPeer;
import dev.outpost.bench.peers.contestant.Variant;
import dev.outpost.bench.peers.contestant.Workload;
import dev.outpost.bench.peers.workload.MlpTraining;
import dev.outpost.bench.peers.workload.Suite;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeSet;
import java.util.concurrent.Callable;
import java.util.stream.Stream;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** Compares programs on a machine in another process with the same programs in other libraries, which run locally. */
@Command(
        name = "peers",
        mixinStandardHelpOptions = true,
        showDefaultValues = true,
        description =
                "Workloads on a remote machine (loopback, the same cores) against DJL and PyTorch, local and eager.")
final class PeersBench implements Callable<Integer> {
    private static final String DISTANT = "mlp-adam-at-20-ms";
    private static final long ROUND_TRIP_MILLIS = 20;
    private static final int DISTANT_BATCHES = 500;
    /**
     * Number of epochs at a distance. The read at the end takes 20 ms longer, so there are enough steps to make this
     * negligible.
     */
    private static final int DISTANT_EPOCHS = 4;

    private static final int DISTANT_WARM_UP = 2;
    private static final int DISTANT_REPETITIONS = 9;
    private static final int QUICK_REPETITIONS = 3;
    private static final WarmUp QUICK_WARM_UP = new WarmUp(1, 0);

    @Spec
    private CommandSpec spec;

    @Option(names = "--json", paramLabel = "FILE", description = "Write what was measured to this file, too.")
    private Path json;

    @Option(
            names = "--docs",
            description = "Write the table to docs/benchmarks-peers.md, too, with machine, versions and date.")
    private boolean docs;

    @Option(
            names = "--only",
            split = ",",
            paramLabel = "NAME",
            description = "Only these workloads, by the names in the table.")
    private List<String> only = List.of();

    @Option(names = "--repetitions", defaultValue = "15", description = "Repetitions of each workload that are timed.")
    private int repetitions;

    @Option(names = "--warm-up", defaultValue = "10", description = "Repetitions before, at least.")
    private int warmUpRepetitions;

    @Option(
            names = "--warm-up-seconds",
            defaultValue = "5",
            description = "Seconds for which each side runs before, at least.")
    private double warmUpSeconds;

    @Option(names = "--quick", description = "3 repetitions after 1: whether it works, not how fast it is.")
    private boolean quick;

    private final Comparisons comparisons = new Comparisons();
    /** Rows without figures. The other rows are still reported, because they took half an hour. */
    private final List<Disagreement> refused = new ArrayList<>();

    @Override
    public Integer call() throws IOException {
        requireKnownNames();
        if (quick) {
            repetitions = QUICK_REPETITIONS;
        }
        // The libraries that DJL would download are on the class path.
        System.setProperty("ai.djl.offline", "true");
        Optional<String> python = PythonPeer.version();
        try (BenchmarkedRuntime runtime = BenchmarkedRuntime.start()) {
            for (Workload workload : Suite.WORKLOADS) {
                if (isWanted(workload.name())) {
                    compare(workload, runtime, python.isPresent());
                }
            }
            if (isWanted(DISTANT)) {
                compareDistances(runtime);
            }
        }
        report(python);
        refused.forEach(each -> System.err.println("refused: " + each.getMessage()));
        return refused.isEmpty() ? 0 : 1;
    }

    private WarmUp warmUp() {
        return quick ? QUICK_WARM_UP : new WarmUp(warmUpRepetitions, warmUpSeconds);
    }

    private void requireKnownNames() {
        TreeSet<String> known = new TreeSet<>();
        known.add(DISTANT);
        Suite.WORKLOADS.forEach(workload -> known.add(workload.name()));
        for (String name : only) {
            if (!known.contains(name)) {
                throw new CommandLine.ParameterException(
                        spec.commandLine(), "there is no workload " + name + "; there are " + String.join(", ", known));
            }
        }
    }

    private boolean isWanted(String name) {
        return only.isEmpty() || only.contains(name);
    }

    private void compare(Workload workload, BenchmarkedRuntime runtime, boolean hasPython) {
        List<Contestant> peers = new ArrayList<>(List.of(new Djl(workload)));
        if (hasPython) {
            peers.add(new PythonPeer(workload));
        }
        workload.specialist().ifPresent(peers::add);
        race(workload, peers, ours(workload, runtime), warmUp(), repetitions);
    }

    private static List<Contestant> ours(Workload workload, BenchmarkedRuntime runtime) {
        return Arrays.stream(Variant.values())
                .<Contestant>map(variant -> new OutpostContestant(
                        workload, RemoteMachine.connect(runtime.endpoint(), runtime.token()), variant))
                .toList();
    }

    /** Compares a distant machine with a near one, both by a proxy, for each variant. */
    private void compareDistances(BenchmarkedRuntime runtime) throws IOException {
        Workload workload = new MlpTraining(DISTANT, DISTANT_BATCHES, DISTANT_EPOCHS);
        try (DelayProxy none = new DelayProxy(runtime.host(), runtime.port(), 0);
                DelayProxy far = new DelayProxy(runtime.host(), runtime.port(), ROUND_TRIP_MILLIS)) {
            for (Variant variant : Variant.values()) {
                RemoteMachine here = RemoteMachine.connect(none.endpoint(), runtime.token());
                RemoteMachine away = RemoteMachine.connect(far.endpoint(), runtime.token());
                Contestant near = new OutpostContestant("outpost-at-0-ms", workload, here, variant);
                race(
                        workload,
                        List.of(near),
                        List.of(new OutpostContestant(workload, away, variant)),
                        quick ? QUICK_WARM_UP : new WarmUp(DISTANT_WARM_UP, warmUpSeconds),
                        Math.min(DISTANT_REPETITIONS, repetitions));
            }
        }
    }

    private void race(
            Workload workload, List<Contestant> peers, List<Contestant> ours, WarmUp warmUp, int repetitions) {
        try (Race race =
                new Race(workload, Stream.concat(peers.stream(), ours.stream()).toList())) {
            race.requireAgreement();
            Map<Contestant, Double> medians = race.run(warmUp, repetitions);
            medians.forEach((contestant, milliseconds) ->
                    System.err.printf("%s, %s: %.2f ms%n", workload.name(), contestant.name(), milliseconds));
            for (Contestant peer : peers) {
                for (Contestant own : ours) {
                    comparisons.add(new PeerComparison(
                            workload.name(), own.name(), medians.get(own), peer.name(), medians.get(peer)));
                }
            }
        } catch (Disagreement disagreement) {
            refused.add(disagreement);
        }
    }

    private void report(Optional<String> python) throws IOException {
        System.out.println(
                "PyTorch from Python: " + python.orElse("not here (python3 -c \"import torch\" fails), not compared"));
        String table = new Table(comparisons).text();
        System.out.print(table);
        if (json != null) {
            comparisons.write(json);
        }
        // The page is only written with all rows.
        if (docs && refused.isEmpty()) {
            Path file = Path.of(System.getProperty("outpost.docs")).resolve("benchmarks-peers.md");
            Files.writeString(
                    file, new BenchmarkPage(table, python, repetitions, warmUpRepetitions, warmUpSeconds).text());
        }
    }
}
