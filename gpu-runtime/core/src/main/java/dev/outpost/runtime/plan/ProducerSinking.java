package dev.outpost.runtime.plan;

import dev.outpost.protocol.ir.Instruction;
import java.util.List;
import java.util.function.IntFunction;
import java.util.function.IntPredicate;

/**
 * Finds instructions that should move to a later group, because that group contains all uses of the result, and the
 * operands are in memory anyway. In the later group the result need not be stored. An example is a part of a
 * gradient's formula that uses only values of the forward pass.
 *
 * @param uses the uses of values in the graph
 * @param groupOf the current number of the group that computes a value; below 0 for an input
 * @param members the instructions of a group
 * @param isKept true if a value outlives the segment
 */
record ProducerSinking(Uses uses, int[] groupOf, IntFunction<List<Instruction>> members, IntPredicate isKept) {
    private static final int NOWHERE = -1;
    /** The number of loads that need about as much of the memory bus as one store. */
    private static final int LOADS_FOR_A_STORE = 2;

    /** Returns the later group to which an elementwise instruction should move; below 0 for none. */
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

    /**
     * Returns true if the move stores no additional value, reads few additional bytes, and keeps inputs alive
     * only if they have no more bytes than the result.
     */
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

    /**
     * Returns true if a member of the group uses the value. Searches the shorter list, because a value may have
     * thousands of users.
     */
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

    /** Returns true if an operand is kept, or used when the result is first used or later. */
    private boolean isNeededFrom(Instruction instruction, int value) {
        int first = uses.of(instruction.result(0)).getFirst().index();
        return isKept.test(value) || uses.of(value).getLast().index() >= first;
    }
}
