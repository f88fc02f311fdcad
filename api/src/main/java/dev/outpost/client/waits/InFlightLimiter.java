package dev.outpost.client.waits;

import dev.outpost.protocol.message.ToClient;
import dev.outpost.types.FaultKind;
import dev.outpost.types.OutpostException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BooleanSupplier;
import java.util.function.LongSupplier;

/** Tracks how far the machine is behind the program, and blocks the program if it is too far behind. */
public final class InFlightLimiter {
    private static final ToClient.Progress NOTHING = new ToClient.Progress(0, 0, 0, 0, 0, 0);
    private static final long LOOK_AGAIN_MILLIS = 100;

    private final int maxSegmentsInFlight;
    private final long maxQueuedBytes;
    private final ReadLimit limit;
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition changed = lock.newCondition();
    private final AdaptiveSpin spin = AdaptiveSpin.ofProgram();
    private final AtomicLong sealed = new AtomicLong();
    private volatile ToClient.Progress progress = NOTHING;

    public InFlightLimiter(SessionSettings settings, ReadLimit limit) {
        this.limit = limit;
        maxSegmentsInFlight = settings.maxSegmentsInFlight();
        maxQueuedBytes = settings.maxQueuedBytes();
    }

    /** Counts a sealed segment. Returns the number of sealed segments. */
    public long sealedOne() {
        return sealed.incrementAndGet();
    }

    /** Returns the number of sealed segments. */
    public long sealed() {
        return sealed.get();
    }

    public ToClient.Progress progress() {
        return progress;
    }

    /** Records the machine's report of its progress. */
    public void progress(ToClient.Progress latest) {
        progress = latest;
        changed();
    }

    public boolean isCrowded(long queuedBytes) {
        return sealed.get() - progress.segments() >= maxSegmentsInFlight || queuedBytes >= maxQueuedBytes;
    }

    /** Blocks, interruptibly, until there is room or the session is over. */
    public void await(LongSupplier queuedBytes, BooleanSupplier isOver) {
        awaitUntil(() -> isOver.getAsBoolean() || !isCrowded(queuedBytes.getAsLong()));
    }

    /** Blocks, interruptibly, while {@code isCrowded} holds and the session is not over. */
    public void awaitRoom(BooleanSupplier isCrowded, BooleanSupplier isOver) {
        awaitUntil(() -> isOver.getAsBoolean() || !isCrowded.getAsBoolean());
    }

    /** Blocks, interruptibly, until all sealed segments have been executed or the session is over. */
    public void awaitIdle(BooleanSupplier isOver) {
        BooleanSupplier isIdle = idleCheck(isOver);
        spin.until(isIdle, () -> awaitUntil(isIdle));
    }

    /** Like {@link #awaitIdle(BooleanSupplier)}, or until {@code isEnough} holds. */
    public void awaitIdle(BooleanSupplier isOver, BooleanSupplier isEnough) {
        BooleanSupplier isIdle = idleCheck(isOver);
        awaitUntil(() -> isIdle.getAsBoolean() || isEnough.getAsBoolean());
    }

    /** Blocks, interruptibly, until this many segments have been executed or the session is over. */
    public void awaitSegments(long goal, BooleanSupplier isOver) {
        BooleanSupplier isDone = () -> isOver.getAsBoolean() || progress.segments() >= goal;
        spin.until(isDone, () -> awaitUntil(isDone));
    }

    private BooleanSupplier idleCheck(BooleanSupplier isOver) {
        long goal = sealed.get();
        return () -> isOver.getAsBoolean() || progress.segments() >= goal;
    }

    /** Wakes the waiting threads to check their conditions again. */
    public void changed() {
        lock.lock();
        try {
            changed.signalAll();
        } finally {
            lock.unlock();
        }
    }

    private void awaitUntil(BooleanSupplier condition) {
        long begin = limit.now();
        lock.lock();
        try {
            while (!condition.getAsBoolean()) {
                changed.await(LOOK_AGAIN_MILLIS, TimeUnit.MILLISECONDS);
                limit.require(begin);
            }
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            throw new OutpostException(FaultKind.EXTERNAL, "interrupted while waiting for room", interrupted);
        } finally {
            lock.unlock();
        }
    }
}
