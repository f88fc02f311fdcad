package dev.outpost.bench;

import dev.outpost.RemoteMachine;
import dev.outpost.Tensor;
import java.util.function.Function;

/** Large tensors to a machine in another process and back. */
final class Bulk {
    static final int MEBIBYTES = 64;
    private static final int REPETITIONS = 4;

    private final RemoteMachine machine;
    private final float[] values = new float[MEBIBYTES << 18];
    private final float[] back = new float[values.length];

    Bulk(RemoteMachine machine) {
        this.machine = machine;
        for (int index = 0; index < values.length; index++) {
            values[index] = index;
        }
    }

    /** Gigabytes a second from the program's array until the machine has used them. */
    double upload() {
        long start = System.nanoTime();
        for (int repetition = 0; repetition < REPETITIONS; repetition++) {
            try (Tensor tensor = machine.tensor(values, values.length);
                    Tensor one = tensor.narrow(0, values.length - 1, 1)) {
                one.item();
            }
        }
        return gigabytesASecond(start);
    }

    /** Gigabytes a second from the machine's memory until they are in an array of the program, the same each time. */
    double download() {
        return download(tensor -> {
            tensor.copyTo(back);
            return back;
        });
    }

    /** As {@link #download}, into an array that is made for it: Java zeroes it first. */
    double downloadToNew() {
        return download(Tensor::toFloatArray);
    }

    private double download(Function<Tensor, float[]> read) {
        try (Tensor tensor = machine.tensor(values, values.length)) {
            machine.synchronize();
            long start = System.nanoTime();
            for (int repetition = 0; repetition < REPETITIONS; repetition++) {
                float[] came = read.apply(tensor);
                if (came[came.length - 1] != values[values.length - 1]) {
                    throw new IllegalStateException("what came back is not what was sent");
                }
            }
            return gigabytesASecond(start);
        }
    }

    private static double gigabytesASecond(long start) {
        return REPETITIONS * (double) MEBIBYTES * (1 << 20) / (System.nanoTime() - start);
    }
}
