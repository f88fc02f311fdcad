package dev.outpost.client;

import dev.outpost.protocol.fault.FaultKind;
import dev.outpost.protocol.fault.OutpostException;
import dev.outpost.protocol.message.Message;
import dev.outpost.protocol.types.TensorType;
import java.util.function.BooleanSupplier;
import java.util.function.LongSupplier;

/**
 * What the program holds, what the machine may hold of it, and the mark above which somebody does something about it.
 * Whoever counts has the session's lock; whoever only looks needs none.
 */
final class RemoteMemory {
    private static final int COLLECTION_ATTEMPTS = 8;
    /** Values above which the collector is asked: of what it finds, the machine hears a little later. */
    private static final long MANY_VALUES = Message.MAX_VALUES / 8 * 7;
    /** Values that may be alive: so many fewer that the collector is not asked for every few. */
    private static final long MOST_VALUES = Message.MAX_VALUES / 4 * 3;
    /** What a value counts for at most. */
    private static final long MOST_BYTES = 1L << 50;

    private final String machine;
    private final SessionSettings settings;
    /** Lets go of what the garbage collector has found. */
    private final Runnable collect;
    /** Seals all open segments, and lets the machine know. */
    private final Runnable seal;
    /** Lets the machine go on where it waits for the program to take what a scan emitted. */
    private final Runnable releaseScans;

    private final MemoryEstimate estimate = new MemoryEstimate();
    private final Collector collector;
    /** Of values that outlive the segment, or the call, that computes them; of the open segment, those that still may. */
    private final Tally lastingBytes = new Tally();
    /** What of it nobody holds any more. */
    private final Tally forgottenBytes = new Tally();

    private final Tally heldValues = new Tally();
    /** What of it the collector has found in segments that are still open: it goes when they are sealed. */
    private final Tally unheldBytes = new Tally();

    private volatile long markBytes;
    /** What the mark is at least. */
    private long roomBytes;
    /** What the machine has for this session; as much as a long can say before it has said so. */
    private long quotaBytes = Long.MAX_VALUE;

    RemoteMemory(
            String machine,
            SessionSettings settings,
            Collector collector,
            Runnable collect,
            Runnable seal,
            Runnable releaseScans) {
        this.machine = machine;
        this.settings = settings;
        this.collector = collector;
        this.collect = collect;
        this.seal = seal;
        this.releaseScans = releaseScans;
        markBytes = settings.highWaterBytes();
        roomBytes = markBytes;
    }

    // ---- counting

    static long bytes(TensorType type) {
        return elementBytes(type) + MemoryEstimate.OVERHEAD_BYTES;
    }

    /** No more than several of them can be added up; no machine has as much. */
    private static long elementBytes(TensorType type) {
        return Math.min(type.bytes(), MOST_BYTES);
    }

    static long bytes(TensorType[] types) {
        long bytes = 0;
        for (TensorType type : types) {
            bytes += bytes(type);
        }
        return bytes;
    }

    /** There are values more, which take so much. */
    void named(int values, long bytes) {
        lastingBytes.add(bytes);
        heldValues.add(values);
    }

    /** Nobody holds it any more, and the segment that computes it is still open: it will not outlive that. */
    void unnamed(RemoteValue value) {
        lastingBytes.add(-countedBytes(value));
        heldValues.add(-1);
    }

    /** What a value counts for: one without elements on the machine next to nothing. */
    static long countedBytes(RemoteValue value) {
        return value.lost ? MemoryEstimate.OVERHEAD_BYTES : bytes(value.type());
    }

    /** The collector has found it, and the segment that computes it is still open. */
    void unheld(RemoteValue value) {
        unheldBytes.add(countedBytes(value));
    }

    /** Its segment was sealed. */
    void settled(RemoteValue value) {
        unheldBytes.add(-countedBytes(value));
    }

    /** Nobody holds it any more. */
    void forgotten(RemoteValue value) {
        forgottenBytes.add(countedBytes(value));
        heldValues.add(-1);
    }

    /** A fault took it: who holds it holds no elements. */
    void lost(RemoteValue value) {
        if (!value.lost) {
            value.lost = true;
            forgottenBytes.add(elementBytes(value.type()));
        }
    }

    /** The machine has so little that it will refuse this value of an open segment. The answer is what counts no more. */
    long refused(RemoteValue value) {
        long before = countedBytes(value);
        value.lost = true;
        long less = before - countedBytes(value);
        lastingBytes.add(-less);
        if (value.holders == 0) {
            unheldBytes.add(-less);
        }
        return less;
    }

    /** A segment, or a call of a program, was sealed, and gives so much. */
    void sealed(long number, long bytes) {
        estimate.sealed(number, bytes);
    }

