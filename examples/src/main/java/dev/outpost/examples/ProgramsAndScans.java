package dev.outpost.examples;

import dev.outpost.*;
import java.util.List;

/**
 * Computes the largest eigenvalue of a matrix by power iteration: as a loop of calls of a program, as a scan with a fixed number of
 * runs, and as a scan that ends when the value does not change any more.
 */
public final class ProgramsAndScans {
    private static final int SIZE = 200;
    private static final int RUNS = 6;

    private ProgramsAndScans() {}

    public static void main(String[] args) {
        try (RemoteMachine machine = RemoteMachine.open()) {
            // Row i and column j have min(i, j) + 1. The eigenvalues of this matrix are known.
            Tensor numbers = machine.arange(SIZE).float32();
            Tensor matrix = numbers.reshape(SIZE, 1).minimum(numbers).add(1);
            double expected = 1 / (2 - 2 * Math.cos(Math.PI / (2 * SIZE + 1)));
            Tensor start = machine.ones(SIZE).div(Math.sqrt(SIZE));

            // The function runs once in Java. After that, a call sends a few bytes.
            Program step = machine.program(inputs -> {
                Tensor product = matrix.mv(inputs.getFirst());
                Tensor length = product.norm();
                return List.of(product.div(length), length);
            });
            Tensor vector = start;
            Tensor length = null;
            for (int run = 0; run < RUNS; run++) {
                List<Tensor> results = step.call(vector);
                vector = results.get(0);
                length = results.get(1);
            }
            System.out.printf("%d calls: %.2f, expected %.2f%n", RUNS, length.itemDouble(), expected);

            // One request for all runs. The machine passes the vector from run to run, and sends the length of each
            // run.
            long sent = machine.stats().bytesOut();
            Scan scan = machine.scan(step, List.of(start), RUNS);
            int run = 0;
            for (List<HostTensor> emitted : scan.emissions()) {
                System.out.printf("run %d: %.2f%n", ++run, emitted.getFirst().getDouble(0));
            }
            System.out.printf("the scan sent %d bytes%n", machine.stats().bytesOut() - sent);

            // After the carried tensors, the function returns the condition to end.
            Program untilStable = machine.program(inputs -> {
                Tensor product = matrix.mv(inputs.get(0));
                Tensor next = product.norm();
                Tensor isStable = next.sub(inputs.get(1)).abs().lt(next.mul(1e-6));
                return List.of(product.div(next), next, isStable);
            });
            Scan until = machine.scanUntil(untilStable, List.of(start, machine.zeros()), 100);
            double value = until.carry().get(1).itemDouble();
            System.out.printf("stable after %d of at most 100 runs: %.2f%n", until.iterations(), value);
        }
    }
}
