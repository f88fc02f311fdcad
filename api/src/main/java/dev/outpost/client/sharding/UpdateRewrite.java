package dev.outpost.client.sharding;

import dev.outpost.protocol.ir.Instruction;
import dev.outpost.protocol.op.AsStrided;
import dev.outpost.protocol.op.UpdateCommit;
import dev.outpost.protocol.op.UpdateGuard;
import dev.outpost.sharding.Sharding;
import dev.outpost.types.Layout;
import dev.outpost.types.TensorType;
import java.util.Arrays;
import java.util.Comparator;
import java.util.stream.IntStream;

/** Rewrites updates of parameters and their state: each member updates its parts. Used by one thread. */
record UpdateRewrite(int size, PlacedValues values, MemberBuilders members, Reshards reshards) {
    /**
     * Makes each member guard its parts. Partial sums are taken first, because updating a term of a sum does not
     * update the sum. They are taken in the order in which their terms are computed, so that the first sums are
     * exchanged while the members compute the other terms. The gradient of a cut parameter gets the parameter's cut,
     * and outlives the program only in that placement. A member then has its part of the gradient and of the state
     * that is computed from it.
     */
    void guard(Instruction instruction, UpdateGuard op) {
        int operands = instruction.operandCount();
        ShardedValue[] given = new ShardedValue[operands];
        int[] asComputed = IntStream.range(0, operands)
                .boxed()
                .sorted(Comparator.comparingInt(instruction::operand))
                .mapToInt(position -> position)
                .toArray();
        for (int position : asComputed) {
            ValuePlacements placements = values.operand(instruction, position);
            Sharding has = placements.sharding();
            Sharding target = ofSum(instruction, op, position);
            if (has.isDue() || PartView.isCut(target.placement())) {
                placements.settle(reshards.to(placements, target, false));
            }
            given[position] = placements.main();
        }
        int[][] results = members.none(instruction.resultCount());
        for (int rank = 0; rank < size; rank++) {
            guardOn(rank, instruction, op, given, results);
        }
        for (int position = 0; position < results.length; position++) {
            int operand = position < operands ? position : op.gradients() + position - operands;
            values.define(instruction, position, new ShardedValue(given[operand].sharding(), results[position]));
        }
    }

    /**
     * Returns the placement of a gradient's sum: the placement of the parameter, of which a member may have only a
     * part.
     */
    private Sharding ofSum(Instruction instruction, UpdateGuard op, int position) {
        Sharding has = values.operand(instruction, position).sharding();
        int state = op.gradients() + position;
        if (position < op.gradients() && state < instruction.operandCount()) {
            ValuePlacements parameter = values.operand(instruction, state);
            Sharding ofParameter = parameter.sharding();
            boolean belongsThere = ofParameter.workers().equals(has.workers())
                    && !ofParameter.isDue()
                    && parameter
                            .type()
                            .equals(values.operand(instruction, position).type());
            if (belongsThere) {
                return ofParameter;
            }
        }
        return has.summed();
    }

    private void guardOn(int rank, Instruction instruction, UpdateGuard op, ShardedValue[] given, int[][] results) {
        int[] own = IntStream.range(0, given.length)
                .filter(position -> given[position].isOn(rank))
                .toArray();
        int gradients = (int)
                Arrays.stream(own).filter(position -> position < op.gradients()).count();
        if (own.length == gradients) {
            // This member has no state, so there is nothing to guard.
            for (int position : own) {
                results[position][rank] = given[position].local(rank);
            }
            return;
        }
        int[] operands =
                Arrays.stream(own).map(position -> given[position].local(rank)).toArray();
        Instruction guarded = members.add(rank, new UpdateGuard(gradients, op.update()), operands);
        for (int place = 0; place < own.length; place++) {
            results[own[place]][rank] = guarded.result(place);
            if (place >= gradients) {
                int kept = given.length + own[place] - op.gradients();
                results[kept][rank] = guarded.result(own.length + place - gradients);
            }
        }
    }

    /** Makes each member commit its parts of the states. */
    void commit(Instruction instruction, UpdateCommit op) {
        int states = instruction.resultCount();
        ShardedValue[] kept = new ShardedValue[states];
        ShardedValue[] changed = new ShardedValue[states];
        for (int state = 0; state < states; state++) {
            ValuePlacements before = values.operand(instruction, state);
            ValuePlacements after = values.operand(instruction, states + state);
            Sharding target = before.sharding();
            boolean isCut = PartView.isCut(after.sharding().placement())
                    && !after.sharding().isDue();
            if (target.isReplicated() && isCut) {
                // A state that began as zeros everywhere, such as a moment, now gets the placement of its parameter.
                target = after.sharding();
            }
            kept[state] = reshards.to(before, target, false);
            changed[state] = reshards.to(after, target, false);
        }
        int[][] results = members.none(states);
        for (int rank = 0; rank < size; rank++) {
            int member = rank;
            int[] own = IntStream.range(0, states)
                    .filter(state -> kept[state].isOn(member))
                    .toArray();
            if (own.length == 0) {
                continue;
            }
            int[] operands = new int[2 * own.length];
            for (int place = 0; place < own.length; place++) {
                operands[place] = kept[own[place]].local(rank);
                operands[own.length + place] = changed[own[place]].local(rank);
            }
            Instruction committed = members.add(rank, op, operands);
            for (int place = 0; place < own.length; place++) {
                boolean isInPlace = own[place] - own[0] == place;
                results[own[place]][rank] = isInPlace
                        ? committed.result(place)
                        : renamed(rank, committed.result(place), committed.resultType(place));
            }
        }
        for (int state = 0; state < states; state++) {
            values.define(instruction, state, new ShardedValue(kept[state].sharding(), results[state]));
        }
    }

    /**
     * Copies a value, so that it has its own id. Ids of an instruction's results are consecutive, and a member may
     * lack states in between.
     */
    private int renamed(int rank, int local, TensorType type) {
        return members.add(rank, new AsStrided(Layout.contiguous(type.shape())), local)
                .result(0);
    }
}
