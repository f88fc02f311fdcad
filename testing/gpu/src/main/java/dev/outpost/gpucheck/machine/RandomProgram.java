package dev.outpost.gpucheck.machine;

import dev.outpost.HostTensor;
import dev.outpost.RemoteMachine;
import dev.outpost.Scope;
import dev.outpost.Tensor;
import dev.outpost.types.DType;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;

/** Random ops, each over values that exist by then: chains, rows, views, products, indices. The seed determines all. */
final class RandomProgram {
    private static final int ROWS = 24;
    private static final int COLUMNS = 40;

    private final RemoteMachine machine;
    private final Random random;
    private final int ops;
    private final List<Tensor> values = new ArrayList<>();

    RandomProgram(RemoteMachine machine, long seed, int ops) {
        this.machine = machine;
        this.random = new Random(seed);
        this.ops = ops;
    }

    /**
     * Returns the bytes of all computed values.
     *
     * @param looks true if each value is read before the next op, so that no ops are computed together
     */
    List<byte[]> run(boolean looks) {
        try (Scope scope = machine.scope()) {
            for (DType dtype : new DType[] {DType.FLOAT32, DType.FLOAT32, DType.BFLOAT16, DType.FLOAT16}) {
                values.add(machine.tensor(numbers()).to(dtype));
            }
            for (int op = 0; op < ops; op++) {
                Tensor value = next();
                values.add(value);
                if (looks) {
                    value.fetch().join();
                }
            }
            List<CompletableFuture<HostTensor>> all =
                    values.stream().map(Tensor::fetch).toList();
            return all.stream().map(coming -> bytes(coming.join())).toList();
        }
    }

    private HostTensor numbers() {
        float[] numbers = new float[ROWS * COLUMNS];
        for (int index = 0; index < numbers.length; index++) {
            numbers[index] = 4 * random.nextFloat() - 2;
        }
        return HostTensor.of(numbers, ROWS, COLUMNS);
    }

    /** Returns a random matrix of the same size; recent ones are more likely, which makes chains. */
    private Tensor any() {
        int back = Math.min(random.nextInt(values.size()), random.nextInt(values.size()));
        return values.get(values.size() - 1 - back);
    }

    private Tensor next() {
        Tensor x = any();
        return switch (random.nextInt(20)) {
            case 0 -> x.add(any());
            case 1 -> x.mul(any());
            case 2 -> x.sub(any()).abs();
            case 3 -> x.maximum(any());
            case 4 -> x.where(x.gt(any()), any());
            case 5 -> x.relu().add(random.nextInt(3));
            case 6 -> x.tanh();
            case 7 -> x.sigmoid().mul(x);
            case 8 -> x.clamp(-3, 3).exp();
            case 9 -> x.abs().add(1).rsqrt();
            case 10 -> x.softmax(-1);
            case 11 -> x.sub(x.mean(-1, true)).div(x.var(-1, 0, true).add(1).sqrt());
            case 12 -> x.mul(x.sum(0, true).tanh());
            case 13 -> x.amax(-1, true).sub(x);
            case 14 -> x.to(random.nextBoolean() ? DType.BFLOAT16 : DType.FLOAT32);
            case 15 -> x.matmul(any().to(x.dtype()).t()).matmul(x).tanh();
            case 16 -> x.flip(random.nextInt(2));
            case 17 -> x.cumsum(random.nextInt(2)).tanh();
            case 18 -> x.sort(-1, random.nextBoolean()).values();
            default -> x.roll(1 + random.nextInt(5), random.nextInt(2));
        };
    }

    /** The processor determines which of the many NaNs is the result. */
    private static byte[] bytes(HostTensor value) {
        byte[] bytes = value.bytes().clone();
        int width = value.dtype().bytes();
        for (int index = 0; index < bytes.length / width; index++) {
            if (Double.isNaN(value.getDouble(index))) {
                Arrays.fill(bytes, index * width, (index + 1) * width, (byte) 0xff);
            }
        }
        return bytes;
    }
}
