package dev.outpost.cli.lan;

import dev.outpost.MachineOptions;
import dev.outpost.PeerLinks;
import dev.outpost.RemoteMachine;
import dev.outpost.cli.support.CommandProgress;
import dev.outpost.cli.support.TextTable;
import dev.outpost.provider.lan.Worker;
import dev.outpost.provider.lan.Workers;
import dev.outpost.types.OutpostException;
import java.io.PrintWriter;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.atomic.AtomicInteger;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Measures the paired workers, and the connections to and between them. */
@Command(
        name = "measure",
        description =
                "Measure latency and bandwidth between this host and the paired workers, between each two of them, and"
                        + " a product of matrices on each.")
final class WorkersMeasure implements Runnable {
    private static final String CLIENT = "this host";

    @Parameters(
            arity = "0..*",
            paramLabel = "NAME",
            description = "Which workers; all that are paired and answer unless given.")
    private List<String> names = new ArrayList<>();

    @Option(
            names = "--wait",
            paramLabel = "DURATION",
            defaultValue = "3s",
            description = "How long to look for workers, at most; ${DEFAULT-VALUE} unless given.")
    private Duration wait;

    @Spec
    private CommandSpec spec;

    private final AtomicInteger done = new AtomicInteger();

    /** A worker with an open session. */
    private record Open(Worker worker, RemoteMachine machine, double roundTrip) {}

    @Override
    public void run() {
        try (Workers workers = Workers.discover(wait)) {
            measure(chosen(workers.list()));
        }
    }

    private List<Worker> chosen(List<Worker> found) {
        List<Worker> chosen = found.stream()
                .filter(worker -> names.isEmpty() ? worker.isUsable() : names.contains(worker.name()))
                .toList();
        for (String name : names) {
            if (found.stream().noneMatch(worker -> worker.name().equals(name))) {
                throw new IllegalArgumentException(
                        "workers: no worker is called " + name + "; ./outpost workers lists those that are there");
            }
        }
        chosen.stream().filter(worker -> !worker.isUsable()).findFirst().ifPresent(worker -> {
            throw new IllegalArgumentException("workers: " + worker.refusal());
        });
        if (chosen.isEmpty()) {
            throw new IllegalStateException(
                    "workers: no paired worker answers; ./outpost workers lists those that are there, and ./outpost workers"
                            + " pair NAME pairs one");
        }
        return chosen;
    }

    private void measure(List<Worker> workers) {
        WorkerMeasurement measurement = new WorkerMeasurement();
        List<Open> open = new ArrayList<>();
        try {
            for (Worker worker : workers) {
                RemoteMachine machine = RemoteMachine.connect(worker.endpoint(), new MachineOptions());
                open.add(new Open(worker, machine, 0));
                open.set(open.size() - 1, new Open(worker, machine, measurement.roundTrip(machine)));
            }
            // Two ways and a product for each worker, and two ways between each two workers.
            int all = open.size() * (open.size() + 2);
            TextTable ways;
            TextTable products;
            try (CommandProgress.Task task =
                    CommandProgress.ofProcess().steps("measuring", "measurements", all, done::get)) {
                ways = ways(measurement, open);
                products = products(measurement, open);
            }
            print(ways);
            print(products);
        } finally {
            open.forEach(each -> each.machine().close());
        }
    }

    private TextTable ways(WorkerMeasurement measurement, List<Open> open) {
        TextTable table = new TextTable("FROM", "TO", "LATENCY", "BANDWIDTH");
        for (Open each : open) {
            row(table, CLIENT, each.worker().name(), measurement.to(each.machine(), each.roundTrip()));
            row(table, each.worker().name(), CLIENT, measurement.from(each.machine(), each.roundTrip()));
        }
        for (int one = 0; one < open.size(); one++) {
            for (int other = one + 1; other < open.size(); other++) {
                between(table, measurement, open.get(one), open.get(other));
            }
        }
        return table;
    }

    /**
     * Adds a row for the connection of two workers. If they cannot reach each other, the row says so: this is a
     * result, not an error.
     */
    private void between(TextTable table, WorkerMeasurement measurement, Open one, Open other) {
        try (PeerLinks links = WorkerMeasurement.connect(
                one.machine(),
                one.worker().host(),
                other.machine(),
                other.worker().host())) {
            row(table, one.worker().name(), other.worker().name(), between(measurement, links, one, other));
            row(table, other.worker().name(), one.worker().name(), between(measurement, links, other, one));
        } catch (OutpostException failure) {
            table.row(one.worker().name(), other.worker().name(), "-", failure.getMessage());
        }
    }

    private static WorkerMeasurement.Way between(
            WorkerMeasurement measurement, PeerLinks links, Open source, Open target) {
        return measurement.between(links, source.machine(), target.machine(), source.roundTrip(), target.roundTrip());
    }

    private void row(TextTable table, String from, String to, WorkerMeasurement.Way way) {
        done.incrementAndGet();
        table.row(
                from,
                to,
                String.format(Locale.ROOT, "%.2f ms", way.latencySeconds() * 1e3),
                String.format(Locale.ROOT, "%.1f MB/s", way.bytesPerSecond() * 1e-6));
    }

    private TextTable products(WorkerMeasurement measurement, List<Open> open) {
        TextTable table = new TextTable("WORKER", "GPU", "PRODUCT", "TIME", "SPEED");
        for (Open each : open) {
            WorkerMeasurement.Product product = measurement.product(each.machine(), each.roundTrip());
            done.incrementAndGet();
            table.row(
                    each.worker().name(),
                    each.worker().gpu(),
                    product.size() + " x " + product.size() + " float32",
                    String.format(Locale.ROOT, "%.2f ms", product.seconds() * 1e3),
                    String.format(Locale.ROOT, "%.1f GFLOP/s", product.flops() * 1e-9));
        }
        return table;
    }

    private void print(TextTable table) {
        PrintWriter out = spec.commandLine().getOut();
        table.lines().forEach(out::println);
        out.println();
        out.flush();
    }
}
