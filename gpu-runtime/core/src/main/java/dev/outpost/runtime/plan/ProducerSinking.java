package dev.outpost.runtime.plan;

import dev.outpost.protocol.ir.Instruction;
import java.util.List;
import java.util.function.IntFunction;
import java.util.function.IntPredicate;

/**
 * Which instructions stand in an earlier group than they need to: all that uses the result is in one later group, and the
 * operands are in memory anyway. There the result need not be stored, as with what a gradient's formula asks of values from
 * forward alone.
 *
 * @param uses of the graph
 * @param groupOf the number of the group that computes a value, as it changes; below 0 for an input
 * @param members the instructions of a group
 * @param isKept whether a value outlives the segment
 */
record ProducerSinking(Uses uses, int[] groupOf, IntFunction<List<Instruction>> members, IntPredicate isKept) {
    private static final int NOWHERE = -1;
    /** A store costs the bus about what two loads do. */
    private static final int LOADS_FOR_A_STORE = 2;

    /** The later group that an elementwise instruction would be better in; below 0 for none. */
    int target(Instruction instruction) {
        int result = instruction.result(0);
        int target = isKept.test(result) ? NOWHERE : groupOfUsers(result);
        return target != NOWHERE && target != groupOf[result] && isWorthIt(instruction, target) ? target : NOWHERE;
    }

    private int groupOfUsers(int value) {
        int group = NOWHERE;
        for (Instruction user : uses.of(value)) {
            int other = groupOf[user.result(0)];
            if (group != NOWHERE && group != other) {
                return NOWHERE;
            }
            group = other;
        }
        return group;
    }

    /** Nothing is stored for it that was not, what is held longer is no more than the result, and what is read is not much more. */
    private boolean isWorthIt(Instruction instruction, int target) {
        double bytes = AliasSets.bytes(instruction.resultType(0));
        double held = 0;
        double read = 0;
        for (int position = 0; position < instruction.operandCount(); position++) {
            int value = instruction.operand(position);
            if (value == Instruction.IMMEDIATE || isUsedIn(target, value)) {
                continue;
            }
            if (groupOf[value] >= 0 && !isStoredWithout(instruction, value)) {
                return false;
            }
            long operand = AliasSets.bytes(instruction.operandType(position));
            read += operand;
            held += isNeededFrom(instruction, value) ? 0 : operand;
        }
        return held <= bytes && read <= LOADS_FOR_A_STORE * bytes;
    }

    /** Asks the users of the value or the members of the group, whichever are fewer: a value may be used by thousands. */
    private boolean isUsedIn(int group, int value) {
        List<Instruction> users = uses.of(value);
        return users.size() <= members.apply(group).size()
                ? users.stream().anyMatch(user -> groupOf[user.result(0)] == group)
                : members.apply(group).stream().anyMatch(member -> uses(member, value));
    }

    private static boolean uses(Instruction instruction, int value) {
        for (int position = 0; position < instruction.operandCount(); position++) {
            if (instruction.operand(position) == value) {
                return true;
            }
        }
        return false;
    }

    private boolean isStoredWithout(Instruction instruction, int value) {
        return isKept.test(value)
                || uses.of(value).stream()
                        .anyMatch(user -> user != instruction && groupOf[user.result(0)] != groupOf[value]);
    }

    /** Whether somebody needs an operand when the result is used first, or later. */
    private boolean isNeededFrom(Instruction instruction, int value) {
        int first = uses.of(instruction.result(0)).getFirst().index();
        return isKept.test(value) || uses.of(value).getLast().index() >= first;
    }
}
