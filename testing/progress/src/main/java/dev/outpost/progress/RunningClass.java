package dev.outpost.progress;

/** A test class that runs: its name and when it began. */
record RunningClass(String name, long startNanos, long startCpuMillis) {
    RunningClass(String name) {
        this(name, System.nanoTime(), ProcessCpuTime.millis());
    }

    String wallMillis() {
        return Long.toString((System.nanoTime() - startNanos) / 1_000_000);
    }

    /** The CPU time of this JVM and of its ended children since the class began. */
    String cpuMillis() {
        return Long.toString(ProcessCpuTime.millis() - startCpuMillis);
    }
}
