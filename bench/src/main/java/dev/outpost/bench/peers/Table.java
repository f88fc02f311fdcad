package dev.outpost.bench.peers;

import dev.outpost.bench.peers.contestant.Variant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** {@link Comparisons} as a table in Markdown: a row for each workload and peer, a column for each variant. */
public final class Table {
    private final Comparisons comparisons;
    private final List<String> variants;

    public Table(Comparisons comparisons) {
        this.comparisons = comparisons;
        this.variants = comparisons.variants();
    }

    /** Returns the table. Times are in milliseconds; a ratio is the peer's time divided by ours, for each variant. */
    public String text() {
        List<List<String>> rows = new ArrayList<>();
        rows.add(row(
                "workload",
                variant -> "ours, " + variant + ", ms",
                "peer",
                "peer, ms",
                variant -> "ratio, " + variant));
        comparisons.rows().values().forEach(row -> rows.add(measured(row)));
        comparisons.peers().forEach(peer -> rows.add(mean(peer)));
        return aligned(rows);
    }

    private List<String> measured(List<PeerComparison> row) {
        PeerComparison counting = of(row, Variant.SCOPED.toString());
        return row(
                counting.workload(),
                variant -> time(of(row, variant).oursMs()),
                counting.peer(),
                time(counting.peerMs()),
                variant -> ratio(of(row, variant).ratio()));
    }

    private static PeerComparison of(List<PeerComparison> row, String variant) {
        return row.stream()
                .filter(comparison -> comparison.variant().equals(variant))
                .findFirst()
                .orElseThrow();
    }

    private List<String> mean(String peer) {
        return row(
                "geometric mean", variant -> "", peer, "", variant -> ratio(comparisons.geometricMean(peer, variant)));
    }

    private List<String> row(
            String workload,
            Function<String, String> ours,
            String peer,
            String peerTime,
            Function<String, String> ratio) {
        return Stream.of(
                        Stream.of(workload),
                        variants.stream().map(ours),
                        Stream.of(peer, peerTime),
                        variants.stream().map(ratio))
                .flatMap(Function.identity())
                .toList();
    }

    private static String time(double milliseconds) {
        return String.format(Locale.ROOT, "%.2f", milliseconds);
    }

    private static String ratio(double ratio) {
        return String.format(Locale.ROOT, "%.2f", ratio);
    }

    private static String aligned(List<List<String>> rows) {
        int[] widths = new int[rows.getFirst().size()];
        for (List<String> row : rows) {
            for (int column = 0; column < widths.length; column++) {
                widths[column] = Math.max(widths[column], row.get(column).length());
            }
        }
        List<String> rule = Arrays.stream(widths).mapToObj("-"::repeat).toList();
        List<List<String>> lines = new ArrayList<>(rows);
        lines.add(1, rule);
        return lines.stream().map(line -> padded(line, widths)).collect(Collectors.joining());
    }

    private static String padded(List<String> cells, int[] widths) {
        StringBuilder line = new StringBuilder("|");
        for (int column = 0; column < widths.length; column++) {
            line.append(' ').append(cells.get(column));
            line.append(" ".repeat(widths[column] - cells.get(column).length())).append(" |");
        }
        return line.append('\n').toString();
    }
}
