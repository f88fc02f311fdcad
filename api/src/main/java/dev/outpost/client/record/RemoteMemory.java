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
 * The part of the program's memory that one machine may hold, and the mark above which it is relieved. Methods that
 * report segments need the ledger's lock; methods that only read need none.
 */
public final class RemoteMemory {
    private static final int COLLECTION_ATTEMPTS = 8;
    /** Values above which the collector is asked: of what it finds, the machine hears a little later. */
    private static final long MANY_VALUES = Message.MAX_VALUES / 8 * 7;
    /** Values that may be alive: so many fewer that the collector is not asked for every few. */
    private static final long MAX_VALUES = Message.MAX_VALUES / 4 * 3;

    private final String machine;
    private final SessionSettings settings;
    private final MemoryAccount account;
    /** Lets go of what the garbage collector has found. */
    private final Runnable collect;
    /** Seals all open segments, and lets the machine know. */
    private final Runnable seal;
    /** Lets the machine go on where it waits for the program to take what a scan emitted. */
    private final Runnable releaseScans;

    private final MemoryEstimate estimate = new MemoryEstimate();
    private final Collector collector;
    private volatile long markBytes;
    /** The least value of the mark. */
    private long roomBytes;
    /** The machine's memory for this session; Long.MAX_VALUE before it has said so. */
    private long quotaBytes = Long.MAX_VALUE;

    /**
     * @param account counts the bytes of the values
     * @param collect frees what the garbage collector has found
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

    /** As above, with the test's collector. */
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

    // ---- what the machine says

    /** A segment, or a call of a program, was sealed, and gives so much. */
    public void sealed(long number, long bytes) {
        estimate.sealed(number, bytes);
    }

    /** The machine said how much it holds. */
    public void reported(ToClient.Progress progress) {
        estimate.reported(progress);
    }

    // ---- what the machine has

    /** Values that it will refuse may have raised the mark. */
    synchronized void quota(long bytes) {
        quotaBytes = bytes;
        markBytes = roomBytes;
    }

    /** Whether it is more than the machine has for the whole session, as far as that is known. */
    boolean isTooLarge(TensorType type) {
        return type.bytes() > quotaBytes;
    }

    /** Whether an open segment that stores so much had better be executed, so that garbage among it can go. */
    boolean isLarge(long bytes) {
        return bytes > quotaBytes / 4;
    }

    /** Fails for results that could not be there even if nothing else were; together they count for so much. */
    public void requireHoldable(TensorType[] types, long bytes) {
        // Asked for every op: mostly all of them together are not too large.
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
     * The bytes that the machine may hold: no more than handles do, and no more than it says and has been asked for
     * since.
     */
    private long machineBytes() {
        return Math.min(account.heldBytes(), estimate.bytes(account.lastingBytes()));
    }

    /** Whether somebody is to do something about it. */
    public boolean isAboveMark(long quotaBytes) {
        return account.heldValues() > MANY_VALUES || holdsMuch(quotaBytes);
    }

    /** Whether the machine may hold a lot, or the program more than the machine could hold if all of it were wanted. */
    private boolean holdsMuch(long quotaBytes) {
        long held = account.heldBytes();
        return held > markBytes && (held > quotaBytes || machineBytes() > markBytes);
    }

    // ---- making room

    /** Handles are tiny, so the collector sees no need to find the dead ones: it is asked to. */
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

    /** Values that stay alive all the same raise the mark, up to the machine's quota. */
    private void relieveOfBytes(long quotaBytes, InFlightLimiter limiter, BooleanSupplier isOver) {
        long goal = markBytes - markBytes / 4;
        boolean isStored = estimate.reportedBytes() > goal;
        if (isStored) {
            askCollectorForBytes(this::machineBytes, goal);
        }
        releaseScans.run();
        limiter.awaitIdle(isOver, () -> !isStored && account.heldBytes() <= quotaBytes && machineBytes() <= goal);
        if (!isStored && machineBytes() > markBytes) {
            // Values that were under way are stored by now.
            askCollectorForBytes(this::machineBytes, goal);
        }
        if (account.heldBytes() > quotaBytes) {
            // Values that were on their way held others as well, and have arrived.
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

    /** A step that makes more garbage than fits below the mark would have the collector look once a step. */
    private synchronized void raiseMark(long quotaBytes) {
        if (settings.leavesRoom() && collector.checkOftenAndReset()) {
            roomBytes = Math.max(roomBytes, Math.min(quotaBytes / 4, 2 * roomBytes));
        }
        long alive = machineBytes();
        markBytes = Math.min(quotaBytes, Math.max(roomBytes, alive + alive / 2));
    }

    /** Not for what is in open segments, which stays whatever the collector finds, nor for little beside it. */
    private void askCollectorForBytes(LongSupplier bytes, long max) {
        askCollector(bytes, Math.max(max, estimate.openBytes(account.lastingBytes()) + max / 8));
    }

    private void askCollector(LongSupplier held, long goal) {
        // Two in a row that find nothing: what is left is alive, as what an open scope owns always is.
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
