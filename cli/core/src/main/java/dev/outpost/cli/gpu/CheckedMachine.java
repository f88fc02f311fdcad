package dev.outpost.cli.gpu;

import dev.outpost.MachineOptions;
import dev.outpost.RemoteMachine;
import dev.outpost.provider.mock.MockMachine;
import dev.outpost.provider.mock.MockProvider;
import dev.outpost.provider.mock.MockSettings;
import dev.outpost.runtime.engine.Engine;
import java.time.Duration;
import java.util.function.Supplier;

/** A machine in this JVM around an engine, and what it says of itself. Closed, its engine is, too. */
final class CheckedMachine implements AutoCloseable {
    private static final Duration SOON = Duration.ofSeconds(20);
    private static final double SHARE_OF_MEMORY = 0.75;

    private final RemoteMachine machine;
    private final MockMachine inside;
    private final long quota;

    CheckedMachine(Supplier<Engine> engines) {
        Engine engine = engines.get();
        quota = (long) (SHARE_OF_MEMORY * engine.memoryBytes());
        MockProvider provider =
                new MockProvider(MockSettings.STANDARD.withEngine(() -> engine).withQuota(quota));
        machine = RemoteMachine.of(provider, "any", new MachineOptions()).awaitReady();
        inside = provider.machines().getFirst();
    }

    /** Bytes that values may take. */
    long quota() {
        return quota;
    }

    RemoteMachine machine() {
        return machine;
    }

    /**
     * Waits until the values are gone that nobody holds any more.
     *
     * @throws WrongAnswerException if something is left, or an instruction failed for a reason that is ours
     */
    void requireNothingLeft() {
        long deadline = System.nanoTime() + SOON.toNanos();
        machine.synchronize();
        while (inside.host().liveBytes() > 0 && System.nanoTime() < deadline) {
            machine.synchronize();
        }
        if (inside.host().liveBytes() > 0) {
            throw new WrongAnswerException(inside.host().liveBytes() + " bytes of values are left");
        }
        if (inside.host().stats().defects() > 0) {
            throw new WrongAnswerException(inside.host().stats().defects() + " defects were counted");
        }
    }

    @Override
    public void close() {
        machine.close();
    }
}
