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

/** Measures the client's cost of one primitive call in a chain, where each call uses the result of the one before. */
@State(org.openjdk.jmh.annotations.Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Fork(1)
@Warmup(iterations = 5, time = 1)
@Measurement(iterations = 7, time = 1)
public class RecordBenchmark {
    private static final int CHAIN = 1000;

    private RemoteMachine machine;
    private Tensor x;
    private Tensor y;
    private Tensor leaf;

    @Setup(Level.Trial)
    public void open() {
        machine = RemoteMachine.connect(new Endpoint.InProcess(new AbsorbingRuntime()), new MachineOptions());
        x = machine.ones(16, 16);
        y = machine.ones(16, 16);
        leaf = machine.ones(16, 16).requiresGrad(true);
    }

    @TearDown(Level.Trial)
    public void close() {
        machine.close();
    }

    @Benchmark
    @OperationsPerInvocation(CHAIN)
    public void record() {
        chain(x);
    }

    /** Also builds a graph for autograd, which the scope drops. */
    @Benchmark
    @OperationsPerInvocation(CHAIN)
    public void recordAutograd() {
        chain(leaf);
    }

    private void chain(Tensor start) {
        try (Scope scope = machine.scope()) {
            Tensor value = start;
            for (int op = 0; op < CHAIN; op++) {
                value = value.add(y);
            }
        }
    }
}
