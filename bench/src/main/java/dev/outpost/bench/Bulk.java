package dev.outpost.bench;

import dev.outpost.RemoteMachine;
import dev.outpost.Tensor;
import java.util.function.Function;

/** Measures transfers of large tensors to a machine in another process and back. */
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

    /** Returns the gigabytes per second from the program's array until the machine has used the data. */
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

    /** Returns the gigabytes per second from the machine's memory to a reused array of the program. */
    double download() {
        return download(tensor -> {
            tensor.copyTo(back);
            return back;
        });
    }

    /** Measures like {@link #download}, with a new array, which Java zeroes first. */
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
