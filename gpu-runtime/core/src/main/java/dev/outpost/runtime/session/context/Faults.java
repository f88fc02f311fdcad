package dev.outpost.runtime.session.context;

import dev.outpost.protocol.ir.Instruction;
import dev.outpost.protocol.message.Failed;
import dev.outpost.protocol.message.Fault;
import dev.outpost.protocol.message.FaultMessages;
import dev.outpost.protocol.message.Message;
import dev.outpost.protocol.message.ToClient;
import dev.outpost.protocol.message.UpdateFailed;
import dev.outpost.types.FaultCode;
import dev.outpost.types.FaultKind;
import dev.outpost.types.OpException;
import dev.outpost.types.OutpostException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Converts exceptions of instructions to faults, and stores the faults that the client has not seen, and the faults that must still be
 * reported to it. Thread-safe: the worker thread records faults, and the thread that sends replies reports them.
 */
public final class Faults {
    /** The maximum number of failures that the last message of a session lists. */
    private static final int MAX_REPORTED = 16;

    /** The maximum number of faults that are remembered: even for a loop that fails a million times, the first thousand explain enough. */
    private static final int MAX_REMEMBERED = 1024;

    /** The maximum number of characters of a client's text that are kept, because without this limit a text could be as long as a frame. */
    private static final int MAX_TEXT = 2000;

    private final Map<Long, Fault> unseen = new LinkedHashMap<>();
    /** The unseen faults that were not reported to the client yet. */
    private final Map<Long, Fault> untold = new LinkedHashMap<>();
    /** The updates that failed since the last report to the client. */
    private final List<UpdateFailed> updates = new ArrayList<>();

    private final InternalErrorLog internalErrorLog;
    private long latest;

    public Faults(InternalErrorLog internalErrorLog) {
        this.internalErrorLog = internalErrorLog;
    }

    /**
     * Records the fault of an instruction as unseen.
     *
     * @param place the place of the failure as text, or an empty string
     */
    public synchronized Fault record(Throwable problem, Instruction instruction, String place, String source) {
        Fault fault = of(problem, instruction, place, source);
        if (unseen.size() < MAX_REMEMBERED) {
            unseen.put(fault.getNumber(), fault);
            untold.put(fault.getNumber(), fault);
        }
        return fault;
    }

    /** Records a fault that has no instruction as unseen. */
    public synchronized Fault record(OutpostException problem) {
        Fault fault = FaultMessages.of(problem).toBuilder().setNumber(++latest).build();
        if (unseen.size() < MAX_REMEMBERED) {
            unseen.put(fault.getNumber(), fault);
            untold.put(fault.getNumber(), fault);
        }
        return fault;
    }

    /**
     * Records that an update did not happen because of a fault. If the same update fails repeatedly for one reason, it
     * is reported once with a count.
     */
    public synchronized void updateFailed(long update, Fault fault) {
        UpdateFailed before = updates.isEmpty() ? null : updates.getLast();
        boolean isSame = before != null && before.getUpdate() == update && before.getFault() == fault;
        UpdateFailed failed = UpdateFailed.newBuilder()
                .setUpdate(update)
                .setTimes(isSame ? before.getTimes() + 1 : 1)
                .setFault(fault)
                .build();
        if (isSame) {
            updates.set(updates.size() - 1, failed);
        } else {
            updates.add(failed);
        }
    }

    /** Returns the number of the latest fault. */
    public synchronized long latest() {
        return latest;
    }

    /** Numbers further faults after this one, because the session continues another one. */
    public synchronized void continueAfter(long number) {
        latest = Math.max(latest, number);
    }

    /** Marks a fault as seen, because the client has read a value that it affected. */
    public synchronized void seen(Fault fault) {
        unseen.remove(fault.getNumber());
        untold.remove(fault.getNumber());
    }

    /** Forgets a fault, because another fault is reported in its place. */
    public void replaced(Fault fault) {
        seen(fault);
    }

    /** Returns true if a failure was not reported to the client yet. */
    public synchronized boolean hasNews() {
        return !untold.isEmpty() || !updates.isEmpty();
    }

    /** Returns the failures that were not reported to the client yet, and marks them as reported. */
    public synchronized List<Message> news() {
        List<Message> news = new ArrayList<>();
        untold.values()
                .forEach(fault -> news.add(
                        ToClient.Reply.of(Failed.newBuilder().setFault(fault).build())));
        updates.forEach(failed -> news.add(ToClient.Reply.of(failed)));
        untold.clear();
        updates.clear();
        return news;
    }

    public synchronized List<Fault> unseen() {
        return unseen.values().stream().limit(MAX_REPORTED).toList();
    }

    /** Returns the text, cut to its beginning if it is long. */
    public static String brief(String text) {
        return text.length() <= MAX_TEXT ? text : text.substring(0, MAX_TEXT) + "…";
    }

    private Fault of(Throwable problem, Instruction instruction, String place, String source) {
        String op = problem instanceof OpException refusal
                ? refusal.op()
                : instruction.op().label();
        String message = brief(message(problem, op)) + " (" + brief(instruction.toString()) + ")" + place;
        return Fault.newBuilder()
                .setKind(kind(problem, instruction).code())
                .setCode(code(problem).number())
                .setOp(op)
                .setMessage(message)
                .setSource(brief(source))
                .setNumber(++latest)
                .build();
    }

    private FaultKind kind(Throwable problem, Instruction instruction) {
        return switch (problem) {
            case OutpostException expected -> expected.kind();
            case OutOfMemoryError full -> FaultKind.RESOURCES;
            default -> {
                internalErrorLog.report(brief(instruction.toString()) + " failed on the machine", problem);
                yield FaultKind.INTERNAL;
            }
        };
    }

    private static FaultCode code(Throwable problem) {
        return problem instanceof OutpostException expected ? expected.code() : FaultCode.NONE;
    }

    private static String message(Throwable problem, String op) {
        return switch (problem) {
            case OutpostException expected when expected.getMessage().startsWith(op + ":") -> expected.getMessage();
            case OutpostException expected -> op + ": " + expected.getMessage();
            case OutOfMemoryError full -> op + ": out of memory on the machine, " + full.getMessage();
            default -> op + ": " + problem.getClass().getName() + ": " + problem.getMessage();
        };
    }
}
