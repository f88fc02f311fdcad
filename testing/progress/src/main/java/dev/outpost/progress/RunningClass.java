package dev.outpost.progress;

/** A running test class: its name and the time of its begin. */
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
