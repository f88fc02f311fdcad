package dev.outpost.client.record;

import dev.outpost.client.calls.SourceLine;
import dev.outpost.client.stats.MemoryEstimate;
import dev.outpost.client.waits.InFlightLimiter;
import dev.outpost.client.waits.SessionSettings;
import dev.outpost.protocol.message.Message;
import dev.outpost.protocol.message.ToClient;
import dev.outpost.types.FaultKind;
import dev.outpost.types.OutpostException;
import dev.outpost.types.TensorType;
import java.util.function.BooleanSupplier;
import java.util.function.LongSupplier;

/**
 * The memory that values of the program may take on one machine, and the mark above which the client frees memory. Methods that report
 * segments need the ledger's lock; methods that only read need none.
 */
public final class RemoteMemory {
    private static final int COLLECTION_ATTEMPTS = 8;
    /**
     * The number of values above which the collector runs. It is below the protocol's limit because the machine learns of freed values a
     * little later.
     */
    private static final long MANY_VALUES = Message.MAX_VALUES / 8 * 7;
    /**
     * The number of values that may stay alive. It is below {@link #MANY_VALUES} so that the collector does not run for every few values.
     */
    private static final long MAX_VALUES = Message.MAX_VALUES / 4 * 3;

    private final String machine;
    private final SessionSettings settings;
    private final MemoryAccount account;
    /** Frees the values that the garbage collector has found dead. */
    private final Runnable collect;
    /** Seals all open segments. */
    private final Runnable seal;
    /** Lets open scans run to their end, even if the program has not taken their emissions. */
    private final Runnable releaseScans;

    private final MemoryEstimate estimate = new MemoryEstimate();
    private final Collector collector;
    private volatile long markBytes;
    /** The lowest value of the mark, in bytes. */
    private long roomBytes;
    /** The machine's memory for this session in bytes; Long.MAX_VALUE until the machine has sent the number. */
    private long quotaBytes = Long.MAX_VALUE;

    /**
     * @param account counts the bytes of the values
     * @param collect frees the values whose handles the garbage collector has found unreachable
     * @param seal seals all open segments
     * @param releaseScans lets open scans run to their end
     */
    public RemoteMemory(
            String machine,
            SessionSettings settings,
            MemoryAccount account,
            Runnable collect,
            Runnable seal,
            Runnable releaseScans) {
        this(machine, settings, account, new Collector(), collect, seal, releaseScans);
    }

    /** Does the same with another collector, for tests. */
    RemoteMemory(
            String machine,
            SessionSettings settings,
            MemoryAccount account,
            Collector collector,
            Runnable collect,
            Runnable seal,
            Runnable releaseScans) {
        this.machine = machine;
        this.settings = settings;
        this.account = account;
        this.collector = collector;
        this.collect = collect;
        this.seal = seal;
        this.releaseScans = releaseScans;
        markBytes = settings.highWaterBytes();
        roomBytes = markBytes;
    }

    // ---- reports of the machine

    /** Counts the result bytes of a segment or a program call that was sealed. */
    public void sealed(long number, long bytes) {
        estimate.sealed(number, bytes);
    }

    /** Records the machine's report of the bytes that it holds. */
    public void reported(ToClient.Progress progress) {
        estimate.reported(progress);
    }

    // ---- the machine's memory

    /** Sets the machine's memory. Resets the mark, because values that the machine will refuse may have raised it. */
    synchronized void quota(long bytes) {
        quotaBytes = bytes;
        markBytes = roomBytes;
    }

    /** Returns true if a value is larger than the machine's memory for the whole session. False while the memory is unknown. */
    boolean isTooLarge(TensorType type) {
        return type.bytes() > quotaBytes;
    }

    /** Returns true if an open segment with this many result bytes should be sealed, so that its garbage can be freed. */
    boolean isLarge(long bytes) {
        return bytes > quotaBytes / 4;
    }

    /** Fails if a result is larger than the whole memory for the session. {@code bytes} is the sum of all results. */
    public void requireHoldable(TensorType[] types, long bytes) {
        // Hot path: usually even the sum of all results is below the quota.
        if (bytes > quotaBytes || MemoryAccount.isCapped(bytes)) {
            requireHoldable(types);
        }
    }

    private void requireHoldable(TensorType[] types) {
        for (TensorType type : types) {
            if (isTooLarge(type)) {
                throw new OutpostException(FaultKind.RESOURCES, tooLarge(type));
            }
        }
    }

    private String tooLarge(TensorType type) {
        return SourceLine.calledOp() + ": " + type + " would take " + type.bytes() + " bytes, and " + machine + " has "
                + quotaBytes
                + " for all tensors of a session; compute it in parts, or ask for a machine with more memory";
    }

