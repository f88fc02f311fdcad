package dev.outpost.runtime.session;

import dev.outpost.protocol.fault.FaultKind;
import dev.outpost.protocol.fault.OutpostException;
import dev.outpost.protocol.message.Fault;
import dev.outpost.protocol.tape.Instruction;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Set;

/** Turns what an instruction threw into a fault, and remembers which faults nobody has looked at. Used by the worker alone. */
final class Faults {
    /** What a farewell carries. */
    private static final int MAX_REPORTED = 16;

    /** A loop that fails a million times says enough with the first thousand. */
    private static final int MAX_REMEMBERED = 1024;

    /** What a client sends may be as long as a frame; what is kept of it may not. */
    private static final int MAX_TEXT = 2000;

    private final Set<Fault> unseen = Collections.newSetFromMap(new IdentityHashMap<>());
    private final Defects defects;

    Faults(Defects defects) {
        this.defects = defects;
    }

    /**
     * The fault of an instruction, counted as unseen from here on.
     *
     * @param place what is to be said of where it happened, or an empty string
     */
    Fault record(Throwable problem, Instruction instruction, String place, String source) {
        Fault fault = of(problem, instruction, place, source);
        if (unseen.size() < MAX_REMEMBERED) {
            unseen.add(fault);
        }
        return fault;
    }

    /** The client has been told. */
    void seen(Fault fault) {
        unseen.remove(fault);
    }

    List<Fault> unseen() {
        return unseen.stream().distinct().limit(MAX_REPORTED).toList();
    }

    /** The text, or its beginning. */
    static String brief(String text) {
        return text.length() <= MAX_TEXT ? text : text.substring(0, MAX_TEXT) + "…";
    }

    private Fault of(Throwable problem, Instruction instruction, String place, String source) {
        String op = instruction.op().label();
        String message = brief(message(problem, op)) + " (" + brief(instruction.toString()) + ")" + place;
        return new Fault(kind(problem, instruction), op, message, brief(source));
    }

    private FaultKind kind(Throwable problem, Instruction instruction) {
        return switch (problem) {
            case OutpostException expected -> expected.kind();
            case OutOfMemoryError full -> FaultKind.RESOURCES;
            default -> {
                defects.report(brief(instruction.toString()) + " failed on the machine", problem);
                yield FaultKind.INTERNAL;
            }
        };
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
