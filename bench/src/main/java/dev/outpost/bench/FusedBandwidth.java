package dev.outpost.bench;

import dev.outpost.RemoteMachine;
import dev.outpost.Scope;
import dev.outpost.Tensor;
import dev.outpost.bench.statistics.Median;
import java.io.IOException;

/**
 * Compares a chain of elementwise ops over 128 MiB of float32, which is one kernel, with copies of the same amount of memory
 * on the same number of threads, alternately.
 */
final class FusedBandwidth {
    private static final int ELEMENTS = 1 << 25;
    private static final double MOVED_BYTES = 2.0 * Float.BYTES * ELEMENTS;

    private final RemoteMachine machine;
    private final Median copies = new Median();
    private final Median kernels = new Median();
    private final Median kernelShares = new Median();
    private final Median cachedShares = new Median();
    private final Median wholeShares = new Median();

    FusedBandwidth(RemoteMachine machine) {
        this.machine = machine;
    }

    void measure(WarmUp warmUp, int rounds) throws IOException {
        try (Tensor x = machine.ones(ELEMENTS);
                CopyProcess copying = new CopyProcess(Runtime.getRuntime().availableProcessors(), ELEMENTS)) {
            long start = System.nanoTime();
            for (int round = 0; !warmUp.isOver(round, System.nanoTime() - start); round++) {
                copying.copy(CopyServer.Stride.WHOLE);
                copying.copy(CopyServer.Stride.PIECES);
                compute(x);
            }
            for (int round = 0; round < rounds; round++) {
                compare(x, copying);
            }
        }
    }

    private void compare(Tensor x, CopyProcess copying) throws IOException {
        double copyNanos = copying.copy(CopyServer.Stride.WHOLE);
        double cachedNanos = copying.copy(CopyServer.Stride.PIECES);
        long engineBefore = machine.stats().engineNanos();
        long start = System.nanoTime();
        compute(x);
        double wholeNanos = System.nanoTime() - start;
        double kernelNanos = machine.stats().engineNanos() - engineBefore;
        copies.add(MOVED_BYTES / copyNanos);
        kernels.add(MOVED_BYTES / kernelNanos);
        kernelShares.add(copyNanos / kernelNanos);
        cachedShares.add(cachedNanos / kernelNanos);
        wholeShares.add(copyNanos / wholeNanos);
    }

    /** Runs the chain. Returns after the machine has computed the result. */
    private void compute(Tensor x) {
        Tensor result;
        try (Scope scope = machine.scope()) {
            result = scope.keep(x.mul(1.5).add(0.5).relu().sub(0.25));
        }
        machine.synchronize();
        result.close();
    }

    void addTo(MeasuredFigures figures) {
        figures.add("copy_gb_per_s", copies.value(), "read and written, all cores");
        figures.add("fused_gb_per_s", kernels.value(), "read and written, in the kernel");
        figures.add("fused_share_of_copy", kernelShares.value(), "aim: at least 0.80");
        figures.add("fused_share_of_cached_copy", cachedShares.value(), "of copies through the caches");
        figures.add("fused_end_to_end_share", wholeShares.value(), "with recording, the wire and waiting");
    }
}
