package dev.outpost.bench;

import dev.outpost.MachineOptions;
import dev.outpost.RemoteMachine;
import dev.outpost.Scope;
import dev.outpost.Tensor;
import dev.outpost.provider.Endpoint;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.annotations.Warmup;

/**
 * Measures the client's cost of one write in place; {@code RecordBenchmark} measures that of one op. JMH's profiler {@code
 * gc} adds the allocated bytes.
 */
@State(org.openjdk.jmh.annotations.Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Fork(1)
@Warmup(iterations = 5, time = 1)
@Measurement(iterations = 7, time = 1)
public class WriteBenchmark {
    private static final int WRITES = 1000;

    private RemoteMachine machine;
    private Tensor x;
    private Tensor y;
    private Tensor row;

    @Setup(Level.Trial)
    public void open() {
        machine = RemoteMachine.connect(new Endpoint.InProcess(new AbsorbingRuntime()), new MachineOptions());
        x = machine.ones(16, 16);
        y = machine.ones(16, 16);
        row = x.select(0, 3);
    }

    @TearDown(Level.Trial)
    public void close() {
        machine.close();
    }

    /** Writes all elements of a tensor. */
    @Benchmark
    @OperationsPerInvocation(WRITES)
    public void writeWhole() {
        try (Scope scope = machine.scope()) {
            for (int write = 0; write < WRITES; write++) {
                x.add_(y);
            }
        }
    }

    /** Writes a row through a view. */
    @Benchmark
    @OperationsPerInvocation(WRITES)
    public void writeRow() {
        try (Scope scope = machine.scope()) {
            for (int write = 0; write < WRITES; write++) {
                row.fill_(write);
            }
        }
    }

    /** Writes a tensor for the first time. */
    @Benchmark
    @OperationsPerInvocation(WRITES)
    public void writeFresh() {
        try (Scope scope = machine.scope()) {
            for (int write = 0; write < WRITES; write++) {
                y.add(1).add_(y);
            }
        }
    }
}
