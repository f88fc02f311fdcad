package dev.outpost.backend.simulation;

import dev.outpost.backend.simulation.SvgChart.Point;
import java.io.IOException;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;

/** Formats an outcome as a text table and as charts. */
final class SimulationReport {
    private static final double MILLIS = 1_000;
    private static final double SECONDS_AN_HOUR = 3600;
    private static final double MEDIAN = 0.5;
    private static final double NEARLY_ALL = 0.95;

    private final Scenario scenario;
    private final SimulationOutcome outcome;

    SimulationReport(Scenario scenario, SimulationOutcome outcome) {
        this.scenario = scenario;
        this.outcome = outcome;
    }

    String table() {
        StringBuilder text = new StringBuilder(String.format(
                "%-6s %6s %9s %9s %9s %9s %8s %12s %12s%n",
                "GPU", "room", "started", "wait p50", "wait p95", "wait max", "used", "cost", "warm cost"));
        for (Map.Entry<String, Integer> kind : scenario.room().entrySet()) {
            text.append(line(kind.getKey(), kind.getValue()));
        }
        return text.append(totals()).toString();
    }

    private String line(String gpu, int room) {
        List<Duration> waits = outcome.waitsOf(gpu);
        return String.format(
                Locale.ROOT,
                "%-6s %6d %9d %9s %9s %9s %7.0f%% %12s %12s%n",
                gpu,
                room,
                waits.size(),
                seconds(Quantile.of(waits, MEDIAN)),
                seconds(Quantile.of(waits, NEARLY_ALL)),
                seconds(Quantile.of(waits, 1)),
                100 * outcome.utilisation(gpu, scenario.time()),
                money(outcome.costs().getOrDefault(gpu, BigDecimal.ZERO)),
                money(outcome.warmCosts().getOrDefault(gpu, BigDecimal.ZERO)));
    }

    private String totals() {
        return String.format(
                Locale.ROOT,
                """
                requests               %d: %d started, %d refused by budgets, %d cut off by budgets, %d failed and were asked again
                projects               %d
                cost                   %s
                orphans                %d at the end; the longest outlived its row by %s
                caps overshot          %d
                statements             %d, %.0f per machine-hour
                time                   %s h simulated in %s
                """,
                outcome.requests(),
                outcome.waits().size(),
                outcome.refused(),
                outcome.cut(),
                outcome.failed(),
                byAccount().size(),
                money(outcome.cost()),
                outcome.orphans(),
                seconds(outcome.longestOrphan()),
                outcome.overshoots(),
                outcome.statements(),
                outcome.statements() / Math.max(1, outcome.machineHours()),
                hours(outcome.virtualTime()),
                seconds(outcome.realTime()));
    }

    /** Compares the costs and the waits of this outcome with an outcome without pools. */
    String comparison(SimulationOutcome without) {
        return scenario.pools().stream().map(pool -> comparison(pool, without)).collect(Collectors.joining());
    }

    private String comparison(PoolSize pool, SimulationOutcome without) {
        String gpu = pool.gpu();
        Duration saved = without.waited(gpu).minus(outcome.waited(gpu));
        return String.format(
                Locale.ROOT,
                "%d warm %s would have cost %s and saved %s h of waiting (median %s instead of %s, p95 %s instead of %s)%n",
                pool.min(),
                gpu,
                money(outcome.warmCosts().getOrDefault(gpu, BigDecimal.ZERO)),
                hours(saved),
                seconds(Quantile.of(outcome.waitsOf(gpu), MEDIAN)),
                seconds(Quantile.of(without.waitsOf(gpu), MEDIAN)),
                seconds(Quantile.of(outcome.waitsOf(gpu), NEARLY_ALL)),
                seconds(Quantile.of(without.waitsOf(gpu), NEARLY_ALL)));
    }

    // ---- files

    void write(Path folder) throws IOException {
        Files.createDirectories(folder);
        ArrivalFile.write(folder.resolve("arrivals.csv"), scenario.arrivals());
        Files.writeString(folder.resolve("table.txt"), table());
        Files.write(folder.resolve("waits.csv"), waitLines());
        Files.writeString(folder.resolve("waits.svg"), waits());
        Files.writeString(folder.resolve("utilisation.svg"), utilisation());
        Files.writeString(folder.resolve("cost.svg"), cost());
    }

    private Map<String, List<Duration>> byAccount() {
        Map<String, List<Duration>> waits = new TreeMap<>();
        outcome.waits()
                .forEach(wait -> waits.computeIfAbsent(wait.account(), none -> new ArrayList<>())
                        .add(wait.time()));
        waits.values().forEach(times -> times.sort(null));
        return waits;
    }

    private List<String> waitLines() {
        List<String> lines = new ArrayList<>(List.of("project,machines,p50_seconds,p95_seconds"));
        byAccount()
                .forEach((account, waits) -> lines.add(account + "," + waits.size() + ","
                        + Quantile.of(waits, MEDIAN).toMillis() / MILLIS + ","
                        + Quantile.of(waits, NEARLY_ALL).toMillis() / MILLIS));
        return lines;
    }

    private String waits() {
        return new SvgChart("Waits by project, shortest first", "projects", "seconds")
                .line("median", ranked(MEDIAN))
                .line("p95", ranked(NEARLY_ALL))
                .text();
    }

    private List<Point> ranked(double part) {
        List<Double> values = byAccount().values().stream()
                .map(waits -> Quantile.of(waits, part).toMillis() / MILLIS)
                .sorted()
                .toList();
        List<Point> points = new ArrayList<>();
        for (int i = 0; i < values.size(); i++) {
            points.add(new Point(i + 1, values.get(i)));
        }
        return points;
    }

    private String utilisation() {
        SvgChart chart = new SvgChart("GPUs in use", "hours", "percent of the room");
        scenario.room()
                .keySet()
                .forEach(gpu -> chart.line(
                        gpu,
                        outcome.samples().stream()
                                .filter(sample -> sample.gpu().equals(gpu))
                                .map(sample -> new Point(hour(sample), 100.0 * sample.used() / sample.room()))
                                .toList()));
        return chart.text();
    }

    /** Draws the cost per hour of the machines that were ready at each sample. */
    private String cost() {
        SvgChart chart = new SvgChart("Cost an hour", "hours", "currency");
        scenario.room()
                .keySet()
                .forEach(gpu -> chart.line(
                        gpu,
                        outcome.samples().stream()
                                .filter(sample -> sample.gpu().equals(gpu))
                                .map(sample -> new Point(hour(sample), price(gpu) * (sample.used() + sample.warm())))
                                .toList()));
        return chart.text();
    }

    private double price(String gpu) {
        return scenario.prices().getOrDefault(gpu, BigDecimal.ZERO).doubleValue();
    }

    private static double hour(SimulationOutcome.Sample sample) {
        return sample.at().toSeconds() / SECONDS_AN_HOUR;
    }

    private static String seconds(Duration time) {
        return String.format(Locale.ROOT, "%.0f s", time.toMillis() / MILLIS);
    }

    private static String hours(Duration time) {
        return String.format(Locale.ROOT, "%.1f", time.toSeconds() / SECONDS_AN_HOUR);
    }

    private static String money(BigDecimal amount) {
        return amount.setScale(2, RoundingMode.HALF_UP).toPlainString();
    }
}