    // ---- reading

    /**
     * Returns an upper bound of the bytes on the machine: at most the bytes that handles hold, and at most the machine's last report plus
     * the bytes recorded since.
     */
    private long machineBytes() {
        return Math.min(account.heldBytes(), estimate.bytes(account.lastingBytes()));
    }

    /** Returns true if {@link #relieve} must run. */
    public boolean isAboveMark(long quotaBytes) {
        return account.heldValues() > MANY_VALUES || holdsMuch(quotaBytes);
    }

    /** Returns true if the machine may hold more than the mark, or the handles hold more than the machine's memory. */
    private boolean holdsMuch(long quotaBytes) {
        long held = account.heldBytes();
        return held > markBytes && (held > quotaBytes || machineBytes() > markBytes);
    }

    // ---- making room

    /**
     * Frees memory: runs the collector, waits for the machine, and seals segments. The JVM would not run its
     * collector, because handles are tiny.
     */
    public void relieve(long quotaBytes, InFlightLimiter limiter, BooleanSupplier isOver) {
        if (account.heldValues() > MANY_VALUES) {
            relieveOfValues();
        }
        if (holdsMuch(quotaBytes)) {
            relieveOfBytes(quotaBytes, limiter, isOver);
        }
    }

    private void relieveOfValues() {
        askCollector(account::heldValues, MAX_VALUES);
        long alive = account.heldValues();
        if (alive > MAX_VALUES) {
            throw new OutpostException(
                    FaultKind.RESOURCES,
                    machine + ": there are " + alive + " tensors, and at most " + MAX_VALUES
                            + " may be; close tensors, or use scopes, to hold less");
        }
    }

    /**
     * Brings the bytes below the mark. If values stay alive, raises the mark, up to the machine's memory. Fails if they exceed the memory.
     */
    private void relieveOfBytes(long quotaBytes, InFlightLimiter limiter, BooleanSupplier isOver) {
        long goal = markBytes - markBytes / 4;
        boolean isStored = estimate.reportedBytes() > goal;
        if (isStored) {
            askCollectorForBytes(this::machineBytes, goal);
        }
        releaseScans.run();
        limiter.awaitIdle(isOver, () -> !isStored && account.heldBytes() <= quotaBytes && machineBytes() <= goal);
        if (!isStored && machineBytes() > markBytes) {
            // The machine has computed the values of all sent segments, so its report counts them.
            askCollectorForBytes(this::machineBytes, goal);
        }
        if (account.heldBytes() > quotaBytes) {
            // All sent instructions have run, so values that only they used can be freed now.
            askCollector(account::wantedBytes, quotaBytes);
        }
        if (account.heldBytes() > quotaBytes && account.wantedBytes() <= quotaBytes) {
            seal.run();
            limiter.awaitIdle(isOver);
        }
        requireBelow(quotaBytes);
        raiseMark(quotaBytes);
    }

    private void requireBelow(long quotaBytes) {
        long held = account.heldBytes();
        if (held > quotaBytes) {
            throw new OutpostException(
                    FaultKind.RESOURCES,
                    machine + ": out of memory, tensors hold " + held + " bytes of " + quotaBytes
                            + "; close tensors, or use scopes, to hold less");
        }
    }

    /**
     * Sets a new mark. Doubles the lowest value of the mark if collections have taken more than an eighth of the time, because each
     * step then makes more garbage than fits below the mark.
     */
    private synchronized void raiseMark(long quotaBytes) {
        if (settings.leavesRoom() && collector.checkOftenAndReset()) {
            roomBytes = Math.max(roomBytes, Math.min(quotaBytes / 4, 2 * roomBytes));
        }
        long alive = machineBytes();
        markBytes = Math.min(quotaBytes, Math.max(roomBytes, alive + alive / 2));
    }

    /** Runs the collector unless the excess is mostly in open segments, which the collector cannot free. */
    private void askCollectorForBytes(LongSupplier bytes, long max) {
        askCollector(bytes, Math.max(max, estimate.openBytes(account.lastingBytes()) + max / 8));
    }

    private void askCollector(LongSupplier held, long goal) {
        // After two runs in a row that free nothing, the rest is alive, for example because an open scope owns it.
        for (int attempt = 0, inVain = 0;
                attempt < COLLECTION_ATTEMPTS && inVain < 2 && held.getAsLong() > goal;
                attempt++) {
            long before = account.wantedBytes();
            collector.run();
            pause(1L << attempt);
            collect.run();
            inVain = account.wantedBytes() < before ? 0 : inVain + 1;
        }
    }

    private static void pause(long millis) {
        try {
            Thread.sleep(millis);
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        }
    }
}
