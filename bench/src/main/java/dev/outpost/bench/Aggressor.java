package dev.outpost.bench;

import dev.outpost.RemoteMachine;
import dev.outpost.Tensor;
import java.util.concurrent.atomic.AtomicBoolean;

/** A session that uses much of one resource until it is closed, on the same machine as a victim's session. */
final class Aggressor implements AutoCloseable {
    private static final int SIDE = 512;
    private static final int LARGE = 2048;
    private static final int FLOATS = 4 << 20;

    /** The used resource. */
    enum Kind {
        /** Long products that occupy the engine. */
        KERNELS,

        /** Large values that are created and freed. */
        MEMORY,

        /** Values that the client uploads. */
        UPLOADS,

        /** Sessions that end during their work, and new ones that begin. */
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
            // The session is closed during this work.
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
