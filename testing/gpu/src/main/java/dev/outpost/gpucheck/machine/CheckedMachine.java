package dev.outpost.gpucheck.machine;

import dev.outpost.MachineOptions;
import dev.outpost.RemoteMachine;
import dev.outpost.channel.grant.GrantTerms;
import dev.outpost.gpucheck.gpu.WrongAnswerException;
import dev.outpost.provider.mock.MockMachine;
import dev.outpost.provider.mock.MockProvider;
import dev.outpost.provider.mock.MockSettings;
import dev.outpost.runtime.engine.Engine;
import dev.outpost.runtime.session.RuntimeHost;
import dev.outpost.runtime.session.context.Limits;
import java.time.Duration;
import java.util.UUID;
import java.util.function.Supplier;

/** A machine in this JVM around an engine, with its statistics. Closing it closes the engine. */
final class CheckedMachine implements AutoCloseable {
    private static final Duration SOON = Duration.ofSeconds(20);
    private static final double SHARE_OF_MEMORY = 0.75;

    private final RemoteMachine machine;
    private final MockMachine inside;
    private final Engine engine;
    private final long quota;

    CheckedMachine(Supplier<Engine> engines) {
        this(engines, Limits.DEFAULT);
    }

    /** @param limits the limits of the machine */
    CheckedMachine(Supplier<Engine> engines, Limits limits) {
        engine = engines.get();
        quota = (long) (SHARE_OF_MEMORY * engine.memoryBytes());
        MockProvider provider = new MockProvider(
                MockSettings.STANDARD.withEngine(() -> engine).withQuota(quota).withLimits(limits));
        machine = RemoteMachine.of(provider, "any", new MachineOptions()).awaitReady();
        inside = provider.machines().getFirst();
    }

    /** The bytes that values may take. */
    long quota() {
        return quota;
    }

    RemoteMachine machine() {
        return machine;
    }

    /** Its runtime. */
    RuntimeHost host() {
        return inside.host();
    }

    /** True if only one session uses the device at a time. */
    boolean takesTurns() {
        return engine.concurrentSlices() == 1;
    }

    /** Opens another session of the same machine; the caller closes it. */
    RemoteMachine another() {
        String token = UUID.randomUUID().toString();
        inside.grant(token, GrantTerms.ALL);
        return RemoteMachine.connect(inside.endpoint(token), new MachineOptions());
    }

    /**
     * Waits until all values without owners are freed.
     *
     * @throws WrongAnswerException if a value remains, or an instruction failed because of a defect
     */
    void requireNothingLeft() {
        long deadline = System.nanoTime() + SOON.toNanos();
        machine.synchronize();
        while (inside.host().liveBytes() > 0 && System.nanoTime() < deadline) {
            // A value is freed when its tensor is collected. Nothing else here makes the collector run in time.
            System.gc();
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
