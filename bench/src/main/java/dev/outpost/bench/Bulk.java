package dev.outpost.bench;

import dev.outpost.RemoteMachine;
import dev.outpost.Tensor;

/** Large tensors to a machine in another process and back. */
final class Bulk {
    static final int MEBIBYTES = 64;
    private static final int REPETITIONS = 4;

    private final RemoteMachine machine;
    private final float[] values = new float[MEBIBYTES << 18];

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

    /** Gigabytes a second from the machine's memory until they are in an array of the program. */
    double download() {
        try (Tensor tensor = machine.tensor(values, values.length)) {
            machine.synchronize();
            long start = System.nanoTime();
            for (int repetition = 0; repetition < REPETITIONS; repetition++) {
                float[] back = tensor.toFloatArray();
                if (back[back.length - 1] != values[values.length - 1]) {
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
