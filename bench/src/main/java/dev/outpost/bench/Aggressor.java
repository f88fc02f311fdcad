package dev.outpost.bench;

import dev.outpost.RemoteMachine;
import dev.outpost.Tensor;
import java.util.concurrent.atomic.AtomicBoolean;

/** A session that takes much of one thing for as long as it is let, beside a victim's on the same machine. */
final class Aggressor implements AutoCloseable {
    private static final int SIDE = 512;
    private static final int LARGE = 2048;
    private static final int FLOATS = 4 << 20;

    /** What is taken. */
    enum Kind {
        /** Products that take the engine for long. */
        KERNELS,

        /** Large values that are made and freed. */
        MEMORY,

        /** Values that are sent from the client. */
        UPLOADS,

        /** Sessions that end in the middle of their work, and others that begin. */
        CRASHES
    }

    private final AtomicBoolean isOver = new AtomicBoolean();
    private final Thread thread;

    Aggressor(Kind kind, BenchmarkedRuntime runtime) {
        thread = Thread.ofVirtual().start(() -> run(kind, runtime));
    }

    private void run(Kind kind, BenchmarkedRuntime runtime) {
        while (!isOver.get()) {
            try (RemoteMachine machine = RemoteMachine.connect(runtime.endpoint(), runtime.token())) {
                do {
                    once(kind, machine);
                } while (!isOver.get() && kind != Kind.CRASHES);
            }
        }
    }

    private static void once(Kind kind, RemoteMachine machine) {
        switch (kind) {
            case KERNELS -> {
                try (Tensor x = machine.ones(SIDE, SIDE);
                        Tensor y = x.matmul(x)) {
                    y.sum().itemDouble();
                }
            }
            case MEMORY -> {
                try (Tensor x = machine.ones(LARGE, LARGE)) {
                    x.sum().itemDouble();
                }
            }
            case UPLOADS -> {
                try (Tensor x = machine.tensor(new float[FLOATS])) {
                    x.sum().itemDouble();
                }
            }
            // Closing in the middle of its work is what follows.
            case CRASHES -> machine.ones(SIDE, SIDE).matmul(machine.ones(SIDE, SIDE));
        }
    }

    @Override
    public void close() {
        isOver.set(true);
        try {
            thread.join();
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        }
    }
}
