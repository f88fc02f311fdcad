package dev.outpost.runner;

/** The counts of a module with running tests. */
final class ModuleProgress {
    private final String module;
    private final long start;
    private int passed;
    private int failed;
    private int skipped;
    private long cpuMillis;

    ModuleProgress(String module, long startNanos) {
        this.module = module;
        this.start = startNanos;
    }

    void count(String outcome) {
        switch (outcome) {
            case "passed" -> passed++;
            case "failed" -> failed++;
            case "skipped" -> skipped++;
            default -> throw new IllegalStateException("unknown outcome " + outcome);
        }
    }

    void addCpu(long millis) {
        cpuMillis += millis;
    }

    /** Formats the counts and the times, such as {@code api 2,113 tests 41 s, CPU 30 s}. */
    String line(long nanos) {
        return "%s  %,d tests  %d s, CPU %d s%s%s"
                .formatted(
                        module,
                        passed + failed + skipped,
                        (nanos - start) / 1_000_000_000,
                        cpuMillis / 1000,
                        failed == 0 ? "" : "  " + failed + " FAILED",
                        skipped == 0 ? "" : "  " + skipped + " skipped");
    }
}
