package dev.outpost.system.speed;

import dev.outpost.protocol.ir.Graph;
import dev.outpost.protocol.ir.Instruction;
import dev.outpost.protocol.ir.Structure;
import dev.outpost.protocol.op.AsStrided;
import dev.outpost.protocol.op.Binary;
import dev.outpost.protocol.op.Cast;
import dev.outpost.protocol.op.Ternary;
import dev.outpost.protocol.op.Unary;
import dev.outpost.runtime.plan.rewrite.RewriteContext;
import java.util.Arrays;
import java.util.BitSet;

/**
 * Bytes that a graph's values take at once in whatever order it runs, if each is computed once and an elementwise result may
 * lie where an operand was: for the instruction where that is most, its operands and results, what has been computed before
 * it in every order and is needed after it in every order, what goes in and stays, and of each value that goes in and dies
 * either the value or what becomes of it.
 */
final class SmallestLiveSet {
    private final Graph graph;
    private final Structure structure;
    private final Instruction[] makers;
    /** The storage of each value, identified by the storage's first value. */
    private final int[] storage;
    /** By place in the graph. */
    private final BitSet[] before;

    private final BitSet[] after;
    private final int[] firstResults;
    /** The positions of the instructions that read each storage. */
    private final BitSet[] users;

    private final BitSet kept = new BitSet();
    /** For each dying input, the chain of storages that are computed from it, until one is kept. */
    private final int[][] successions;

    private SmallestLiveSet(RewriteContext context) {
        this.graph = context.graph();
        this.structure = graph.structure();
        int places = structure.instructionCount();
        makers = new Instruction[graph.valueCount()];
        storage = new int[makers.length];
        before = sets(places);
        after = sets(places);
        users = sets(makers.length);
        firstResults = new int[places];
        Arrays.setAll(storage, value -> value);
        graph.instructions().forEach(this::see);
        for (Instruction instruction : graph.instructions().reversed()) {
            int place = instruction.index();
            before[place].stream().forEach(earlier -> after[earlier].set(place));
        }
        for (int result = 0; result < structure.resultCount(); result++) {
            if (structure.isKept(result)) {
                kept.set(storage[context.replacements()[structure.inputCount() + result]]);
            }
        }
        successions = new int[structure.inputCount()][];
        BitSet claimed = new BitSet();
        Arrays.setAll(successions, input -> structure.isDying(input) ? succession(input, claimed) : new int[0]);
    }

    /** @param context the context of the graph without unneeded instructions */
    static long bytes(RewriteContext context) {
        SmallestLiveSet set = new SmallestLiveSet(context);
        return set.graph.instructions().stream().mapToLong(set::bytesAt).max().orElse(0);
    }

    private static BitSet[] sets(int count) {
        BitSet[] sets = new BitSet[count];
        Arrays.setAll(sets, _ -> new BitSet());
        return sets;
    }

    private void see(Instruction instruction) {
        int place = instruction.index();
        for (int position = 0; position < instruction.operandCount(); position++) {
            int value = instruction.operand(position);
            if (value == Instruction.IMMEDIATE) {
                continue;
            }
            if (makers[value] != null) {
                before[place].or(before[makers[value].index()]);
                before[place].set(makers[value].index());
            }
            users[storage[value]].set(place);
        }
        for (int position = 0; position < instruction.resultCount(); position++) {
            makers[instruction.result(position)] = instruction;
        }
        firstResults[place] = instruction.result(0);
        if (instruction.op() instanceof AsStrided) {
            storage[instruction.result(0)] = storage[instruction.operand(0)];
        }
    }

    /** The chain from a dying input through values of the same size, each computed from the previous one, to a kept value. */
    private int[] succession(int input, BitSet claimed) {
        int[] found = search(input, new int[] {}, claimed);
        Arrays.stream(found).forEach(claimed::set);
        return found;
    }

    private int[] search(int from, int[] path, BitSet claimed) {
        for (int place : users[from].stream().toArray()) {
            int result = firstResults[place];
            boolean isFree = !claimed.get(result) && storage[result] == result && result != from;
            if (isFree && bytes(result) >= bytes(from)) {
                int[] longer = Arrays.copyOf(path, path.length + 1);
                longer[path.length] = result;
                int[] found = kept.get(result) ? longer : search(result, longer, claimed);
                if (found.length > 0) {
                    return found;
                }
            }
        }
        return new int[0];
    }

    private long bytesAt(Instruction instruction) {
        int place = instruction.index();
        BitSet held = new BitSet();
        for (int value = 0; value < storage.length; value++) {
            if (storage[value] == value && isHeld(value, place)) {
                held.set(value);
            }
        }
        long bytes = held.stream().mapToLong(this::bytes).sum();
        for (int input = 0; input < structure.inputCount(); input++) {
            boolean isThere =
                    held.get(input) || Arrays.stream(successions[input]).anyMatch(held::get);
            bytes += !isThere && successions[input].length > 0 ? bytes(input) : 0;
        }
        return bytes + room(instruction);
    }

    /** Returns true if a storage exists before an instruction in every order. */
    private boolean isHeld(int value, int place) {
        boolean isInput = value < structure.inputCount();
        boolean isMade = isInput || makers[value] != null && before[place].get(makers[value].index());
        boolean stays = kept.get(value) || isInput && !structure.isDying(value);
        return isMade && (stays || users[value].get(place) || users[value].intersects(after[place]));
    }

    /** The bytes of the results, unless they may overwrite a dying operand. */
    private long room(Instruction instruction) {
        if (instruction.op() instanceof AsStrided) {
            return 0;
        }
        long results = 0;
        for (int position = 0; position < instruction.resultCount(); position++) {
            results += bytes(instruction.result(position));
        }
        var op = instruction.op();
        boolean isElementwise =
                op instanceof Unary || op instanceof Binary || op instanceof Ternary || op instanceof Cast;
        return isElementwise && isAnyGivenUp(instruction) ? 0 : results;
    }

    private boolean isAnyGivenUp(Instruction instruction) {
        for (int position = 0; position < instruction.operandCount(); position++) {
            int value = instruction.operand(position);
            if (value != Instruction.IMMEDIATE
                    && bytes(storage[value]) >= bytes(instruction.result(0))
                    && !kept.get(storage[value])
                    && !users[storage[value]].intersects(after[instruction.index()])) {
                return true;
            }
        }
        return false;
    }

    private long bytes(int value) {
        return graph.type(value).bytes();
    }
}