    /** The machine said how much it holds. */
    void reported(Message.Progress progress) {
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

    /** Fails for results that could not be there even if nothing else were. */
    void requireHoldable(TensorType[] types) {
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

    // ---- looking

    long heldValues() {
        return heldValues.get();
    }

    private long heldBytes() {
        // In this order, so that what is named and forgotten meanwhile makes it no less than it is.
        long forgotten = forgottenBytes.get();
        return lastingBytes.get() - forgotten;
    }

    /** Without what goes when open segments are sealed. */
    private long wantedBytes() {
        return heldBytes() - unheldBytes.get();
    }

    /** What the machine may hold: no more than handles do, and no more than it says and has been asked for since. */
    private long machineBytes() {
        return Math.min(heldBytes(), estimate.bytes(lastingBytes.get()));
    }

    /** Whether somebody is to do something about it. */
    boolean isAboveMark(long quotaBytes) {
        return heldValues() > MANY_VALUES || holdsMuch(quotaBytes);
    }

    /** Whether the machine may hold a lot, or the program more than the machine could hold if all of it were wanted. */
    private boolean holdsMuch(long quotaBytes) {
        long held = heldBytes();
        return held > markBytes && (held > quotaBytes || machineBytes() > markBytes);
    }

    // ---- making room

    /** Handles are tiny, so the collector sees no need to find the dead ones: it is asked to. */
    void relieve(long quotaBytes, Gate behind, BooleanSupplier isOver) {
        if (heldValues() > MANY_VALUES) {
            relieveOfValues();
        }
        if (holdsMuch(quotaBytes)) {
            relieveOfBytes(quotaBytes, behind, isOver);
        }
    }

    private void relieveOfValues() {
        askCollector(heldValues::get, MOST_VALUES);
        long alive = heldValues();
        if (alive > MOST_VALUES) {
            throw new OutpostException(
                    FaultKind.RESOURCES,
                    machine + ": there are " + alive + " tensors, and at most " + MOST_VALUES
                            + " may be; close tensors, or use scopes, to hold less");
        }
    }

    /** What is alive all the same raises the mark, up to the machine's quota. */
    private void relieveOfBytes(long quotaBytes, Gate behind, BooleanSupplier isOver) {
        long goal = markBytes - markBytes / 4;
        boolean isStored = estimate.reportedBytes() > goal;
        if (isStored) {
            askCollectorForBytes(this::machineBytes, goal);
        }
        releaseScans.run();
        behind.awaitIdle(isOver, () -> !isStored && heldBytes() <= quotaBytes && machineBytes() <= goal);
        if (!isStored && machineBytes() > markBytes) {
            // What was under way is stored by now.
            askCollectorForBytes(this::machineBytes, goal);
        }
        if (heldBytes() > quotaBytes) {
            // What was on its way held values as well, and has arrived.
            askCollector(this::wantedBytes, quotaBytes);
        }
        if (heldBytes() > quotaBytes && wantedBytes() <= quotaBytes) {
            seal.run();
            behind.awaitIdle(isOver);
        }
        requireBelow(quotaBytes);
        raiseMark(quotaBytes);
    }

    private void requireBelow(long quotaBytes) {
        long held = heldBytes();
        if (held > quotaBytes) {
            throw new OutpostException(
                    FaultKind.RESOURCES,
                    machine + ": out of memory, tensors hold " + held + " bytes of " + quotaBytes
                            + "; close tensors, or use scopes, to hold less");
        }
    }

    /** A step that makes more garbage than fits below the mark would have the collector look once a step. */
    private synchronized void raiseMark(long quotaBytes) {
        if (settings.leavesRoom() && collector.isOften()) {
            roomBytes = Math.max(roomBytes, Math.min(quotaBytes / 4, 2 * roomBytes));
        }
        long alive = machineBytes();
        markBytes = Math.min(quotaBytes, Math.max(roomBytes, alive + alive / 2));
    }

    /** Not for what is in open segments, which stays whatever the collector finds, nor for little beside it. */
    private void askCollectorForBytes(LongSupplier bytes, long most) {
        askCollector(bytes, Math.max(most, estimate.openBytes(lastingBytes.get()) + most / 8));
    }

    private void askCollector(LongSupplier held, long goal) {
        // Two in a row that find nothing: what is left is alive, as what an open scope owns always is.
        for (int attempt = 0, inVain = 0;
                attempt < COLLECTION_ATTEMPTS && inVain < 2 && held.getAsLong() > goal;
                attempt++) {
            long before = wantedBytes();
            collector.run();
            pause(1L << attempt);
            collect.run();
            inVain = wantedBytes() < before ? 0 : inVain + 1;
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
