package dev.outpost.bench.lan;

import dev.outpost.onnx.type.TransferPrecision;
import java.util.Locale;

/** Prints plans and measurements side by side, with the measurement divided by the plan. */
final class CaseTable {
    private static final String ROW = "%-12s %-8s %-8s %9s %9s %6s   %9s %9s %6s   %10s %8s%n";

    private CaseTable() {}

    static void printHead() {
        System.out.printf(
                ROW,
                "links",
                "workers",
                "travels",
                "plan ms",
                "batch ms",
                "ratio",
                "plan e2e",
                "e2e ms",
                "ratio",
                "KiB/batch",
                "error");
    }

    static void print(LinkKind links, int workers, TransferPrecision precision, CaseRun.Measured measured) {
        System.out.printf(
                ROW,
                links,
                workers,
                precision.name().toLowerCase(Locale.ROOT),
                millis(measured.planSeconds()),
                millis(measured.seconds()),
                ratio(measured.seconds(), measured.planSeconds()),
                millis(measured.planLatency()),
                millis(measured.latency()),
                ratio(measured.latency(), measured.planLatency()),
                String.format(Locale.ROOT, "%.1f", measured.bytes() / 1024),
                String.format(Locale.ROOT, "%.2g", measured.error()));
    }

    private static String millis(double seconds) {
        return String.format(Locale.ROOT, "%.1f", seconds * 1e3);
    }

    private static String ratio(double measured, double planned) {
        return String.format(Locale.ROOT, "%.2f", measured / planned);
    }
}
