package dev.outpost.runtime.session.run;

import dev.outpost.protocol.bytes.Slice;
import dev.outpost.protocol.ir.Instruction;
import dev.outpost.protocol.message.Fault;
import dev.outpost.protocol.op.Collective;
import dev.outpost.runtime.memory.Array;
import dev.outpost.runtime.peer.ExchangeResult;
import dev.outpost.runtime.peer.LaunchGroupOffer;
import dev.outpost.runtime.peer.PeerGroup;
import dev.outpost.runtime.plan.LaunchGroup;
import dev.outpost.runtime.plan.Task;
import dev.outpost.runtime.session.memory.RefCountedStorage;
import dev.outpost.types.MalformedException;
import dev.outpost.types.OutpostException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The exchanges of one run with the other members of its group. An exchange runs concurrently with later tasks until
 * a task needs its result. Used by the worker thread alone.
 */
final class RunExchanges {
    private final SessionContext context;
    private final KernelLauncher launcher;
    private final ExchangeRunner exchangeRunner;
    private final RunValues values;
    private final RunFaults faults;
    private final Value[] slots;
    /** The exchanges that were not awaited yet, by the slot of their result. */
    private final Map<Integer, Begun> underway = new LinkedHashMap<>();
    /** The launch groups that were launched and may still fail. */
    private final List<LaunchedUnit> units = new ArrayList<>();
    /** The refused offers to launch several exchanges at once. The key is the slot of the first exchange's result. */
    private final Map<Integer, LaunchGroupOffer> offers = new HashMap<>();

    /**
     * One exchange.
     *
     * @param room memory for the result; null if there is no room
     * @param lost the fault of this member's operand, if it sends no elements because the operand is lost; otherwise null
     */
    private record Begun(Instruction instruction, PeerGroup.Underway exchange, RefCountedStorage room, Fault lost) {}

    private record LaunchedUnit(LaunchGroup group, PeerGroup.Underway exchanges) {}

    RunExchanges(
            SessionContext context,
            KernelLauncher launcher,
            ExchangeRunner exchangeRunner,
            RunValues values,
            RunFaults faults) {
        this.context = context;
        this.launcher = launcher;
        this.exchangeRunner = exchangeRunner;
        this.values = values;
        this.faults = faults;
        this.slots = values.slots();
    }

    boolean isEmpty() {
        return underway.isEmpty();
    }

    /**
     * Begins an exchange without waiting for it. If this member has lost its operand, the exchange reports that to the other members, which
     * wait for this one. Then all members lose the result to the same fault.
     *
     * @param task the task that consists of the exchange
     * @param lost the fault of this member's lost operand, or null
     */
    void begin(Task task, Collective collective, Fault lost) throws InterruptedException {
        Instruction instruction = values.first(task);
        Fault reason = lost;
        RefCountedStorage room = null;
        try {
            room = context.memory().allocate(instruction.resultType(0));
        } catch (OutpostException failure) {
            reason = reason == null ? faults.of(failure, instruction) : reason;
        }
        boolean isBegun = false;
        try {
            Array operand = reason != null || instruction.operandCount() == 0
                    ? null
                    : values.operands(instruction, launcher.constants()::array)[0];
            long start = context.runtime().now();
            PeerGroup.Underway begun = exchangeRunner.begin(
                    collective,
                    operand,
                    room,
                    reason,
                    problem -> faults.of(problem, instruction),
                    offers.remove(instruction.result(0)));
            RunObserver observer = launcher.observer();
            if (observer.isNeeded()) {
                begun.result()
                        .whenComplete((_, _) -> observer.exchanged(
                                task, start, context.runtime().now()));
            }
            underway.put(instruction.result(0), new Begun(instruction, begun, room, reason));
            isBegun = true;
        } catch (InterruptedException | MalformedException failure) {
            throw failure;
        } catch (Throwable problem) {
            values.poison(instruction, faults.of(problem, instruction));
        } finally {
            launcher.constants().trim();
            if (!isBegun && room != null) {
                room.release();
            }
        }
    }

    // ---- several at once

    /**
     * Keeps an offer to the other members. If they refuse the offer, its first exchange continues alone when its task
     * begins.
     */
    void offered(Instruction first, LaunchGroupOffer offer) {
        offers.put(first.result(0), offer);
    }

    /** Records that a launch group with exchanges was launched as offered. */
    void launched(LaunchGroup group, Instruction first, LaunchGroupOffer offer) {
        offers.remove(first.result(0));
        units.add(new LaunchedUnit(group, offer.exchange()));
    }

    /**
     * Waits for the launched groups with exchanges. If one failed, all results that were computed since its start are
     * lost.
     *
     * @param end the index after the last task that was begun
     */
    void awaitGroups(int end) throws InterruptedException {
        for (LaunchedUnit launched : units) {
            ExchangeResult exchangeResult = exchangeRunner.await(launched.exchanges());
            if (exchangeResult.fault().isPresent()) {
                int first = launched.group().first();
                Instruction failed = values.first(values.plan().tasks().get(first));
                values.lose(first, end, faults.ofOther(exchangeResult.fault().get(), failed));
            }
        }
        units.clear();
    }

    // ---- waiting

    /** Waits for the exchanges whose results a task needs. */
    void awaitOperands(Task task) throws InterruptedException {
        for (int index : task.instructions()) {
            Instruction instruction = values.instruction(index);
            for (int position = 0; position < instruction.operandCount(); position++) {
                await(values.slot(instruction, position));
            }
        }
    }

    /**
     * Waits for exchanges whose results die unread, except sends, because a send has no result, so the run does not wait until the receiver
     * has the elements.
     */
    void await(int[] dying) throws InterruptedException {
        for (int slot : dying) {
            if (!isSend(underway.get(slot))) {
                await(slot);
            }
        }
    }

    private static boolean isSend(Begun begun) {
        return begun != null
                && begun.instruction().op() instanceof Collective collective
                && collective.fn() == Collective.Fn.SEND;
    }

    /** Waits for all exchanges in the order in which they began. */
    void awaitAll() throws InterruptedException {
        for (int slot : List.copyOf(underway.keySet())) {
            await(slot);
        }
    }

    private void await(int slot) throws InterruptedException {
        Begun begun = underway.isEmpty() ? null : underway.remove(slot);
        if (begun == null) {
            return;
        }
        Instruction instruction = begun.instruction();
        boolean isWritten = false;
        try {
            ExchangeResult exchangeResult = exchangeRunner.await(begun.exchange());
            if (exchangeResult.fault().isPresent()) {
                Fault heard = exchangeResult.fault().get();
                values.poison(instruction, begun.lost() != null ? begun.lost() : faults.ofOther(heard, instruction));
                return;
            }
            if (!exchangeResult.isInPlace()) {
                context.engine().write(begun.room().buffer(), 0, new Slice(exchangeResult.elements()));
            }
            slots[slot] = Value.Present.whole(begun.room(), instruction.resultType(0));
            isWritten = true;
            launcher.observer().ranAlone(instruction, 0);
        } catch (InterruptedException | MalformedException failure) {
            throw failure;
        } catch (Throwable problem) {
            values.poison(instruction, faults.of(problem, instruction));
        } finally {
            if (!isWritten && begun.room() != null) {
                begun.room().release();
            }
        }
    }

    /** Releases the memory of exchanges that were not awaited. Called when the run ends. */
    void releaseAll() {
        for (Begun begun : underway.values()) {
            if (begun.room() != null) {
                begun.room().release();
            }
        }
        underway.clear();
        offers.values().forEach(offer -> offer.leave(new IllegalStateException("the run has ended")));
        offers.clear();
    }
}
