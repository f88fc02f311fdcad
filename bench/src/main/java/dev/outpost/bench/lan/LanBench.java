package dev.outpost.bench.lan;

import dev.outpost.onnx.type.TransferPrecision;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/**
 * Runs a model on one worker and divided over several, with links of a given kind. Compares measurements with the plan,
 * counts the bytes on the wire, and measures the error that compressed activations cause.
 */
@Command(
        name = "lan",
        mixinStandardHelpOptions = true,
        description = "Workers in network namespaces behind throttled links, beside what their plans predict.")
public final class LanBench implements Callable<Integer> {
    @Option(
            names = "--workers",
            split = ",",
            defaultValue = "1,2",
            description = "Over how many workers the model is cut; ${DEFAULT-VALUE} unless given.")
    private List<Integer> counts;

    @Option(
            names = "--links",
            split = ",",
            defaultValue = "none,1gbit,100mbit,100mbit+2ms",
            description = "Rate of the links and what they add to the way of a frame; ${DEFAULT-VALUE} unless given.")
    private List<String> links;

    @Option(
            names = "--precision",
            split = ",",
            defaultValue = "EXACT,INT8,INT4",
            description = "How activations travel: ${COMPLETION-CANDIDATES}; ${DEFAULT-VALUE} unless given.")
    private List<TransferPrecision> precisions;

    @Option(names = "--batches", defaultValue = "20", description = "Of a measurement; ${DEFAULT-VALUE} unless given.")
    private int batches;

    @Option(
            names = "--processors",
            description =
                    "That each worker gets, such as 0.5; unless given what all workers of the run and this process have if they"
                            + " share the host evenly, at most 1.")
    private double processors;

    @Override
    public Integer call() throws IOException {
        List<LinkKind> kinds = links.stream().map(LinkKind::parse).toList();
        if (Collections.min(counts) < 1 || batches < 1) {
            throw new IllegalArgumentException(
                    "lan: expected 1 worker or more and 1 batch or more, got " + counts + " and " + batches);
        }
        System.out.printf(
                Locale.ROOT,
                "%d processors, %s for each worker, load %.1f; %d x %d floats cross each cut%n",
                Runtime.getRuntime().availableProcessors(),
                ProcessorShare.canBeMade() ? String.format(Locale.ROOT, "%.2f", share()) : "no part of its own",
                ManagementFactory.getOperatingSystemMXBean().getSystemLoadAverage(),
                ChainModel.ROWS,
                ChainModel.WIDTH);
        BenchNames.removeLeftovers();
        CaseTable.printHead();
        for (LinkKind kind : kinds) {
            measure(kind);
        }
        return 0;
    }

    private double share() {
        double even = (double) Runtime.getRuntime().availableProcessors() / (Collections.max(counts) + 1);
        return processors > 0 ? processors : Math.min(1, even);
    }

    private void measure(LinkKind kind) throws IOException {
        try (BenchHosts hosts = BenchHosts.open(kind, Collections.max(counts), share())) {
            CaseRun run = new CaseRun(hosts, batches);
            run.warmUp(Collections.max(counts));
            for (int count : counts) {
                // With one worker no values cross cuts, so it is measured once.
                for (TransferPrecision precision : count == 1 ? List.of(TransferPrecision.EXACT) : precisions) {
                    CaseTable.print(kind, count, precision, run.measure(count, precision));
                }
            }
        }
    }
}
